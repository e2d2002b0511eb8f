"""The input of one evening to the estimation: partnerships and normal equations."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from operator import mul

Vector = list[float]
Matrix = list[list[float]]
MIN_PIVOT_SHARE = 1e-9
"""The fraction of the largest pivot below which a pivot is treated as zero."""


def compute_dot_product(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the dot product of two vectors."""
    total: float = sum(map(mul, one, other))
    return total


def multiply_vector(matrix: Matrix, vector: Sequence[float]) -> Vector:
    """Return the product of a matrix and a vector."""
    return [sum(map(mul, row, vector)) for row in matrix]


def solve_system(matrix: Matrix, right: Matrix) -> tuple[Matrix, float]:
    """Solve a linear system for several right-hand sides.

    Return the solutions and the logarithm of the absolute determinant.
    """
    rows = [[*row, *right_values] for row, right_values in zip(matrix, right, strict=True)]
    logarithm = 0.0
    for place in range(len(rows)):  # column 0 is the current one
        best = max(range(place, len(rows)), key=lambda row: abs(rows[row][0]))
        rows[place], rows[best] = rows[best], rows[place]
        pivot, *remaining_row = rows[place]
        logarithm += log(abs(pivot))
        head = [value / pivot for value in remaining_row]
        rows = [
            [
                value - row[0] * head_value
                for value, head_value in zip(row[1:], head, strict=True)
            ]
            for row in rows
        ]
        rows[place] = head
    return rows, logarithm


def solve_semidefinite(matrix: Matrix, vector: Sequence[float]) -> tuple[float, int]:
    """Return gᵀG⁻g and the rank of G, for a symmetric positive semidefinite matrix G.

    Each step of the elimination uses the largest diagonal element as pivot. It ends when the
    pivot is negligible compared with the first one.
    """
    rows = [list(row) for row in matrix]
    residual = list(vector)
    remaining = list(range(len(rows)))
    total, rank, min_pivot = 0.0, 0, 0.0
    while remaining:
        place = max(remaining, key=lambda index: rows[index][index])
        pivot = rows[place][place]
        if not rank:
            min_pivot = MIN_PIVOT_SHARE * pivot
        if pivot <= min_pivot or pivot <= 0:
            break
        rank += 1
        remaining.remove(place)
        total += residual[place] ** 2 / pivot
        head = rows[place]
        for other in remaining:
            factor = rows[other][place] / pivot
            if factor:
                residual[other] -= factor * residual[place]
                row = rows[other]
                for column in remaining:
                    row[column] -= factor * head[column]
    return total, rank


Partnership = tuple[str, str]
"""The two people who played together, in sorted order."""


@dataclass(frozen=True, slots=True)
class BoardPlay:
    """One result of a board: the two partnerships and the tricks of N-S.

    Results with the same `board` are compared. If sections are ranked separately, `board` also
    identifies the section.
    """

    board: str
    ns: Partnership
    ew: Partnership
    tricks: float


@dataclass(frozen=True, slots=True)
class GradedEvening:
    """The results of an evening, without boards with a ruling in force.

    `day` is the day number (proleptic ordinal). Evenings are processed in the order of day and
    key.
    """

    key: str
    day: int
    plays: tuple[BoardPlay, ...]


@dataclass(frozen=True, slots=True)
class Equations:
    """The normal equations of an evening for its partnerships, not yet divided by the noise."""

    units: tuple[Partnership, ...]
    matrix: Matrix  # G0 = Σ WᵀCW over boards
    right: Vector  # g0 = Σ WᵀCt over boards
    residual: float
    freedom: int


@dataclass(frozen=True, slots=True)
class EveningInput:
    """All data of an evening that the computation of grades uses.

    It is computed from the results only once and then stored.
    """

    key: str
    day: int
    equations: Equations
    groups: tuple[tuple[int, ...], ...]
    """The groups of partnerships that were compared: those that played a board in one
    direction.

    A partnership is represented by its index in `units`.
    """
    points: tuple[int, ...]
    """The matchpoints of each partnership: two for each partnership beaten on a board, one per
    tie.
    """

    @property
    def units(self) -> tuple[Partnership, ...]:
        return self.equations.units

    def boards(self) -> list[int]:
        """Return the number of compared boards of each partnership."""
        counts = [0] * len(self.units)
        for group in self.groups:
            for place in group:
                counts[place] += 1
        return counts


def make_partnership(people: Sequence[str]) -> Partnership:
    """Return the partnership of two people, with their names in sorted order."""
    one, other = sorted(people)
    return one, other


def group_comparable_plays(plays: Iterable[BoardPlay]) -> dict[str, list[BoardPlay]]:
    """Return the results of each board that was played at least twice."""
    plays_by_board: dict[str, list[BoardPlay]] = defaultdict(list)
    for play in plays:
        plays_by_board[play.board].append(play)
    return {
        board: sorted(
            played, key=lambda board_play: (board_play.ns, board_play.ew, board_play.tricks)
        )
        for board, played in sorted(plays_by_board.items())
        if len(played) > 1
    }


def compute_evening_input(evening: GradedEvening) -> EveningInput | None:
    """Compute an evening's input to grades; return None if no board was played twice."""
    boards = group_comparable_plays(evening.plays)
    if not boards:
        return None
    equations = build_equations(boards)
    places = {unit_: place for place, unit_ in enumerate(equations.units)}
    groups = []
    points = [0] * len(equations.units)
    for sat in _iter_sides(boards.values()):
        order = sorted(tricks for _unit, tricks in sat)
        for unit, tricks in sat:
            # Two points per partnership beaten, one per tie with another one.
            points[places[unit]] += bisect_left(order, tricks) + bisect_right(order, tricks) - 1
        groups.append(tuple(places[unit] for unit, _tricks in sat))
    return EveningInput(evening.key, evening.day, equations, tuple(groups), tuple(points))


def _iter_sides(boards: Iterable[list[BoardPlay]]) -> Iterator[list[tuple[Partnership, float]]]:
    for plays in boards:
        yield [(play.ns, play.tricks) for play in plays]
        yield [(play.ew, -play.tricks) for play in plays]


def build_equations(boards: dict[str, list[BoardPlay]]) -> Equations:
    """Return the normal equations of an evening, added up over its boards."""
    plays = [play for played in boards.values() for play in played]
    units = tuple(sorted({item for play in plays for item in (play.ns, play.ew)}))
    places = {unit: place for place, unit in enumerate(units)}
    matrix = [[0.0] * len(units) for _ in units]
    right = [0.0] * len(units)
    net = [[0.0] * len(boards) for _ in units]  # per board: how often N-S minus how often E-W
    spread = 0.0
    for column, played in enumerate(boards.values()):
        spread += _add_board(
            matrix, right, net, column, [_to_indexed_play(item, places) for item in played]
        )
    counts = [len(played) for played in boards.values()]
    shares = [[item / n for item, n in zip(row, counts, strict=True)] for row in net]
    for row, share in zip(matrix, shares, strict=True):
        row[:] = [
            value - correction
            for value, correction in zip(row, multiply_vector(net, share), strict=True)
        ]
    within, rank = solve_semidefinite(matrix, right)
    return Equations(
        units=units,
        matrix=matrix,
        right=right,
        residual=max(spread - within, 0.0),
        freedom=len(plays) - len(boards) - rank,
    )


def _to_indexed_play(play: BoardPlay, places: dict[Partnership, int]) -> tuple[int, int, float]:
    return places[play.ns], places[play.ew], play.tricks


def _add_board(
    matrix: Matrix,
    right: Vector,
    net: Matrix,
    column: int,
    plays: list[tuple[int, int, float]],
) -> float:
    """Add the results of one board to the equations; return their sum of squared deviations.

    Each result is used as its difference from the mean of the board.
    """
    mean = sum(tricks for _ns, _ew, tricks in plays) / len(plays)
    for ns, ew, tricks in plays:
        matrix[ns][ns] += 1
        matrix[ew][ew] += 1
        matrix[ns][ew] -= 1
        matrix[ew][ns] -= 1
        right[ns] += tricks - mean
        right[ew] -= tricks - mean
        net[ns][column] += 1
        net[ew][column] -= 1
    return sum((tricks - mean) ** 2 for _ns, _ew, tricks in plays)
