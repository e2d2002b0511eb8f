"""Movements: who plays whom, where, and with which boards.

✅ is recounted by the tests for every size given, – is told and not offered.

Name                 Sizes                        Winners  Marks
Pairs in two fields (North-South sit, East-West move). The Standard Hoyle, 1912; J. T. Mitchell
compass              3, 5, 7 … tables             2        ✅ complete
compass-skip         4, 6, 8 … tables             2        ✅ each misses one pair, one group
compass-relay        4, 6, 8 … tables             2        ✅ complete; two tables share boards
compass-rover        4 to 30 tables and a pair    2        ✅ no half table; seats are lent
compass-hesitation   3 to 60 tables               1        ✅ a round more; uneven comparisons
  Half tables: any of them with a place absent. One winner: sides changed in some rounds.
Pairs in one field. E. C. Howell, 1897; R. F. Foster, Complete Hoyle
howell               4 to 60 pairs, 64, 68 …      1        ✅ complete; from 4 tables no sharing
reduced-howell       5 to 10 tables               1        ✅ fewer rounds, more sitting pairs
four-pairs           4 pairs                      1        ✅ complete; the tables share boards
Single players. I. Anderson, Combinatorial Designs and Tournaments; Foster
whist-individual     4 to 65 players              1        ✅ partners once, opponents twice
rainbow              5, 7, 11, 13 … tables        1        ✅ nobody meets twice
eight-individuals    8 players                    1        ✅ both tables share boards
four-individuals     4 players                    1        ✅ overplayed from memory
12-player card       12 players                   1        – in common use, no whist tournament
Teams of four. Foster; the last two from duplicate bridge
league-fours         2 teams                      1        ✅ six sets; three sets are uneven
howell-teams         3, 5, 7 … teams              1        ✅ every two meet on one group
gilman               3, 5, 7 … teams              1        ✅ with a home set
club-against-club    2, 4, 6 … teams              1        ✅ tables in twos
new-england-relay    4, 6, 8 … teams              1        ✅ tables in twos share boards
three-teams          3 teams                      1        ✅ two half matches
One table. Foster; United States Playing Card Co.
memory               2 pairs                      1        ✅ replays on purpose
custom               a table of the director's    1 or 2   checked when it is given

Any of them may stop after fewer rounds, and any place may be absent.
Outside this package import from here; a family of movements inside it imports from `meetings`
and `schedule`, and gets its line in `catalogue`.
"""

from tournaments.movements.announcement import announcement
from tournaments.movements.balance import Balance, balance
from tournaments.movements.building import build
from tournaments.movements.exports import as_json
from tournaments.movements.guide import boards_of, place_guide, table_guide
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    one_field_labels,
    pair_meeting,
    two_field_labels,
)
from tournaments.movements.schedule import Movement, UnplayableMovement, curtailed, without
from tournaments.movements.suggest import Suggestion, suggest
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.systems.system import System, Unit

__all__ = [
    "CATALOGUE",
    "Balance",
    "Contest",
    "Meeting",
    "Movement",
    "Suggestion",
    "System",
    "Unit",
    "UnplayableMovement",
    "announcement",
    "as_json",
    "balance",
    "boards_of",
    "build",
    "curtailed",
    "one_field_labels",
    "pair_meeting",
    "place_guide",
    "suggest",
    "table_guide",
    "two_field_labels",
    "without",
]
