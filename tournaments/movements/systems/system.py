"""One system of the catalogue: its names, the sizes that fit, and its construction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import TranslatedField
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement

MAX_TABLES = 60  # a safety limit; by rules K2 sections have at most seven tables


class Unit(StrEnum):
    """The unit of a system's size."""

    TABLES = "tables"
    PAIRS = "pairs"
    PLAYERS = "players"
    TEAMS = "teams"


def find_last_place(movement: Movement) -> int:
    """Return the highest place, which most systems leave empty when one pair is missing."""
    return movement.places


def announce_nothing(_movement: Movement) -> list[str]:
    """Return no own announcement, so that it is derived from the schedule."""
    return []


def rate_no_unevenness(_tables: int) -> int:
    """Return 0 as the unevenness that the adviser rates."""
    return 0


def format_size(unit: Unit, number: int) -> str:
    """Format a size: 7 tables, 1 pair."""
    if unit is Unit.TABLES:
        words = ngettext("%(number)s table", "%(number)s tables", number)
    elif unit is Unit.PAIRS:
        words = ngettext("%(number)s pair", "%(number)s pairs", number)
    elif unit is Unit.PLAYERS:
        words = ngettext("%(number)s player", "%(number)s players", number)
    else:
        words = ngettext("%(number)s team", "%(number)s teams", number)
    return words % {"number": number}


def format_title(name: str, unit: Unit, size: int) -> str:
    """Format the name of a movement with its size: "Howell, 14 pairs"."""
    return _("%(movement)s, %(size)s") % {"movement": name, "size": format_size(unit, size)}


@dataclass(frozen=True, kw_only=True)
class System:
    """A family of movements, one for every size that fits.

    `make(size, **options)` builds the full movement for a size in `unit`; `options` names the
    keyword arguments that it accepts. Absent places, fewer rounds and the arrow switch are
    applied after it, unless "rounds" is among its options. A system that is made for certain
    numbers of rounds lists them for a size with `lengths`; one that lists none is never
    advised, only chosen (two packs: the adviser expects boards). `editions` counts the editions
    of a system whose schedules were improved, and `make` takes the requested one as `edition`:
    a played movement is built by its own.

    `sizes` describes in words what fits, and `otherwise` names the systems for other sizes;
    `marks` is what a director should know before choosing it. `announced` returns the
    announcement where it is not derived from the schedule. `other_names` find the system too.
    With `short_title` a suggestion shows only the title and the number of tables.

    For pairs, `extra` counts pairs beyond two a table (a rover) and `vacant` is the place left
    empty when the number of pairs is odd. Where the highest place is stationary and a pair
    needs it, `vacant_beside` is left empty instead, by the size. With `vacant_is_fairest` the
    second edition leaves the place empty without which comparisons vary least.

    The adviser rates how `uneven` its comparisons are, by the number of tables, and the effort
    of `explaining`, in tenths of a thousandth. It offers only what is `advised`, up to
    `max_tables` unless requested, and fewer rounds only where it `may_stop`.
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
    otherwise: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    lengths: Callable[[int], Sequence[int]] | None = None
    extra: int = 0
    vacant: Callable[[Movement], int] = find_last_place
    vacant_beside: Callable[[int], int] | None = None
    vacant_is_fairest: bool = False
    announced: Callable[[Movement], list[str]] = announce_nothing
    uneven: Callable[[int], int] = rate_no_unevenness
    explaining: int = 0
    advised: bool = True
    editions: int = 1
    may_stop: bool = True
    short_title: bool = False
    max_tables: int = MAX_TABLES
    other_names: tuple[str, ...] = ()
