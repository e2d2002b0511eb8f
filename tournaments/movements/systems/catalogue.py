"""The catalogue of all systems by name. To add a family, write a module and list it here."""

from tournaments.movements.systems.barometer import BAROMETER_SYSTEM
from tournaments.movements.systems.evening_individual import EVENING_INDIVIDUAL_SYSTEM
from tournaments.movements.systems.hesitation import HESITATION_MITCHELL_SYSTEM
from tournaments.movements.systems.howell import FOUR_PAIRS_SYSTEM, HOWELL_SYSTEM
from tournaments.movements.systems.individual import (
    EIGHT_INDIVIDUALS_SYSTEM,
    RAINBOW_SYSTEM,
    WHIST_INDIVIDUAL_SYSTEM,
)
from tournaments.movements.systems.league import LEAGUE_FOURS_SYSTEM
from tournaments.movements.systems.memory import (
    FOUR_INDIVIDUALS_SYSTEM,
    MEMORY_DUPLICATE_SYSTEM,
)
from tournaments.movements.systems.mitchell import (
    MITCHELL_SYSTEM,
    RELAY_MITCHELL_SYSTEM,
    SKIP_MITCHELL_SYSTEM,
)
from tournaments.movements.systems.reduced_movement import REDUCED_HOWELL_SYSTEM
from tournaments.movements.systems.rover import ROVER_MITCHELL_SYSTEM
from tournaments.movements.systems.system import MovementSystem
from tournaments.movements.systems.teams import (
    CLUB_AGAINST_CLUB_SYSTEM,
    GILMAN_SYSTEM,
    HOWELL_TEAMS_SYSTEM,
    NEW_ENGLAND_RELAY_SYSTEM,
    THREE_TEAMS_SYSTEM,
)
from tournaments.movements.systems.two_packs import TWO_PACKS_SYSTEM
from tournaments.movements.systems.web import WEB_SYSTEM

SYSTEMS: tuple[MovementSystem, ...] = (
    MITCHELL_SYSTEM,
    SKIP_MITCHELL_SYSTEM,
    RELAY_MITCHELL_SYSTEM,
    ROVER_MITCHELL_SYSTEM,
    HESITATION_MITCHELL_SYSTEM,
    HOWELL_SYSTEM,
    FOUR_PAIRS_SYSTEM,
    WHIST_INDIVIDUAL_SYSTEM,
    RAINBOW_SYSTEM,
    EIGHT_INDIVIDUALS_SYSTEM,
    FOUR_INDIVIDUALS_SYSTEM,
    LEAGUE_FOURS_SYSTEM,
    HOWELL_TEAMS_SYSTEM,
    GILMAN_SYSTEM,
    NEW_ENGLAND_RELAY_SYSTEM,
    THREE_TEAMS_SYSTEM,
    CLUB_AGAINST_CLUB_SYSTEM,
    TWO_PACKS_SYSTEM,
    MEMORY_DUPLICATE_SYSTEM,
    REDUCED_HOWELL_SYSTEM,
    EVENING_INDIVIDUAL_SYSTEM,
    WEB_SYSTEM,
    BAROMETER_SYSTEM,
)
"""All systems, in the order in which lists show them."""

SYSTEMS_BY_NAME: dict[str, MovementSystem] = {system.name: system for system in SYSTEMS}
