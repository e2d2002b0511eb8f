"""Movements: schedules of places, tables and boards.

Every family of movements is a module in `systems`, and is listed in the catalogue there.
docs/movements.md gives the source and the fairness of each movement. Every movement can stop
after fewer rounds, and every place can be absent. Code outside this package imports from here.
A module in `systems` imports from `meetings` and `schedule`.
"""

from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.announcement import format_announcement
from tournaments.movements.balance import Balance, compute_balance
from tournaments.movements.builder import (
    build_named_movement,
    build_stored_movement_values,
    rebuild_movement,
)
from tournaments.movements.exports import build_movement_json
from tournaments.movements.guide import build_place_guide, build_table_guide, list_boards
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_ns_and_ew_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import (
    Movement,
    UnplayableMovement,
    leave_places_empty,
    shorten_movement,
)
from tournaments.movements.suggest import list_suggestions_for_limits
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME
from tournaments.movements.systems.system import MovementSystem, SizeUnit
