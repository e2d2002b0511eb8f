"""The public list of people: the players shown by name who have played in a listed event."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Left

from clubs.models import Club, Player
from clubs.name_folding import fold_name, rank_match
from tournaments.models import EntryPlayer, Event

MAX_CHECKED_MATCHES = 60
"""The maximum number of matching names for which a search checks whether they have played."""
MAX_CLUBS_ON_ONE_PAGE = 12
"""The maximum number of clubs that a page shows with their content.

If there are more clubs, the page only links to them.
"""


@dataclass(frozen=True, slots=True, order=True)
class ListedPlayer:
    """A player with a public page; `plain` is the name normalised for searches."""

    pk: int
    name: str
    plain: str


def query_playing_clubs() -> QuerySet[Club]:
    """Return the clubs that have a listed event."""
    return Club.objects.filter(
        Exists(Event.objects.exclude_hidden().filter(club=OuterRef("pk")))
    )


def has_many_clubs() -> bool:
    """Return whether more than MAX_CLUBS_ON_ONE_PAGE clubs have events."""
    return query_playing_clubs().count() > MAX_CLUBS_ON_ONE_PAGE


def query_public_players(club: Club | None = None) -> QuerySet[Player]:
    """Return players who are shown by name and have played, of one club or of all."""
    played = EntryPlayer.objects.filter(
        player=OuterRef("pk"),
        entry__event__put_away_at=None,
        entry__event__is_rehearsal=False,
    )
    shown = Player.objects.filter(Exists(played), shown=Player.Shown.NAME)
    if club is not None:
        shown = shown.filter(club=club)
    return shown.order_by("plain", "pk").only("name", "plain", "club__name")


def list_initials(club: Club | None = None) -> list[str]:
    """Return the initial letters of public names, of one club's players or of all."""
    begun = Player.objects.filter(shown=Player.Shown.NAME).exclude(plain="")
    if club is not None:
        begun = begun.filter(club=club)
    letters = begun.order_by().values_list(Left("plain", 1), flat=True).distinct()
    return sorted(each.upper() for each in letters)


def search_people(words: tuple[str, ...], most: int) -> list[ListedPlayer]:
    """Return the players shown by name who match all words, the best matches first.

    The search matches names first, and then checks whether the few matching players have
    played. With four thousand names this order is faster.
    """
    by_name = Player.objects.filter(shown=Player.Shown.NAME)
    fitting = [
        (-well, each.plain, each)
        for each in _build_people(by_name)
        if (well := rank_match(words, each.plain))
    ]
    best = [each for _well, _plain, each in sorted(fitting)[:MAX_CHECKED_MATCHES]]
    there = set(
        _query_played()
        .filter(player__in=[each.pk for each in best])
        .distinct()
        .values_list("player", flat=True)
    )
    return [each for each in best if each.pk in there][:most]


def _build_people(players: QuerySet[Player]) -> list[ListedPlayer]:
    rows = players.order_by().values_list("pk", "name")
    return [ListedPlayer(pk, name, fold_name(name)) for pk, name in rows]


def _query_played() -> QuerySet[EntryPlayer, Any]:
    """Return the player rows of entries in listed events."""
    return EntryPlayer.objects.filter(
        entry__event__put_away_at=None, entry__event__is_rehearsal=False
    ).values("player")
