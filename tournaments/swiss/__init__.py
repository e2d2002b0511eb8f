"""Swiss pairs and teams: each round's opponents are drawn from the scores so far.

`field` has the input of a draw, and `field_reader` reads it from plain data. `objective`
computes the cost of a couple, `matching` finds the cheapest draw exactly, `draw` makes it and
`reasons` explains it. `totals` and `victory_points` are how matches count.
"""

from tournaments.swiss.draw import Draw, Pairing, draw_round
from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    DrawnRound,
    Entry,
    OddRule,
    SeatPreference,
)
from tournaments.swiss.field_reader import UnreadableField, read_field
