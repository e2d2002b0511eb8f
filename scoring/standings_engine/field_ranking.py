"""The ranking of an event's fields, computed from its scores."""

from collections import defaultdict

from scoring.methods import Placing, rank_entries
from scoring.methods.tie_breaks import build_tie_break_functions
from scoring.standings_engine.scores import ZERO, ScoredEvent
from scoring.standings_engine.seats import RankedSeat
from tournaments.models import Event

FIELD_ORDER = {"NS": 0, "EW": 1, "": 2}
FieldKey = tuple[str, str]
"""A section letter ("" if sections are ranked together) and a side ("" if both sides are)."""


def rank_groups(
    event: Event, scored_event: ScoredEvent
) -> list[tuple[FieldKey, list[Placing]]]:
    """Rank the entries of each field of each section, in the order in which pages show them.

    Entries without a board come after all others. Pages show no rank for them.
    """
    tie_break_functions_by_name = build_tie_break_functions(
        event.terms.tie_breaks, scored_event.tally.lines, scored_event.corrected_totals_by_entry
    )
    fields_and_placings = []
    for field_key, entry_numbers in group_by_field(scored_event.seats_by_entry):
        entry_numbers_with_boards = [
            entry_number
            for entry_number in entry_numbers
            if scored_event.board_counts_by_entry.get(entry_number)
        ]
        placings = rank_entries(
            {
                entry_number: scored_event.scores_by_entry.get(entry_number, ZERO)
                for entry_number in entry_numbers_with_boards
            },
            ranking_values_by_entry={
                entry_number: scored_event.ranking_value_by_entry.get(entry_number, ZERO)
                for entry_number in entry_numbers_with_boards
            },
            tie_breaks_by_name=tie_break_functions_by_name,
        )
        unranked_entry_numbers = sorted(set(entry_numbers) - set(entry_numbers_with_boards))
        last_rank, is_tied = len(entry_numbers_with_boards) + 1, len(unranked_entry_numbers) > 1
        placings += [
            Placing(
                last_rank,
                is_tied,
                entry_number,
                scored_event.scores_by_entry.get(entry_number, ZERO),
            )
            for entry_number in unranked_entry_numbers
        ]
        fields_and_placings.append((field_key, placings))
    return fields_and_placings


def group_by_field(seats_by_entry: dict[int, RankedSeat]) -> list[tuple[FieldKey, list[int]]]:
    """Group the entries that are ranked together."""
    entries_by_field: dict[FieldKey, list[int]] = defaultdict(list)
    for entry_number, seat in seats_by_entry.items():
        entries_by_field[seat.section_letter, seat.ranked_side].append(entry_number)
    return sorted(
        entries_by_field.items(), key=lambda item: (item[0][0], FIELD_ORDER[item[0][1]])
    )
