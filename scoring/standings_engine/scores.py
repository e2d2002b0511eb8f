"""The scores of an event: its method, penalties, and carry-over between sessions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.methods import METHODS_BY_NAME, Method, ResultLine, find_method_for_contest
from scoring.methods.deal_comparison import compare_deals
from scoring.methods.opponents import compute_corrected_totals, count_matches
from scoring.methods.ranking import add_penalties_and_carry_over, compute_carry_over
from scoring.methods.result_line import count_boards
from scoring.models import Ruling, Terms
from scoring.secrecy import find_public_sittings
from scoring.standings_engine.carry_over import QualifyingCarryOver, compute_carry_overs
from scoring.standings_engine.result_lines import (
    ComparisonPool,
    EventRows,
    EventTally,
    PlayKey,
    load_event_rows,
    load_tally,
    tally_results,
)
from scoring.standings_engine.round_progress import build_round_progress
from scoring.standings_engine.seats import RankedSeat, load_seats
from tournaments.models import Event

ZERO = Fraction()
SideValues = tuple[Fraction | None, Fraction | None]
"""A number for N-S and a number for E-W."""
NO_SIDE_VALUES: SideValues = (None, None)


@dataclass(frozen=True, slots=True)
class PlayValues:
    """The values of one play: tricks after rulings, averages, and scores."""

    tricks: SideValues
    averages: SideValues
    scores: SideValues


@dataclass(frozen=True, slots=True)
class ScoredEvent:
    """An event's scores, with the tally from which they were computed."""

    tally: EventTally
    seats_by_entry: dict[int, RankedSeat]
    method: Method
    scores_by_entry: dict[int, Fraction]
    # The number that ranks each entry: a percentage, or the score.
    ranking_value_by_entry: dict[int, Fraction]
    penalties_by_entry: dict[int, Fraction]  # penalties of the last session
    carried_scores_by_entry: dict[
        int, Fraction
    ]  # the scores carried over from earlier sessions
    trick_totals_by_entry: dict[int, Fraction]  # each entry's total of tricks or points
    board_counts_by_entry: dict[int, int]  # each entry's number of boards
    available_points_by_entry: dict[
        int, Fraction
    ]  # the maximum score of each entry, for percentages
    last_session_number: int  # the number of the session that counts in full
    carry_over_share: Fraction  # the share, 0 to 1, by which earlier sessions count
    scores_per_board_by_entry: dict[int, Fraction]  # empty unless entries are ranked by it
    # Each entry's number of boards, those of earlier sessions times `carry_over_share`.
    weighted_board_counts_by_entry: dict[int, Fraction]
    corrected_totals_by_entry: dict[int, Fraction]  # empty unless the event's terms use them
    average_totals_by_entry: dict[
        int, Fraction
    ]  # the totals of an average entry in the same rounds
    # In a final, the part of `carried_scores_by_entry` from the qualifying.
    carry_overs_by_entry: dict[int, QualifyingCarryOver]

    @property
    def is_ranked_by_corrected_total(self) -> bool:
        """Whether entries are ranked by their corrected totals."""
        return (
            bool(self.corrected_totals_by_entry)
            and self.ranking_value_by_entry is self.corrected_totals_by_entry
        )

    @property
    def is_ranked_by_percentage(self) -> bool:
        """Whether entries are ranked by percentages."""
        return self.method.compute_available_points is not None


def find_scoring_method(event: Event) -> Method:
    """Return the scoring method of an event from its terms."""
    terms = event.terms
    return find_method_for_contest(
        event.contest,
        terms.method,
        has_whole_averages=terms.whole_averages,
        is_in_points=event.is_scored_in_points,
    )


def score_event(event: Event, *, draft_ruling: Ruling | None = None) -> ScoredEvent:
    """Score all results of an event: every session, with rulings and penalties.

    A `draft_ruling` is an unsaved ruling that is counted to preview its effect.
    """
    return compute_scores_from_tally(
        event, load_tally(event, draft_ruling=draft_ruling), load_seats(event)
    )


def tally_public_results(
    event_rows: EventRows, complete_tally: EventTally
) -> EventTally | None:
    """Return the tally of an event's public results; None if all results are public."""
    public_sitting_ids = find_public_sittings(
        event_rows.event, build_round_progress(event_rows, complete_tally)
    )
    return (
        None
        if public_sitting_ids is None
        else tally_results(event_rows, included_sitting_ids=public_sitting_ids)
    )


def score_public_results(event: Event) -> ScoredEvent:
    """Score the public results of an event (`scoring.secrecy`)."""
    event_rows = load_event_rows(event)
    complete_tally = tally_results(event_rows)
    return compute_scores_from_tally(
        event,
        tally_public_results(event_rows, complete_tally) or complete_tally,
        load_seats(event),
    )


def compute_scores_from_tally(
    event: Event,
    tally: EventTally,
    seats_by_entry: dict[int, RankedSeat],
    *,
    last_session_number: int | None = None,
) -> ScoredEvent:
    """Compute the scores of an event from its tally.

    The last session with result lines counts in full, earlier ones by the carry-over share.
    Pass `last_session_number` to get the carry-over into a session before any of its results
    count.
    """
    method = find_scoring_method(event)
    carry_over_share = Fraction(event.terms.carry_over)
    if last_session_number is None:
        last_session_number = max(
            (session_number for session_number, _ in tally.pools_by_key), default=1
        )
    scores_by_session = {
        session_number: _add_up_scores(
            [
                *(pool.get_cached_values(method.score) for pool in pools),
                _score_sit_outs(method, tally, session_number),
            ]
        )
        for session_number, pools in _group_pools_by_session(tally).items()
    }
    earlier_scores_by_session = [
        add_penalties_and_carry_over(
            scores_by_entry, penalties_by_entry=tally.penalties_by_session.get(session_number)
        )
        for session_number, scores_by_entry in scores_by_session.items()
        if session_number != last_session_number
    ]
    carry_overs_by_entry = compute_carry_overs(event)
    qualifying_tricks_by_entry = {
        entry_number: carry_over.carried_tricks
        for entry_number, carry_over in carry_overs_by_entry.items()
        if entry_number in seats_by_entry
    }
    carried_scores_by_entry = _add_up_scores(
        [
            compute_carry_over(earlier_scores_by_session, carry_over_share),
            qualifying_tricks_by_entry,
        ]
    )
    penalties_by_entry = dict(tally.penalties_by_session.get(last_session_number, {}))
    scores_by_entry = add_penalties_and_carry_over(
        scores_by_session.get(last_session_number, {}),
        penalties_by_entry=penalties_by_entry,
        carry_overs_by_entry=carried_scores_by_entry,
    )
    available_points_by_entry = _compute_available_points(
        method, tally, last_session_number, carry_over_share
    )
    trick_totals_by_entry, board_counts_by_entry = compute_totals(tally)
    weighted_board_counts_by_entry, scores_per_board_by_entry = (
        _count_weighted_boards(tally, last_session_number, carry_over_share),
        {},
    )
    if _is_ranked_per_board(event, method) and not has_equal_board_counts(
        board_counts_by_entry, seats_by_entry
    ):
        scores_per_board_by_entry = _compute_scores_per_board(
            scores_by_entry, weighted_board_counts_by_entry
        )
    score_fraction_by_entry = (
        _compute_score_fractions(scores_by_entry, available_points_by_entry)
        if method.compute_available_points
        else {}
    )
    average_totals_by_entry = compute_average_totals(
        method, tally, last_session_number, carry_over_share
    )
    corrected_totals_by_entry = _compute_corrected_totals(
        event, tally, scores_by_entry, average_totals_by_entry
    )
    return ScoredEvent(
        tally=tally,
        seats_by_entry=seats_by_entry,
        method=method,
        scores_by_entry=scores_by_entry,
        ranking_value_by_entry=(corrected_totals_by_entry if event.terms.by_corrected else {})
        or score_fraction_by_entry
        or scores_per_board_by_entry
        or scores_by_entry,
        penalties_by_entry=penalties_by_entry,
        carried_scores_by_entry=carried_scores_by_entry,
        trick_totals_by_entry=trick_totals_by_entry,
        board_counts_by_entry=board_counts_by_entry,
        available_points_by_entry=available_points_by_entry,
        last_session_number=last_session_number,
        carry_over_share=carry_over_share,
        scores_per_board_by_entry=scores_per_board_by_entry,
        weighted_board_counts_by_entry=weighted_board_counts_by_entry,
        corrected_totals_by_entry=corrected_totals_by_entry,
        average_totals_by_entry=average_totals_by_entry,
        carry_overs_by_entry=carry_overs_by_entry,
    )


def _score_sit_outs(
    method: Method, tally: EventTally, session_number: int
) -> dict[int, Fraction]:
    """Return the score of rounds without a match, which is the field's average."""
    if not method.sit_out_score:
        return {}
    missed_round_count_by_entry = tally.count_missed_rounds(session_number)
    return {
        entry_number: method.sit_out_score * missed_count
        for entry_number, missed_count in missed_round_count_by_entry.items()
    }


def compute_average_totals(
    method: Method, tally: EventTally, last_session_number: int, carry_over_share: Fraction
) -> dict[int, Fraction]:
    """Return, for each entry, the total of an average entry in the same rounds.

    Earlier sessions count by the share that is carried over.
    """
    average_totals_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    if not method.sit_out_score:
        return average_totals_by_entry
    for session_number, pools in _group_pools_by_session(tally).items():
        weight = method.sit_out_score * (
            1 if session_number == last_session_number else carry_over_share
        )
        round_count_mappings = [
            tally.count_missed_rounds(session_number),
            *(count_matches(pool.lines) for pool in pools),
        ]
        for entry_number, round_count in _add_up_scores(round_count_mappings).items():
            average_totals_by_entry[entry_number] += weight * round_count
    return average_totals_by_entry


def _compute_corrected_totals(
    event: Event,
    tally: EventTally,
    scores_by_entry: Mapping[int, Fraction],
    average_totals_by_entry: Mapping[int, Fraction],
) -> dict[int, Fraction]:
    if not (event.terms.by_corrected or "corrected" in event.terms.tie_breaks):
        return {}
    return compute_corrected_totals(tally.lines, scores_by_entry, average_totals_by_entry)


def has_equal_board_counts(
    board_counts_by_entry: Mapping[int, int], entry_numbers: Iterable[int]
) -> bool:
    """Return whether the entries played equal numbers of boards.

    Only then can the sums of their scores be compared.
    """
    return (
        len({board_counts_by_entry.get(entry_number, 0) for entry_number in entry_numbers}) < 2
    )


def _is_ranked_per_board(event: Event, method: Method) -> bool:
    """Return whether entries with unequal numbers of boards are ranked by score per board.

    Methods that do not score board by board have no score per board. Percentages do not need
    it.
    """
    is_per_board_chosen = event.terms.unequal_boards == Terms.UnequalBoardsScore.PER_BOARD
    return (
        is_per_board_chosen
        and method.compute_line_scores is not None
        and method.compute_available_points is None
    )


def _count_weighted_boards(
    tally: EventTally, last_session_number: int, carry_over_share: Fraction
) -> dict[int, Fraction]:
    weighted_board_counts_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    for (session_number, _), pool in tally.pools_by_key.items():
        weight = 1 if session_number == last_session_number else carry_over_share
        for entry_number, board_count in pool.get_cached_values(count_boards).items():
            weighted_board_counts_by_entry[entry_number] += board_count * weight
    return weighted_board_counts_by_entry


def _compute_scores_per_board(
    scores_by_entry: Mapping[int, Fraction],
    weighted_board_counts_by_entry: Mapping[int, Fraction],
) -> dict[int, Fraction]:
    return {
        entry_number: score / weighted_board_counts_by_entry[entry_number]
        if weighted_board_counts_by_entry.get(entry_number)
        else ZERO
        for entry_number, score in scores_by_entry.items()
    }


def compute_play_values(tally: EventTally, method: Method) -> dict[PlayKey, PlayValues]:
    """Return the tricks, averages and scores of each play."""
    values_by_play: dict[PlayKey, PlayValues] = {}
    for pool in tally.pools_by_key.values():
        averages_by_deal = {
            deal_number: (
                (ns_comparison.ruled_average, ew_comparison.ruled_average),
                (ns_comparison.average, ew_comparison.average),
            )
            for deal_number, (ns_comparison, ew_comparison) in compare_deals(pool.lines).items()
        }
        line_scores: Sequence[SideValues] = (
            method.compute_line_scores(pool.lines)
            if method.compute_line_scores
            else [(None, None)] * len(pool.lines)
        )
        for result_line, play, side_scores in zip(
            pool.lines, pool.plays, line_scores, strict=True
        ):
            ruled_averages, averages = averages_by_deal[result_line.deal_number]
            values_by_play[play] = PlayValues(
                _choose_tricks(result_line, ruled_averages), averages, side_scores
            )
    return values_by_play


def compute_totals(tally: EventTally) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Return each entry's total tricks and number of boards.

    A play that was ruled an average counts as the average of the side.
    """
    method = METHODS_BY_NAME["tricks"]
    trick_totals_by_entry = _add_up_scores(
        pool.get_cached_values(method.score) for pool in tally.pools_by_key.values()
    )
    board_counts_by_entry: dict[int, int] = defaultdict(int)
    for pool in tally.pools_by_key.values():
        for entry_number, board_count in pool.get_cached_values(count_boards).items():
            board_counts_by_entry[entry_number] += board_count
    return defaultdict(Fraction, trick_totals_by_entry), board_counts_by_entry


def _choose_tricks(result_line: ResultLine, ruled_averages: SideValues) -> SideValues:
    if result_line.ns_tricks is None or result_line.ew_tricks is None:
        return ruled_averages
    return Fraction(result_line.ns_tricks), Fraction(result_line.ew_tricks)


def _group_pools_by_session(tally: EventTally) -> dict[int, list[ComparisonPool]]:
    pools_by_session: dict[int, list[ComparisonPool]] = defaultdict(list)
    for (session_number, _), pool in sorted(tally.pools_by_key.items()):
        pools_by_session[session_number].append(pool)
    return pools_by_session


def _add_up_scores(scores: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    total_by_entry: dict[int, Fraction] = {}
    for score_by_entry in scores:
        for entry_number, score in score_by_entry.items():
            total_by_entry[entry_number] = (
                total_by_entry[entry_number] + score
                if entry_number in total_by_entry
                else score
            )
    return total_by_entry


def _compute_available_points(
    method: Method, tally: EventTally, last_session_number: int, carry_over_share: Fraction
) -> dict[int, Fraction]:
    """Return the maximum score of each entry; earlier sessions count by the carry-over
    share.
    """
    available_points_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    if method.compute_available_points is None:
        return available_points_by_entry
    for (session_number, _), pool in tally.pools_by_key.items():
        for entry_number, available_points in pool.get_cached_values(
            method.compute_available_points
        ).items():
            available_points_by_entry[entry_number] += (
                available_points
                if session_number == last_session_number
                else available_points * carry_over_share
            )
    return available_points_by_entry


def _compute_score_fractions(
    scores_by_entry: dict[int, Fraction], available_points_by_entry: dict[int, Fraction]
) -> dict[int, Fraction]:
    return {
        entry_number: score / available_points_by_entry[entry_number]
        if available_points_by_entry.get(entry_number)
        else Fraction(1, 2)
        for entry_number, score in scores_by_entry.items()
    }
