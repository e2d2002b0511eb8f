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


class SizeUnit(StrEnum):
    """The unit of a system's size."""

    TABLES = "tables"
    PAIRS = "pairs"
    PLAYERS = "players"
    TEAMS = "teams"


def find_highest_place_number(movement: Movement) -> int:
    """Return the highest place, which most systems leave empty for an odd number of pairs."""
    return movement.place_count


def list_no_announcements(_movement: Movement) -> list[str]:
    """Return an empty list, so that the announcement is derived from the schedule."""
    return []


def rate_zero_unevenness(_table_count: int) -> int:
    """Return 0, the default of `MovementSystem.rate_unevenness`."""
    return 0


def format_size(unit: SizeUnit, unit_count: int) -> str:
    """Format a size in a unit, e.g. "7 tables" or "1 pair"."""
    if unit is SizeUnit.TABLES:
        message = ngettext("%(number)s table", "%(number)s tables", unit_count)
    elif unit is SizeUnit.PAIRS:
        message = ngettext("%(number)s pair", "%(number)s pairs", unit_count)
    elif unit is SizeUnit.PLAYERS:
        message = ngettext("%(number)s player", "%(number)s players", unit_count)
    else:
        message = ngettext("%(number)s team", "%(number)s teams", unit_count)
    return message % {"number": unit_count}


def format_title(system_name: str, unit: SizeUnit, unit_count: int) -> str:
    """Format a movement's name with its size, e.g. "Howell, 14 pairs"."""
    return _("%(movement)s, %(size)s") % {
        "movement": system_name,
        "size": format_size(unit, unit_count),
    }


@dataclass(frozen=True, kw_only=True)
class MovementSystem:
    """A family of movements, with one movement for every size that fits.

    `fits_size(unit_count)` is whether there is a movement for a size, which is a number of
    `unit`. `build_movement(unit_count, **options)` builds the full movement; `options` are the
    keyword arguments that it accepts. Absent places, fewer rounds and the arrow switch are
    applied afterwards, unless "rounds" is among the options. If only certain numbers of rounds
    are possible, `list_round_counts` returns them for a size. A system with an empty list is
    never suggested. `edition_count` is the number of editions; later ones have better
    schedules. If there are several, `build_movement` accepts `edition`. `extra_pair_count` is
    the number of pairs beyond two at each table (a rover).

    Texts: `sizes` describes the sizes that fit, and `alternative_systems` names systems for
    other sizes. `remarks` is what a director should know before choosing. `list_announcements`
    returns announcements that are not derived from the schedule. With `has_short_title`
    suggestions show only the title and the number of tables.

    For an odd number of pairs, `find_vacant_place` returns the place left empty. If that place
    is stationary and a pair needs it, `find_other_vacant_place` returns another one for the
    size. With `leaves_fairest_place_empty`, the second edition chooses the empty place that
    makes comparisons vary least.

    For the adviser, `rate_unevenness` returns the unevenness of comparisons for a number of
    tables, and `explanation_cost` is the effort of explaining the movement, both in 1/10,000.
    The adviser only suggests systems with `is_recommended`. Unless requested, it suggests no
    more than `max_tables`. It suggests fewer rounds only if `can_end_early` is True.
    """

    name: str
    unit: SizeUnit
    fits_size: Callable[[int], bool]
    build_movement: Callable[..., Movement]
    contest: Contest = Contest.PAIRS
    title: TranslatedField = TranslatedField()
    sizes: TranslatedField = TranslatedField()
    source: TranslatedField = TranslatedField()
    remarks: TranslatedField = TranslatedField("")
    alternative_systems: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    list_round_counts: Callable[[int], Sequence[int]] | None = None
    extra_pair_count: int = 0
    find_vacant_place: Callable[[Movement], int] = find_highest_place_number
    find_other_vacant_place: Callable[[int], int] | None = None
    leaves_fairest_place_empty: bool = False
    list_announcements: Callable[[Movement], list[str]] = list_no_announcements
    rate_unevenness: Callable[[int], int] = rate_zero_unevenness
    explanation_cost: int = 0
    is_recommended: bool = True
    edition_count: int = 1
    can_end_early: bool = True
    has_short_title: bool = False
    max_tables: int = MAX_TABLES
    alias_names: tuple[str, ...] = ()
