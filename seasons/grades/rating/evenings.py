"""The input of one evening to the estimation: partnerships and normal equations."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from operator import mul

Vector = list[float]
Matrix = list[list[float]]
MIN_RELATIVE_PIVOT = 1e-9
"""The fraction of the largest pivot below which a pivot is treated as zero."""


def compute_dot_product(first_vector: Sequence[float], second_vector: Sequence[float]) -> float:
    """Return the dot product of two vectors."""
    total: float = sum(map(mul, first_vector, second_vector))
    return total


def multiply_vector(matrix: Matrix, vector: Sequence[float]) -> Vector:
    """Return the product of a matrix and a vector."""
    return [sum(map(mul, row, vector)) for row in matrix]


def solve_system(matrix: Matrix, right_hand_side: Matrix) -> tuple[Matrix, float]:
    """Solve a linear system for several right-hand sides.

    Return the solutions and the logarithm of the absolute determinant.
    """
    rows = [
        [*row, *right_values] for row, right_values in zip(matrix, right_hand_side, strict=True)
    ]
    log_determinant = 0.0
    for column_index in range(len(rows)):
        # Each step removes the first column, so column 0 is always the current one.
        pivot_index = max(
            range(column_index, len(rows)), key=lambda row_index: abs(rows[row_index][0])
        )
        rows[column_index], rows[pivot_index] = rows[pivot_index], rows[column_index]
        pivot, *remaining_row = rows[column_index]
        log_determinant += log(abs(pivot))
        scaled_row = [value / pivot for value in remaining_row]
        rows = [
            [
                value - row[0] * scaled_value
                for value, scaled_value in zip(row[1:], scaled_row, strict=True)
            ]
            for row in rows
        ]
        rows[column_index] = scaled_row
    return rows, log_determinant


def compute_quadratic_form(matrix: Matrix, vector: Sequence[float]) -> tuple[float, int]:
    """Return gᵀG⁻g and the rank of G; G is `matrix`, g is `vector`, G⁻ is a pseudoinverse of G.

    The matrix must be symmetric and positive semidefinite. Each step of the elimination uses
    the largest diagonal element as pivot. The elimination ends at a negligible pivot.
    """
    rows = [list(row) for row in matrix]
    residual = list(vector)
    remaining_indexes = list(range(len(rows)))
    total, rank, min_pivot = 0.0, 0, 0.0
    while remaining_indexes:
        pivot_index = max(remaining_indexes, key=lambda index: rows[index][index])
        pivot = rows[pivot_index][pivot_index]
        if not rank:
            min_pivot = MIN_RELATIVE_PIVOT * pivot
        if pivot <= min_pivot or pivot <= 0:
            break
        rank += 1
        remaining_indexes.remove(pivot_index)
        total += residual[pivot_index] ** 2 / pivot
        pivot_row = rows[pivot_index]
        for row_index in remaining_indexes:
            factor = rows[row_index][pivot_index] / pivot
            if factor:
                residual[row_index] -= factor * residual[pivot_index]
                row = rows[row_index]
                for column_index in remaining_indexes:
                    row[column_index] -= factor * pivot_row[column_index]
    return total, rank


Partnership = tuple[str, str]
"""The two people who played together, in sorted order."""


@dataclass(frozen=True, slots=True)
class BoardPlay:
    """One result of a board: the two partnerships and the tricks of N-S.

    Results with the same `board_key` are compared. If sections are ranked separately, the key
    also identifies the section.
    """

    board_key: str
    ns_partnership: Partnership
    ew_partnership: Partnership
    ns_tricks: float


@dataclass(frozen=True, slots=True)
class GradedEvening:
    """The results of an evening; boards with a ruling in force are left out.

    `day_number` is the day number (proleptic ordinal). Evenings are processed in the order of
    day and key.
    """

    evening_key: str
    day_number: int
    plays: tuple[BoardPlay, ...]


@dataclass(frozen=True, slots=True)
class NormalEquations:
    """The normal equations of an evening for its partnerships, not yet divided by the noise.

    In the formulas, t is the vector of the N-S tricks on a board. W has one row for each play,
    with 1 for the N-S and −1 for the E-W partnership. C subtracts the mean of the board.
    """

    partnerships: tuple[Partnership, ...]
    matrix: Matrix  # G0 = Σ WᵀCW over boards
    right_hand_side: Vector  # g0 = Σ WᵀCt over boards
    residual: float  # the sum of squared deviations that the equations do not explain
    degrees_of_freedom: int


@dataclass(frozen=True, slots=True)
class EveningInput:
    """All data of an evening that the computation of grades uses.

    These data are computed from the results only once and then stored.
    """

    evening_key: str
    day_number: int
    equations: NormalEquations
    partnership_groups: tuple[tuple[int, ...], ...]
    """The groups of partnerships that played the same board in the same direction.

    Each partnership is represented by its index in `partnerships`.
    """
    matchpoints: tuple[int, ...]
    """The matchpoints of each partnership: two for each one beaten on a board, one per tie."""

    @property
    def partnerships(self) -> tuple[Partnership, ...]:
        return self.equations.partnerships

    def count_boards(self) -> list[int]:
        """Return the number of compared boards of each partnership."""
        board_counts = [0] * len(self.partnerships)
        for partnership_indexes in self.partnership_groups:
            for index in partnership_indexes:
                board_counts[index] += 1
        return board_counts


def make_partnership(person_keys: Sequence[str]) -> Partnership:
    """Return the partnership of two people, with their names in sorted order."""
    first_person_key, second_person_key = sorted(person_keys)
    return first_person_key, second_person_key


def group_comparable_plays(plays: Iterable[BoardPlay]) -> dict[str, list[BoardPlay]]:
    """Return the results of each board that was played at least twice."""
    plays_by_board: dict[str, list[BoardPlay]] = defaultdict(list)
    for play in plays:
        plays_by_board[play.board_key].append(play)
    return {
        board_key: sorted(
            board_plays,
            key=lambda board_play: (
                board_play.ns_partnership,
                board_play.ew_partnership,
                board_play.ns_tricks,
            ),
        )
        for board_key, board_plays in sorted(plays_by_board.items())
        if len(board_plays) > 1
    }


def compute_evening_input(evening: GradedEvening) -> EveningInput | None:
    """Compute an evening's input to grades; return None if no board was played twice."""
    plays_by_board = group_comparable_plays(evening.plays)
    if not plays_by_board:
        return None
    equations = build_equations(plays_by_board)
    index_by_partnership = {
        partnership: index for index, partnership in enumerate(equations.partnerships)
    }
    partnership_groups = []
    matchpoints = [0] * len(equations.partnerships)
    for side_results in _iter_side_results(plays_by_board.values()):
        sorted_tricks = sorted(tricks for _partnership, tricks in side_results)
        for partnership, tricks in side_results:
            # A partnership gets 2 points for each lower result, and 1 for each equal one.
            matchpoints[index_by_partnership[partnership]] += (
                bisect_left(sorted_tricks, tricks) + bisect_right(sorted_tricks, tricks) - 1
            )
        partnership_groups.append(
            tuple(index_by_partnership[partnership] for partnership, _tricks in side_results)
        )
    return EveningInput(
        evening.evening_key,
        evening.day_number,
        equations,
        tuple(partnership_groups),
        tuple(matchpoints),
    )


def _iter_side_results(
    plays_of_boards: Iterable[list[BoardPlay]],
) -> Iterator[list[tuple[Partnership, float]]]:
    for plays in plays_of_boards:
        yield [(play.ns_partnership, play.ns_tricks) for play in plays]
        yield [(play.ew_partnership, -play.ns_tricks) for play in plays]


def build_equations(plays_by_board: dict[str, list[BoardPlay]]) -> NormalEquations:
    """Return the normal equations of an evening, added up over its boards."""
    plays = [play for board_plays in plays_by_board.values() for play in board_plays]
    partnerships = tuple(
        sorted(
            {
                partnership
                for play in plays
                for partnership in (play.ns_partnership, play.ew_partnership)
            }
        )
    )
    index_by_partnership = {
        partnership: index for index, partnership in enumerate(partnerships)
    }
    matrix = [[0.0] * len(partnerships) for _ in partnerships]
    right_hand_side = [0.0] * len(partnerships)
    # how often each partnership sat N-S minus how often it sat E-W, on each board
    net_appearances = [[0.0] * len(plays_by_board) for _ in partnerships]
    squares_sum = 0.0
    for board_index, board_plays in enumerate(plays_by_board.values()):
        squares_sum += _add_board(
            matrix,
            right_hand_side,
            net_appearances,
            board_index,
            [_build_indexed_play(play, index_by_partnership) for play in board_plays],
        )
    play_counts = [len(board_plays) for board_plays in plays_by_board.values()]
    net_appearance_shares = [
        [net_count / play_count for net_count, play_count in zip(row, play_counts, strict=True)]
        for row in net_appearances
    ]
    for row, net_share_row in zip(matrix, net_appearance_shares, strict=True):
        row[:] = [
            value - correction
            for value, correction in zip(
                row, multiply_vector(net_appearances, net_share_row), strict=True
            )
        ]
    explained_sum_of_squares, rank = compute_quadratic_form(matrix, right_hand_side)
    return NormalEquations(
        partnerships=partnerships,
        matrix=matrix,
        right_hand_side=right_hand_side,
        residual=max(squares_sum - explained_sum_of_squares, 0.0),
        degrees_of_freedom=len(plays) - len(plays_by_board) - rank,
    )


def _build_indexed_play(
    play: BoardPlay, index_by_partnership: dict[Partnership, int]
) -> tuple[int, int, float]:
    return (
        index_by_partnership[play.ns_partnership],
        index_by_partnership[play.ew_partnership],
        play.ns_tricks,
    )


def _add_board(
    matrix: Matrix,
    right_hand_side: Vector,
    net_appearances: Matrix,
    board_index: int,
    plays: list[tuple[int, int, float]],
) -> float:
    """Add one board to the equations; return its sum of squared deviations from the mean.

    Results enter the equations as differences from the mean of the board.
    """
    mean = sum(tricks for _ns_index, _ew_index, tricks in plays) / len(plays)
    for ns_index, ew_index, tricks in plays:
        matrix[ns_index][ns_index] += 1
        matrix[ew_index][ew_index] += 1
        matrix[ns_index][ew_index] -= 1
        matrix[ew_index][ns_index] -= 1
        right_hand_side[ns_index] += tricks - mean
        right_hand_side[ew_index] -= tricks - mean
        net_appearances[ns_index][board_index] += 1
        net_appearances[ew_index][board_index] -= 1
    return sum((tricks - mean) ** 2 for _ns_index, _ew_index, tricks in plays)
