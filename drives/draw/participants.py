"""The input and the output of a draw: players with their preferences, and a seated round."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.errors import UnplayableDrive
from server.json_reader.values import (
    build_number_or_text_reader,
    build_text_reader,
    build_whole_number_reader,
)

PlayerId = int | str
"""A player's number, or the player's name in a file."""

read_player_id = build_number_or_text_reader(build_whole_number_reader(), build_text_reader())


MIN_PARTICIPANTS, MAX_PARTICIPANTS, MAX_ROUNDS = 4, 2000, 100

Seats = tuple[PlayerId, PlayerId, PlayerId, PlayerId]
"""The players of one table, in seat order."""


class SeatedRound(NamedTuple):
    """One round: the four players of each table in seat order, and the players who rest.

    Tables are listed from table 1. Seats 1 and 3 are partners (side A), 2 and 4 (side B).
    """

    tables: tuple[Seats, ...]
    resting_players: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Participants:
    """The players of a drive, with the preferences that a draw respects.

    Two players in `pairs_kept_apart` become partners only if no other draw is possible.
    `stationary_players` never leave their tables. `house_players` are volunteers who fill the
    last table: as many play as it needs, or none. `season_rest_counts` is the number of rests
    of each player this season; players with fewer rests are chosen to rest earlier.
    `missed_round_counts` are the rounds this evening before a late player arrived, which count
    as rests.

    If `should_avoid_table_repeats` is true, the draw avoids any repeated meeting at a table.
    Otherwise it avoids only repeated partners.
    """

    players: tuple[PlayerId, ...]
    pairs_kept_apart: frozenset[frozenset[PlayerId]] = frozenset()
    stationary_players: tuple[PlayerId, ...] = ()
    house_players: tuple[PlayerId, ...] = ()
    season_rest_counts: Mapping[PlayerId, int] = field(default_factory=dict)
    missed_round_counts: Mapping[PlayerId, int] = field(default_factory=dict)
    should_avoid_table_repeats: bool = False

    def __post_init__(self) -> None:
        """Raise UnplayableDrive, with the reason, if no draw is possible for these players."""
        player_count = len(self.players)
        if not MIN_PARTICIPANTS <= player_count <= MAX_PARTICIPANTS:
            message = _("Enter %(fewest)s–%(most)s players for a drive, not %(count)s.")
            raise UnplayableDrive(
                message
                % {"fewest": MIN_PARTICIPANTS, "most": MAX_PARTICIPANTS, "count": player_count}
            )
        known_players = set(self.players)
        if len(known_players) < player_count:
            raise UnplayableDrive(_("The same player is listed twice."))
        for pair in self.pairs_kept_apart:
            _check_players_are_known(pair, known_players)
            if len(pair) != 2:
                raise UnplayableDrive(_("Choose two different players to keep apart."))
        _check_players_are_known(self.stationary_players, known_players)
        if len(set(self.stationary_players)) < len(self.stationary_players):
            raise UnplayableDrive(_("A stationary player is listed twice."))
        if len(self.stationary_players) > self.table_count:
            message = ngettext(
                "%(seated)s stationary players don’t fit at %(tables)s table.",
                "%(seated)s stationary players don’t fit at %(tables)s tables.",
                self.table_count,
            )
            raise UnplayableDrive(
                message % {"seated": len(self.stationary_players), "tables": self.table_count}
            )

    @property
    def playing_house_players(self) -> tuple[PlayerId, ...]:
        """The house players who play: as many as fill the last table, or none."""
        empty_seat_count = -len(self.players) % 4
        return (
            self.house_players[:empty_seat_count]
            if len(self.house_players) >= empty_seat_count
            else ()
        )

    @property
    def has_no_preferences(self) -> bool:
        """Whether no player has a preference, no house player plays, and all players have
        rested equally often this season.
        """
        distinct_rest_counts = {
            self.season_rest_counts.get(player, 0) for player in self.players
        }
        return (
            not (self.pairs_kept_apart or self.stationary_players or self.playing_house_players)
            and not self.missed_round_counts
            and len(distinct_rest_counts) == 1
        )

    @property
    def table_count(self) -> int:
        """The number of tables in each round."""
        return (len(self.players) + len(self.playing_house_players)) // 4

    @property
    def resting_count(self) -> int:
        """The number of players who rest in each round."""
        return len(self.players) + len(self.playing_house_players) - 4 * self.table_count


def _check_players_are_known(players: Iterable[PlayerId], known_players: set[PlayerId]) -> None:
    for player in players:
        if player not in known_players:
            message = _("Player %(number)s not found.")
            raise UnplayableDrive(message % {"number": player})


def check_round_count(round_count: int) -> None:
    """Raise UnplayableDrive for an invalid number of rounds."""
    if not 1 <= round_count <= MAX_ROUNDS:
        message = _("Enter 1–%(most)s rounds for a drive, not %(rounds)s.")
        raise UnplayableDrive(message % {"most": MAX_ROUNDS, "rounds": round_count})
