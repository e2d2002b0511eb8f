"""The running score of each entry after each round, from public results only.

It is computed from the result lines that count in the public standings, so it shows sums of
complete rounds where these do (`scoring.secrecy`, rules D2).
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
    count_rows,
    load_event_rows,
)
from scoring.standings_engine.scores import ZERO, find_method, tally_public_results
from tournaments.models import Event

ScoresByRound = dict[int, dict[int, Fraction]]
"""The score of each round, by entry and then by round."""


@dataclass(frozen=True, slots=True)
class RunningScores:
    """The rounds of the last session with counting results, and the running scores of each
    entry.

    An entry's first number is its carry-over; each further number is its score after a round.
    """

    rounds: tuple[int, ...]
    running_scores: Mapping[int, tuple[Fraction, ...]]


NO_RUNNING_SCORES: dict[int, tuple[Fraction, ...]] = {}


def load_running_scores(
    event: Event, scores: Mapping[int, Fraction], *, all_results: bool = False
) -> RunningScores:
    """Return the running scores of the last session that lead to the given final scores.

    They include the public results, or with `all_results` all results, as a director sees
    them. If `scores` are out of date, the running scores are empty until the standings are
    recomputed.
    """
    rows = load_event_rows(event)
    complete_tally = count_rows(rows)
    shown_tally = (
        complete_tally
        if all_results
        else tally_public_results(rows, complete_tally) or complete_tally
    )
    last = max((session for session, _section in shown_tally.pools), default=0)
    pools = [pool for (session, _section), pool in shown_tally.pools.items() if session == last]
    method = find_method(event)
    steps = _score_rounds(method, rows, pools)
    if method.parts is None:
        scores_by_pool = _add_up_scores(method.score(pool.lines) for pool in pools)
    else:  # a score is the sum of its parts
        scores_by_pool = {entry: sum(own.values(), ZERO) for entry, own in steps.items()}
    if method.sits_out:
        _add_sit_outs(steps, scores_by_pool, method, shown_tally.missed_rounds[last])
    rounds = tuple(sorted({number for own in steps.values() for number in own}))
    losses = shown_tally.penalties_by_session.get(last, {})
    carried_scores = {
        entry: score + losses.get(entry, ZERO) - scores_by_pool.get(entry, ZERO)
        for entry, score in scores.items()
    }
    is_one_session = len({session for session, _section in shown_tally.pools}) < 2
    if (
        is_one_session
        and any(carried_scores.values())
        and carried_scores != _load_carry_overs(event, carried_scores)
    ):
        return RunningScores((), NO_RUNNING_SCORES)
    figures = {
        entry: _compute_running_sums(
            carried_scores[entry],
            [steps.get(entry, {}).get(round_number, ZERO) for round_number in rounds],
        )
        for entry in scores
    }
    for entry, score in scores.items():
        figures[entry][-1] = score  # with its penalties, and averages in whole tricks
    return RunningScores(rounds, {entry: tuple(levels) for entry, levels in figures.items()})


def _compute_running_sums(first: Fraction, steps: Iterable[Fraction]) -> list[Fraction]:
    """Return the running sums, from the start to the end of the last round."""
    return list(accumulate(steps, initial=first))


def _load_carry_overs(event: Event, entries: Iterable[int]) -> dict[int, Fraction]:
    """Return the carry-over of each entry of a final; zero in other events."""
    carry_overs = compute_carry_overs(event)
    return {
        entry: carry_overs[entry].amount if entry in carry_overs else ZERO for entry in entries
    }


def _add_sit_outs(
    steps: ScoresByRound,
    scores: dict[int, Fraction],
    method: Method,
    missed_rounds: Mapping[tuple[int, int], Fraction],
) -> None:
    """Add the average for each round in which an entry had no match."""
    for (entry, round_), part in missed_rounds.items():
        steps[entry][round_] += method.sits_out * part
        scores[entry] = scores.get(entry, ZERO) + method.sits_out * part


def _score_rounds(
    method: Method, rows: EventRows, pools: Iterable[ComparisonPool]
) -> ScoresByRound:
    """Return each entry's score of each round, comparing its boards with all that count."""
    steps: ScoresByRound = defaultdict(lambda: defaultdict(Fraction))
    for pool in pools:
        line_rounds = [rows.sittings[sitting].round for sitting, _board in pool.plays]
        if method.parts is None:
            _add_by_prefixes(steps, method, pool.lines, line_rounds)
            continue
        _add_parts(steps, pool.lines, line_rounds, method.parts(pool.lines))
    return steps


def _add_parts(
    steps: ScoresByRound,
    lines: Sequence[ResultLine],
    line_rounds: Sequence[int],
    parts: Sequence[tuple[Fraction, Fraction]],
) -> None:
    """Add up the scores of each round's lines, as integers in a common unit fraction."""
    unit = lcm(*{part.denominator for side_parts in parts for part in side_parts})
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for line, line_round, side_parts in zip(lines, line_rounds, parts, strict=True):
        for entries, part in zip((line.ns, line.ew), side_parts, strict=True):
            units = part.numerator * (unit // part.denominator)
            for entry in entries:
                sums[entry, line_round] += units
    for (entry, line_round), units in sums.items():
        steps[entry][line_round] += Fraction(units, unit)


def _add_by_prefixes(
    steps: ScoresByRound,
    method: Method,
    lines: Sequence[ResultLine],
    line_rounds: Sequence[int],
) -> None:
    """Score all lines up to each round, and add the differences between successive rounds.

    This serves methods whose scores are not sums over lines.
    """
    before: dict[int, Fraction] = {}
    for line_round in sorted(set(line_rounds)):
        lines_so_far = [
            line
            for line, other_round in zip(lines, line_rounds, strict=True)
            if other_round <= line_round
        ]
        after = method.score(lines_so_far)
        for entry, figure in after.items():
            steps[entry][line_round] += figure - before.get(entry, ZERO)
        before = after


def _add_up_scores(scores: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for score in scores:
        for entry, figure in score.items():
            sums[entry] += figure
    return sums
