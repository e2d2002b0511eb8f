"""The views of the room page, its tables and the clock, and of the public big screens."""

from collections.abc import Sequence
from dataclasses import asdict

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import clubs.evenings.services
import clubs.services
from clubs import permissions
from clubs.languages import activate_language
from clubs.models import RoundClock
from clubs.views.error_messages import show_errors_as_messages
from hall.room import services as clocks
from hall.room.clock import (
    ClockFace,
    build_clock_face,
    build_timetable,
    compute_playing_time,
    find_clock,
    get_default_pace,
    has_begun,
)
from hall.room.table_detail import build_table_detail
from hall.room.table_status import build_table_statuses
from hall.room.tonight import build_room_page, load_current_version_stamp
from scoring import page_loaders
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.brackets import build_bracket_sheet
from scoring.sheets.draws import DrawnRound, load_last_drawn_rounds
from scoring.sheets.papers import build_score_slips, sort_slips_by_name
from scoring.sheets.standings_page import build_standings_page
from scoring.sheets.values import ScoreSlip
from scoring.views.public import (
    build_frame_context,
    explain_hidden_standings,
    load_visible_standings,
)
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx
from server.numbers import parse_number_or_zero, parse_whole_number
from tournaments.event_access import EventAccess
from tournaments.models import Session
from tournaments.views.limits import load_max_evening_minutes

DEFAULT_TABLES_PER_ROW = 4
"""The number of tables in a row if the club has no plan of its hall."""


@require_safe
def show_room(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the room page: the next task, all tables, the clock, and the results to check."""
    return render(request, "hall/room.html", _build_room_context(request, slug))


@require_safe
@redirect_unless_htmx("room")
def show_changed_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the changed fragments of the room page, or 204 if the page is up to date."""
    access = page_loaders.load_scorer_event(request, slug)
    if request.GET.get("seen") == load_current_version_stamp(page_loaders.load_session(access)):
        return HttpResponse(status=204)
    return render(request, "hall/tonight/parts.html", _build_room_context(request, slug))


@require_safe
def show_room_table(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """Show one table: its players, boards and phone, and the incidents to report."""
    access = page_loaders.load_scorer_event(request, slug)
    session = page_loaders.load_session(access)
    room_page = build_room_page(access, session)
    section_letters = [
        section_row.letter for section_row in room_page.session_in_play.snapshot.sections
    ]
    requested_letter = request.GET.get("section", "")
    shown_section_letter = (
        requested_letter
        if requested_letter in section_letters
        else "".join(section_letters[:1])
    )
    detail = build_table_detail(room_page.session_in_play, shown_section_letter, table)
    if detail is None:
        raise PageNotFound(_("Table not found."))
    return render(
        request,
        "hall/tonight/table.html",
        access.context
        | {
            "session": session,
            "detail": detail,
            "ruled_at": f"{shown_section_letter}-{table}",
            "calls": [
                call for call in room_page.calls if call.table_label == detail.tile.table_label
            ],
            "may_direct": access.can_direct,
        },
    )


@require_http_methods(["GET", "POST"])
def edit_room_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for the tables' rows and columns in the club's hall; a POST saves them."""
    access = page_loaders.load_director_event(request, slug)
    snapshot = load_session_snapshot(page_loaders.load_session(access))
    table_labels = [
        snapshot.format_table_label(*table_key) for table_key in snapshot.rounds_by_table
    ]
    if request.method == "POST":
        positions_by_table = (
            {}
            if request.POST.get("act") == "forget"
            else _parse_table_positions(request, table_labels)
        )
        with show_errors_as_messages(request):
            clubs.services.update_table_positions(
                club=access.event.club, positions_by_table=positions_by_table, by=request.user
            )
            messages.success(request, _("Table plan saved."))
            return redirect("room", slug)
        return redirect("room_plan", slug)
    room_plan = access.event.club.room_plan
    labels_and_positions = [
        (table_label, *room_plan.get(table_label, _get_default_position(table_index)))
        for table_index, table_label in enumerate(table_labels)
    ]
    context = access.context | {"rows": labels_and_positions, "is_kept": bool(room_plan)}
    return render(request, "hall/tonight/plan.html", context)


def _get_default_position(table_index: int) -> tuple[int, int]:
    """Return the default row and column of the table at an index of the list."""
    return table_index // DEFAULT_TABLES_PER_ROW + 1, table_index % DEFAULT_TABLES_PER_ROW + 1


def _parse_table_positions(
    request: HttpRequest, table_labels: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """Return the submitted row and column of each table.

    Invalid numbers become 0, which the service rejects with an error message.
    """
    return {
        table_label: (
            parse_number_or_zero(request.POST.get(f"row-{table_label}")),
            parse_number_or_zero(request.POST.get(f"column-{table_label}")),
        )
        for table_label in table_labels
    }


def _build_room_context(request: HttpRequest, slug: str) -> dict[str, object]:
    access = page_loaders.load_scorer_event(request, slug)
    session = page_loaders.load_session(access)
    room_page = build_room_page(access, session, section_letter=request.GET.get("section", ""))
    return access.context | {
        "session": session,
        "now": room_page,
        "face": room_page.session_in_play.clock_face,
        "data": _serialize_clock(room_page.session_in_play.clock_face),
        "may_direct": access.can_direct,
    }


@require_safe
def show_clock_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the director's page of the clock: controls, playing time and timetable."""
    access = page_loaders.load_scorer_event(request, slug)
    session = page_loaders.load_session(access)
    clock = find_clock(session) or RoundClock(**get_default_pace(session)._asdict())
    live_context = _build_live_context(access, session)
    limit_minutes, first_round_number = (
        load_max_evening_minutes(request, access),
        live_context["round_on"],
    )
    assert isinstance(first_round_number, int)
    context = live_context | {
        "timetable": build_timetable(session),
        "clock": clock,
        "outlook": compute_playing_time(
            session, clock, limit_minutes, first_round_number=first_round_number
        ),
        "may_direct": permissions.can_direct(request.user, access.event.club),
    }
    return render(request, "hall/clock_desk.html", context)


@require_POST
def change_clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Set, start or pause the clock, or change its current phase."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    with show_errors_as_messages(request):
        _run_clock_action(request, session)
    return redirect("room" if request.POST.get("back") == "room" else "clock_desk", slug)


@login_not_required
@require_safe
def show_clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the big clock for the hall: the time left, the next moves, and the late tables."""
    access = _load_screen_event(slug)
    clock_face = build_clock_face(page_loaders.load_session(access))
    context = build_frame_context(access) | {
        "face": clock_face,
        "data": _serialize_clock(clock_face),
        "room_url": _find_room_url(request, access),
    }
    return render(request, "hall/clock.html", context)


@login_not_required
@require_safe
def show_clock_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the state of the clock and the server's time as JSON."""
    access = _load_screen_event(slug)
    response = JsonResponse(
        _serialize_clock(build_clock_face(page_loaders.load_session(access)))
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _load_screen_event(slug: str) -> EventAccess:
    """Return the event of a big screen, and activate the language of its club."""
    access = page_loaders.load_public_event(slug)
    activate_language(access.event.club.language)
    return access


def _find_room_url(request: HttpRequest, access: EventAccess) -> str:
    """Return the URL of the Room for users who may enter scores, "" for others."""
    can_enter_scores = permissions.can_score(request.user, access.event.club)
    return reverse("room", args=[access.address]) if can_enter_scores else ""


def _build_live_context(access: EventAccess, session: Session) -> dict[str, object]:
    clock_face = build_clock_face(session)
    snapshot = load_session_snapshot(session)
    current_round_number = (
        clock_face.round if clock_face.state in ("running", "paused", "over") else 0
    )
    table_statuses = build_table_statuses(snapshot, current_round_number)
    return access.context | {
        "session": session,
        "face": clock_face,
        "tables": table_statuses,
        "round_on": min(
            (
                table_status.round_number
                for table_status in table_statuses
                if table_status.pace != "done"
            ),
            default=1,
        )
        or 1,
        "missing": snapshot.missing_result_count,
        "expected": snapshot.expected_result_count,
    }


def _run_clock_action(request: HttpRequest, session: Session) -> None:
    action, by = request.POST.get("act", ""), request.user
    if action == "start":
        round_number = max(1, parse_number_or_zero(request.POST.get("round")))
        clocks.start_clock(session=session, round_number=round_number, by=by)
    elif action == "end":
        clocks.end_phase(session=session, by=by)
    elif action in ("more", "less"):
        clocks.add_minutes_to_clock(
            session=session, minutes=1 if action == "more" else -1, by=by
        )
    else:
        _run_simple_clock_action(request, session, action)


def _run_simple_clock_action(request: HttpRequest, session: Session, action: str) -> None:
    """Run an action on the clock that does not depend on the session's rounds."""
    services, subject, by = clubs.evenings.services, session.event, request.user
    if action == "pause":
        services.pause_clock(evening=session.evening, subject=subject, by=by)
    elif action == "reset":
        services.reset_clock(evening=session.evening, subject=subject, by=by)
    elif action == "set":
        minutes, move_minutes = (
            _parse_minutes(request.POST.get(field_name)) for field_name in ("minutes", "moving")
        )
        services.set_clock(
            evening=session.evening,
            minutes=minutes,
            moving=move_minutes,
            subject=subject,
            by=by,
        )
    else:
        messages.error(request, _("Unknown clock action."))


def _parse_minutes(minutes_text: str | None) -> int:
    """Return a number of minutes, or -1, which the clock rejects, for an invalid text."""
    minutes = parse_whole_number(minutes_text)
    return -1 if minutes is None else minutes


def _serialize_clock(clock_face: ClockFace) -> dict[str, object]:
    return asdict(clock_face)


def _list_drawn_rounds(session: Session) -> list[DrawnRound]:
    """Return each section's last drawn round if it has no result yet."""
    if session.state == Session.State.CLOSED:
        return []
    return [
        drawn_round
        for drawn_round in load_last_drawn_rounds(load_session_snapshot(session))
        if not drawn_round.has_begun
    ]


def _build_first_round_slips(session: Session) -> list[list[ScoreSlip]]:
    """Return the seating of the first round by section; empty after the first result."""
    if session.number > 1 or session.state == Session.State.CLOSED or has_begun(session):
        return []
    return sort_slips_by_name(build_score_slips(load_session_snapshot(session)))


@login_not_required
@require_safe
def show_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the big screen of the hall, which cycles through pages and updates itself.

    Before the first result it shows the seating. Afterwards it shows the standings, or the next
    pairings if a new round has been drawn.
    """
    access = _load_screen_event(slug)
    event = access.event
    session = page_loaders.load_session(access)
    rank_table, clock_face = load_visible_standings(event), build_clock_face(session)
    drawn_rounds = _list_drawn_rounds(session) if event.is_drawn else []
    context = build_frame_context(access) | {
        "drawn": drawn_rounds,
        "seats": [] if drawn_rounds else _build_first_round_slips(session),
        "bracket": build_bracket_sheet(event),
        "is_live": not event.is_drawn,  # otherwise the screen polls
        "table": rank_table,
        "face": clock_face,
        "data": _serialize_clock(clock_face),
        "room_url": _find_room_url(request, access),
        "page": build_standings_page(event, rank_table),
        "hidden_text": "" if rank_table else explain_hidden_standings(event),
    }
    return render(request, "hall/screen.html", context)
