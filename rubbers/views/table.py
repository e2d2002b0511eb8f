"""The marker page of a table, for logins and for the table's own device; and the QR codes."""

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from clubs.evenings.tables import TableKind, Taken, guest_at
from clubs.models import TableLink
from rubbers import visits
from rubbers.services.links import is_over, links_of, night_of
from rubbers.views.marking import At, answer, show, take_act
from server.numbers import whole_number


@require_http_methods(["GET", "POST"])
def rubber_table(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """Show the marker page of a table; most hands take one tap."""
    visit = visits.scorer_night(request, slug)
    night = visit.night
    round_, number = _numbers(table)
    back = reverse("rubber_desk", args=[slug])
    if night.drive is not None:
        back = reverse("drive_rubbers", args=[night.drive.slug])
    at = At(
        night=night,
        table=number,
        round=round_,
        here=reverse("rubber_table", args=[slug, table]),
        back=back,
        by=request.user,
    )
    return answer(request, at)


def _numbers(address: str) -> tuple[int, int]:
    """Return the round (0 outside a drive) and the number of a table: "3", or "2-3"."""
    first, dash, second = address.partition("-")
    round_ = whole_number(first, most=10_000) if dash else 0
    number = whole_number(second if dash else first, most=10_000)
    if round_ is None or number is None:
        raise Http404
    return round_, number


def _by_link(link: TableLink, here: str) -> At:
    """Return the context of the table's own device; `here` is the path of its page."""
    night = night_of(link)
    return At(
        night=night,
        table=link.table,
        round=night.drive.at_round if night.drive else 0,
        here=here,
        back=night.get_absolute_url(),
        by=guest_at(str(link.table)),
        is_guest=True,
    )


def _take(link: TableLink, sent: QueryDict) -> Taken:
    take_act(_by_link(link, ""), sent)
    return Taken()


def _show(request: HttpRequest, link: TableLink, problem: WhistError | None) -> HttpResponse:
    return show(request, _by_link(link, request.path), problem)


def _frame(link: TableLink) -> dict[str, object]:
    night = night_of(link)
    return {"night": night, "club": night.club}


RUBBER_TABLE = TableKind(
    links=links_of,
    locks="evening__rubber_night",
    is_over=is_over,
    take=_take,
    read=None,
    show=_show,
    frame=_frame,
    gone="rubbers/gone.html",
    over_words=gettext_lazy("The night is closed. This page is closed too."),
    withdrawn_words=gettext_lazy(
        "The organiser has taken this address back. Ask for a new one."
    ),
)
