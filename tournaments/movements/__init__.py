"""Movements: schedules of places, tables and boards.

Every family of movements is a module in `systems` and an entry in its catalogue;
docs/movements.md gives the source and the fairness of each. Every movement can stop after fewer
rounds, and every place can be absent. Code outside this package imports from here; a module in
`systems` imports from `meetings` and `schedule`.
"""

from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.announcement import announcement
from tournaments.movements.balance import Balance, balance
from tournaments.movements.building import build, lasting, rebuilt
from tournaments.movements.exports import as_json
from tournaments.movements.guide import boards_of, place_guide, table_guide
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    pair_meeting,
    two_field_labels,
)
from tournaments.movements.schedule import Movement, UnplayableMovement, curtailed, without
from tournaments.movements.suggest import suggest
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.systems.system import System, Unit
