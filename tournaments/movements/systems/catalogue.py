"""Every system by its name."""

from boards.whist.words import gettext_noop
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.howell import four_pairs, howell, howell_fits
from tournaments.movements.systems.mitchell import (
    compass,
    compass_relay,
    compass_skip,
    hesitation,
)
from tournaments.movements.systems.party_systems import PARTY_SYSTEMS
from tournaments.movements.systems.rover import rover, rover_fits
from tournaments.movements.systems.system import System, Unit

MOST_TABLES = 60  # sections are of at most seven tables (rules K2): a guard, not a rule
# These words and those below name the numbers that the functions check; a test holds both.
ODD = gettext_noop("an odd number of tables from 3 to 59")
EVEN = gettext_noop("an even number of tables from 4 to 60")


def is_odd(number: int) -> bool:
    """Whether a number of tables is odd, from three."""
    return 3 <= number <= MOST_TABLES and number % 2 == 1


def is_even(number: int) -> bool:
    """Whether a number of tables is even, from four."""
    return 4 <= number <= MOST_TABLES and number % 2 == 0


def last_sitting_pair(movement: Movement) -> int:
    """The place North-South at the last table."""
    return movement.tables


_PAIRS = (
    System(
        name="compass",
        title=gettext_noop("Compass"),
        contest=Contest.PAIRS,
        unit=Unit.TABLES,
        sizes=ODD,
        otherwise=("compass-skip", "compass-relay"),
        fits=is_odd,
        make=compass,
        source=gettext_noop(
            "The Standard Hoyle (1912); John T. Mitchell, Duplicate Whist (1891)"
        ),
        marks=gettext_noop("two winners; complete"),
    ),
    System(
        name="compass-skip",
        title=gettext_noop("Compass with a skip"),
        contest=Contest.PAIRS,
        unit=Unit.TABLES,
        sizes=EVEN,
        otherwise=("compass",),
        fits=is_even,
        make=compass_skip,
        source=gettext_noop("The Standard Hoyle (1912)"),
        marks=gettext_noop(
            "two winners; one round short, so each pair misses one pair and one board group"
        ),
    ),
    System(
        name="compass-relay",
        title=gettext_noop("Compass with relay and share"),
        contest=Contest.PAIRS,
        unit=Unit.TABLES,
        sizes=EVEN,
        otherwise=("compass",),
        fits=is_even,
        make=compass_relay,
        source=gettext_noop("Ian McKinnon, Duplicate Bridge Schedules"),
        marks=gettext_noop("two winners; complete; the first and last tables share boards"),
        vacant=last_sitting_pair,
    ),
    System(
        name="compass-rover",
        title=gettext_noop("Compass with a rover"),
        contest=Contest.PAIRS,
        unit=Unit.TABLES,
        sizes=gettext_noop("4 to 30 tables and one pair more than sits down"),
        fits=rover_fits,
        make=rover,
        source=gettext_noop(
            "Ian McKinnon, Duplicate Bridge Schedules; irregular numbers by search"
        ),
        marks=gettext_noop("two winners; an odd pair without a half table"),
        extra=1,
    ),
    System(
        name="compass-hesitation",
        title=gettext_noop("Hesitation compass"),
        contest=Contest.PAIRS,
        unit=Unit.TABLES,
        sizes=gettext_noop("3 to 60 tables"),
        fits=lambda tables: 3 <= tables <= MOST_TABLES,
        make=hesitation,
        source=gettext_noop("after Mitchell"),
        marks=gettext_noop(
            "one winner; one round and one board group more than tables; uneven comparisons; "
            "at an even number the first and last tables share boards"
        ),
    ),
    System(
        name="howell",
        title=gettext_noop("Howell"),
        contest=Contest.PAIRS,
        unit=Unit.PAIRS,
        sizes=gettext_noop(
            "4 to 60 pairs, 64, 68, 72, 80, 84, 104 and 108 (an odd number sits out in turn)"
        ),
        fits=howell_fits,
        make=howell,
        source=gettext_noop("E. C. Howell, Howell Method of Duplicate Whist for Pairs (1897)"),
        marks=gettext_noop("one winner; complete"),
    ),
    System(
        name="four-pairs",
        title=gettext_noop("Four pairs"),
        contest=Contest.PAIRS,
        unit=Unit.PAIRS,
        sizes=gettext_noop("4 pairs"),
        fits=lambda pairs: pairs == 4,
        make=four_pairs,
        source=gettext_noop("R. F. Foster, Foster's Complete Hoyle"),
        marks=gettext_noop("one winner; complete; both tables exchange boards"),
    ),
)

_SYSTEMS = (*_PAIRS, *PARTY_SYSTEMS)
CATALOGUE: dict[str, System] = {system.name: system for system in _SYSTEMS}
