"""The club's players: their names, what everybody sees of them, who is one and the same."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from boards.whist import WhistError
from clubs import access, audit
from clubs.letters import how_well, plain_letters, sought_words
from clubs.models import Player
from clubs.views.undoing import offer_undo
from server.numbers import whole_number
from tournaments import services
from tournaments.forms import PlayerForm
from tournaments.models import Event
from tournaments.views.states import event_line


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """The players of one club by name, or those whose names have some words in them."""
    club = access.club_at_hand(request, request.GET.get("club", ""))
    words = request.GET.get("q", "").strip()[:100]
    everybody = sorted(Player.objects.filter(club=club), key=_letters)
    sought = sought_words(words)
    context = {
        "clubs": access.clubs_of(request),
        "club": club,
        "words": words,
        "count": len(everybody),
        "players": [
            player
            for player in everybody
            if not sought or how_well(sought, plain_letters(player.name))
        ],
    }
    return render(request, "seasons/players.html", context)


@require_http_methods(["GET", "POST"])
def player_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a player's name right, and choose what everybody sees of it."""
    player = access.director_player(request, pk)
    form = PlayerForm(request.POST or None, instance=access.director_player(request, pk))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            services.rename_player(player=player, name=data["name"], by=request.user)
            services.show_player(player=player, shown=data["shown"], by=request.user)
        except WhistError as problem:
            form.add_error("name", str(problem))
        else:
            messages.success(request, _("%(name)s is changed.") % {"name": data["name"]})
            return redirect("players")
    context = {
        "form": form,
        "player": player,
        "events": _events_of(player),
        "others": sorted(player.club.players.exclude(pk=pk), key=_letters),
    }
    return render(request, "seasons/player_form.html", context)


@require_POST
def player_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a name that was never entered out of the list."""
    player = access.director_player(request, pk)
    try:
        services.remove_player(player=player, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
        return redirect("player_edit", pk)
    words = _("%(name)s is taken out of the list.") % {"name": player.name}
    acts = audit.history(player.club).filter(action="player.removed")
    offer_undo(request, words, acts, reverse("players"))
    return redirect("players")


@require_http_methods(["GET", "POST"])
def player_merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Make one player of two, after showing what that moves."""
    gone = Player.objects.filter(pk=pk).first()
    if gone is None:  # a second press of the button
        return redirect("players")
    gone = access.director_player(request, pk)
    chosen = whole_number((request.POST or request.GET).get("into"))
    kept = gone.club.players.filter(pk=chosen).first() if chosen else None
    if kept is None:
        messages.error(request, _("Choose the player who stays."))
        return redirect("player_edit", pk)
    if request.method == "POST":
        try:
            services.merge_players(gone=gone, kept=kept, by=request.user)
        except WhistError as refused:
            messages.error(request, str(refused))
            return redirect("player_edit", pk)
        messages.success(
            request,
            _("%(gone)s and %(kept)s are one player now: %(kept)s.")
            % {"gone": gone.name, "kept": kept.name},
        )
        return redirect("players")
    context = {"gone": gone, "kept": kept, "events": _events_of(gone)}
    return render(request, "seasons/player_merge.html", context)


def _events_of(player: Player) -> list[object]:
    events = Event.objects.filter(entries__players=player).with_sessions().distinct()
    return [event_line(event) for event in events]


def _letters(player: Player) -> str:
    return plain_letters(player.name)
