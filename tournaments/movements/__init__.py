"""Movements: who plays whom, where, and with which boards.

Every family of movements is a file in `systems` and a line in its catalogue; docs/movements.md
tells where each comes from and how fair it is.
Any of them may stop after fewer rounds, and any place may be absent.
Outside this package import from here; a family of movements inside it imports from `meetings`
and `schedule`.
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
