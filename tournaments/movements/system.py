"""One system of the catalogue: what it is called, whom it fits, and how it is built."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement


class Unit(StrEnum):
    """What a system's size counts."""

    TABLES = "tables"
    PAIRS = "pairs"
    PLAYERS = "players"
    TEAMS = "teams"


@dataclass(frozen=True, slots=True)
class System:
    """A family of movements, one for every size that fits.

    `make(size, **options)` builds the full movement for a size in `unit`; `options` names the
    keyword arguments that it understands. Absent places and fewer rounds are dealt with
    after it, unless it names "rounds" among its options. `extra` counts pairs beyond two a
    table for systems sized by tables (a rover); `sizes` says in words what fits.
    """

    name: str
    title: str
    contest: Contest
    unit: Unit
    sizes: str
    fits: Callable[[int], bool]
    make: Callable[..., Movement]
    source: str
    marks: str = "checked"
    options: tuple[str, ...] = ()
    extra: int = 0
