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
    """A player with a public page; `folded_name` is the name normalised for searches."""

    pk: int
    name: str
    folded_name: str


def query_clubs_with_events() -> QuerySet[Club]:
    """Return the clubs that have a listed event."""
    return Club.objects.filter(
        Exists(Event.objects.exclude_hidden().filter(club=OuterRef("pk")))
    )


def has_many_clubs() -> bool:
    """Return whether more than MAX_CLUBS_ON_ONE_PAGE clubs have events."""
    return query_clubs_with_events().count() > MAX_CLUBS_ON_ONE_PAGE


def query_public_players(club: Club | None = None) -> QuerySet[Player]:
    """Return players who are shown by name and have played, of one club or of all."""
    played_entries = EntryPlayer.objects.filter(
        player=OuterRef("pk"),
        entry__event__put_away_at=None,
        entry__event__is_rehearsal=False,
    )
    public_players = Player.objects.filter(Exists(played_entries), shown=Player.Shown.NAME)
    if club is not None:
        public_players = public_players.filter(club=club)
    return public_players.order_by("plain", "pk").only("name", "plain", "club__name")


def list_initials(club: Club | None = None) -> list[str]:
    """Return the initial letters of public names, of one club's players or of all."""
    public_players = Player.objects.filter(shown=Player.Shown.NAME).exclude(plain="")
    if club is not None:
        public_players = public_players.filter(club=club)
    letters = public_players.order_by().values_list(Left("plain", 1), flat=True).distinct()
    return sorted(letter.upper() for letter in letters)


def search_people(folded_words: tuple[str, ...], max_players: int) -> list[ListedPlayer]:
    """Return the players shown by name who match all words, the best matches first.

    The search matches names first, and then checks whether the few matching players have
    played. With four thousand names this order is faster.
    """
    publicly_named_players = Player.objects.filter(shown=Player.Shown.NAME)
    ranked_matches = [
        (-match_rank, player.folded_name, player)
        for player in _list_players_with_folded_names(publicly_named_players)
        if (match_rank := rank_match(folded_words, player.folded_name))
    ]
    best_matches = [
        player for _rank, _name, player in sorted(ranked_matches)[:MAX_CHECKED_MATCHES]
    ]
    playing_player_pks = set(
        _query_players_in_listed_events()
        .filter(player__in=[player.pk for player in best_matches])
        .distinct()
        .values_list("player", flat=True)
    )
    return [player for player in best_matches if player.pk in playing_player_pks][:max_players]


def _list_players_with_folded_names(players: QuerySet[Player]) -> list[ListedPlayer]:
    pks_and_names = players.order_by().values_list("pk", "name")
    return [ListedPlayer(player_pk, name, fold_name(name)) for player_pk, name in pks_and_names]


def _query_players_in_listed_events() -> QuerySet[EntryPlayer, Any]:
    """Return a queryset of the primary keys of all players in listed events."""
    return EntryPlayer.objects.filter(
        entry__event__put_away_at=None, entry__event__is_rehearsal=False
    ).values("player")
