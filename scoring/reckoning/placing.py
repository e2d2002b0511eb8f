"""Scores to ranks: who is ranked with whom, and in what order."""

from collections import defaultdict

from scoring.methods import Placing, rank
from scoring.methods.ties import tie_breaks
from scoring.reckoning.scores import NOTHING, Scored
from scoring.reckoning.seats import Seat
from tournaments.models import Event

FIELD_ORDER = {"NS": 0, "EW": 1, "": 2}
Field = tuple[str, str]
"""A section, or "" for all of them, and a side, or "" where one field plays."""


def placings(event: Event, found: Scored) -> list[tuple[Field, list[Placing]]]:
    """Place the entries of each field of each section apart, in the order of the page."""
    breaks = tie_breaks(event.terms.tie_breaks, found.tally.lines)
    return [
        (
            field,
            rank(
                {entry: found.scores.get(entry, NOTHING) for entry in entries},
                by={entry: found.worth.get(entry, NOTHING) for entry in entries},
                tie_breaks=breaks,
            ),
        )
        for field, entries in fields_of(found.seats)
    ]


def fields_of(seats: dict[int, Seat]) -> list[tuple[Field, list[int]]]:
    """Gather the entries that are ranked together."""
    fields: dict[Field, list[int]] = defaultdict(list)
    for entry, seat in seats.items():
        fields[seat.section, seat.field].append(entry)
    return sorted(fields.items(), key=lambda item: (item[0][0], FIELD_ORDER[item[0][1]]))
