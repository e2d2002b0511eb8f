"""Swiss pairs and teams: the opponents of each round are drawn from the scores so far.

`field` has the input of a draw, and `field_reader` parses it from plain data. `objective`
computes the cost of a match, `matching` finds the cheapest draw exactly, `draw` draws the
round and `reasons` explains it. `totals` and `victory_points` compute the results of matches.
"""

from tournaments.swiss.draw import Pairing, RoundDraw, draw_round
from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    DrawnRound,
    Entry,
    OddRule,
    SeatPreference,
)
from tournaments.swiss.field_reader import UnreadableField, read_field
