"""A simulated evening: plausible results, the pace of the tables, and mishaps.

Everything depends only on a seed and its subject, never on earlier draws. So the evening can be
computed in any order and repeatedly, with equal results.
"""

from hall.rehearsal.script.lots import lot, pick, whole
from hall.rehearsal.script.mishaps import Kind, Mishap, script, turned_table
from hall.rehearsal.script.pace import Due, Round, dues
from hall.rehearsal.script.tables import At, Sat
from hall.rehearsal.script.tricks import plausible_tricks, strength, worth_of_cards
