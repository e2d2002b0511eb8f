"""Swiss pairs and teams: each round's opponents are drawn from the scores so far.

`field` is what a draw is made from, `reading` takes it from plain data, `objective` prices a
couple, `matching` finds the cheapest draw exactly, `draw` makes it and `reasons` tells why;
`totals` and `victory_points` are how matches count.
"""

from tournaments.swiss.draw import Draw, Pairing, draw
from tournaments.swiss.field import Entry, Field, Method, Odd, Round, Seat
from tournaments.swiss.reading import UnreadableField, field_of
