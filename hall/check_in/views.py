"""Check-in views for directors: the live list of arrivals, corrections, and the start."""

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
from clubs.evenings.first_seats import SEAT_NUMBERS, Chair
from clubs.evenings.services import NewCheckIn
from clubs.evenings.services.check_in_state import MAX_CHECK_IN_TABLES
from clubs.models import Evening
from hall.check_in.kinds import CheckInAccess, CheckInKind
from hall.check_in.sheets import CheckInPage, load_page
from printing.qr import create_qr_code
from server.fragments import HTMX_HEADER
from server.hall_network import find_base_url, find_phone_url
from server.numbers import parse_number_or_zero, parse_whole_number

MAX_TABLE_NUMBER = 500
DEFAULT_TABLE_COUNT = 7


@require_safe
def show_check_in(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Show who has checked in, by table; open pages poll the list as a fragment."""
    check_in_access = kind.load_access(request, slug)
    context = _build_context(request, kind, check_in_access)
    is_partial = HTMX_HEADER in request.headers
    template = "hall/check_in/_list.html" if is_partial else "hall/check_in/desk.html"
    return render(request, template, context)


def _build_context(
    request: HttpRequest, kind: CheckInKind, check_in_access: CheckInAccess
) -> dict[str, Any]:
    page = load_page(kind, check_in_access.evening)
    links = list_valid_links(check_in_access.evening)
    shown_link = next(
        (link for link in links if str(link.table) == request.GET.get("code", "")), None
    )
    link_url = (
        find_base_url(request) + shown_link.path
        if shown_link is not None and shown_link.path
        else ""
    )
    return check_in_access.access.context | {
        "page": page,
        "evening": check_in_access.evening,
        "state": check_in_access.evening.check_in_state,
        "name": str(check_in_access.subject),
        "has_partners": kind.has_partners(check_in_access.evening),
        "seat_labels": [
            (seat_number, kind.format_seat(seat_number)) for seat_number in SEAT_NUMBERS
        ],
        "table_count": len(page.tables)
        or _choose_table_count(request, check_in_access.evening),
        "home": find_phone_url(),
        "chosen": shown_link,
        "address": link_url,
        "code": create_qr_code(link_url) if link_url else None,
        "edited_table": page.find_table(parse_whole_number(request.GET.get("table", ""))),
        "edited_row": page.find_check_in(parse_whole_number(request.GET.get("person", ""))),
        "desk_url": reverse(kind.desk_url_name, args=[check_in_access.access.address]),
        **_build_urls(kind, check_in_access),
    }


def _choose_table_count(request: HttpRequest, evening: Evening) -> int:
    """Return the number of tables that the page suggests to the director.

    The form that created the evening sends the number of tables or people once, and
    `request.session` stores it. Without it, there are enough tables for all people checked in.
    """
    table_count = parse_whole_number(request.GET.get("tables", ""))
    people_count = parse_whole_number(request.GET.get("people", ""))
    chosen_table_count = table_count or -(-(people_count or 0) // len(SEAT_NUMBERS))
    session_key = f"check-in tables {evening.pk}"
    if chosen_table_count:
        request.session[session_key] = min(chosen_table_count, MAX_CHECK_IN_TABLES)
    suggested_table_count = -(-evening.check_ins.count() // len(SEAT_NUMBERS))
    return int(request.session.get(session_key) or suggested_table_count or DEFAULT_TABLE_COUNT)


def _build_urls(kind: CheckInKind, check_in_access: CheckInAccess) -> dict[str, str]:
    return {
        f"{name}_url": reverse(
            f"{kind.url_prefix}{page_name}", args=[check_in_access.access.address]
        )
        for name, page_name in (
            ("page", "check_in"),
            ("act", "check_in_act"),
            ("start", "check_in_start"),
            ("codes", "check_in_codes"),
        )
    }


@require_POST
def change_check_in(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Open or cancel the check-in, or change the people on its list."""
    check_in_access = kind.load_access(request, slug)
    handle_action = _ACTION_HANDLERS.get(request.POST.get("act", ""), _reject_unknown_action)
    try:
        message = handle_action(kind, check_in_access, request.POST, request.user)
        if message:
            messages.success(request, message)
    except WhistError as error:
        messages.error(request, str(error))
    if HTMX_HEADER in request.headers:
        check_in_access = kind.load_access(request, slug)
        context = _build_context(request, kind, check_in_access) | {"shows_messages": True}
        return render(request, "hall/check_in/_list.html", context)
    return redirect(_build_urls(kind, check_in_access)["page_url"])


ActionHandler = Callable[[CheckInKind, CheckInAccess, QueryDict, Actor], str]


def _open_check_in(
    _kind: CheckInKind, check_in_access: CheckInAccess, post_data: QueryDict, by: Actor
) -> str:
    table_count = parse_number_or_zero(post_data.get("tables", ""))
    was_open = check_in_access.evening.check_in_state == Evening.CheckInState.OPEN
    services.open_check_in(
        evening=check_in_access.evening,
        table_count=table_count,
        subject=check_in_access.subject,
        by=by,
    )
    if was_open:
        return _("Table %(table)s added. Print its QR code.") % {"table": table_count}
    return _("Check-in is open. Print the QR codes for the tables.")


def _cancel_check_in(
    _kind: CheckInKind, check_in_access: CheckInAccess, _post_data: QueryDict, by: Actor
) -> str:
    services.set_check_in_state(
        evening=check_in_access.evening,
        state=Evening.CheckInState.UNUSED,
        subject=check_in_access.subject,
        by=by,
    )
    return _("Check-in cancelled. The list is kept.")


def _add_people(
    kind: CheckInKind, check_in_access: CheckInAccess, post_data: QueryDict, by: Actor
) -> str:
    """Check in one or two people whom the director typed, at a table or without a chair."""
    submitted_names = [post_data.get("name", "").strip(), post_data.get("partner", "").strip()]
    typed_names = [name for name in submitted_names if name]
    table_number = parse_whole_number(post_data.get("table", ""), maximum=MAX_TABLE_NUMBER)
    if post_data.get("table", "").strip() and not table_number:
        raise CheckInRefused(_("Enter a table number."))
    chairs = _find_free_chairs(
        load_page(kind, check_in_access.evening), table_number, max(1, len(typed_names))
    )
    services.check_in_people(
        evening=check_in_access.evening,
        people=[
            NewCheckIn(name=name, chair=chair)
            for name, chair in zip(typed_names or [""], chairs, strict=True)
        ],
        subject=check_in_access.subject,
        by=by,
    )
    return _("%(names)s checked in.") % {"names": " & ".join(typed_names)}


def _find_free_chairs(
    page: CheckInPage, table_number: int | None, chair_count: int
) -> list[Chair | None]:
    """Return free chairs at a table, opposite each other for a pair; None without a table."""
    if table_number is None:
        return [None] * chair_count
    check_in_table = page.find_table(table_number)
    taken_seats = (
        {
            check_in_chair.seat_number
            for check_in_chair in check_in_table.chairs
            if check_in_chair.check_in
        }
        if check_in_table
        else set()
    )
    for seat_number in SEAT_NUMBERS:
        chairs = [Chair(table_number, seat_number), Chair(table_number, seat_number).opposite][
            :chair_count
        ]
        if not taken_seats & {chair.seat_number for chair in chairs}:
            return list(chairs)
    raise CheckInRefused(_("Table %(table)s is full.") % {"table": table_number})


def _move_person(
    _kind: CheckInKind, check_in_access: CheckInAccess, post_data: QueryDict, by: Actor
) -> str:
    """Move a person to a chair, as dragged on the page or chosen in the form."""
    table_number = parse_whole_number(post_data.get("table", ""), maximum=MAX_TABLE_NUMBER)
    seat_number = parse_whole_number(post_data.get("seat", ""), maximum=max(SEAT_NUMBERS))
    check_in = services.move_check_in(
        evening=check_in_access.evening,
        check_in_pk=parse_number_or_zero(post_data.get("person", "")),
        chair=Chair(table_number, seat_number) if table_number and seat_number else None,
        subject=check_in_access.subject,
        by=by,
    )
    if check_in.table is None:
        return _("%(name)s has no seat now.") % {"name": check_in.name}
    return _("%(name)s moved to table %(table)s.") % {
        "name": check_in.name,
        "table": check_in.table,
    }


def _seat_table(
    _kind: CheckInKind, check_in_access: CheckInAccess, post_data: QueryDict, by: Actor
) -> str:
    table_number = parse_number_or_zero(post_data.get("table", ""))
    seat_and_pk_parts = (
        seat_and_pk_text.partition(":")
        for seat_and_pk_text in post_data.get("seen", "").split(",")
        if seat_and_pk_text
    )
    services.seat_people_at_table(
        evening=check_in_access.evening,
        table_number=table_number,
        check_in_pks_by_seat={
            seat_number: parse_number_or_zero(post_data.get(f"seat-{seat_number}", "")) or None
            for seat_number in SEAT_NUMBERS
        },
        expected_pks_by_seat={
            parse_number_or_zero(seat_text): parse_number_or_zero(pk_text)
            for seat_text, _colon, pk_text in seat_and_pk_parts
        },
        subject=check_in_access.subject,
        by=by,
    )
    return _("Table %(table)s saved.") % {"table": table_number}


def _remove_person(
    _kind: CheckInKind, check_in_access: CheckInAccess, post_data: QueryDict, by: Actor
) -> str:
    check_in_pks = [parse_number_or_zero(pk_text) for pk_text in post_data.getlist("person")]
    services.check_out_people(
        evening=check_in_access.evening,
        check_in_pks=check_in_pks,
        subject=check_in_access.subject,
        by=by,
    )
    return _("Removed. You can undo this in History.")


def _rename_person(
    _kind: CheckInKind, check_in_access: CheckInAccess, post_data: QueryDict, by: Actor
) -> str:
    check_in = services.rename_check_in(
        evening=check_in_access.evening,
        check_in_pk=parse_number_or_zero(post_data.get("person", "")),
        name=post_data.get("name", ""),
        subject=check_in_access.subject,
        by=by,
    )
    return _("Name corrected: %(name)s.") % {"name": check_in.name}


def _merge_people(
    _kind: CheckInKind, check_in_access: CheckInAccess, post_data: QueryDict, by: Actor
) -> str:
    check_in = services.merge_check_ins(
        evening=check_in_access.evening,
        kept_check_in_pk=parse_number_or_zero(post_data.get("kept", "")),
        removed_check_in_pk=parse_number_or_zero(post_data.get("gone", "")),
        subject=check_in_access.subject,
        by=by,
    )
    return _("Merged: %(name)s.") % {"name": check_in.name}


def _undo_start(
    kind: CheckInKind, check_in_access: CheckInAccess, _post_data: QueryDict, by: Actor
) -> str:
    kind.undo_start(check_in_access, by)
    return _("Start undone. Check-in is open again.")


def _reject_unknown_action(
    _kind: CheckInKind, _check_in_access: CheckInAccess, _post_data: QueryDict, _by: Actor
) -> str:
    raise CheckInRefused(_("Choose an action."))


_ACTION_HANDLERS: Mapping[str, ActionHandler] = {
    "open": _open_check_in,
    "cancel": _cancel_check_in,
    "add": _add_people,
    "put": _move_person,
    "table": _seat_table,
    "leave": _remove_person,
    "rename": _rename_person,
    "merge": _merge_people,
    "undo": _undo_start,
}


@require_http_methods(["GET", "POST"])
def start_play(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Show who will move at the start (GET), or start play (POST)."""
    check_in_access = kind.load_access(request, slug)
    urls = _build_urls(kind, check_in_access)
    problem = ""
    if request.method == "POST":
        try:
            next_url = kind.start_play(check_in_access, request.POST, request.user)
        except WhistError as error:
            problem = str(error)
        else:
            check_in_access = kind.load_access(request, slug)
            movers = load_page(kind, check_in_access.evening).movers
            if not movers:
                messages.success(request, _("Started. Everyone keeps their seat."))
            return redirect(urls["page_url"] if movers else next_url)
    if check_in_access.evening.check_in_state != Evening.CheckInState.OPEN:
        return redirect(urls["page_url"])
    context = {
        **check_in_access.access.context,
        **kind.build_start_context(check_in_access),
        **{
            "name": str(check_in_access.subject),
            "start_label": kind.start_label,
            "problem": problem,
        },
    }
    status = 422 if problem else 200
    return render(request, "hall/check_in/start.html", context | urls, status=status)


@require_safe
def show_table_qr_codes(request: HttpRequest, slug: str, kind: CheckInKind) -> HttpResponse:
    """Show the printable QR codes of all tables, or none if phones cannot connect yet."""
    check_in_access = kind.load_access(request, slug)
    base_url = find_phone_url()
    should_show_qr_codes = base_url and check_in_access.evening.check_in_state
    links = list_valid_links(check_in_access.evening) if should_show_qr_codes else []
    cards = [
        (link.table, base_url + path, create_qr_code(base_url + path))
        for link in links
        if (path := link.path)
    ]
    context = check_in_access.access.context | {
        "cards": cards,
        "home": base_url,
        "name": str(check_in_access.subject),
    }
    return render(
        request, "hall/check_in/codes.html", context | _build_urls(kind, check_in_access)
    )
