"""The plausibility check: a result far from best play and from the other tables is doubtful.

A doubtful result is queried, never rejected. With good play, results on the same cards differ
by a trick or two from table to table, so the other tables count most. Best play by all four
players ("double dummy") counts second. Without other tables, a result is only doubtful if it is
further from best play. The thresholds below were set to give few queries on a correct evening;
tests check how many errors they miss.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

TRICKS_PER_DEAL = 13
MIN_OTHER_TABLE_SCORES = 3
"""The scores of at least this many other tables form a range.

Fewer scores are only used together with best play.
"""
MIN_TRICKS_OUTSIDE_RANGE = 3
"""If best play is unknown, a result this many tricks outside the other tables' range is
doubtful.
"""
MIN_TRICKS_FROM_RANGE_AND_BEST_PLAY = (2, 3)
"""The minimum distances from the range and from best play that together cause a query."""
MIN_TRICKS_FROM_BEST_PLAY = 5
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
        if len(self.other_tricks) >= MIN_OTHER_TABLE_SCORES or (
            self.other_tricks and self.best_play_tricks is None
        ):
            return Fraction(sum(self.other_tricks), len(self.other_tricks))
        return None if self.best_play_tricks is None else Fraction(self.best_play_tricks)


@dataclass(frozen=True, slots=True)
class ResultDoubt:
    """A doubtful result, with the scores of the other tables."""

    typed_tricks: int
    swapped_tricks: int | None
    """The N-S tricks if the two sides were mixed up; None if that is not more plausible."""
    other_tricks: tuple[int, ...]

    @property
    def expected_range(self) -> tuple[int, int] | None:
        """The lowest and the highest score of the other tables, or None if too few tables have
        one.
        """
        if len(self.other_tricks) < MIN_OTHER_TABLE_SCORES:
            return None
        return min(self.other_tricks), max(self.other_tricks)


@dataclass(frozen=True, slots=True)
class CorrectedRound:
    """One correction of a whole round, with the correct N-S tricks of each board."""

    mistake_kind: str  # the mix-up: "direction" (of N-S and E-W) or "boards"
    boards_and_tricks: tuple[
        tuple[int, int], ...
    ]  # board and N-S tricks, only of boards that change


def check_result(typed_tricks: int, evidence: DealEvidence) -> ResultDoubt | None:
    """Return the query about a result that is far from expected; None if it is plausible."""
    if not _is_doubtful(typed_tricks, evidence):
        return None
    swapped_tricks = TRICKS_PER_DEAL - typed_tricks
    is_swap_likelier = not _is_doubtful(swapped_tricks, evidence) and _compute_distance(
        swapped_tricks, evidence
    ) < _compute_distance(typed_tricks, evidence)
    return ResultDoubt(
        typed_tricks, swapped_tricks if is_swap_likelier else None, evidence.other_tricks
    )


def find_corrected_round(
    tricks_by_board: Mapping[int, int], evidence_by_board: Mapping[int, DealEvidence]
) -> CorrectedRound | None:
    """Find one mistake that explains a table's round: the sides or the boards are mixed up.

    `tricks_by_board` maps boards to the N-S tricks entered. A correction needs at least two
    boards with results, one of them implausible, and must clearly improve the whole round.
    """
    board_numbers = [
        board_number
        for board_number in sorted(tricks_by_board)
        if board_number in evidence_by_board
    ]
    doubtful_board_numbers = [
        board_number
        for board_number in board_numbers
        if _is_doubtful(tricks_by_board[board_number], evidence_by_board[board_number])
    ]
    if len(board_numbers) < 2 or not doubtful_board_numbers:
        return None
    best_improvement_and_correction: tuple[Fraction, CorrectedRound] | None = None
    for mistake_kind, proposed_tricks_by_board in _iter_common_mistakes(
        tricks_by_board, board_numbers
    ):
        changed_boards_and_tricks = tuple(
            (board_number, proposed_tricks_by_board[board_number])
            for board_number in board_numbers
            if proposed_tricks_by_board[board_number] != tricks_by_board[board_number]
        )
        improvement = _compute_improvement(
            tricks_by_board, dict(changed_boards_and_tricks), evidence_by_board
        )
        if (
            improvement is None
            or len(changed_boards_and_tricks) < 2
            or improvement < MIN_ROUND_IMPROVEMENT_TRICKS
        ):
            continue
        is_plausible = not any(
            _is_doubtful(
                proposed_tricks_by_board[board_number], evidence_by_board[board_number]
            )
            for board_number in board_numbers
        )
        if is_plausible and (
            best_improvement_and_correction is None
            or improvement > best_improvement_and_correction[0]
        ):
            best_improvement_and_correction = (
                improvement,
                CorrectedRound(mistake_kind, changed_boards_and_tricks),
            )
    return best_improvement_and_correction[1] if best_improvement_and_correction else None


def _is_doubtful(typed_tricks: int, evidence: DealEvidence) -> bool:
    tricks_from_best_play = (
        None
        if evidence.best_play_tricks is None
        else abs(typed_tricks - evidence.best_play_tricks)
    )
    if len(evidence.other_tricks) >= MIN_OTHER_TABLE_SCORES:
        tricks_outside_range = _compute_tricks_outside_range(
            typed_tricks, evidence.other_tricks
        )
        if tricks_from_best_play is None:
            return tricks_outside_range >= MIN_TRICKS_OUTSIDE_RANGE
        return (
            tricks_outside_range >= MIN_TRICKS_FROM_RANGE_AND_BEST_PLAY[0]
            and tricks_from_best_play >= MIN_TRICKS_FROM_RANGE_AND_BEST_PLAY[1]
        )
    if tricks_from_best_play is None or tricks_from_best_play < MIN_TRICKS_FROM_BEST_PLAY:
        return False
    return not any(
        abs(typed_tricks - other_table_tricks) <= 1
        for other_table_tricks in evidence.other_tricks
    )


def _compute_tricks_outside_range(typed_tricks: int, other_tricks: Sequence[int]) -> int:
    return max(min(other_tricks) - typed_tricks, typed_tricks - max(other_tricks), 0)


def _compute_distance(typed_tricks: int, evidence: DealEvidence) -> Fraction:
    """Return the distance of a result from the expected one."""
    return (
        Fraction()
        if evidence.expected_tricks is None
        else abs(typed_tricks - evidence.expected_tricks)
    )


def _compute_improvement(
    tricks_by_board: Mapping[int, int],
    corrected_tricks_by_board: Mapping[int, int],
    evidence_by_board: Mapping[int, DealEvidence],
) -> Fraction | None:
    """Return by how many tricks the changed boards get nearer to the expected results.

    Returns None if one board gets further away.
    """
    gains = [
        _compute_distance(tricks_by_board[board_number], evidence_by_board[board_number])
        - _compute_distance(tricks, evidence_by_board[board_number])
        for board_number, tricks in corrected_tricks_by_board.items()
    ]
    return None if any(gain < 0 for gain in gains) else sum(gains, Fraction())


def _iter_common_mistakes(
    tricks_by_board: Mapping[int, int], board_numbers: Sequence[int]
) -> Iterator[tuple[str, Mapping[int, int]]]:
    """Yield each common mistake: its kind, and the N-S tricks by board if it is corrected.

    The likeliest mistake comes first.
    """
    yield (
        "direction",
        {
            board_number: TRICKS_PER_DEAL - tricks_by_board[board_number]
            for board_number in board_numbers
        },
    )
    tricks_in_board_order = [tricks_by_board[board_number] for board_number in board_numbers]
    for first_board_number, second_board_number in combinations(board_numbers, 2):
        yield (
            "boards",
            dict(tricks_by_board)
            | {
                first_board_number: tricks_by_board[second_board_number],
                second_board_number: tricks_by_board[first_board_number],
            },
        )
    for shift in range(1, len(board_numbers)):
        yield (
            "boards",
            dict(
                zip(
                    board_numbers,
                    tricks_in_board_order[shift:] + tricks_in_board_order[:shift],
                    strict=True,
                )
            ),
        )
