"""The table of a ladder: what counts of each one's evenings, the totals, and the ranks."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from seasons.ladders.rules import rule
from seasons.ladders.rules.evenings import LadderEvening
from seasons.ladders.rules.rule import LadderRule
from seasons.ladders.rules.values import Who, Worth, worths

Key = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One line of a ladder: who, the evenings, and the total; `rank` 0 is unranked."""

    who: Who
    worths: tuple[Worth, ...]  # every evening, in the order of days
    counted: frozenset[int]  # which of them are in the total, by their numbers
    total: Fraction
    rank: int = 0
    tied: bool = False
    needs: int = 0  # evenings that are lacking to the minimum

    @property
    def evenings(self) -> int:
        """How many evenings count as evenings; some of them may be dropped."""
        return sum(worth.counts for worth in self.worths)

    @property
    def singles(self) -> tuple[Fraction, ...]:
        """The values in the total, the highest first."""
        found = [self.worths[each].value or Fraction() for each in self.counted]
        return tuple(sorted(found, reverse=True))

    @property
    def latest(self) -> Fraction | None:
        """The value of the latest counting evening."""
        return next((each.value for each in reversed(self.worths) if each.counts), None)


@dataclass(frozen=True, slots=True)
class LadderTable:
    """A whole ladder: the ranked by rank, the others by what they have."""

    rule: LadderRule
    ranked: tuple[LadderRow, ...]
    unranked: tuple[LadderRow, ...]

    @property
    def rows(self) -> tuple[LadderRow, ...]:
        """Everybody who is in it."""
        return self.ranked + self.unranked


def ladder(evenings: Iterable[LadderEvening], of: LadderRule) -> LadderTable:
    """Add the evenings of a season up by a rule; their order changes nothing."""
    found: dict[Who, list[Worth]] = defaultdict(list)
    for evening in sorted(evenings, key=lambda each: each.order):
        for who, worth in worths(evening, of):
            found[who].append(worth)
    rows = [_row(who, came, of) for who, came in found.items()]
    enough = [row for row in rows if row.evenings >= of.minimum]
    few = [row for row in rows if row.evenings < of.minimum]
    return LadderTable(of, tuple(_ranked(enough, of.ties)), tuple(few))


def _row(who: Who, came: Sequence[Worth], of: LadderRule) -> LadderRow:
    known = [
        (worth.value, number)
        for number, worth in enumerate(came)
        if worth.value is not None and worth.counts
    ]
    known.sort(key=lambda each: each[0], reverse=True)  # of equal ones the earlier comes first
    counted = known[: of.counting(len(known))]
    total = sum((value for value, _number in counted), Fraction())
    if of.combine == rule.MEAN and counted:
        total /= len(counted)
    return LadderRow(
        who=who,
        worths=tuple(came),
        counted=frozenset(number for _value, number in counted),
        total=total,
        needs=max(0, of.minimum - len(known)),
    )


def _ranked(rows: Iterable[LadderRow], ties: Sequence[str]) -> list[LadderRow]:
    """Rank by total, then by each tie-break in turn; who is level after all shares."""

    def key(row: LadderRow) -> Key:
        return ((row.total,), *(_BREAKS[name](row) for name in ties))

    found: list[LadderRow] = []
    for _key, level in groupby(sorted(rows, key=key, reverse=True), key=key):
        same = list(level)
        rank = len(found) + 1
        found += [
            LadderRow(
                row.who, row.worths, row.counted, row.total, rank, len(same) > 1, row.needs
            )
            for row in same
        ]
    return found


_BREAKS: Mapping[str, Callable[[LadderRow], tuple[Fraction, ...]]] = {
    rule.SINGLES: lambda row: row.singles,
    rule.PLAYED: lambda row: (Fraction(row.evenings),),
    rule.LATEST: lambda row: () if row.latest is None else (row.latest,),
}
