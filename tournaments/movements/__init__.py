"""Movements: who plays whom, where, and with which boards.

Outside this package import from here; a family of movements inside it imports from `meetings`
and `schedule`, and gets its line in `catalogue`.
"""

from tournaments.movements.balance import Balance, balance
from tournaments.movements.building import build
from tournaments.movements.catalogue import CATALOGUE
from tournaments.movements.exports import as_json
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    one_field_labels,
    pair_meeting,
    two_field_labels,
)
from tournaments.movements.schedule import Movement, UnplayableMovement, curtailed, without
from tournaments.movements.system import System, Unit

__all__ = [
    "CATALOGUE",
    "Balance",
    "Contest",
    "Meeting",
    "Movement",
    "System",
    "Unit",
    "UnplayableMovement",
    "as_json",
    "balance",
    "build",
    "curtailed",
    "one_field_labels",
    "pair_meeting",
    "two_field_labels",
    "without",
]
