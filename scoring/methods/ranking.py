"""Who is placed where: equal scores share a rank unless the event names tie-breaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Placing:
    """One entry's place in a ranking; `tied` when another entry has the same rank."""

    rank: int
    tied: bool
    entry: int
    score: Fraction


def rank(
    scores: Mapping[int, Fraction], *, tie_breaks: Sequence[Mapping[int, Fraction]] = ()
) -> list[Placing]:
    """Place entries by score, most first, and by each tie-break in turn where scores are equal.

    Entries still equal share the rank and stand in the order of their numbers.
    """

    def worth(entry: int) -> tuple[Fraction, ...]:
        nothing = Fraction()
        return (scores[entry], *(figure.get(entry, nothing) for figure in tie_breaks))

    order = sorted(scores, key=lambda entry: (*(-part for part in worth(entry)), entry))
    worths = [worth(entry) for entry in order]
    return [
        Placing(
            rank=1 + worths.index(mine),
            tied=worths.count(mine) > 1,
            entry=entry,
            score=scores[entry],
        )
        for entry, mine in zip(order, worths, strict=True)
    ]
