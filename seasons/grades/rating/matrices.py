"""The little linear algebra that grades want, on lists of floats; they are fast enough."""

from collections.abc import Sequence
from math import log
from operator import mul

Vector = list[float]
Matrix = list[list[float]]
LEAST_PIVOT = 1e-9
"""A pivot smaller than this part of the largest one counts as none."""


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The inner product."""
    whole: float = sum(map(mul, one, other))
    return whole


def times(matrix: Matrix, vector: Sequence[float]) -> Vector:
    """A matrix times a vector."""
    return [sum(map(mul, row, vector)) for row in matrix]


def solved(matrix: Matrix, right: Matrix) -> tuple[Matrix, float]:
    """Solve for every column of the right side at once; also the logarithm of |determinant|."""
    rows = [[*row, *more] for row, more in zip(matrix, right, strict=True)]
    logarithm = 0.0
    for place in range(len(rows)):  # the first column is always the one at hand
        best = max(range(place, len(rows)), key=lambda row: abs(rows[row][0]))
        rows[place], rows[best] = rows[best], rows[place]
        pivot, *rest = rows[place]
        logarithm += log(abs(pivot))
        head = [value / pivot for value in rest]
        rows = [
            [value - row[0] * own for value, own in zip(row[1:], head, strict=True)]
            for row in rows
        ]
        rows[place] = head
    return rows, logarithm


def explained(matrix: Matrix, vector: Sequence[float]) -> tuple[float, int]:
    """Return gᵀG⁻g and the rank of G, for a symmetric G without negative directions.

    Elimination takes the largest pivot on the diagonal each time, and ends with those that are
    nothing beside the first.
    """
    rows = [list(row) for row in matrix]
    rest = list(vector)
    left = list(range(len(rows)))
    whole, rank, least = 0.0, 0, 0.0
    while left:
        place = max(left, key=lambda each: rows[each][each])
        pivot = rows[place][place]
        if not rank:
            least = LEAST_PIVOT * pivot
        if pivot <= least or pivot <= 0:
            break
        rank += 1
        left.remove(place)
        whole += rest[place] ** 2 / pivot
        head = rows[place]
        for other in left:
            factor = rows[other][place] / pivot
            if factor:
                rest[other] -= factor * rest[place]
                row = rows[other]
                for column in left:
                    row[column] -= factor * head[column]
    return whole, rank
