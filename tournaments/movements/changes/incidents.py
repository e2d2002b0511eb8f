"""Incidents that change an evening, as the director enters them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LateArrival:
    """An entry that arrived after play had started."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entry that withdrew; `place` is the number of the entry's place."""

    place: int


@dataclass(frozen=True, slots=True)
class TurnedTable:
    """A table that sat in the wrong direction (N-S as E-W), from one round to another."""

    table: int
    first_round: int
    last_round: int


@dataclass(frozen=True, slots=True)
class ExchangedPlaces:
    """Two places whose players sat at each other's tables, from one round to another."""

    place: int
    other_place: int
    first_round: int
    last_round: int


@dataclass(frozen=True, slots=True)
class WrongBoards:
    """A table that played the wrong board group in one round; `board_group` is that group."""

    round: int
    table: int
    board_group: int


Incident = LateArrival | Withdrawal | TurnedTable | ExchangedPlaces | WrongBoards
