"""A guided tour of an event, which uses a rehearsal or the demo club.

Directors try things out on the tour, and it never leads to a real event. The current stop is
stored in the user's session, and every director's page links to the next stop.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs import permissions
from clubs.models import Club
from hall.demo_club import is_demo_club
from server.numbers import parse_number_or_zero
from tournaments.event_access import EventAccess
from tournaments.models import Session

TranslatedText = str | Promise
SESSION_PLANNED, SESSION_OPEN, SESSION_CLOSED = (
    Session.State.PLANNED,
    Session.State.OPEN,
    Session.State.CLOSED,
)
NO_REHEARSAL_TEXT = _("Create a rehearsal first, on the page of an event with seats.")

_TOUR_STOP_KEY = "stop_of_the_tour"
"""The key of the current stop in the user's session."""


@dataclass(frozen=True, slots=True)
class TourStop:
    """One stop of the tour: a task on a page, which needs an event in a certain state."""

    title: TranslatedText
    task: TranslatedText
    session_state: str
    url_name: str


@dataclass(frozen=True, slots=True)
class ListedTourStop:
    """One stop as listed on the page of the tour."""

    stop: TourStop
    event_name: str  # the name of the practice event; "" without one
    url: str
    missing_text: TranslatedText  # a text if the stop has no event; otherwise ""
    tour_url: str = ""  # the URL that stores the stop and redirects to `url`


@dataclass(frozen=True, slots=True)
class CurrentStop:
    """The current stop as shown on every director's page."""

    stop_number: int
    stop_count: int
    stop: TourStop
    next_stop: TourStop | None
    next_url: str  # the URL of the next stop


TOUR_STOPS = (
    TourStop(
        _("Pairs"),
        _("Type two names and press Enter. Removed the wrong pair? Click Undo."),
        SESSION_PLANNED,
        "entries",
    ),
    TourStop(
        _("Movement"),
        _("Change the sentence at the top, then click Suggest a movement."),
        SESSION_PLANNED,
        "movement",
    ),
    TourStop(
        _("Papers"),
        _("Print the full set: all sheets in one file."),
        SESSION_OPEN,
        "papers",
    ),
    TourStop(
        _("Room"),
        _("The bar shows what to do next. Click a tile to open its table."),
        SESSION_OPEN,
        "room",
    ),
    TourStop(
        _("Scores"),
        _("Type 6 and press Enter. It’s saved, and the cursor moves on."),
        SESSION_OPEN,
        "scores",
    ),
    TourStop(
        _("A pair is late"),
        _("Compare two or three ways to continue. Nothing changes until you choose."),
        SESSION_OPEN,
        "changes",
    ),
    TourStop(
        _("A revoke"),
        _("Choose what happened to see the law and the score."),
        SESSION_OPEN,
        "assistant",
    ),
    TourStop(
        _("Clock and big screen"),
        _("Start the clock, then open the big screen."),
        SESSION_OPEN,
        "clock_desk",
    ),
    TourStop(
        _("Players’ view"),
        _("Standings, boards and hands of a finished event. Click any score."),
        SESSION_CLOSED,
        "event",
    ),
    TourStop(
        _("Close session"),
        _("Check what’s missing, close the session, and correct scores afterwards."),
        SESSION_CLOSED,
        "closing",
    ),
)


@require_safe
def show_tour(request: HttpRequest) -> HttpResponse:
    """List the stops of the tour, or redirect to the requested stop."""
    club = permissions.get_current_club(request, request.GET.get("club", ""))
    listed_stops = _build_listed_stops(_find_newest_sessions(club))
    stop_number = parse_number_or_zero(request.GET.get("stop"))
    if 0 < stop_number <= len(listed_stops) and listed_stops[stop_number - 1].url:
        request.session[_TOUR_STOP_KEY] = stop_number
        return redirect(listed_stops[stop_number - 1].url)
    request.session.pop(_TOUR_STOP_KEY, None)
    return render(request, "hall/tour.html", {"club": club, "stops": listed_stops})


def get_current_stop(request: HttpRequest | None) -> CurrentStop | None:
    """Return the current stop of the user's tour, or None if no tour is in progress."""
    session_data = getattr(request, "session", None)  # an error page has none
    stop_number = session_data.get(_TOUR_STOP_KEY, 0) if session_data is not None else 0
    if not 0 < stop_number <= len(TOUR_STOPS):
        return None
    next_stop = TOUR_STOPS[stop_number] if stop_number < len(TOUR_STOPS) else None
    return CurrentStop(
        stop_number,
        len(TOUR_STOPS),
        TOUR_STOPS[stop_number - 1],
        next_stop,
        _get_stop_url(stop_number + 1),
    )


def _find_newest_sessions(club: Club | None) -> dict[str, Session]:
    """Return the newest practice session in each state, from a rehearsal or the demo club.

    A rehearsal is created in play. It is therefore also used for the stops before play.
    """
    sessions_by_state: dict[str, Session] = {}
    sessions = Session.objects.filter(event__club=club, event__put_away_at__isnull=True)
    if not is_demo_club(club):
        sessions = sessions.filter(event__is_rehearsal=True)
    ordering = ("event__is_rehearsal", "-event__date", "-pk")
    for session in sessions.select_related("event").order_by(*ordering):
        sessions_by_state.setdefault(session.state, session)
    if SESSION_OPEN in sessions_by_state and sessions_by_state[SESSION_OPEN].event.is_rehearsal:
        sessions_by_state.setdefault(SESSION_PLANNED, sessions_by_state[SESSION_OPEN])
    return sessions_by_state


def _build_listed_stops(sessions_by_state: dict[str, Session]) -> list[ListedTourStop]:
    listed_stops = []
    for stop_number, stop in enumerate(TOUR_STOPS, start=1):
        session = sessions_by_state.get(stop.session_state)
        url = (
            reverse(stop.url_name, args=[EventAccess.for_session(session).address])
            if session
            else ""
        )
        event_name = session.event.name if session else ""
        missing_text = "" if session else NO_REHEARSAL_TEXT
        listed_stops.append(
            ListedTourStop(stop, event_name, url, missing_text, _get_stop_url(stop_number))
        )
    return listed_stops


def _get_stop_url(stop_number: int) -> str:
    return f"{reverse('tour')}?stop={stop_number}"
