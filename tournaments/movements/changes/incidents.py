"""Incidents that change an evening, as the director enters them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LateArrival:
    """A pair arrived after play had started."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The entry at a place withdrew."""

    place: int


@dataclass(frozen=True, slots=True)
class TurnedTable:
    """A table that sat in the wrong direction (N-S as E-W), from one round to another."""

    table: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ExchangedPlaces:
    """Two places whose players sat at each other's tables, from one round to another."""

    one: int
    other: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class WrongBoards:
    """A table played another board group than its own in one round."""

    round: int
    table: int
    board_group: int


Change = LateArrival | Withdrawal | TurnedTable | ExchangedPlaces | WrongBoards
