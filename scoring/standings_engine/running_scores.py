"""The running score of each entry after each round, from public results only.

Running scores are computed from the result lines that count in the public standings. If the
public standings include only complete rounds, the running scores do too (`scoring.secrecy`,
rules D2).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm

from scoring.methods import Method, ResultLine
from scoring.standings_engine.carry_over import compute_carry_overs
from scoring.standings_engine.result_lines import (
    ComparisonPool,
    EventRows,
    load_event_rows,
    tally_results,
)
from scoring.standings_engine.scores import ZERO, find_scoring_method, tally_public_results
from tournaments.models import Event

ScoresByRound = dict[int, dict[int, Fraction]]
"""The score of a round, by entry and then by round."""


@dataclass(frozen=True, slots=True)
class RunningScores:
    """The rounds of the last session with results that count, and each entry's running scores.

    The first number of an entry is its carry-over. Each further number is its score after a
    round.
    """

    rounds: tuple[int, ...]
    sums_by_entry: Mapping[int, tuple[Fraction, ...]]


NO_RUNNING_SCORES: dict[int, tuple[Fraction, ...]] = {}


def load_running_scores(
    event: Event,
    scores_by_entry: Mapping[int, Fraction],
    *,
    should_include_hidden_results: bool = False,
) -> RunningScores:
    """Return the running scores in the last session; each entry ends with its given score.

    By default they include only the public results. If `scores_by_entry` is out of date, the
    running scores are empty until the standings are recomputed.
    """
    event_rows = load_event_rows(event)
    complete_tally = tally_results(event_rows)
    shown_tally = (
        complete_tally
        if should_include_hidden_results
        else tally_public_results(event_rows, complete_tally) or complete_tally
    )
    last_session_number = max(
        (session_number for session_number, _section in shown_tally.pools_by_key), default=0
    )
    pools = [
        pool
        for (session_number, _section), pool in shown_tally.pools_by_key.items()
        if session_number == last_session_number
    ]
    method = find_scoring_method(event)
    scores_by_entry_and_round = _score_rounds(method, event_rows, pools)
    if method.compute_line_scores is None:
        score_by_entry = _add_up_scores(method.score(pool.lines) for pool in pools)
    else:  # the score of a session is the sum of the scores of its rounds
        score_by_entry = {
            entry_number: sum(round_scores_of_entry.values(), ZERO)
            for entry_number, round_scores_of_entry in scores_by_entry_and_round.items()
        }
    if method.sit_out_score:
        _add_sit_outs(
            scores_by_entry_and_round,
            score_by_entry,
            method,
            shown_tally.missed_rounds_by_session[last_session_number],
        )
    round_numbers = tuple(
        sorted(
            {
                round_number
                for round_scores_of_entry in scores_by_entry_and_round.values()
                for round_number in round_scores_of_entry
            }
        )
    )
    penalty_by_entry = shown_tally.penalties_by_session.get(last_session_number, {})
    carried_scores_by_entry = {
        entry_number: score
        + penalty_by_entry.get(entry_number, ZERO)
        - score_by_entry.get(entry_number, ZERO)
        for entry_number, score in scores_by_entry.items()
    }
    has_one_session = (
        len({session_number for session_number, _section in shown_tally.pools_by_key}) < 2
    )
    if (
        has_one_session
        and any(carried_scores_by_entry.values())
        and carried_scores_by_entry != _load_carry_overs(event, carried_scores_by_entry)
    ):
        return RunningScores((), NO_RUNNING_SCORES)
    running_sums_by_entry = {
        entry_number: _compute_running_sums(
            carried_scores_by_entry[entry_number],
            [
                scores_by_entry_and_round.get(entry_number, {}).get(round_number, ZERO)
                for round_number in round_numbers
            ],
        )
        for entry_number in scores_by_entry
    }
    for entry_number, score in scores_by_entry.items():
        # The score replaces the last sum, because it includes penalties and rounded averages.
        running_sums_by_entry[entry_number][-1] = score
    return RunningScores(
        round_numbers,
        {
            entry_number: tuple(entry_sums)
            for entry_number, entry_sums in running_sums_by_entry.items()
        },
    )


def _compute_running_sums(
    initial_score: Fraction, round_scores: Iterable[Fraction]
) -> list[Fraction]:
    """Return the sum before the first round, and after each round."""
    return list(accumulate(round_scores, initial=initial_score))


def _load_carry_overs(event: Event, entry_numbers: Iterable[int]) -> dict[int, Fraction]:
    """Return the carry-over of each entry of a final; zero in other events."""
    carry_overs_by_entry = compute_carry_overs(event)
    return {
        entry_number: carry_overs_by_entry[entry_number].carried_tricks
        if entry_number in carry_overs_by_entry
        else ZERO
        for entry_number in entry_numbers
    }


def _add_sit_outs(
    scores_by_entry_and_round: ScoresByRound,
    scores_by_entry: dict[int, Fraction],
    method: Method,
    missed_part_by_entry_and_round: Mapping[tuple[int, int], Fraction],
) -> None:
    """Add the average for each round in which an entry had no match."""
    for (entry_number, round_number), missed_part in missed_part_by_entry_and_round.items():
        scores_by_entry_and_round[entry_number][round_number] += (
            method.sit_out_score * missed_part
        )
        scores_by_entry[entry_number] = (
            scores_by_entry.get(entry_number, ZERO) + method.sit_out_score * missed_part
        )


def _score_rounds(
    method: Method, event_rows: EventRows, pools: Iterable[ComparisonPool]
) -> ScoresByRound:
    """Return each entry's score of each round, in comparison with all results that count."""
    scores_by_entry_and_round: ScoresByRound = defaultdict(lambda: defaultdict(Fraction))
    for pool in pools:
        round_numbers_of_lines = [
            event_rows.sides_by_sitting[sitting_id].round_number
            for sitting_id, _board in pool.plays
        ]
        if method.compute_line_scores is None:
            _add_score_differences(
                scores_by_entry_and_round, method, pool.lines, round_numbers_of_lines
            )
            continue
        _add_line_scores(
            scores_by_entry_and_round,
            pool.lines,
            round_numbers_of_lines,
            method.compute_line_scores(pool.lines),
        )
    return scores_by_entry_and_round


def _add_line_scores(
    scores_by_entry_and_round: ScoresByRound,
    result_lines: Sequence[ResultLine],
    round_numbers_of_lines: Sequence[int],
    line_scores: Sequence[tuple[Fraction, Fraction]],
) -> None:
    """Add the scores of result lines to the scores of the entries in each round.

    The sums are integers over a common denominator, which is faster than adding fractions.
    """
    denominator = lcm(
        *{line_score.denominator for side_scores in line_scores for line_score in side_scores}
    )
    numerator_by_entry_and_round: dict[tuple[int, int], int] = defaultdict(int)
    for result_line, round_number, side_scores in zip(
        result_lines, round_numbers_of_lines, line_scores, strict=True
    ):
        for entry_numbers, line_score in zip(
            (result_line.ns_entries, result_line.ew_entries), side_scores, strict=True
        ):
            numerator = line_score.numerator * (denominator // line_score.denominator)
            for entry_number in entry_numbers:
                numerator_by_entry_and_round[entry_number, round_number] += numerator
    for (entry_number, round_number), numerator in numerator_by_entry_and_round.items():
        scores_by_entry_and_round[entry_number][round_number] += Fraction(
            numerator, denominator
        )


def _add_score_differences(
    scores_by_entry_and_round: ScoresByRound,
    method: Method,
    result_lines: Sequence[ResultLine],
    round_numbers_of_lines: Sequence[int],
) -> None:
    """Score the lines up to each round, and add the differences between successive rounds.

    This is for methods whose scores are not sums over lines.
    """
    former_scores_by_entry: dict[int, Fraction] = {}
    for round_number in sorted(set(round_numbers_of_lines)):
        result_lines_so_far = [
            result_line
            for result_line, line_round_number in zip(
                result_lines, round_numbers_of_lines, strict=True
            )
            if line_round_number <= round_number
        ]
        new_scores_by_entry = method.score(result_lines_so_far)
        for entry_number, new_score in new_scores_by_entry.items():
            scores_by_entry_and_round[entry_number][round_number] += (
                new_score - former_scores_by_entry.get(entry_number, ZERO)
            )
        former_scores_by_entry = new_scores_by_entry


def _add_up_scores(scores: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    total_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    for score_by_entry in scores:
        for entry_number, score in score_by_entry.items():
            total_by_entry[entry_number] += score
    return total_by_entry
