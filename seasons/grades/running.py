"""The filter: what is known of a club's people, and how an evening changes it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import mul

from seasons.grades.column import START, changes
from seasons.grades.evenings import Equations, GradedEvening, Play, Unit, counted, equations
from seasons.grades.matrices import Matrix, Vector, dot, solved, times

PRIOR_PLAYS, PRIOR_NOISE = 300, 1.69
"""The noise of a play before any is known: σ² is 1.69 as if 300 plays had said so."""
YEAR = 365
GONE = 730
"""Days after which somebody unseen leaves the covariance, with own mean and variance."""


@dataclass(frozen=True, slots=True)
class Constants:
    """What a club spreads by (s0), a pair's form each evening (tau), drift in a year (q)."""

    s0: float = 0.25
    tau: float = 0.05
    q: float = 0.07


@dataclass(slots=True)
class Club:
    """All that is known after an evening."""

    constants: Constants
    people: list[str] = field(default_factory=list)  # in the order of the covariance
    mean: Vector = field(default_factory=list)
    covariance: Matrix = field(default_factory=list)
    away: dict[str, tuple[float, float]] = field(default_factory=dict)  # mean and variance
    played: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # days and boards
    column: dict[str, float] = field(default_factory=dict)  # the percent scale
    last: int | None = None  # the day of the last graded evening
    residual: float = 0.0
    freedom: int = 0
    likelihood: float = 0.0

    @property
    def noise(self) -> float:
        """The variance of one play."""
        weight = PRIOR_PLAYS + self.freedom
        return (PRIOR_PLAYS * PRIOR_NOISE + self.residual) / weight

    def of(self, person: str) -> tuple[float, float]:
        """The mean and the variance of somebody's strength."""
        if person in self.away:
            return self.away[person]
        place = self.people.index(person)
        return self.mean[place], self.covariance[place][place]

    def boards(self, person: str, since: int | None = None) -> int:
        """How many boards of somebody's have counted, after a day or ever."""
        return sum(
            boards for day, boards in self.played[person] if since is None or day > since
        )


def grade_evening(club: Club, evening: GradedEvening) -> None:
    """Let an evening say what it can; evenings come in the order of (day, key).

    An evening without a board that was played twice says nothing and changes nothing.
    """
    boards = counted(evening.plays)
    if not boards:
        return
    plays = [play for played in boards.values() for play in played]
    found = equations(boards)
    make_ready(club, evening.day, {person for each in found.units for person in each})
    club.residual += found.residual
    club.freedom += found.freedom
    _update(club, found)
    _count(club, evening.day, plays)
    for person, change in changes(boards, club.column, club.boards, evening.day).items():
        club.column[person] += change
    club.last = evening.day


def make_ready(club: Club, today: int, tonight: Collection[str]) -> None:
    """Bring what is known up to a day, and let in those who play on it."""
    _let_go(club, today)
    _drift(club, today)
    _let_in(club, sorted(tonight))


def _let_go(club: Club, today: int) -> None:
    """Take those whom nobody has seen for two years out of the covariance."""
    kept = []
    for place, person in enumerate(club.people):
        if today - club.played[person][-1][0] > GONE:
            club.away[person] = club.mean[place], club.covariance[place][place]
        else:
            kept.append(place)
    if len(kept) < len(club.people):
        club.people = [club.people[place] for place in kept]
        club.mean = [club.mean[place] for place in kept]
        club.covariance = [[club.covariance[a][b] for b in kept] for a in kept]


def _drift(club: Club, today: int) -> None:
    """Strength drifts: what was known is known less well by now."""
    if club.last is None:
        return
    added = club.constants.q**2 * (today - club.last) / YEAR
    for place, row in enumerate(club.covariance):
        row[place] += added


def _let_in(club: Club, tonight: Sequence[str]) -> None:
    """Let in who is new, and who comes back."""
    for person in tonight:
        if person in club.column and person not in club.away:
            continue
        mean, variance = club.away.pop(person, (0.0, club.constants.s0**2))
        for row in club.covariance:
            row.append(0.0)
        club.covariance.append([0.0] * len(club.people) + [variance])
        club.mean.append(mean)
        club.people.append(person)
        club.column.setdefault(person, START)
        club.played.setdefault(person, [])


def _update(club: Club, found: Equations) -> None:
    """Move means and covariance by what the units made; the model's (3.3)."""
    places = {person: place for place, person in enumerate(club.people)}
    seats = [(places[one], places[other]) for one, other in found.units]
    sigma2 = club.noise
    matrix = [[value / sigma2 for value in row] for row in found.matrix]
    right = [value / sigma2 for value in found.right]
    gain = [  # P Hᵀ, a row a person
        [(row[one] + row[other]) / 2 for one, other in seats] for row in club.covariance
    ]
    spread = [
        [(a + b) / 2 for a, b in zip(gain[one], gain[other], strict=True)]
        for one, other in seats
    ]
    for place, row in enumerate(spread):
        row[place] += club.constants.tau**2
    before = [(club.mean[one] + club.mean[other]) / 2 for one, other in seats]
    left = [g - held for g, held in zip(right, times(matrix, before), strict=True)]
    weights, precision, logarithm = _weights(matrix, spread, left)
    club.likelihood += (
        -logarithm / 2
        + dot(left, times(spread, weights)) / 2
        + dot(right, before)
        - dot(before, times(matrix, before)) / 2
    )
    club.mean = [mean + dot(row, weights) for mean, row in zip(club.mean, gain, strict=True)]
    _shrink(club.covariance, gain, precision)


def _weights(matrix: Matrix, spread: Matrix, left: Vector) -> tuple[Vector, Matrix, float]:
    """Return w = A⁻¹(g − GHμ), V = A⁻¹G made symmetric, and ln det A, of A = I + GS."""
    size = len(matrix)
    columns = [list(column) for column in zip(*spread, strict=True)]
    whole = [[dot(row, column) for column in columns] for row in matrix]
    for place in range(size):
        whole[place][place] += 1.0
    right = [[value, *row] for value, row in zip(left, matrix, strict=True)]
    made, logarithm = solved(whole, right)
    precision = [row[1:] for row in made]
    even = [[(precision[a][b] + precision[b][a]) / 2 for b in range(size)] for a in range(size)]
    return [row[0] for row in made], even, logarithm


def _shrink(covariance: Matrix, gain: Matrix, precision: Matrix) -> None:
    """Take PHᵀVHP off the covariance; it stays symmetric to the last bit."""
    for place, row in enumerate(gain):
        weighted = times(precision, row)
        own = covariance[place]
        lower = zip(own[: place + 1], gain[: place + 1], strict=True)
        own[: place + 1] = [held - sum(map(mul, weighted, other)) for held, other in lower]
    for place, own in enumerate(covariance):
        own[place + 1 :] = [row[place] for row in covariance[place + 1 :]]


def _count(club: Club, day: int, plays: Sequence[Play]) -> None:
    boards: dict[str, int] = defaultdict(int)
    for play in plays:
        for person in (*play.ns, *play.ew):
            boards[person] += 1
    for person, count in boards.items():
        club.played[person].append((day, count))


def pair_variance(club: Club, pair: Unit) -> float:
    """The variance of a pair's strength, form left out."""
    one, other = (club.people.index(person) for person in pair)
    rows = club.covariance
    return (rows[one][one] + 2 * rows[one][other] + rows[other][other]) / 4
