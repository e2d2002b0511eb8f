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

from clubs import access
from clubs.models import Club
from hall.demo_club import is_demo
from server.numbers import parse_number_or_zero
from tournaments.models import Session
from tournaments.visits import Visit

Word = str | Promise
PLANNED, OPEN, CLOSED = Session.State.PLANNED, Session.State.OPEN, Session.State.CLOSED
NO_REHEARSAL = _("Create a rehearsal first, on the page of an event with seats.")

_TOUR_STOP_KEY = "stop_of_the_tour"
"""The key of the current stop in the user's session."""


@dataclass(frozen=True, slots=True)
class TourStop:
    """One stop of the tour: its title, task and page, and the event state that it needs."""

    title: Word
    text: Word
    state: str
    view: str


@dataclass(frozen=True, slots=True)
class TourStep:
    """One stop as listed on the page of the tour."""

    stop: TourStop
    event: str  # the name of its evening; "" without one
    url: str
    missing_state: Word
    tour_url: str = ""  # the URL that stores the step and redirects there


@dataclass(frozen=True, slots=True)
class CurrentStop:
    """The current stop as shown on every director's page."""

    number: int
    total: int
    stop: TourStop
    next_stop: TourStop | None
    next_url: str  # the URL of the next step


TOUR_STOPS = (
    TourStop(
        _("Pairs"),
        _("Type two names and press Enter. Removed the wrong pair? Click Undo."),
        PLANNED,
        "entries",
    ),
    TourStop(
        _("Movement"),
        _("Change the sentence at the top, then click Suggest a movement."),
        PLANNED,
        "movement",
    ),
    TourStop(
        _("Papers"),
        _("Print the full set: all sheets in one file."),
        OPEN,
        "papers",
    ),
    TourStop(
        _("Tonight"),
        _("The bar shows what to do next. Open a table by its tile."),
        OPEN,
        "room",
    ),
    TourStop(
        _("Scores"),
        _("Type 6 and press Enter. It’s saved, and the cursor moves on."),
        OPEN,
        "scores",
    ),
    TourStop(
        _("A pair is late"),
        _("Compare two or three ways to continue. Nothing changes until you choose."),
        OPEN,
        "changes",
    ),
    TourStop(
        _("A revoke"),
        _("Choose what happened to see the law and the score."),
        OPEN,
        "assistant",
    ),
    TourStop(
        _("Clock and big screen"),
        _("Start the clock, then open the big screen."),
        OPEN,
        "clock_desk",
    ),
    TourStop(
        _("Players’ view"),
        _("Standings, boards and hands of a finished event. Click any score."),
        CLOSED,
        "event",
    ),
    TourStop(
        _("Close session"),
        _("Check what is open, close, and correct scores afterwards."),
        CLOSED,
        "closing",
    ),
)


@require_safe
def show_tour(request: HttpRequest) -> HttpResponse:
    """List the stops of the tour, or redirect to the requested stop."""
    club = access.get_current_club(request, request.GET.get("club", ""))
    tour_steps = _build_steps(_find_newest_sessions(club))
    number = parse_number_or_zero(request.GET.get("stop"))
    if 0 < number <= len(tour_steps) and tour_steps[number - 1].url:
        request.session[_TOUR_STOP_KEY] = number
        return redirect(tour_steps[number - 1].url)
    request.session.pop(_TOUR_STOP_KEY, None)
    return render(request, "hall/tour.html", {"club": club, "stops": tour_steps})


def get_current_stop(request: HttpRequest | None) -> CurrentStop | None:
    """Return the current stop of the user's tour, or None if no tour is in progress."""
    session_data = getattr(request, "session", None)  # an error page has none
    number = session_data.get(_TOUR_STOP_KEY, 0) if session_data is not None else 0
    if not 0 < number <= len(TOUR_STOPS):
        return None
    after = TOUR_STOPS[number] if number < len(TOUR_STOPS) else None
    return CurrentStop(
        number, len(TOUR_STOPS), TOUR_STOPS[number - 1], after, _get_stop_url(number + 1)
    )


def _find_newest_sessions(club: Club | None) -> dict[str, Session]:
    """Return the newest practice session in each state, from a rehearsal or the demo club.

    A rehearsal starts in play, and it is also used for the stops before play.
    """
    newest: dict[str, Session] = {}
    sessions = Session.objects.filter(event__club=club, event__put_away_at__isnull=True)
    if not is_demo(club):
        sessions = sessions.filter(event__is_rehearsal=True)
    order = ("event__is_rehearsal", "-event__date", "-pk")
    for session in sessions.select_related("event").order_by(*order):
        newest.setdefault(session.state, session)
    if OPEN in newest and newest[OPEN].event.is_rehearsal:
        newest.setdefault(PLANNED, newest[OPEN])
    return newest


def _build_steps(newest: dict[str, Session]) -> list[TourStep]:
    tour_steps = []
    for number, stop in enumerate(TOUR_STOPS, start=1):
        session = newest.get(stop.state)
        url = reverse(stop.view, args=[Visit.to(session).address]) if session else ""
        name = session.event.name if session else ""
        missing_state = "" if session else NO_REHEARSAL
        tour_steps.append(TourStep(stop, name, url, missing_state, _get_stop_url(number)))
    return tour_steps


def _get_stop_url(number: int) -> str:
    return f"{reverse('tour')}?stop={number}"
