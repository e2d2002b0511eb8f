"""One step back from what a press has taken away: the message after it offers the button."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from boards.whist import WhistError
from tournaments import access, services
from tournaments.entry_words import words_of
from tournaments.models import Entry, Event, Player
from tournaments.services.entries import members

_SALT = "put back"
_DAY = 86_400  # seconds for which a message's button works

Kept = dict[str, Any]


def entry_kept(entry: Entry) -> Kept:
    """What it needs to put an entry back as it was."""
    return {
        "kind": "entry",
        "event": entry.event.slug,
        "number": entry.number,
        "name": entry.name,
        "names": [player.name for player in members(entry)],
        "stays_seated": entry.stays_seated,
        "pk": entry.pk,
    }


def player_kept(player: Player) -> Kept:
    """What it needs to put a player's name back into the club's list."""
    return {
        "kind": "player",
        "club": player.club.slug,
        "name": player.name,
        "shown": player.shown,
    }


def event_kept(event: Event) -> Kept:
    """What it needs to bring an event back into the lists."""
    return {"kind": "event", "event": event.slug}


def offer(request: HttpRequest, text: str, kept: Kept) -> None:
    """Tell what was taken away, with a button that puts it back."""
    messages.success(request, text, extra_tags=signing.dumps(kept, salt=_SALT, compress=True))


@require_POST
def put_back(request: HttpRequest) -> HttpResponse:
    """Put back what the button's message told of, for whoever directs the club."""
    try:
        kept = signing.loads(request.POST.get("kept", ""), salt=_SALT, max_age=_DAY)
    except signing.BadSignature:
        messages.error(
            request, _("This button is older than a day. Enter what is missing by hand.")
        )
        return redirect("desk")
    doors: dict[str, Callable[[HttpRequest, Kept], HttpResponse]] = {
        "entry": _entry,
        "player": _player,
        "event": _event,
    }
    return doors[kept["kind"]](request, kept)


def _entry(request: HttpRequest, kept: Kept) -> HttpResponse:
    event = access.director_event(request, kept["event"])
    try:
        entry = services.put_back_entry(
            event=event,
            number=kept["number"],
            names=kept["names"],
            name=kept["name"],
            stays_seated=kept["stays_seated"],
            pk=kept["pk"],
            by=request.user,
        )
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(
            request,
            _("%(entry)s %(number)s, %(name)s, is back.")
            % {"entry": words_of(event).one, "number": entry.number, "name": entry.name},
        )
    return redirect("entries", event.slug)


def _player(request: HttpRequest, kept: Kept) -> HttpResponse:
    club = access.clubs_of(request).filter(slug=kept["club"]).first()
    if club is not None:
        services.add_player(club=club, name=kept["name"], shown=kept["shown"], by=request.user)
        messages.success(request, _("%(name)s is back.") % {"name": kept["name"]})
    return redirect("players")


def _event(request: HttpRequest, kept: Kept) -> HttpResponse:
    event = access.director_event(request, kept["event"])
    services.bring_back_event(event=event, by=request.user)
    messages.success(request, _("%(name)s is in the lists again.") % {"name": event.name})
    return redirect("event_desk", event.slug)
