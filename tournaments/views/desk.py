"""The director's desk: the club's events, those put away, the login."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from boards.whist import WhistError
from clubs import access, audit
from clubs.models import Club
from clubs.views.undoing import offer_undo
from server.api import tokens
from tournaments import services, visits
from tournaments.models import Event, Section, Session
from tournaments.views.listing import listing
from tournaments.views.states import EventLine, event_line, is_today


@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The club's events by what they need: tonight's first, the played ones page by page."""
    clubs = access.clubs_of(request)
    events = Event.objects.filter(club__in=access.scored_clubs_of(request)).listed()
    going_on = events.exclude(pk__in=events.over())
    tonight: list[EventLine] = []
    coming: list[EventLine] = []
    for event in going_on.with_sessions():
        is_now = event.state == Session.State.OPEN or is_today(event)
        (tonight if is_now else coming).append(_line(event))
    context = {
        "tonight": tonight,
        "coming": coming[::-1],
        "may_rehearse": _may_rehearse(clubs, [each.slug for each in (*tonight, *coming)]),
        "past": listing(request, events.over().select_related("club"), _line),
        "may_make": clubs.exists(),
        "may_own": access.owned_clubs_of(request).exists(),
        "rehearsals": [
            _line(event)
            for event in Event.objects.filter(club__in=clubs, is_rehearsal=True).with_sessions()
        ],
        "away": Event.objects.filter(club__in=clubs, put_away_at__isnull=False).count(),
    }
    return render(request, "tournaments/desk.html", context)


def _may_rehearse(clubs: Iterable[Club], slugs: list[str]) -> set[str]:
    """Those of some events that can be rehearsed: directed, seated and still to come."""
    seated = Section.objects.filter(
        session__state=Session.State.PLANNED,
        session__event__slug__in=slugs,
        session__event__club__in=clubs,
    )
    return set(seated.values_list("session__event__slug", flat=True))


@require_safe
def put_away(request: HttpRequest) -> HttpResponse:
    """The events that no list shows, each with the way back."""
    events = Event.objects.filter(
        club__in=access.clubs_of(request), put_away_at__isnull=False
    ).select_related("club")
    context = {"away": listing(request, events, _line)}
    return render(request, "tournaments/put_away.html", context)


@require_POST
def event_away(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an event out of the lists, or bring it back."""
    visit = visits.director_event(request, slug)
    event = visit.event
    if request.POST.get("action") == "back":
        services.bring_back_event(event=event, by=request.user)
        messages.success(request, _("%(name)s is in the lists again.") % {"name": event.name})
        return redirect("event_desk", event.slug)
    try:
        services.put_away_event(event=event, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
        return redirect("event_edit", visit.address)
    words = _("%(name)s is put away: no list shows it, and nothing of it is lost.")
    acts = audit.history(event).filter(action="event.put_away")
    offer_undo(request, words % {"name": event.name}, acts, reverse("desk"))
    return redirect("desk")


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The login's own page: password and API token."""
    key = tokens.key_of(access.signed_in(request))
    context = {"token": key, "owns": access.owned_clubs_of(request).exists()}
    return render(request, "tournaments/account.html", context)


@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Make or revoke the login's API token."""
    user = access.signed_in(request)
    if request.POST.get("action") == "revoke":
        tokens.revoke_key(user)
        messages.success(request, _("The token is revoked; programs that used it are refused."))
    else:
        tokens.make_key(user)
    return redirect("account")


def _line(event: Event) -> EventLine:
    words = {
        Session.State.PLANNED: _("Go on setting up"),
        Session.State.OPEN: _("Enter scores"),
        Session.State.CLOSED: _("Look at the results"),
    }
    url = reverse(
        "scores" if event.state == Session.State.OPEN else "event_desk", args=[event.slug]
    )
    return event_line(event, next_text=words[Session.State(event.state)], next_url=url)
