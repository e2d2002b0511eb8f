"""The simulation script of an event: plausible results, the pace of the tables, and mishaps."""

from hall.rehearsal.script.mishaps import (
    Mishap,
    MishapKind,
    choose_mishaps,
    choose_swapped_table,
)
from hall.rehearsal.script.pace import DueResult, RoundTime, list_due_results
from hall.rehearsal.script.random_draws import draw_fraction, draw_integer, draw_weighted_key
from hall.rehearsal.script.tables import TableKey, TableSitting
from hall.rehearsal.script.tricks import estimate_tricks, generate_skill, simulate_ns_tricks
