"""The opponents of each entry by match, for corrected totals and Swiss tie-breaks."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scoring.methods.ranking import TieBreakFunction
from scoring.methods.result_line import ResultLine
from scoring.methods.victory_points import (
    count_matches_in_round,
    list_pair_matches,
    list_team_matches,
)

ZERO, HALF = Fraction(), Fraction(1, 2)
TotalsByEntry = Mapping[int, Fraction]


def is_team_play(result_lines: Sequence[ResultLine]) -> bool:
    """Return whether the entries are teams: two teams meet at two tables, in both
    directions.
    """
    deal_meetings = {
        (
            result_line.deal_number,
            result_line.match_number,
            result_line.ns_entries,
            result_line.ew_entries,
        )
        for result_line in result_lines
    }
    return any(
        (deal_number, match_number, ew_entries, ns_entries) in deal_meetings
        for deal_number, match_number, ns_entries, ew_entries in deal_meetings
    )


class Opponent(NamedTuple):
    """An opponent, and the share of a match played against it: half in a three-way match."""

    entry_number: int
    match_share: Fraction


def list_opponents(result_lines: Sequence[ResultLine]) -> dict[int, list[Opponent]]:
    """Return the opponents of each entry, once for each match or part of a match."""
    opponents_by_match_and_entry: dict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    for match_number, ns_entries, ew_entries in sorted(
        {
            (result_line.match_number, result_line.ns_entries, result_line.ew_entries)
            for result_line in result_lines
        }
    ):
        for first_entry_number in ns_entries:
            for second_entry_number in ew_entries:
                opponents_by_match_and_entry[match_number, first_entry_number][
                    second_entry_number
                ] = None
                opponents_by_match_and_entry[match_number, second_entry_number][
                    first_entry_number
                ] = None
    match_counts_by_match_and_entry = count_matches_in_round(
        (match_number, first_entry_number, second_entry_number)
        for (
            match_number,
            first_entry_number,
        ), opposing_entries in opponents_by_match_and_entry.items()
        for second_entry_number in opposing_entries
        if first_entry_number < second_entry_number
    )
    opponents_by_entry: dict[int, list[Opponent]] = defaultdict(list)
    for (
        match_number,
        first_entry_number,
    ), opposing_entries in opponents_by_match_and_entry.items():
        match_share = Fraction(
            1, match_counts_by_match_and_entry.get((match_number, first_entry_number), 1)
        )
        opponents_by_entry[first_entry_number] += [
            Opponent(second_entry_number, match_share)
            for second_entry_number in opposing_entries
        ]
    return dict(opponents_by_entry)


def count_matches(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Count the matches of each entry; a half of a three-way match counts a half."""
    return {
        entry_number: _add_up_match_shares(opponents)
        for entry_number, opponents in list_opponents(result_lines).items()
    }


def find_max_match_count(opponents_by_entry: Mapping[int, Sequence[Opponent]]) -> Fraction:
    """Return the largest number of matches of any entry."""
    return max(
        (_add_up_match_shares(own_opponents) for own_opponents in opponents_by_entry.values()),
        default=ZERO,
    )


def compute_corrected_totals(
    result_lines: Sequence[ResultLine],
    totals_by_entry: TotalsByEntry,
    averages_by_entry: TotalsByEntry,
) -> dict[int, Fraction]:
    """Return each total plus the mean of the opponents' totals above the average.

    `averages_by_entry` are the totals of an average entry in the rounds in which each entry was
    present. A missing opponent is replaced by the entry's own mean per match.

    Source: a decision of this project; see docs/movements.md.
    """
    opponents_by_entry = list_opponents(result_lines)
    max_match_count = find_max_match_count(opponents_by_entry)
    totals_above_average_by_entry = {
        entry_number: total - averages_by_entry.get(entry_number, ZERO)
        for entry_number, total in totals_by_entry.items()
    }
    corrected_totals_by_entry = dict(totals_by_entry)
    for entry_number, total in totals_by_entry.items():
        own_opponents = opponents_by_entry.get(entry_number, [])
        if own_opponents:
            played_match_count = _add_up_match_shares(own_opponents)
            opponents_total = sum(
                (
                    totals_above_average_by_entry.get(opponent.entry_number, ZERO)
                    * opponent.match_share
                    for opponent in own_opponents
                ),
                ZERO,
            )
            missing_matches_value = (
                (max_match_count - played_match_count)
                * totals_above_average_by_entry[entry_number]
                / played_match_count
            )
            corrected_totals_by_entry[entry_number] = (
                total + (opponents_total + missing_matches_value) / max_match_count
            )
    return corrected_totals_by_entry


def _add_up_match_shares(opponents: Sequence[Opponent]) -> Fraction:
    return sum((opponent.match_share for opponent in opponents), ZERO)


def build_direct_match_tie_break(result_lines: Sequence[ResultLine]) -> TieBreakFunction:
    """Return a tie-break by the margin of the match between two tied entries.

    The value is 0 if more than two entries are tied.
    """
    matches = (
        list_team_matches(result_lines)
        if is_team_play(result_lines)
        else list_pair_matches(result_lines)
    )

    def compute_margins(tied_entries: Collection[int]) -> Mapping[int, Fraction]:
        margins_by_entry = dict.fromkeys(tied_entries, ZERO)
        if len(margins_by_entry) == 2:
            for match in matches:
                if (
                    match.first_entry_number in margins_by_entry
                    and match.second_entry_number in margins_by_entry
                ):
                    margins_by_entry[match.first_entry_number] += match.margin
                    margins_by_entry[match.second_entry_number] -= match.margin
        return margins_by_entry

    return compute_margins


def count_boards_won(result_lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Count the boards that each entry won; a level board counts a half.

    A pair wins a board by a plus against the field, a team by more tricks than the other team.
    """
    boards_won_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    is_team_event = is_team_play(result_lines)
    for deal_lines in _list_lines_of_each_deal(result_lines):
        matches = (
            list_team_matches(deal_lines) if is_team_event else list_pair_matches(deal_lines)
        )
        for match in matches:
            if match.margin:
                boards_won_by_entry[
                    match.first_entry_number if match.margin > 0 else match.second_entry_number
                ] += 1
            else:
                boards_won_by_entry[match.first_entry_number] += HALF
                boards_won_by_entry[match.second_entry_number] += HALF
    return boards_won_by_entry


def _list_lines_of_each_deal(result_lines: Sequence[ResultLine]) -> list[list[ResultLine]]:
    lines_by_deal: dict[int, list[ResultLine]] = defaultdict(list)
    for result_line in result_lines:
        lines_by_deal[result_line.deal_number].append(result_line)
    return list(lines_by_deal.values())
