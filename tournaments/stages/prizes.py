"""The distribution of prizes.

An entry gets at most one money prize, the highest possible, and any number of honours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Line = tuple[int, int]  # rank and entry id
RankedEntriesByList = Mapping[str, Sequence[Line]]
"""The ranked entries of each list, by list name; a better tie-break comes first in a tie."""


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize for a place in a list; `value` is in cents, and 0 for an honour."""

    name: str
    list_name: str
    place: int
    value: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """The winner of a prize, if the list is long enough.

    `passed_entries` are entries higher in the list that get a higher prize from another list.
    `sharing_entries` are entries tied with the winner, which share the prizes of the tie.
    """

    prize: Prize
    id: int | None
    passed_over_entries: tuple[int, ...] = ()
    sharing_entries: tuple[int, ...] = ()


def award_prizes(prizes: Sequence[Prize], lines_by_list: RankedEntriesByList) -> list[Award]:
    """Award the prizes, the highest value first and then in the order of the list.

    A money prize for place p goes to the p-th entry of its list. Entries with a prize from
    another list are skipped, so their prize passes to the next entry. Tied entries share the
    mean of their prizes, unless one gets a higher prize from another list. Entries that cannot
    win a prize are in no list.

    Source: a decision of this project.
    """
    awarder = _PrizeAwarder(prizes, lines_by_list)
    awards_by_index = {
        index: Award(prize, awarder.find_entry_at_place(prize))
        for index, prize in enumerate(prizes)
        if not prize.value
    }
    while awarder.remaining_prizes:
        index = max(
            awarder.remaining_prizes,
            key=lambda index: (awarder.compute_value(index), prizes[index].value, -index),
        )
        awards_by_index[index] = awarder.award_prize(index)
    return [awards_by_index[index] for index in range(len(prizes))]


class _PrizeAwarder:
    """The state of the computation while money prizes are awarded."""

    def __init__(self, prizes: Sequence[Prize], lines_by_list: RankedEntriesByList) -> None:
        self.prizes, self.lines = prizes, lines_by_list
        self.remaining_prizes = {index for index, prize in enumerate(prizes) if prize.value}
        self.list_by_entry: dict[int, str] = {}  # the list of each entry's money prize
        self.awarded_entries: set[int] = set()

    def find_entry_at_place(self, prize: Prize) -> int | None:
        """Return the entry at a prize's place in its list, even if it has another prize."""
        ranked_lines = self.lines.get(prize.list_name, ())
        return next((id_ for _rank, id_ in ranked_lines[prize.place - 1 : prize.place]), None)

    def compute_value(self, prize_index: int) -> Fraction:
        """Return the value in cents of a prize for the entry that would win it now.

        If entries are tied, this is the mean of the prizes that they share.
        """
        tied_entries, prize_lines = (
            self._list_tied_entries(prize_index),
            self._list_prize_lines(prize_index),
        )
        if not tied_entries:
            return Fraction(0)
        places = {
            place for place, line in enumerate(prize_lines, start=1) if line[1] in tied_entries
        }
        prize = self.prizes[prize_index]
        values = [
            other_prize.value
            for other_prize in (
                self.prizes[other_index]
                for other_index in self.remaining_prizes - {prize_index}
            )
            if other_prize.list_name == prize.list_name and other_prize.place in places
        ]
        return Fraction(prize.value + sum(values), len(tied_entries))

    def award_prize(self, prize_index: int) -> Award:
        """Award a prize to the next entry of its list that can still win it.

        Entries tied with this entry get no prize from another list.
        """
        self.remaining_prizes.remove(prize_index)
        prize, tied_entries, prize_lines = (
            self.prizes[prize_index],
            self._list_tied_entries(prize_index),
            self._list_prize_lines(prize_index),
        )
        if not tied_entries:
            return Award(prize, None)
        self.awarded_entries.add(tied_entries[0])
        self.list_by_entry |= dict.fromkeys(tied_entries, prize.list_name)
        competing_entries = {id_ for _rank, id_ in prize_lines}
        list_entries = [id_ for _rank, id_ in self.lines[prize.list_name]]
        entries_above = list_entries[: list_entries.index(tied_entries[0])]
        passed_entries = tuple(id_ for id_ in entries_above if id_ not in competing_entries)
        return Award(prize, tied_entries[0], passed_entries, tuple(tied_entries[1:]))

    def _list_prize_lines(self, prize_index: int) -> list[Line]:
        """Return the lines of the entries that compete for a prize.

        Entries with a prize from another list do not compete.
        """
        name = self.prizes[prize_index].list_name
        return [
            line
            for line in self.lines.get(name, ())
            if self.list_by_entry.get(line[1], name) == name
        ]

    def _list_tied_entries(self, prize_index: int) -> list[int]:
        """Return the next entry for a prize, and tied entries that have no prize yet."""
        prize_lines = self._list_prize_lines(prize_index)
        unawarded_lines = [line for line in prize_lines if line[1] not in self.awarded_entries]
        first_line = next(
            (
                line
                for line in prize_lines[self.prizes[prize_index].place - 1 :]
                if line in unawarded_lines
            ),
            None,
        )
        if first_line is None:
            return []
        tied_entries = [
            id_
            for rank, id_ in unawarded_lines
            if rank == first_line[0] and id_ != first_line[1]
        ]
        return [first_line[1], *tied_entries]


def compute_payments(
    awards: Sequence[Award], lines_by_list: RankedEntriesByList
) -> dict[int, int]:
    """Return the payment to each entry in cents; tied entries share the mean of their prizes.

    Tied entries with a prize from another list do not share. The odd cents go to the entry with
    the better tie-break. All money that is awarded is paid.
    """
    payments: dict[int, int] = {}
    prize_lists_by_entry: dict[int, str] = {}
    for award in awards:
        if award.id is not None and award.prize.value:
            payments[award.id] = award.prize.value
            prize_lists_by_entry |= dict.fromkeys(
                (award.id, *award.sharing_entries), award.prize.list_name
            )
    for name, lines in lines_by_list.items():
        for tied_entries in _group_ties(
            [line for line in lines if prize_lists_by_entry.get(line[1], name) == name]
        ):
            shares = _split_money(
                sum(payments.get(id_, 0) for id_ in tied_entries), len(tied_entries)
            )
            for id_, cents in zip(tied_entries, shares, strict=True):
                payments[id_] = cents
                if cents:
                    prize_lists_by_entry[id_] = name
    return {id_: cents for id_, cents in payments.items() if cents}


def _group_ties(lines: Sequence[Line]) -> list[list[int]]:
    """Return the groups of two or more that share a rank."""
    entries_by_rank: dict[int, list[int]] = {}
    for rank, id_ in lines:
        entries_by_rank.setdefault(rank, []).append(id_)
    return [entries for entries in entries_by_rank.values() if len(entries) > 1]


def _split_money(total_money: int, recipient_count: int) -> list[int]:
    share, remainder = divmod(total_money, recipient_count)
    return [share + (index < remainder) for index in range(recipient_count)]
