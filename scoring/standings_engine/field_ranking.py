"""The ranking of an event's fields, computed from its scores."""

from collections import defaultdict

from scoring.methods import Placing, rank_entries
from scoring.methods.tie_breaks import build_tie_break_functions
from scoring.standings_engine.scores import ZERO, ScoredEvent
from scoring.standings_engine.seats import Seat
from tournaments.models import Event

FIELD_ORDER = {"NS": 0, "EW": 1, "": 2}
FieldKey = tuple[str, str]
"""A section letter ("" if sections are ranked together) and a side ("" if both sides are)."""


def ranked_groups(
    event: Event, scored_event: ScoredEvent
) -> list[tuple[FieldKey, list[Placing]]]:
    """Rank the entries of each field of each section, in the order in which pages show them.

    Entries without a board come after all others. Pages show no rank for them.
    """
    tie_breaks = build_tie_break_functions(
        event.terms.tie_breaks, scored_event.tally.lines, scored_event.corrected_totals_by_entry
    )
    placings_by_field = []
    for field_key, entries in group_by_field(scored_event.seats_by_entry):
        entries_with_boards = [
            entry for entry in entries if scored_event.board_counts_by_entry.get(entry)
        ]
        placings = rank_entries(
            {
                entry: scored_event.scores_by_entry.get(entry, ZERO)
                for entry in entries_with_boards
            },
            ranking_values={
                entry: scored_event.ranking_values.get(entry, ZERO)
                for entry in entries_with_boards
            },
            tie_breaks_by_name=tie_breaks,
        )
        unranked_entries = sorted(set(entries) - set(entries_with_boards))
        last_rank, is_tied = len(entries_with_boards) + 1, len(unranked_entries) > 1
        placings += [
            Placing(last_rank, is_tied, entry, scored_event.scores_by_entry.get(entry, ZERO))
            for entry in unranked_entries
        ]
        placings_by_field.append((field_key, placings))
    return placings_by_field


def group_by_field(seats_by_entry: dict[int, Seat]) -> list[tuple[FieldKey, list[int]]]:
    """Group the entries that are ranked together."""
    entries_by_field: dict[FieldKey, list[int]] = defaultdict(list)
    for entry, seat in seats_by_entry.items():
        entries_by_field[seat.section_letter, seat.ranked_side].append(entry)
    return sorted(
        entries_by_field.items(), key=lambda item: (item[0][0], FIELD_ORDER[item[0][1]])
    )
