"""One system of the catalogue: what it is called, whom it fits, and how it is built."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import TranslatedField
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement

MOST_TABLES = 60  # sections are of at most seven tables (rules K2): a guard, not a rule


class Unit(StrEnum):
    """What a system's size counts."""

    TABLES = "tables"
    PAIRS = "pairs"
    PLAYERS = "players"
    TEAMS = "teams"


def last_place(movement: Movement) -> int:
    """The highest place, which most systems leave empty when one pair is missing."""
    return movement.places


def nothing_told(_movement: Movement) -> list[str]:
    """No words of its own: the schedule says how everybody moves."""
    return []


def level(_tables: int) -> int:
    """No unevenness that the adviser should weigh."""
    return 0


def sized(unit: Unit, number: int) -> str:
    """Say a size: 7 tables, 1 pair."""
    if unit is Unit.TABLES:
        words = ngettext("%(number)s table", "%(number)s tables", number)
    elif unit is Unit.PAIRS:
        words = ngettext("%(number)s pair", "%(number)s pairs", number)
    elif unit is Unit.PLAYERS:
        words = ngettext("%(number)s player", "%(number)s players", number)
    else:
        words = ngettext("%(number)s team", "%(number)s teams", number)
    return words % {"number": number}


def titled(name: str, unit: Unit, size: int) -> str:
    """Name a movement with its size: "Howell, 14 pairs"."""
    return _("%(movement)s, %(size)s") % {"movement": name, "size": sized(unit, size)}


@dataclass(frozen=True, kw_only=True)
class System:
    """A family of movements, one for every size that fits.

    `make(size, **options)` builds the full movement for a size in `unit`; `options` names the
    keyword arguments that it understands. Absent places, fewer rounds and the arrow switch are
    dealt with after it, unless it names "rounds" among its options.
    A system that is made for certain numbers of rounds lists them for a size with `lengths`;
    one that lists none is never advised, only chosen (two packs: the adviser counts on trays).
    `sizes` says in words what fits, and `otherwise` names the systems for other sizes; `marks`
    is what a director should know before choosing it.
    For pairs, `extra` counts pairs beyond two a table (a rover) and `vacant` is the place left
    empty when the number of pairs is odd; where the highest place sits and somebody needs it,
    `vacant_beside` is left empty instead, by the size. With `vacant_is_fairest` the second
    edition leaves the place empty without which comparisons vary least.
    Of a system whose schedules were bettered `editions` counts them, and `make` takes the one
    that is wanted as `edition`: what was played is built by its own.
    `announced` has what is read out where it is not told from the schedule.
    The adviser weighs how `uneven` its comparisons are, by the number of tables, and what it
    costs in `explaining`, in tenths of a thousandth; it offers only what is
    `advised`, up to `most_tables` unless
    it was asked for, and fewer rounds only where it `may_stop`.
    `other_names` find it too. Where bridge players have a name of their own for it, `ours` is
    what we call it in a room and `bridge` that name; empty where `title` says all.
    """

    name: str
    unit: Unit
    fits: Callable[[int], bool]
    make: Callable[..., Movement]
    contest: Contest = Contest.PAIRS
    title: TranslatedField = TranslatedField()
    sizes: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    marks: TranslatedField = TranslatedField("")
    ours: TranslatedField = TranslatedField("")
    bridge: TranslatedField = TranslatedField("")
    otherwise: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    lengths: Callable[[int], Sequence[int]] | None = None
    extra: int = 0
    vacant: Callable[[Movement], int] = last_place
    vacant_beside: Callable[[int], int] | None = None
    vacant_is_fairest: bool = False
    announced: Callable[[Movement], list[str]] = nothing_told
    uneven: Callable[[int], int] = level
    explaining: int = 0
    advised: bool = True
    editions: int = 1
    may_stop: bool = True
    most_tables: int = MOST_TABLES
    other_names: tuple[str, ...] = ()
