"""The declaration of a system: its names, the sizes that fit, and its construction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import TranslatedField
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement

MAX_TABLES = 60  # a safety limit; rules K2 limit a section to seven tables


class Unit(StrEnum):
    """The unit of a system's size."""

    TABLES = "tables"
    PAIRS = "pairs"
    PLAYERS = "players"
    TEAMS = "teams"


def find_last_place(movement: Movement) -> int:
    """Return the highest place, which most systems leave empty if one pair is missing."""
    return movement.places


def announce_nothing(_movement: Movement) -> list[str]:
    """Return an empty list, so that the announcement is derived from the schedule."""
    return []


def rate_no_unevenness(_tables: int) -> int:
    """Return 0, the default of `System.uneven`."""
    return 0


def format_size(unit: Unit, number: int) -> str:
    """Format a size in a unit, e.g. "7 tables" or "1 pair"."""
    if unit is Unit.TABLES:
        message = ngettext("%(number)s table", "%(number)s tables", number)
    elif unit is Unit.PAIRS:
        message = ngettext("%(number)s pair", "%(number)s pairs", number)
    elif unit is Unit.PLAYERS:
        message = ngettext("%(number)s player", "%(number)s players", number)
    else:
        message = ngettext("%(number)s team", "%(number)s teams", number)
    return message % {"number": number}


def format_title(name: str, unit: Unit, size: int) -> str:
    """Format a movement's name with its size, e.g. "Howell, 14 pairs"."""
    return _("%(movement)s, %(size)s") % {"movement": name, "size": format_size(unit, size)}


@dataclass(frozen=True, kw_only=True)
class System:
    """A family of movements, with one movement for every size that fits.

    `make(size, **options)` builds the full movement for a size in `unit`; `options` are the
    keyword arguments that it accepts. Absent places, fewer rounds and the arrow switch are
    applied afterwards, unless "rounds" is among its options. If only certain numbers of rounds
    are possible, `lengths` returns them for a size; a system with an empty list is never
    suggested. `editions` counts the editions of improved schedules, and `make` takes `edition`
    if there are several. `extra` is the number of pairs beyond two a table (a rover).

    Texts: `sizes` describes the sizes that fit, and `otherwise` names systems for other sizes.
    `marks` is what a director should know before choosing. `announced` returns announcements
    that are not derived from the schedule. With `short_title` suggestions show only the title
    and the number of tables.

    For an odd number of pairs, `vacant` returns the place left empty. If that place is
    stationary and a pair needs it, `vacant_beside` returns another one for the size. With
    `vacant_is_fairest`, the second edition leaves the place empty without which comparisons
    vary least.

    The adviser uses `uneven`, the unevenness of comparisons by number of tables, and
    `explaining`, the effort of explaining it, in 1/10,000. It only suggests systems that are
    `advised`, with up to `max_tables` unless requested, and fewer rounds only if it `may_stop`.
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
