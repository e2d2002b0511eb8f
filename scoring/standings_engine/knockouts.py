"""A bracket with the scores of its matches, which are typed in or played at the event's
tables.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations

from scoring.methods.deal_comparison import compare_deals
from scoring.methods.result_line import ResultLine
from scoring.models import Knockout
from scoring.secrecy import find_public_sittings
from scoring.standings_engine.result_lines import (
    EventRows,
    EventTally,
    load_event_rows,
    tally_results,
)
from scoring.standings_engine.round_progress import build_round_progress
from tournaments.models import Event
from tournaments.movements.drawn_rounds import count_round_halves
from tournaments.stages.brackets import MatchKey
from tournaments.stages.matches import KnockoutMatch, MatchScore, build_matches, read_score

ZERO = Fraction()
MIN_TABLES_FOR_MEAN = 3
"""The mean of a board is used if at least this many tables played it.

With fewer tables, each score is compared with half of the tricks.
"""


DealMeeting = tuple[int, int, frozenset[int]]
"""A match, a deal, and the two entries that played each other on it."""
MarginsByMeeting = Mapping[tuple[int, int, int], Fraction | None]
"""The margin of N-S by round, N-S entry and E-W entry; None while results are missing."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The current state of a knock-out: its rounds, scores and advancing entries."""

    knockout: Knockout
    rounds: tuple[tuple[KnockoutMatch, ...], ...]
    played_scores_by_match: Mapping[
        MatchKey, MatchScore
    ]  # scores played at tables of the event, not typed in
    # The entries that advanced, if the next round is seated.
    seated_winners_by_match: Mapping[MatchKey, tuple[int, ...]] = field(default_factory=dict)
    # For matches corrected after the next round was seated: the entries that would now advance.
    corrected_winners_by_match: Mapping[MatchKey, tuple[int, ...]] = field(default_factory=dict)

    @property
    def champion_number(self) -> int | None:
        """The number of the entry that has won; None while there is no winner."""
        return self.find_entry_number(self.rounds[-1][0].winner)

    def find_entry_number(self, seed: int | None) -> int | None:
        """Return the number of the entry with this seed."""
        return None if seed is None else self.knockout.seeds[seed - 1]


def find_knockout(event: Event) -> Knockout | None:
    """Return the knock-out of an event, or None."""
    try:
        return event.knockout
    except Knockout.DoesNotExist:
        return None


def load_bracket(knockout: Knockout, *, has_only_public_results: bool = False) -> Bracket:
    """Load a bracket with the results of its matches at the tables.

    With `has_only_public_results`, results that are not public yet are left out.

    Entries already seated in the next round have advanced; a correction never moves them
    automatically.
    """
    event_rows = load_event_rows(knockout.event)
    has_seated_rounds = any(
        sitting.is_knockout for sitting in event_rows.sides_by_sitting.values()
    )
    table_margins = (
        _compute_table_margins(event_rows, has_only_public_results=has_only_public_results)
        if has_seated_rounds
        else {}
    )
    entered_scores_by_match = {
        parse_match_name(match_name): read_score(score_data)
        for match_name, score_data in knockout.matches.items()
    }
    scores_by_match: dict[MatchKey, MatchScore] = {}
    played_scores_by_match: dict[MatchKey, MatchScore] = {}
    seated_winners_by_match: dict[MatchKey, tuple[int, ...]] = {}
    corrected_winners_by_match: dict[MatchKey, tuple[int, ...]] = {}
    for round_index in range(len(_build_rounds(knockout, {}))):
        for match in _build_rounds(knockout, scores_by_match)[round_index]:
            if not match.can_be_played:
                continue
            played_scores_by_match[match.key] = MatchScore(
                _list_segment_margins(knockout, match, table_margins)
            )
            scores_by_match[match.key] = _merge_scores(
                entered_scores_by_match.get(match.key, MatchScore()),
                played_scores_by_match[match.key],
            )
        round_matches = _build_rounds(knockout, scores_by_match)[round_index]
        seated_winners_by_match |= _find_seated_winners(knockout, round_matches, table_margins)
        for match in round_matches:
            if (
                seated_winners_by_match.get(match.key, match.advancing_sides)
                != match.advancing_sides
                and not match.score.advancing_seeds
            ):
                # If only public results are used, a match without a winner has not changed.
                if match.advancing_sides or not has_only_public_results:
                    corrected_winners_by_match[match.key] = match.advancing_sides
                scores_by_match[match.key] = replace(
                    match.score, advancing_seeds=seated_winners_by_match[match.key]
                )
    return Bracket(
        knockout,
        _build_rounds(knockout, scores_by_match),
        played_scores_by_match,
        seated_winners_by_match,
        corrected_winners_by_match,
    )


def _find_seated_winners(
    knockout: Knockout, round_matches: Sequence[KnockoutMatch], table_margins: MarginsByMeeting
) -> dict[MatchKey, tuple[int, ...]]:
    """Return the entries that advanced from each match whose next round is already seated."""
    seated_meetings = {
        frozenset((ns_entry, ew_entry))
        for event_round_number, ns_entry, ew_entry in table_margins
        if -(-_compute_segment_number(knockout, event_round_number) // knockout.segments)
        == round_matches[0].round_number + 1
    }
    match_by_next_position = {
        next_position: match
        for match in round_matches
        for next_position in match.next_positions
    }

    def is_placed_in_next_round(seed: int, next_position: int) -> bool:
        # `next_position ^ 1` is the other side of the same match in the next round.
        possible_opponent_numbers = [
            knockout.seeds[seed_number - 1]
            for seed_number in match_by_next_position[next_position ^ 1].sides
        ]
        return any(
            frozenset((knockout.seeds[seed - 1], opponent_number)) in seated_meetings
            for opponent_number in possible_opponent_numbers
        )

    winners_by_match = {}
    for match in round_matches:
        if not seated_meetings or not match.can_be_played:
            continue
        # A position is not seated if its team has withdrawn or its match needs no play.
        seated_indexes = [
            index
            for index, next_position in enumerate(match.next_positions)
            if any(is_placed_in_next_round(seed, next_position) for seed in match.sides)
        ]
        winner_count = len(match.next_positions)
        possible_winners = [
            *permutations(match.advancing_sides, winner_count),
            *permutations(match.sides, winner_count),
        ]
        for winner_seeds in possible_winners if seated_indexes else ():
            if all(
                is_placed_in_next_round(winner_seeds[index], match.next_positions[index])
                for index in seated_indexes
            ):
                winners_by_match[match.key] = winner_seeds
                break
    return winners_by_match


def parse_match_name(match_name: str) -> MatchKey:
    """Parse the name of a match, its round and match number: "2-1"."""
    round_number, _dash, match_number = match_name.partition("-")
    return int(round_number), int(match_number)


def format_match_name(match_key: MatchKey) -> str:
    """Return the name of a match, its round and match number: "2-1"."""
    return f"{match_key[0]}-{match_key[1]}"


def _merge_scores(entered_score: MatchScore, played_score: MatchScore) -> MatchScore:
    """Return the typed score, with margins from the tables where none were typed."""
    return MatchScore(
        entered_score.margins or played_score.margins,
        entered_score.extra_margins,
        entered_score.advancing_seeds,
    )


def _build_rounds(
    knockout: Knockout, scores_by_match: Mapping[MatchKey, MatchScore]
) -> tuple[tuple[KnockoutMatch, ...], ...]:
    rounds = build_matches(
        len(knockout.seeds),
        scores_by_match,
        segment_count=knockout.segments,
        should_higher_seed_win=knockout.seed_wins,
        has_three_way_matches=knockout.three_way,
    )
    return tuple(tuple(round_matches) for round_matches in rounds)


def _compute_table_margins(
    event_rows: EventRows, *, has_only_public_results: bool
) -> MarginsByMeeting:
    """Return the margins in the bracket's rounds; Swiss rounds of the event are left out.

    For teams, a margin is N-S's tricks less half of all tricks. A board must be validly played
    at both tables, otherwise it counts at neither. For pairs, a margin is the tricks less the
    mean of all tables that played the board, or less 6½ if fewer than three tables did.
    """
    tally = tally_results(event_rows)
    round_progress = build_round_progress(event_rows, tally)
    complete_sitting_ids = {
        progress.sitting_id for progress in round_progress if progress.is_complete
    }
    public_sitting_pks = (
        find_public_sittings(event_rows.event, round_progress)
        if has_only_public_results
        else None
    )
    if public_sitting_pks is not None:
        tally, complete_sitting_ids = (
            tally_results(event_rows, included_sitting_ids=public_sitting_pks),
            complete_sitting_ids & public_sitting_pks,
        )
    table_margins = _compute_half_margins(
        tally, is_team_event=event_rows.event.contest == Event.Contest.TEAMS
    )
    return {
        (sides.round_number, sides.ns[0], sides.ew[0]): table_margins[sitting_id]
        if sitting_id in complete_sitting_ids
        else None
        for sitting_id, sides in event_rows.sides_by_sitting.items()
        if sides.is_played and sides.is_knockout
    }


def _compute_half_margins(tally: EventTally, *, is_team_event: bool) -> dict[int, Fraction]:
    """Return half of the margin of N-S at each sitting, by the key of the sitting.

    The margin is the N-S tricks less the E-W tricks. For pairs, the mean margin of all tables
    is subtracted if enough tables played the board. A ruling may give the sides scores that
    do not add up to 13.
    """
    half_margins_by_sitting: dict[int, Fraction] = defaultdict(Fraction)
    for pool in tally.pools_by_key.values():
        comparisons = compare_deals(pool.lines)
        comparable_meetings = (
            _find_deals_played_both_ways(pool.lines) if is_team_event else set()
        )
        for result_line, (sitting_id, _board) in zip(pool.lines, pool.plays, strict=True):
            if result_line.ns_tricks is None or result_line.ew_tricks is None:
                continue
            if is_team_event and _build_deal_meeting(result_line) not in comparable_meetings:
                continue
            ns_comparison, ew_comparison = comparisons[result_line.deal_number]
            mean_difference = ZERO
            if not is_team_event and ns_comparison.score_count >= MIN_TABLES_FOR_MEAN:
                mean_difference = (ns_comparison.average or ZERO) - (
                    ew_comparison.average or ZERO
                )
            half_margins_by_sitting[sitting_id] += (
                result_line.ns_tricks - result_line.ew_tricks - mean_difference
            ) / 2
    return half_margins_by_sitting


def _find_deals_played_both_ways(result_lines: Sequence[ResultLine]) -> set[DealMeeting]:
    """Return the deals that two teams played both ways, and which are therefore comparable."""
    sides_by_meeting: dict[DealMeeting, set[tuple[int, ...]]] = defaultdict(set)
    for result_line in result_lines:
        if result_line.ns_tricks is not None:
            sides_by_meeting[_build_deal_meeting(result_line)].add(result_line.ns_entries)
    return {
        deal_meeting for deal_meeting, ns_sides in sides_by_meeting.items() if len(ns_sides) > 1
    }


def _build_deal_meeting(result_line: ResultLine) -> DealMeeting:
    return (
        result_line.match_number,
        result_line.deal_number,
        frozenset((*result_line.ns_entries, *result_line.ew_entries)),
    )


def _compute_segment_number(knockout: Knockout, event_round_number: int) -> int:
    """Return the segment to which a round belongs, counted from the start of the event."""
    return -(-event_round_number // count_round_halves({"three_way": knockout.three_way}))


def _list_segment_margins(
    knockout: Knockout, match: KnockoutMatch, table_margins: MarginsByMeeting
) -> tuple[Fraction, ...]:
    """Return the margins of a match by segment, up to the first incomplete segment.

    A three-way match has three margins for each segment. The first `segments` rounds of the
    event are the first round of the bracket. With three-way matches, a segment is two rounds.
    """
    last_segment_number = match.round_number * knockout.segments
    margins: list[Fraction] = []
    for segment_number in range(
        last_segment_number - knockout.segments + 1, last_segment_number + 1
    ):
        segment_margins = [
            _compute_segment_margin(knockout, seed_pair, segment_number, table_margins)
            for seed_pair in match.pairings
        ]
        complete_margins = [margin for margin in segment_margins if margin is not None]
        if len(complete_margins) < len(segment_margins):
            break
        margins += complete_margins
    return tuple(margins)


def _compute_segment_margin(
    knockout: Knockout,
    seed_pair: tuple[int, int],
    segment_number: int,
    table_margins: MarginsByMeeting,
) -> Fraction | None:
    """Return the first entry's margin over the second in a segment; None if it is
    incomplete.
    """
    first_entry_number, second_entry_number = (knockout.seeds[seed - 1] for seed in seed_pair)
    half_count = count_round_halves({"three_way": knockout.three_way})
    signed_margins = [
        (side_sign, table_margins[meeting])
        for event_round_number in range(
            (segment_number - 1) * half_count + 1, segment_number * half_count + 1
        )
        for side_sign, meeting in (
            (1, (event_round_number, first_entry_number, second_entry_number)),
            (-1, (event_round_number, second_entry_number, first_entry_number)),
        )
        if meeting in table_margins
    ]
    if not signed_margins or any(margin is None for _sign, margin in signed_margins):
        return None
    sign_counts = Counter(side_sign for side_sign, _margin in signed_margins)
    if knockout.event.contest == Event.Contest.TEAMS and sign_counts[1] != sign_counts[-1]:
        return None  # one of the two tables is missing, so the teams cannot be compared
    return sum((side_sign * (margin or ZERO) for side_sign, margin in signed_margins), ZERO)
