"""The distribution of prizes. An entry gets at most one money prize, the highest possible, and
any number of honours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Line = tuple[int, int]  # rank and id, the better tie-break first
Lists = Mapping[str, Sequence[Line]]


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize for a place of a list; `value` in cents, 0 for an honour."""

    name: str
    list: str
    place: int
    value: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """The winner of a prize, if the list is long enough.

    `passed` are those above in the list who take a higher prize elsewhere; `sharing` are those
    tied with the winner, who share their joint prizes.
    """

    prize: Prize
    id: int | None
    passed: tuple[int, ...] = ()
    sharing: tuple[int, ...] = ()


def award_prizes(prizes: Sequence[Prize], lists: Lists) -> list[Award]:
    """Award the prizes, the highest value first and then in the order of the list.

    A prize of money for place p goes to the p-th of its list, not counting those who take a
    prize elsewhere. So a prize that an entry does not take passes to the next. For tied entries
    its value is the mean of their prizes: they share, or take a higher one elsewhere. Entries
    that may take no prize are in no list.

    Source: decided here.
    """
    awarder = _PrizeAwarder(prizes, lists)
    honours = {
        at: Award(prize, awarder.at_place(prize))
        for at, prize in enumerate(prizes)
        if not prize.value
    }
    while awarder.left:
        at = max(
            awarder.left, key=lambda at: (awarder.compute_value(at), prizes[at].value, -at)
        )
        honours[at] = awarder.award(at)
    return [honours[at] for at in range(len(prizes))]


class _PrizeAwarder:
    """The state of the computation while prizes of money are awarded."""

    def __init__(self, prizes: Sequence[Prize], lists: Lists) -> None:
        self.prizes, self.lines = prizes, lists
        self.left = {index for index, prize in enumerate(prizes) if prize.value}
        self.bound: dict[int, str] = {}  # by entry, the list of its prize of money
        self.awarded_entries: set[int] = set()

    def at_place(self, prize: Prize) -> int | None:
        """Return the entry at the place of a prize in its list, whatever else it has."""
        line = self.lines.get(prize.list, ())
        return next((id_ for _rank, id_ in line[prize.place - 1 : prize.place]), None)

    def compute_value(self, index: int) -> Fraction:
        """Return the current value of a prize to its winner: the mean for tied entries."""
        tied, line = self._list_tied(index), self._own(index)
        if not tied:
            return Fraction(0)
        places = {place for place, placed in enumerate(line, start=1) if placed[1] in tied}
        prize = self.prizes[index]
        falls = [
            other.value
            for other in (self.prizes[other_index] for other_index in self.left - {index})
            if other.list == prize.list and other.place in places
        ]
        return Fraction(prize.value + sum(falls), len(tied))

    def award(self, index: int) -> Award:
        """Award a prize to the next entry; those tied with it take from no other list."""
        self.left.remove(index)
        prize, tied, line = self.prizes[index], self._list_tied(index), self._own(index)
        if not tied:
            return Award(prize, None)
        self.awarded_entries.add(tied[0])
        self.bound |= dict.fromkeys(tied, prize.list)
        own_entries = {id_ for _rank, id_ in line}
        all_entries = [id_ for _rank, id_ in self.lines[prize.list]]
        entries_above = all_entries[: all_entries.index(tied[0])]
        passed = tuple(id_ for id_ in entries_above if id_ not in own_entries)
        return Award(prize, tied[0], passed, tuple(tied[1:]))

    def _own(self, at: int) -> list[Line]:
        """Return the entries that compete for a prize, without those that take a prize from
        another list.
        """
        name = self.prizes[at].list
        return [
            line for line in self.lines.get(name, ()) if self.bound.get(line[1], name) == name
        ]

    def _list_tied(self, index: int) -> list[int]:
        """Return the next entry for a prize, and those tied with it that have none yet."""
        line = self._own(index)
        unawarded = [placed for placed in line if placed[1] not in self.awarded_entries]
        due = next(
            (placed for placed in line[self.prizes[index].place - 1 :] if placed in unawarded),
            None,
        )
        if due is None:
            return []
        tied_entries = [id_ for rank, id_ in unawarded if rank == due[0] and id_ != due[1]]
        return [due[1], *tied_entries]


def compute_payments(awards: Sequence[Award], lists: Lists) -> dict[int, int]:
    """Return the payment to each entry in cents; tied entries share the mean of their prizes.

    A tie is shared by entries that take from its list or from none. The odd cents go to the
    entry with the better tie-break. All money that is awarded is paid.
    """
    paid: dict[int, int] = {}
    source: dict[int, str] = {}
    for award in awards:
        if award.id is not None and award.prize.value:
            paid[award.id] = award.prize.value
            source |= dict.fromkeys((award.id, *award.sharing), award.prize.list)
    for name, line in lists.items():
        for tied in _group_ties(
            [placed for placed in line if source.get(placed[1], name) == name]
        ):
            shares = _split_money(sum(paid.get(id_, 0) for id_ in tied), len(tied))
            for id_, cents in zip(tied, shares, strict=True):
                paid[id_] = cents
                if cents:
                    source[id_] = name
    return {id_: cents for id_, cents in paid.items() if cents}


def _group_ties(line: Sequence[Line]) -> list[list[int]]:
    """Return the groups of two or more that share a rank."""
    by_rank: dict[int, list[int]] = {}
    for rank, id_ in line:
        by_rank.setdefault(rank, []).append(id_)
    return [tied for tied in by_rank.values() if len(tied) > 1]


def _split_money(total: int, number: int) -> list[int]:
    share, remainder = divmod(total, number)
    return [share + (place < remainder) for place in range(number)]
