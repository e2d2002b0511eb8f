"""The director's check-in pages: the list that fills, its corrections, and the start."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from clubs.activities.views import list_valid_links
from clubs.audit import Actor
from clubs.errors import CheckInRefused
from clubs.evenings import services
from clubs.evenings.first_seats import SEATS, Chair
from clubs.evenings.services import NewCheckIn
from clubs.models import Evening
from hall.check_in.kinds import CheckInKind, CheckInVisit
from hall.check_in.sheets import CheckInPage, load_page
from printing.qr import create_qr_code
from server.fragments import HTMX_HEADER
from server.hall_network import find_base_url, find_phone_url
from server.numbers import parse_number_or_zero, parse_whole_number

MAX_TABLE_NUMBER = 500
DEFAULT_TABLES = 7


@require_safe
def show_check_in(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Show who has checked in, by table; open pages poll the list as a fragment."""
    at = kind.load_visit(request, slug)
    context = _build_context(request, kind, at)
    part = HTMX_HEADER in request.headers
    template = "hall/check_in/_list.html" if part else "hall/check_in/desk.html"
    return render(request, template, context)


def _build_context(request: HttpRequest, kind: CheckInKind, at: CheckInVisit) -> dict[str, Any]:
    page = load_page(kind, at.evening)
    links = list_valid_links(at.evening)
    code = next(
        (link for link in links if str(link.table) == request.GET.get("code", "")), None
    )
    address = find_base_url(request) + code.path if code is not None and code.path else ""
    return at.visit.context | {
        "page": page,
        "evening": at.evening,
        "state": at.evening.check_in_state,
        "name": str(at.subject),
        "has_partners": kind.has_partners(at.evening),
        "seat_labels": [(seat, kind.format_seat(seat)) for seat in SEATS],
        "table_count": len(page.tables) or DEFAULT_TABLES,
        "home": find_phone_url(),
        "chosen": code,
        "address": address,
        "code": create_qr_code(address) if address else None,
        "edited_table": page.find_table(parse_whole_number(request.GET.get("table", ""))),
        "edited_row": page.find_row(parse_whole_number(request.GET.get("person", ""))),
        "desk_url": reverse(kind.desk, args=[at.visit.address]),
        **_build_urls(kind, at),
    }


def _build_urls(kind: CheckInKind, at: CheckInVisit) -> dict[str, str]:
    return {
        f"{name}_url": reverse(f"{kind.url_prefix}{page}", args=[at.visit.address])
        for name, page in (
            ("page", "check_in"),
            ("act", "check_in_act"),
            ("start", "check_in_start"),
            ("codes", "check_in_codes"),
        )
    }


@require_POST
def change_check_in(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Open or cancel the check-in, or change the people on its list."""
    at = kind.load_visit(request, slug)
    act = _ACTS.get(request.POST.get("act", ""), _refuse_act)
    try:
        said = act(kind, at, request.POST, request.user)
        if said:
            messages.success(request, said)
    except WhistError as error:
        messages.error(request, str(error))
    if HTMX_HEADER in request.headers:
        at = kind.load_visit(request, slug)
        context = _build_context(request, kind, at) | {"shows_messages": True}
        return render(request, "hall/check_in/_list.html", context)
    return redirect(_build_urls(kind, at)["page_url"])


Act = Callable[[CheckInKind, CheckInVisit, QueryDict, Actor], str]


def _open(_kind: CheckInKind, at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    tables = parse_number_or_zero(posted.get("tables", ""))
    was_open = at.evening.check_in_state == Evening.CheckInState.OPEN
    services.open_check_in(evening=at.evening, tables=tables, subject=at.subject, by=by)
    if was_open:
        return _("Table %(table)s added. Print its QR code.") % {"table": tables}
    return _("Check-in is open. Print the QR codes for the tables.")


def _cancel(_kind: CheckInKind, at: CheckInVisit, _posted: QueryDict, by: Actor) -> str:
    services.set_check_in_state(
        evening=at.evening, state=Evening.CheckInState.UNUSED, subject=at.subject, by=by
    )
    return _("Check-in cancelled. The list is kept.")


def _add(kind: CheckInKind, at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    """Check in one or two people whom the director typed, at a table or without a chair."""
    names = [posted.get("name", "").strip(), posted.get("partner", "").strip()]
    typed = [name for name in names if name]
    table = parse_whole_number(posted.get("table", ""), maximum=MAX_TABLE_NUMBER)
    if posted.get("table", "").strip() and not table:
        raise CheckInRefused(_("Enter a table number."))
    chairs = _find_chairs(load_page(kind, at.evening), table, max(1, len(typed)))
    services.check_in(
        evening=at.evening,
        people=[
            NewCheckIn(name=name, chair=chair)
            for name, chair in zip(typed or [""], chairs, strict=True)
        ],
        subject=at.subject,
        by=by,
    )
    return _("%(names)s checked in.") % {"names": " & ".join(typed)}


def _find_chairs(page: CheckInPage, table: int | None, count: int) -> list[Chair | None]:
    """Return free chairs at a table, opposite each other for a pair; None without a table."""
    if table is None:
        return [None] * count
    found = page.find_table(table)
    taken = {chair.seat for chair in found.chairs if chair.row} if found else set()
    for seat in SEATS:
        chairs = [Chair(table, seat), Chair(table, seat).opposite][:count]
        if not taken & {chair.seat for chair in chairs}:
            return list(chairs)
    raise CheckInRefused(_("Table %(table)s is full.") % {"table": table})


def _put(_kind: CheckInKind, at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    """Move a person to a chair, as dragged on the page or chosen in the form."""
    table = parse_whole_number(posted.get("table", ""), maximum=MAX_TABLE_NUMBER)
    seat = parse_whole_number(posted.get("seat", ""), maximum=max(SEATS))
    row = services.move_check_in(
        evening=at.evening,
        person=parse_number_or_zero(posted.get("person", "")),
        chair=Chair(table, seat) if table and seat else None,
        subject=at.subject,
        by=by,
    )
    if row.table is None:
        return _("%(name)s has no seat now.") % {"name": row.name}
    return _("%(name)s moved to table %(table)s.") % {"name": row.name, "table": row.table}


def _seat_table(_kind: CheckInKind, at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    table = parse_number_or_zero(posted.get("table", ""))
    seen = (part.partition(":") for part in posted.get("seen", "").split(",") if part)
    services.seat_table(
        evening=at.evening,
        table=table,
        people={
            seat: parse_number_or_zero(posted.get(f"seat-{seat}", "")) or None for seat in SEATS
        },
        seen={parse_number_or_zero(seat): parse_number_or_zero(key) for seat, _c, key in seen},
        subject=at.subject,
        by=by,
    )
    return _("Table %(table)s saved.") % {"table": table}


def _leave(_kind: CheckInKind, at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    keys = [parse_number_or_zero(key) for key in posted.getlist("person")]
    services.check_out(evening=at.evening, people=keys, subject=at.subject, by=by)
    return _("Removed. You can undo this in History.")


def _rename(_kind: CheckInKind, at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    row = services.rename_check_in(
        evening=at.evening,
        person=parse_number_or_zero(posted.get("person", "")),
        name=posted.get("name", ""),
        subject=at.subject,
        by=by,
    )
    return _("Name corrected: %(name)s.") % {"name": row.name}


def _merge(_kind: CheckInKind, at: CheckInVisit, posted: QueryDict, by: Actor) -> str:
    row = services.merge_check_ins(
        evening=at.evening,
        kept=parse_number_or_zero(posted.get("kept", "")),
        gone=parse_number_or_zero(posted.get("gone", "")),
        subject=at.subject,
        by=by,
    )
    return _("Merged: %(name)s.") % {"name": row.name}


def _undo_start(kind: CheckInKind, at: CheckInVisit, _posted: QueryDict, by: Actor) -> str:
    kind.undo_start(at, by)
    return _("Start undone. Check-in is open again.")


def _refuse_act(_kind: CheckInKind, _at: CheckInVisit, _posted: QueryDict, _by: Actor) -> str:
    raise CheckInRefused(_("Choose an action."))


_ACTS: Mapping[str, Act] = {
    "open": _open,
    "cancel": _cancel,
    "add": _add,
    "put": _put,
    "table": _seat_table,
    "leave": _leave,
    "rename": _rename,
    "merge": _merge,
    "undo": _undo_start,
}


@require_http_methods(["GET", "POST"])
def start_check_in(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Show the consequences of the start (GET), or start play (POST)."""
    at = kind.load_visit(request, slug)
    urls = _build_urls(kind, at)
    problem = ""
    if request.method == "POST":
        try:
            following = kind.start(at, request.POST, request.user)
        except WhistError as error:
            problem = str(error)
        else:
            at = kind.load_visit(request, slug)
            movers = load_page(kind, at.evening).movers
            if not movers:
                messages.success(request, _("Started. Everyone keeps their seat."))
            return redirect(urls["page_url"] if movers else following)
    if at.evening.check_in_state != Evening.CheckInState.OPEN:
        return redirect(urls["page_url"])
    context = {
        **at.visit.context,
        **kind.build_start(at),
        **{"name": str(at.subject), "start_label": kind.start_label, "problem": problem},
    }
    status = 422 if problem else 200
    return render(request, "hall/check_in/start.html", context | urls, status=status)


@require_safe
def show_codes(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Show the QR codes of all tables, to print; none if phones cannot connect yet."""
    at = kind.load_visit(request, slug)
    home = find_phone_url()
    has_codes = home and at.evening.check_in_state
    links = list_valid_links(at.evening) if has_codes else []
    cards = [
        (link.table, home + path, create_qr_code(home + path))
        for link in links
        if (path := link.path)
    ]
    context = at.visit.context | {"cards": cards, "home": home, "name": str(at.subject)}
    return render(request, "hall/check_in/codes.html", context | _build_urls(kind, at))
