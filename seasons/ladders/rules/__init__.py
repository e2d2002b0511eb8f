"""The computation of ladders: evening values, the evenings that count, and the ranks.

A `LadderRule` contains the settings, and each `LadderEvening` contains the results of an
evening. `compute_ladder` returns the table. All numbers are exact fractions. The package does
not access the database, so events of this program and imported evenings are treated the same.
"""

from seasons.ladders.rules.evenings import LadderEntry, LadderEvening
from seasons.ladders.rules.rule import LadderRule, RuleFault, read_rule
from seasons.ladders.rules.table import EveningValue, LadderRow, LadderTable, compute_ladder
