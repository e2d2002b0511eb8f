"""The staff pages that all kinds of activity share: history, table links, calls and papers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs import audit
from clubs.activities import services
from clubs.activities.activity_access import ActivityAccess
from clubs.activities.kinds import ActivityKind
from clubs.errors import ActionUnavailable
from clubs.evenings.services import answer_call
from clubs.models import Act, DirectorCall, Evening, TableLink
from clubs.undo import describe_undo_refusal, does_undo_revoke_links
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import render_undo_question
from printing.identity import use_club_identity
from printing.qr import QrCode, create_qr_code
from server.downloads import PDF_CONTENT_TYPE, build_file_response
from server.hall_network import find_base_url, find_phone_url
from server.numbers import parse_number_or_zero

ACTS_PER_PAGE = 60


@require_safe
def show_history(request: HttpRequest, slug: str, kind: ActivityKind[Any]) -> HttpResponse:
    """Show all acts of an activity, newest first.

    Each act has an undo button, or the reason why it cannot be undone.
    """
    access = kind.access_class.load_for_scorer(request, slug)
    formatter = kind.get_history_formatter(access.activity)
    act_lines = formatter.build_lines(list(audit.list_acts(access.activity)))
    page = Paginator(act_lines, ACTS_PER_PAGE).get_page(request.GET.get("page"))
    context = access.context | {
        "page": page,
        "changes": page.object_list,
        "undo": reverse(f"{kind.url_prefix}_undo", args=[access.address]),
    }
    return render(request, "clubs/activity_history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def undo_act(request: HttpRequest, slug: str, kind: ActivityKind[Any]) -> HttpResponse:
    """Undo the act in the request.

    An undo that cancels links needs a confirmation. A request from the kind's main page
    (`from=desk`) needs one unless the act is a score that the user entered. A GET request only
    redirects to the history, because the confirmation page has this URL and its language form
    returns here.
    """
    access = kind.access_class.load_for_director(request, slug)
    if request.method != "POST":
        return redirect(f"{kind.url_prefix}_history", slug)
    activity = access.activity
    act_pk = parse_number_or_zero(request.POST.get("act"))
    acts = audit.list_acts(activity)
    act = get_object_or_404(acts, pk=act_pk)
    is_from_desk = request.POST.get("from") == "desk"
    formatter = kind.get_history_formatter(activity)
    act_title = formatter.format_title_with_location(act)
    page_name = "desk" if is_from_desk else "history"
    back_url = reverse(f"{kind.url_prefix}_{page_name}", args=[slug])
    if refusal := describe_undo_refusal(acts, act, is_history_shown=not is_from_desk):
        messages.error(request, refusal)
        return redirect(back_url)
    inverses_by_name = kind.get_inverses()
    are_links_cancelled = does_undo_revoke_links(
        act, {**services.build_shared_inverses(activity), **inverses_by_name}
    )
    is_confirmation_needed = are_links_cancelled or (
        is_from_desk and not _is_own_score(act, request, kind)
    )
    if is_confirmation_needed and "anyway" not in request.POST:
        act_line = formatter.build_undoable_line(act)
        context = access.context | {
            "before": act_line.old_values_text,
            "after": act_line.new_values_text,
            "fields": {"act": act.pk} | ({"from": "desk"} if is_from_desk else {}),
        }
        return render_undo_question(
            request, act, act_title, back_url, context, are_links_cancelled=are_links_cancelled
        )
    with show_errors_as_messages(request):
        if not services.undo_activity_act(
            activity=activity, act=act, inverses_by_name=inverses_by_name, by=request.user
        ):
            raise ActionUnavailable(_("Already undone."))
        messages.success(request, _("Undone: %(what)s") % {"what": act_title})
    return redirect(back_url)


def _is_own_score(act: Act, request: HttpRequest, kind: ActivityKind[Any]) -> bool:
    # The main page refreshes its undo button. Just before a click, the button can change to a
    # score that a phone or another director has sent.
    is_own_act = act.by == audit.format_author_key(request.user)
    return is_own_act and act.action in kind.score_actions


@dataclass(frozen=True, slots=True)
class TableLinkRow:
    """A table on the page of table links, with its link if it has one."""

    table_number: int
    link_pk: int | None  # the primary key of the link
    link_path: str  # empty without a link, or if its token cannot be derived any more
    last_seen_at: datetime | None


@require_safe
def show_tables(request: HttpRequest, slug: str, kind: ActivityKind[Any]) -> HttpResponse:
    """Show the tables with their links, and the QR code of the table in the request."""
    access = kind.access_class.load_for_director(request, slug)
    links_by_table = {link.table: link for link in list_valid_links(access.activity.evening)}
    rows = [
        _build_table_link_row(table_number, links_by_table.get(table_number))
        for table_number in kind.list_table_numbers(access.activity, links_by_table)
    ]
    requested_table_number = parse_number_or_zero(request.GET.get("table"))
    base_url = find_base_url(request)
    requested_row = next(
        (row for row in rows if row.table_number == requested_table_number and row.link_path),
        None,
    )
    context = access.context | {
        "rows": rows,
        "made": bool(links_by_table),
        "wanting": any(not row.link_path for row in rows),
        "reaches": bool(find_phone_url()),
        "chosen": links_by_table[requested_row.table_number] if requested_row else None,
        "address": base_url + requested_row.link_path if requested_row else "",
        "code": create_qr_code(base_url + requested_row.link_path) if requested_row else None,
    }
    return render(request, f"{kind.template_folder}/tables.html", context)


def _build_table_link_row(table_number: int, link: TableLink | None) -> TableLinkRow:
    if link is None:
        return TableLinkRow(table_number, None, "", None)
    return TableLinkRow(table_number, link.pk, link.path, link.seen_at)


@require_POST
def update_table_links(
    request: HttpRequest, slug: str, kind: ActivityKind[Any]
) -> HttpResponse:
    """Create the missing table links, or revoke one or all of them."""
    activity = kind.access_class.load_for_director(request, slug).activity
    link_pk = parse_number_or_zero(request.POST.get("link"))
    with show_errors_as_messages(request):
        if request.POST.get("act") == "revoke":
            kind.revoke_links(activity, [link_pk] if link_pk else (), request.user)
            messages.success(request, _("QR code cancelled."))
        else:
            kind.create_links(activity, request.user)
            messages.success(request, str(kind.links_created_message))
    return redirect(f"{kind.url_prefix}_tables", slug)


@require_POST
def accept_director_call(
    request: HttpRequest, slug: str, kind: ActivityKind[Any]
) -> HttpResponse:
    """Record that a director is on the way to the table that called."""
    activity = kind.access_class.load_for_scorer(request, slug).activity
    calls = DirectorCall.objects.filter(evening=activity.evening_id)
    call = get_object_or_404(calls, pk=parse_number_or_zero(request.POST.get("call")))
    answer_call(call=call, by=request.user)
    return redirect(f"{kind.url_prefix}_desk", slug)


def list_valid_links(evening: Evening) -> list[TableLink]:
    """Return the links of an evening's tables that are not revoked, by table number."""
    return list(evening.table_links.filter(revoked_at__isnull=True).order_by("table"))


def build_table_qr_codes(evening: Evening) -> dict[int, QrCode]:
    """Return the QR codes of the table links, by table number.

    The result is empty if phones cannot reach this computer.
    """
    base_url = find_phone_url()
    if not base_url:
        return {}
    return {
        link.table: create_qr_code(base_url + path)
        for link in list_valid_links(evening)
        if (path := link.path)
    }


def show_papers(
    request: HttpRequest,
    access: ActivityAccess[Any],
    url_prefix: str,
    draw_pdf: Callable[[], bytes],
) -> HttpResponse:
    """Return the PDF that `draw_pdf` creates, with the club's name and logo on each page.

    If `draw_pdf` raises an error, the page of the papers shows the error message.
    """
    pdf = b""
    with (
        show_errors_as_messages(request),
        use_club_identity(*access.activity.club.paper_branding),
    ):
        pdf = draw_pdf()
    if not pdf:
        return redirect(f"{url_prefix}_papers", access.address)
    return build_file_response(pdf, PDF_CONTENT_TYPE, f"{access.address}.pdf", is_inline=True)
