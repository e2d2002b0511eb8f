"""The players of a drive with their wishes, and a drawn round."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.errors import UnplayableDrive
from server.json_reader.values import number_or_text, text, whole_number

PlayerId = int | str
"""A player's number, or the player's name in a file."""


read_player = number_or_text(whole_number(), text())


MIN_PARTICIPANTS, MAX_PARTICIPANTS, MAX_ROUNDS = 4, 2000, 100
Seats = tuple[PlayerId, PlayerId, PlayerId, PlayerId]


class SeatedRound(NamedTuple):
    """One round: the four players of each table in seat order, and the players who rest.

    Tables are listed from table 1. Seats 1 and 3 are partners (side A), 2 and 4 (side B).
    """

    tables: tuple[Seats, ...]
    rest: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Participants:
    """The players of a drive, with the wishes that a draw respects.

    Two players in `apart` become partners only if no other draw is possible. Players in
    `seated` never leave their tables. `house` are volunteers, of whom exactly as many play as
    fill the last table, or none. `ledger` counts the rests of the season: players with the
    fewest rest first. With `meets_at_tables` all pairs at a table count alike.
    """

    players: tuple[PlayerId, ...]
    apart: frozenset[frozenset[PlayerId]] = frozenset()
    seated: tuple[PlayerId, ...] = ()
    house: tuple[PlayerId, ...] = ()
    ledger: Mapping[PlayerId, int] = field(default_factory=dict)
    meets_at_tables: bool = False

    def __post_init__(self) -> None:
        """Raise UnplayableDrive with the reason where no draw is possible."""
        count = len(self.players)
        if not MIN_PARTICIPANTS <= count <= MAX_PARTICIPANTS:
            message = _("A drive has %(fewest)s to %(most)s players, not %(count)s.")
            raise UnplayableDrive(
                message % {"fewest": MIN_PARTICIPANTS, "most": MAX_PARTICIPANTS, "count": count}
            )
        known_players = set(self.players)
        if len(known_players) < count:
            raise UnplayableDrive(_("The same player is listed twice."))
        for pair in self.apart:
            _check_known(pair, known_players)
            if len(pair) != 2:
                raise UnplayableDrive(_("Choose two different players to keep apart."))
        _check_known(self.seated, known_players)
        if len(set(self.seated)) < len(self.seated):
            raise UnplayableDrive(_("A stationary player is listed twice."))
        if len(self.seated) > self.table_count:
            message = ngettext(
                "%(seated)s stationary players don't fit at %(tables)s table.",
                "%(seated)s stationary players don't fit at %(tables)s tables.",
                self.table_count,
            )
            raise UnplayableDrive(
                message % {"seated": len(self.seated), "tables": self.table_count}
            )

    @property
    def playing_house_players(self) -> tuple[PlayerId, ...]:
        """The house players who play: as many as fill the last table, or none."""
        empty_seats = -len(self.players) % 4
        return self.house[:empty_seats] if len(self.house) >= empty_seats else ()

    @property
    def has_no_wishes(self) -> bool:
        """Whether there are no wishes or house players, and all have rested equally often."""
        rests = {self.ledger.get(player, 0) for player in self.players}
        return not (self.apart or self.seated or self.playing_house_players) and len(rests) == 1

    @property
    def table_count(self) -> int:
        """The number of tables in each round."""
        return (len(self.players) + len(self.playing_house_players)) // 4

    @property
    def resting_count(self) -> int:
        """The number of players who rest in each round."""
        return len(self.players) + len(self.playing_house_players) - 4 * self.table_count


def _check_known(players: Iterable[PlayerId], known_numbers: set[PlayerId]) -> None:
    for player in players:
        if player not in known_numbers:
            message = _("Player %(number)s not found.")
            raise UnplayableDrive(message % {"number": player})


def check_rounds(rounds: int) -> None:
    """Raise UnplayableDrive for an invalid number of rounds."""
    if not 1 <= rounds <= MAX_ROUNDS:
        message = _("A drive has 1 to %(most)s rounds, not %(rounds)s.")
        raise UnplayableDrive(message % {"most": MAX_ROUNDS, "rounds": rounds})
