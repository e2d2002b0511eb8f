"""A simulated evening: plausible results, the pace of the tables, and mishaps.

Everything depends only on a seed and its subject, never on earlier draws. So the evening can be
computed in any order and repeatedly, with equal results.
"""

from hall.rehearsal.script.mishaps import (
    Mishap,
    MishapKind,
    choose_mishaps,
    choose_swapped_table,
)
from hall.rehearsal.script.pace import DueResult, RoundTime, list_due_results
from hall.rehearsal.script.random_draws import draw_fraction, draw_integer, draw_key
from hall.rehearsal.script.tables import TableKey, TableSitting
from hall.rehearsal.script.tricks import draw_strength, draw_tricks, estimate_tricks
