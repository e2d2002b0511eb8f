"""The views of the marker page, for signed-in users and for devices with a table's link."""

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs.evenings.tables import RequestResult, TableKind, build_table_author
from clubs.models import TableLink
from rubbers import rubber_access
from rubbers.services.links import get_rubber_night, is_night_over, query_table_links
from rubbers.views.marking import MarkerPage, handle_marker_page, perform_act, show_marker_page
from server.numbers import parse_whole_number


@require_http_methods(["GET", "POST"])
def show_table(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """Show the marker page of a table to a signed-in user, or perform the posted act."""
    access = rubber_access.load_scorer_night_access(request, slug)
    night = access.night
    round_number, table_number = _parse_url_segment(table)
    back_url = reverse("rubber_desk", args=[slug])
    if night.drive is not None:
        back_url = reverse("drive_rubbers", args=[night.drive.slug])
    marker_page = MarkerPage(
        night=night,
        table_number=table_number,
        round_number=round_number,
        page_url=reverse("rubber_table", args=[slug, table]),
        back_url=back_url,
        actor=request.user,
    )
    return handle_marker_page(request, marker_page)


def _parse_url_segment(url_segment: str) -> tuple[int, int]:
    """Parse the address of a table into its round and number.

    Table 3 of a drive's round 2 is "2-3". Outside a drive it is "3", and the round is 0.
    """
    first_part, dash, second_part = url_segment.partition("-")
    round_number = parse_whole_number(first_part, maximum=10_000) if dash else 0
    table_number = parse_whole_number(second_part if dash else first_part, maximum=10_000)
    if round_number is None or table_number is None:
        raise Http404
    return round_number, table_number


def _build_device_page(link: TableLink, page_url: str) -> MarkerPage:
    """Return the marker page for a device with a table's link; `page_url` is its path."""
    night = get_rubber_night(link)
    return MarkerPage(
        night=night,
        table_number=link.table,
        round_number=night.drive.at_round if night.drive else 0,
        page_url=page_url,
        back_url=night.get_absolute_url(),
        actor=build_table_author(str(link.table)),
        is_guest=True,
    )


def _perform_act(link: TableLink, form_input: QueryDict) -> RequestResult:
    perform_act(_build_device_page(link, ""), form_input)
    return RequestResult()


def _show_page(
    request: HttpRequest, link: TableLink, problem: WhistError | None
) -> HttpResponse:
    return show_marker_page(request, _build_device_page(link, request.path), problem)


def _build_night_context(link: TableLink) -> dict[str, object]:
    night = get_rubber_night(link)
    return {"night": night, "club": night.club}


RUBBER_TABLE_KIND = TableKind(
    find_links=query_table_links,
    locked_row_lookup="evening__rubber_night",
    is_over=is_night_over,
    process_request=_perform_act,
    build_data=None,
    render_page=_show_page,
    build_closed_context=_build_night_context,
    closed_template="rubbers/gone.html",
    closed_message=gettext_lazy("The night is closed, so this page is too."),
    revoked_message=gettext_lazy("The organiser has cancelled this link. Ask for a new one."),
)
