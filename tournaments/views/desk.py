"""The director's home page: the events of a club, and its archived events."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs import audit, permissions
from clubs.models import Club
from clubs.today import get_club_date
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from tournaments import event_access, services
from tournaments.addresses import format_event_address
from tournaments.models import Event, Section, Session
from tournaments.views.event_listing import build_listing
from tournaments.views.states import (
    EventLine,
    build_event_line,
    find_current_session,
    has_session_today,
)


@require_safe
def show_desk(request: HttpRequest) -> HttpResponse:
    """List the club's events: today's, then upcoming ones, then past ones on several pages."""
    clubs = list(permissions.list_directed_clubs(request))
    scorable_clubs = permissions.list_scorable_clubs(request)
    club_slug = request.GET.get("club", "")
    current_club = permissions.get_current_club(request, club_slug) if len(clubs) > 1 else None
    events = Event.objects.filter(club__in=scorable_clubs).exclude_hidden()
    other_club_lines: list[EventLine] = []
    if current_club is not None:  # the unfinished events of other clubs are listed separately
        other_club_events = events.exclude(club=current_club)
        other_club_lines = [
            _build_line(listed_event)
            for listed_event in other_club_events.exclude(
                pk__in=other_club_events.filter_finished()
            ).with_sessions()
        ]
        events = events.filter(club=current_club)
        current_clubs = [current_club]
    else:
        current_clubs = clubs
    unfinished_events = events.exclude(pk__in=events.filter_finished())
    tonight_lines: list[EventLine] = []
    upcoming_lines: list[EventLine] = []
    for event in unfinished_events.with_sessions():
        is_tonight = event.state == Session.State.OPEN or has_session_today(event)
        (tonight_lines if is_tonight else upcoming_lines).append(_build_line(event))
    upcoming_lines.reverse()
    rehearsable_slugs = _find_rehearsable_slugs(
        clubs, [event_line.slug for event_line in (*tonight_lines, *upcoming_lines)]
    )
    today = get_club_date(current_club or (clubs[0] if clubs else None))
    next_event_line = None
    if upcoming_lines and clubs and not tonight_lines:
        next_event_line = next(
            (upcoming_line for upcoming_line in upcoming_lines if upcoming_line.date >= today),
            upcoming_lines[0],
        )
        upcoming_lines.remove(next_event_line)
    past_listing = build_listing(
        request, events.filter_finished().select_related("club"), _build_line
    )
    rehearsals = [
        _build_line(event)
        for event in Event.objects.filter(
            club__in=current_clubs, is_rehearsal=True
        ).with_sessions()
    ]
    context = {
        "clubs": clubs if len(clubs) > 1 else [],
        # None hides the club link of the page frame
        "club": current_club if club_slug or any(club.is_demo for club in clubs) else None,
        "current_club": current_club,
        "elsewhere": other_club_lines,
        "tonight": tonight_lines,
        "upcoming": next_event_line,
        "is_overdue": next_event_line is not None and next_event_line.date < today,
        "coming": upcoming_lines,
        "has_events": bool(
            tonight_lines
            or next_event_line
            or upcoming_lines
            or rehearsals
            or past_listing.years
        ),
        "first_club": clubs[0] if clubs else None,
        "may_rehearse": rehearsable_slugs,
        "past": past_listing,
        "may_create_events": bool(clubs),
        "owns_any_club": permissions.list_owned_clubs(request).exists(),
        "rehearsals": rehearsals,
        "away": Event.objects.filter(club__in=current_clubs, put_away_at__isnull=False).count(),
    }
    return render(request, "tournaments/desk.html", context)


@require_safe
def redirect_to_preparation(request: HttpRequest) -> HttpResponse:
    """Redirect to the next event to prepare, or else to the page for a new event."""
    club = _find_current_club(request)
    events = Event.objects.filter(club=club).exclude_hidden()
    planned_sessions = Session.objects.filter(event__in=events, state=Session.State.PLANNED)
    planned_sessions = planned_sessions.select_related("event").order_by(
        "evening__date", "event_id", "number"
    )
    upcoming_sessions = planned_sessions.filter(evening__date__gte=get_club_date(club))
    next_session = upcoming_sessions.first() or planned_sessions.last()
    return (
        redirect("event_desk", _format_session_address(next_session))
        if next_session
        else redirect("new")
    )


@require_safe
def redirect_to_results(request: HttpRequest) -> HttpResponse:
    """Redirect to the standings of the last closed session, or else to the home page."""
    events = Event.objects.filter(club=_find_current_club(request)).exclude_hidden()
    closed_sessions = Session.objects.filter(event__in=events, state=Session.State.CLOSED)
    last_session = (
        closed_sessions.select_related("event")
        .order_by("evening__date", "event_id", "number")
        .last()
    )
    return (
        redirect("director_standings", _format_session_address(last_session))
        if last_session
        else redirect("desk")
    )


def _format_session_address(session: Session) -> str:
    return format_event_address(session.event.slug, session.number)


def _find_current_club(request: HttpRequest) -> Club:
    """Return the club that the user directs and used last.

    Raises PermissionDenied if the user directs no club.
    """
    club = permissions.get_current_club(request)
    if club is None:
        raise PermissionDenied(_("Only directors can prepare and close events."))
    return club


def _find_rehearsable_slugs(clubs: Iterable[Club], slugs: list[str]) -> set[str]:
    """Return the slugs of events with a seated session that has not started, in these clubs."""
    seated_sections = Section.objects.filter(
        session__state=Session.State.PLANNED,
        session__event__slug__in=slugs,
        session__event__club__in=clubs,
    )
    return set(seated_sections.values_list("session__event__slug", flat=True))


@require_safe
def list_archived_events(request: HttpRequest) -> HttpResponse:
    """List the archived events, each with a button to restore it."""
    events = Event.objects.filter(
        club__in=permissions.list_directed_clubs(request), put_away_at__isnull=False
    ).select_related("club")
    context = {"away": build_listing(request, events, _build_line)}
    return render(request, "tournaments/put_away.html", context)


@require_POST
def archive_or_restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Archive an event, or restore an archived one."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    if request.POST.get("action") == "back":
        services.restore_event(event=event, by=request.user)
        messages.success(request, _("%(name)s restored.") % {"name": event.name})
        return redirect("event_desk", event.slug)
    with show_errors_as_messages(request):
        services.archive_event(event=event, by=request.user)
        message = _("%(name)s archived. You can restore it at any time.")
        acts = audit.list_acts(event).filter(action="event.put_away")
        offer_undo(request, message % {"name": event.name}, acts, reverse("desk"))
        return redirect("desk")
    return redirect("event_edit", access.address)


def _build_line(event: Event) -> EventLine:
    next_step_labels_by_state = {
        Session.State.PLANNED: _("Continue setup"),
        Session.State.OPEN: _("Open room"),
        Session.State.CLOSED: _("See results"),
    }
    page = "room" if event.state == Session.State.OPEN else "event_desk"
    url = reverse(page, args=[_format_session_address(find_current_session(event))])
    return build_event_line(
        event, next_text=next_step_labels_by_state[Session.State(event.state)], next_url=url
    )
