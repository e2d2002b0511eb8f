"""The catalogue of all systems by name. To add a family, write a module and list it here."""

from tournaments.movements.systems.barometer import BAROMETER
from tournaments.movements.systems.evening_individual import EVENING_INDIVIDUAL
from tournaments.movements.systems.hesitation import COMPASS_HESITATION
from tournaments.movements.systems.howell import FOUR_PAIRS, HOWELL
from tournaments.movements.systems.individual import (
    EIGHT_INDIVIDUALS,
    RAINBOW,
    WHIST_INDIVIDUAL,
)
from tournaments.movements.systems.league import LEAGUE_FOURS
from tournaments.movements.systems.memory import FOUR_INDIVIDUALS, MEMORY
from tournaments.movements.systems.mitchell import (
    COMPASS,
    COMPASS_RELAY,
    COMPASS_SKIP,
)
from tournaments.movements.systems.reduced_movement import REDUCED_HOWELL
from tournaments.movements.systems.rover import COMPASS_ROVER
from tournaments.movements.systems.system import System
from tournaments.movements.systems.teams import (
    CLUB_AGAINST_CLUB,
    GILMAN,
    HOWELL_TEAMS,
    NEW_ENGLAND_RELAY,
    THREE_TEAMS,
)
from tournaments.movements.systems.two_packs import TWO_PACKS
from tournaments.movements.systems.web import WEB

SYSTEMS: tuple[System, ...] = (
    COMPASS,
    COMPASS_SKIP,
    COMPASS_RELAY,
    COMPASS_ROVER,
    COMPASS_HESITATION,
    HOWELL,
    FOUR_PAIRS,
    WHIST_INDIVIDUAL,
    RAINBOW,
    EIGHT_INDIVIDUALS,
    FOUR_INDIVIDUALS,
    LEAGUE_FOURS,
    HOWELL_TEAMS,
    GILMAN,
    NEW_ENGLAND_RELAY,
    THREE_TEAMS,
    CLUB_AGAINST_CLUB,
    TWO_PACKS,
    MEMORY,
    REDUCED_HOWELL,
    EVENING_INDIVIDUAL,
    WEB,
    BAROMETER,
)
"""All systems, in the order in which lists show them."""

SYSTEMS_BY_NAME: dict[str, System] = {system.name: system for system in SYSTEMS}
