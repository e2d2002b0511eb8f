"""A made-up evening: plausible results, the pace of the tables, and what goes wrong.

Everything follows from a seed and from what it is about, never from what was drawn before: so
an evening may be asked about in any order, again and again, and says the same.
"""

from hall.rehearsal.script.lots import lot, pick, whole
from hall.rehearsal.script.mishaps import Kind, Mishap, script, turned_table
from hall.rehearsal.script.pace import Due, Round, dues
from hall.rehearsal.script.tables import At, Sat
from hall.rehearsal.script.tricks import plausible_tricks, strength, worth_of_cards
