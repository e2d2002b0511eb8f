"""From scores to ranks: the fields, and the order in each."""

from collections import defaultdict

from scoring.methods import Placing, rank
from scoring.methods.ties import tie_breaks
from scoring.reckoning.scores import NOTHING, Scored
from scoring.reckoning.seats import Seat
from tournaments.models import Event

FIELD_ORDER = {"NS": 0, "EW": 1, "": 2}
Field = tuple[str, str]
"""A section or "" for all of them, and a side or "" for one field."""


def placings(event: Event, found: Scored) -> list[tuple[Field, list[Placing]]]:
    """Rank the entries of each field of each section, in the order of the page.

    Entries without a board come after all others and share no rank with them; pages show no
    rank for them.
    """
    breaks = tie_breaks(event.terms.tie_breaks, found.tally.lines, found.corrected)
    placed = []
    for field, entries in fields_of(found.seats):
        played = [entry for entry in entries if found.boards.get(entry)]
        placings = rank(
            {entry: found.scores.get(entry, NOTHING) for entry in played},
            by={entry: found.worth.get(entry, NOTHING) for entry in played},
            tie_breaks=breaks,
        )
        others = sorted(set(entries) - set(played))
        last, is_tied = len(played) + 1, len(others) > 1
        placings += [
            Placing(last, is_tied, entry, found.scores.get(entry, NOTHING)) for entry in others
        ]
        placed.append((field, placings))
    return placed


def fields_of(seats: dict[int, Seat]) -> list[tuple[Field, list[int]]]:
    """Group the entries that are ranked together."""
    fields: dict[Field, list[int]] = defaultdict(list)
    for entry, seat in seats.items():
        fields[seat.section, seat.field].append(entry)
    return sorted(fields.items(), key=lambda item: (item[0][0], FIELD_ORDER[item[0][1]]))
