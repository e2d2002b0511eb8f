"""A club's year as arithmetic: what an evening is worth, what counts of it, and who leads.

A `LadderRule` says how; `LadderEvening`s say what was played; `ladder` makes the table of
them. Exact fractions throughout, and no database: an evening that was played here and one
that comes from elsewhere are the same here.
"""

from seasons.ladders.rules.evenings import LadderEntry, LadderEvening
from seasons.ladders.rules.rule import LadderRule, RuleFault, rule_of
from seasons.ladders.rules.table import LadderRow, LadderTable, Worth, ladder
