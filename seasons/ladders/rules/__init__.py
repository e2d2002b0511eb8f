"""The arithmetic of a club's year: the value of evenings, which of them count, and the ranking.

A `LadderRule` has the settings, `LadderEvening`s have the results, and `ladder` computes the
table. All numbers are exact fractions. The package does not use the database, so evenings
played here and elsewhere are treated the same.
"""

from seasons.ladders.rules.evenings import LadderEntry, LadderEvening
from seasons.ladders.rules.rule import LadderRule, RuleFault, read_rule
from seasons.ladders.rules.table import EveningValue, LadderRow, LadderTable, compute_ladder
