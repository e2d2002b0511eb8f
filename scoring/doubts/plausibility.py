"""The plausibility rule, which queries results far from best play and from the other tables.

A result is only queried, never rejected. With good play, results on the same cards differ by a
trick or two from table to table, so the other tables count most. Best play by all four
("double dummy") counts second; without other tables it must differ by more. The thresholds
below were set to give few queries on a correct evening; tests check how many errors they miss.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

TRICKS_PER_DEAL = 13
MIN_OTHER_SCORES = 3
"""The number of other scores that form a range; fewer count only together with the cards."""
TRICKS_OUTSIDE_RANGE = 3
"""A result this many tricks outside the other tables' range is queried even if best play is
unknown.
"""
TRICKS_OUTSIDE_AND_FROM_BEST = (2, 3)
"""The distances from the range and from best play that together cause a query."""
TRICKS_FROM_BEST_WITHOUT_RANGE = 5
"""The distance from best play that causes a query if few other tables have a score."""
MIN_ROUND_IMPROVEMENT_TRICKS = 4
"""The minimum improvement of a round, in tricks, for which a correction is offered."""


@dataclass(frozen=True, slots=True)
class DealEvidence:
    """Evidence about one table's result on a deal, in N-S tricks of other tables and best
    play.
    """

    other_tricks: tuple[int, ...] = ()
    best_play_tricks: int | None = None

    @property
    def expected_tricks(self) -> Fraction | None:
        """The expected result: the mean of the other tables, else best play."""
        if len(self.other_tricks) >= MIN_OTHER_SCORES or (
            self.other_tricks and self.best_play_tricks is None
        ):
            return Fraction(sum(self.other_tricks), len(self.other_tricks))
        return None if self.best_play_tricks is None else Fraction(self.best_play_tricks)


@dataclass(frozen=True, slots=True)
class ResultQuery:
    """A query about one result."""

    typed: int
    swap: int | None
    """The N-S tricks if the two sides were mixed up; None if that is not more plausible."""
    others: tuple[int, ...]

    @property
    def expected_range(self) -> tuple[int, int] | None:
        """The lowest and the highest score of the other tables, or None if too few tables have
        one.
        """
        if len(self.others) < MIN_OTHER_SCORES:
            return None
        return min(self.others), max(self.others)


@dataclass(frozen=True, slots=True)
class CorrectedRound:
    """One correction of a whole round, with the correct N-S tricks of each board."""

    kind: str  # "direction" or "boards"
    tricks: tuple[tuple[int, int], ...]  # board and N-S tricks, only of boards that change


def check_result(typed_tricks: int, evidence: DealEvidence) -> ResultQuery | None:
    """Return a query about a result that is far from expected; None if it is plausible."""
    if not _is_doubtful(typed_tricks, evidence):
        return None
    other = TRICKS_PER_DEAL - typed_tricks
    is_swap_likelier = not _is_doubtful(other, evidence) and _compute_distance(
        other, evidence
    ) < _compute_distance(typed_tricks, evidence)
    return ResultQuery(typed_tricks, other if is_swap_likelier else None, evidence.other_tricks)


def find_correction(
    round_: Mapping[int, int], evidence_by_board: Mapping[int, DealEvidence]
) -> CorrectedRound | None:
    """Find one mistake that explains a table's round: sides or boards mixed up.

    `round_` maps boards to the N-S tricks entered. A correction needs at least two boards with
    results, one of them implausible, and must clearly improve the whole round.
    """
    boards = [board for board in sorted(round_) if board in evidence_by_board]
    doubtful = [
        board for board in boards if _is_doubtful(round_[board], evidence_by_board[board])
    ]
    if len(boards) < 2 or not doubtful:
        return None
    best_correction: tuple[Fraction, CorrectedRound] | None = None
    for kind, marks in _iter_common_mistakes(round_, boards):
        changed_marks = tuple(
            (each, marks[each]) for each in boards if marks[each] != round_[each]
        )
        improvement = _compute_improvement(round_, dict(changed_marks), evidence_by_board)
        if (
            improvement is None
            or len(changed_marks) < 2
            or improvement < MIN_ROUND_IMPROVEMENT_TRICKS
        ):
            continue
        is_plausible = not any(
            _is_doubtful(marks[board], evidence_by_board[board]) for board in boards
        )
        if is_plausible and (best_correction is None or improvement > best_correction[0]):
            best_correction = improvement, CorrectedRound(kind, changed_marks)
    return best_correction[1] if best_correction else None


def _is_doubtful(typed_tricks: int, evidence: DealEvidence) -> bool:
    distance = (
        None
        if evidence.best_play_tricks is None
        else abs(typed_tricks - evidence.best_play_tricks)
    )
    if len(evidence.other_tricks) >= MIN_OTHER_SCORES:
        outside = _compute_tricks_outside_range(typed_tricks, evidence.other_tricks)
        if distance is None:
            return outside >= TRICKS_OUTSIDE_RANGE
        return (
            outside >= TRICKS_OUTSIDE_AND_FROM_BEST[0]
            and distance >= TRICKS_OUTSIDE_AND_FROM_BEST[1]
        )
    if distance is None or distance < TRICKS_FROM_BEST_WITHOUT_RANGE:
        return False
    return not any(abs(typed_tricks - other) <= 1 for other in evidence.other_tricks)


def _compute_tricks_outside_range(typed_tricks: int, others: Sequence[int]) -> int:
    return max(min(others) - typed_tricks, typed_tricks - max(others), 0)


def _compute_distance(typed_tricks: int, evidence: DealEvidence) -> Fraction:
    """Return the distance of a result from the expected one."""
    return (
        Fraction()
        if evidence.expected_tricks is None
        else abs(typed_tricks - evidence.expected_tricks)
    )


def _compute_improvement(
    round_: Mapping[int, int],
    changed: Mapping[int, int],
    evidence_by_board: Mapping[int, DealEvidence],
) -> Fraction | None:
    """Return by how many tricks the changed boards become more plausible, or None if one
    becomes less plausible.
    """
    gains = [
        _compute_distance(round_[board], evidence_by_board[board])
        - _compute_distance(tricks, evidence_by_board[board])
        for board, tricks in changed.items()
    ]
    return None if any(gain < 0 for gain in gains) else sum(gains, Fraction())


def _iter_common_mistakes(
    round_: Mapping[int, int], boards: Sequence[int]
) -> Iterator[tuple[str, Mapping[int, int]]]:
    """Yield the common mistakes, the most likely first."""
    yield "direction", {board: TRICKS_PER_DEAL - round_[board] for board in boards}
    typed_tricks = [round_[board] for board in boards]
    for one_board, other in combinations(boards, 2):
        yield "boards", dict(round_) | {one_board: round_[other], other: round_[one_board]}
    for shift in range(1, len(boards)):
        yield (
            "boards",
            dict(zip(boards, typed_tricks[shift:] + typed_tricks[:shift], strict=True)),
        )
