"""The director's desk: the club's events, a new one, the club's players, the login."""

import unicodedata

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from tournaments import access, services
from tournaments.api import tokens
from tournaments.forms import EventForm, PlayerForm
from tournaments.models import Event, Player, Session
from tournaments.views.states import EventLine, event_line, is_today


@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The club's events by what they need: tonight's first."""
    events = Event.objects.filter(club__in=access.clubs_of(request)).with_sessions()
    tonight, coming, past = [], [], []
    for event in events:
        if event.state == Session.State.OPEN or (
            is_today(event) and event.state == Session.State.PLANNED
        ):
            tonight.append(_line(event))
        elif event.state == Session.State.PLANNED:
            coming.append(_line(event))
        else:
            past.append(_line(event))
    return render(
        request,
        "tournaments/desk.html",
        {"tonight": tonight, "coming": coming[::-1], "past": past[:100]},
    )


@require_http_methods(["GET", "POST"])
def event_new(request: HttpRequest) -> HttpResponse:
    """Make an event."""
    clubs = access.clubs_of(request)
    initial = {"date": timezone.localdate()}
    form = EventForm(request.POST or None, clubs=clubs, initial=initial)
    if request.method == "POST" and form.is_valid() and clubs:
        data = form.cleaned_data
        event = services.create_event(
            club=data.get("club") or clubs[0],
            name=data["name"],
            date=data["date"],
            contest=data["contest"],
            method=data["method"],
            standings_shown=data["standings_shown"],
            paper_size=data["paper_size"],
            form_key=data["form_key"] or None,
            by=request.user,
        )
        return redirect("entries", event.slug)
    return render(request, "tournaments/event_form.html", {"form": form, "event": None})


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """The club's players by name."""
    found = sorted(
        Player.objects.filter(club__in=access.clubs_of(request)),
        key=lambda player: plain_letters(player.name),
    )
    return render(request, "tournaments/players.html", {"players": found})


@require_http_methods(["GET", "POST"])
def player_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a player's name right."""
    player = access.director_player(request, pk)
    form = PlayerForm(request.POST or None, instance=player)
    if request.method == "POST" and form.is_valid():
        try:
            services.rename_player(
                player=Player.objects.select_related("club").get(pk=pk),
                name=form.cleaned_data["name"],
                by=request.user,
            )
        except WhistError as problem:
            form.add_error("name", str(problem))
        else:
            messages.success(
                request, _("The name is now %(name)s.") % {"name": form.cleaned_data["name"]}
            )
            return redirect("players")
    return render(request, "tournaments/player_form.html", {"form": form, "player": player})


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The login's own page: password and API token."""
    key = tokens.key_of(access.signed_in(request))
    return render(request, "tournaments/account.html", {"token": key})


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


def plain_letters(name: str) -> str:
    """Return a name as a list sorts it: É with E, capitals and small letters alike."""
    letters = unicodedata.normalize("NFD", name.casefold()).replace("ł", "l")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


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
