"""The director's desk of one event, which shows its state and its next step."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import scoring.services
import tournaments.services
from clubs import permissions
from clubs.links import count_unprintable_links
from clubs.models import TableLink
from clubs.today import get_club_date
from clubs.views.error_messages import show_errors_as_messages
from hall.challenges.services import create_entry_links
from hall.challenges.sheets import list_open_challenges
from hall.closing.checks import list_open_issues, summarize_open_issues
from hall.desk.steps import StepContext, StepState, build_steps
from hall.phones.calls import list_session_calls
from hall.phones.services import create_table_links
from scoring import page_loaders
from scoring.forms import EventForm
from scoring.secrecy import can_director_see_cards
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets.ranks import load_rank_table, load_ranking_version
from scoring.sheets.standings_page import build_standings_page
from scoring.standings_engine.result_lines import load_tally
from scoring.tasks import count_late_changes
from tournaments.board_counts import count_missing_boards
from tournaments.event_access import EventAccess
from tournaments.models import EntryLink, Event, Session
from tournaments.sheets.ranking_notice import format_ranking_notice
from tournaments.views.limits import count_unnamed_stationary_places
from tournaments.views.sessions import MAX_SHOWN_DATE_LENGTH
from tournaments.views.states import build_session_links, find_state, format_state


@require_safe
def show_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the steps of an event, the next step first."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    session = page_loaders.load_session(access)
    snapshot = load_session_snapshot(session)
    is_planned = session.state == Session.State.PLANNED
    has_unknown_seating_needs = (
        is_planned and count_unnamed_stationary_places(request, access) > 0
    )
    missing_board_count = count_missing_boards(session) if is_planned else 0
    desk_steps = build_steps(
        StepContext(access, session, snapshot, has_unknown_seating_needs, missing_board_count)
    )
    context = access.context | {
        "session": session,
        "sessions": event.sessions.all(),
        "session_links": build_session_links(event),
        "seated": bool(snapshot.tables),
        "state": find_state(session),
        "state_text": format_state(find_state(session)),
        "steps": desk_steps,
        "next": next((step for step in desk_steps if step.state == StepState.CURRENT), None),
        "entered": snapshot.expected_result_count - snapshot.missing_result_count,
        "expected": snapshot.expected_result_count,
        "checks": _list_notices(access, session, snapshot),
        "corrections_until": _get_correction_end(session),
        "calls": list_session_calls(session),
        "ranking_notice": format_ranking_notice(session) if is_planned else "",
        "lost_links": _count_unprintable_links(session) if access.can_direct else 0,
        "shown_choices": Event.StandingsVisibility.choices,
        "next_day": max(event.date, get_club_date(event.club)) + timedelta(days=7),
        "typed_day": request.GET.get("date", "")[:MAX_SHOWN_DATE_LENGTH],  # the rejected input
        "may_open": is_planned and bool(snapshot.tables) and not missing_board_count,
        "may_return": session.state == Session.State.OPEN and not snapshot.results_by_play,
    }
    page_name = "event_desk" if access.can_direct else "scorer_desk"
    return render(request, f"hall/{page_name}.html", context)


def _count_unprintable_links(session: Session) -> int:
    """Return the number of valid links whose QR codes cannot be printed again.

    Their tokens cannot be derived since SECRET_KEY has changed.
    """
    if session.state == Session.State.CLOSED:
        return 0
    table_links = TableLink.objects.filter(evening=session.evening_id)
    return count_unprintable_links(
        table_links, EntryLink.objects.filter(entry__event=session.event_id)
    )


@require_POST
def replace_lost_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Replace the links of tables and entries whose QR codes cannot be printed again."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    with show_errors_as_messages(request):
        if count_unprintable_links(session.evening.table_links.all()):
            create_table_links(session=session, by=request.user)
        if count_unprintable_links(EntryLink.objects.filter(entry__event=access.event)):
            create_entry_links(event=access.event, by=request.user)
        messages.success(request, _("Codes created. Print them again."))
    return redirect("event_desk", slug)


@require_POST
def change_session_state(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Open, close or reopen the session, or undo its opening."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    functions_by_action: dict[str, Callable[..., Session]] = {
        "open": scoring.services.open_session,
        "close": scoring.services.close_session,
        "reopen": scoring.services.reopen_session,
        "setup": scoring.services.return_session_to_setup,
    }
    act_options: dict[str, Any] = {}
    if act == "reopen":
        act_options = {"reason": request.POST.get("reason", "")}
    elif act == "open":
        director_plays_answer = request.POST.get("plays", "")
        if director_plays_answer not in ("yes", "no") and _should_ask_whether_director_plays(
            session
        ):
            context = access.context | {"session": session}
            return render(request, "hall/open_session.html", context)
        act_options = {"is_director_playing": director_plays_answer == "yes"}
    with show_errors_as_messages(request):
        functions_by_action[act](session=session, by=request.user, **act_options)
        return redirect("room" if act == "open" else "event_desk", slug)
    return redirect("event_desk", slug)


def _should_ask_whether_director_plays(session: Session) -> bool:
    """Return whether the director must state if they play in this session.

    This matters only if the program knows the cards and does not hide them.
    """
    return session.state == Session.State.PLANNED and can_director_see_cards(session)


@require_POST
def set_standings_visibility(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose when players see the standings."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    visibility = request.POST.get("value", "")
    if visibility not in Event.StandingsVisibility.values:
        messages.error(request, _("Choose always, after the session, or never."))
    else:
        tournaments.services.set_standings_visibility(
            event=event, shown=visibility, by=request.user
        )
        messages.success(
            request,
            _("Players see the standings: %(when)s.")
            % {"when": Event.StandingsVisibility(visibility).label},
        )
    return redirect("event_desk", slug)


@require_http_methods(["GET", "POST"])
def create_event(request: HttpRequest) -> HttpResponse:
    """Show the form for a new event; a POST creates the event."""
    clubs = permissions.list_directed_clubs(request)
    current_club = permissions.get_current_club(request, request.GET.get("club", ""))
    initial = {"date": get_club_date(current_club), "club": current_club}
    form = EventForm(request.POST or None, clubs=clubs, initial=initial)
    if request.method == "POST" and form.is_valid() and clubs:
        cleaned_data = form.cleaned_data
        event = scoring.services.create_event(
            club=cleaned_data.get("club") or clubs[0],
            name=cleaned_data["name"],
            date=cleaned_data["date"],
            contest=cleaned_data["contest"],
            method=cleaned_data["method"],
            standings_shown=cleaned_data["standings_shown"],
            paper_size=cleaned_data["paper_size"],
            most_points=cleaned_data.get("most_points"),
            form_key=cleaned_data["form_key"] or None,
            by=request.user,
        )
        return redirect("entries", event.slug)
    context = {"form": form, "event": None, "club": current_club}
    return render(request, "hall/event_form.html", context)


@require_http_methods(["GET", "POST"])
def edit_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for an event's name, date, scoring and visibility; a POST saves it."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    form = EventForm(
        request.POST or None, instance=event, clubs=permissions.list_directed_clubs(request)
    )
    if request.method == "POST" and form.is_valid():
        cleaned_data = form.cleaned_data
        scoring.services.edit_event(
            event=event,
            name=cleaned_data["name"],
            date=cleaned_data["date"],
            method=cleaned_data["method"],
            standings_shown=cleaned_data["standings_shown"],
            paper_size=cleaned_data["paper_size"],
            by=request.user,
        )
        messages.success(request, _("%(name)s saved.") % {"name": cleaned_data["name"]})
        return redirect("event_desk", access.address)
    return render(
        request, "hall/event_form.html", {"form": form, "access": access, "event": event}
    )


@require_safe
def show_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the director the current standings, including those still hidden from players."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    late_change_count = count_late_changes(event.pk)
    if not late_change_count and request.GET.get("seen") == str(
        load_ranking_version(event, should_include_hidden_results=True)
    ):
        return HttpResponse(status=204)
    rank_table = load_rank_table(event, should_include_hidden_results=True)
    context = access.context | {
        "table": rank_table,
        "late": late_change_count,
        "page": build_standings_page(event, rank_table, should_include_hidden_results=True),
        "state": find_state(event),
        "state_text": format_state(find_state(event)),
        "live": event.state == Session.State.OPEN,
        "explain": "director_explained",
        "poll": reverse("director_standings", args=[slug]),
        "version": rank_table.version,
        "shown_text": _("Players see them: %(when)s.")
        % {"when": event.get_standings_shown_display()},
    }
    is_partial = "HX-Request" in request.headers
    template = "scoring/_standings.html" if is_partial else "hall/director_standings.html"
    return render(request, template, context)


def _list_notices(
    access: EventAccess, session: Session, snapshot: SessionSnapshot
) -> list[str]:
    """Return the notices that the director sees before closing the session."""
    event = access.event
    if session.state != Session.State.OPEN or not access.can_direct:
        return []
    return summarize_open_issues(
        snapshot,
        list_open_issues(snapshot, load_tally(event)),
        len(list(list_open_challenges(event))),
    )


def _get_correction_end(session: Session) -> datetime | None:
    """Return the end of a closed session's period for corrections; None if it is over."""
    correction_end = session.corrections_end
    return correction_end if correction_end and correction_end > timezone.now() else None
