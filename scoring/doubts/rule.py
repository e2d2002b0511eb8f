"""The plausibility rule: is a result far from best play and from the other tables?

A result is only ever queried, never refused. Good play of the same cards differs by a trick or
two from table to table, so the other tables count most. Best play by all four ("double dummy")
counts second; without other tables it must differ by more. The thresholds below were set so
that a correct evening has few queries; tests check how many errors they miss.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

TRICKS = 13
MIN_OTHER_SCORES = 3
"""The number of other scores that make a range; fewer count only together with the cards."""
OUTSIDE = 3
"""Tricks outside the range of the other tables that cause a query without the cards."""
OUTSIDE_AND_FAR = (2, 3)
"""Tricks outside the range, and tricks from best play, that together cause a query."""
FAR_ALONE = 5
"""Tricks from best play that cause a query if few other tables have a score."""
WORTH_A_ROUND = 4
"""The improvement of a round, in tricks, from which a correction is offered."""


@dataclass(frozen=True, slots=True)
class DealEvidence:
    """The other information about a deal than one table's result, in tricks of N-S."""

    others: tuple[int, ...] = ()
    best: int | None = None

    @property
    def centre(self) -> Fraction | None:
        """The expected result: the other tables' mean, or else best play."""
        if len(self.others) >= MIN_OTHER_SCORES or (self.others and self.best is None):
            return Fraction(sum(self.others), len(self.others))
        return None if self.best is None else Fraction(self.best)


@dataclass(frozen=True, slots=True)
class Query:
    """A query about one result."""

    typed: int
    swap: int | None
    """The N-S tricks if the two sides were mixed up; None if that is not more plausible."""
    others: tuple[int, ...]

    @property
    def range(self) -> tuple[int, int] | None:
        """The lowest and highest score of the other tables, if there are enough of them."""
        if len(self.others) < MIN_OTHER_SCORES:
            return None
        return min(self.others), max(self.others)


@dataclass(frozen=True, slots=True)
class Mended:
    """One correction of a whole round, with the right N-S tricks of each board."""

    kind: str  # "direction" or "boards"
    tricks: tuple[tuple[int, int], ...]  # board and N-S tricks, only of boards that change


def query(typed: int, known: DealEvidence) -> Query | None:
    """Return a query about a result that is far from expected; None if it is plausible."""
    if not _is_doubtful(typed, known):
        return None
    other = TRICKS - typed
    likelier = not _is_doubtful(other, known) and _off(other, known) < _off(typed, known)
    return Query(typed, other if likelier else None, known.others)


def mend(round_: Mapping[int, int], known: Mapping[int, DealEvidence]) -> Mended | None:
    """Find one mistake that explains a table's round: sides or boards mixed up.

    `round_` are the N-S tricks entered for each board. A correction needs at least two boards
    with results, one of them implausible, and must bring the whole round clearly nearer.
    """
    boards = [board for board in sorted(round_) if board in known]
    doubtful = [board for board in boards if _is_doubtful(round_[board], known[board])]
    if len(boards) < 2 or not doubtful:
        return None
    found: tuple[Fraction, Mended] | None = None
    for kind, marks in _ways(round_, boards):
        changed = tuple((it, marks[it]) for it in boards if marks[it] != round_[it])
        better = _gain(round_, dict(changed), known)
        if better is None or len(changed) < 2 or better < WORTH_A_ROUND:
            continue
        fits = not any(_is_doubtful(marks[board], known[board]) for board in boards)
        if fits and (found is None or better > found[0]):
            found = better, Mended(kind, changed)
    return found[1] if found else None


def _is_doubtful(typed: int, known: DealEvidence) -> bool:
    far = None if known.best is None else abs(typed - known.best)
    if len(known.others) >= MIN_OTHER_SCORES:
        outside = _outside(typed, known.others)
        if far is None:
            return outside >= OUTSIDE
        return outside >= OUTSIDE_AND_FAR[0] and far >= OUTSIDE_AND_FAR[1]
    if far is None or far < FAR_ALONE:
        return False
    return not any(abs(typed - other) <= 1 for other in known.others)


def _outside(typed: int, others: Sequence[int]) -> int:
    return max(min(others) - typed, typed - max(others), 0)


def _off(typed: int, known: DealEvidence) -> Fraction:
    """Return the distance of a result from the expected one."""
    return Fraction() if known.centre is None else abs(typed - known.centre)


def _gain(
    round_: Mapping[int, int], changed: Mapping[int, int], known: Mapping[int, DealEvidence]
) -> Fraction | None:
    """Return how much nearer the changed boards come; None if one of them moves away."""
    gains = [
        _off(round_[board], known[board]) - _off(tricks, known[board])
        for board, tricks in changed.items()
    ]
    return None if any(gain < 0 for gain in gains) else sum(gains, Fraction())


def _ways(
    round_: Mapping[int, int], boards: Sequence[int]
) -> Iterator[tuple[str, Mapping[int, int]]]:
    """Yield the common mistakes, the likeliest first."""
    yield "direction", {board: TRICKS - round_[board] for board in boards}
    typed = [round_[board] for board in boards]
    for one, other in combinations(boards, 2):
        yield "boards", dict(round_) | {one: round_[other], other: round_[one]}
    for turn in range(1, len(boards)):
        yield "boards", dict(zip(boards, typed[turn:] + typed[:turn], strict=True))
