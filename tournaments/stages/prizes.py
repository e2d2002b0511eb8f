"""The distribution of prizes.

An entry gets at most one money prize, the highest possible, and any number of honours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

RankAndEntry = tuple[int, int]  # rank and entry id
RankedEntriesByList = Mapping[str, Sequence[RankAndEntry]]
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

    `passed_over_entries` are entries higher in the list that get a higher prize from another
    list. `sharing_entries` are entries tied with the winner, which share the prizes of the tie.
    """

    prize: Prize
    entry_id: int | None
    passed_over_entries: tuple[int, ...] = ()
    sharing_entries: tuple[int, ...] = ()


def award_prizes(
    prizes: Sequence[Prize], ranked_entries_by_list: RankedEntriesByList
) -> list[Award]:
    """Award the prizes, the highest value first and then in the order of the list.

    A money prize for place p goes to the p-th entry of its list. Entries with a prize from
    another list are skipped, so their prize passes to the next entry. Tied entries share the
    mean of their prizes, unless one gets a higher prize from another list. Entries that cannot
    win a prize are in no list.

    Source: a decision of this project.
    """
    awarder = _PrizeAwarder(prizes, ranked_entries_by_list)
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

    def __init__(
        self, prizes: Sequence[Prize], ranked_entries_by_list: RankedEntriesByList
    ) -> None:
        self.prizes, self.ranked_entries_by_list = prizes, ranked_entries_by_list
        self.remaining_prizes = {index for index, prize in enumerate(prizes) if prize.value}
        self.list_name_by_entry: dict[int, str] = {}  # the list of each entry's money prize
        self.awarded_entries: set[int] = set()

    def find_entry_at_place(self, prize: Prize) -> int | None:
        """Return the entry at a prize's place in its list, even if it has another prize."""
        ranked_entries = self.ranked_entries_by_list.get(prize.list_name, ())
        return next((id_ for _rank, id_ in ranked_entries[prize.place - 1 : prize.place]), None)

    def compute_value(self, prize_index: int) -> Fraction:
        """Return the value in cents of a prize for the entry that would win it now.

        If entries are tied, this is the mean of the prizes that they share.
        """
        tied_entries, competing_entries = (
            self._list_tied_entries(prize_index),
            self._list_competing_entries(prize_index),
        )
        if not tied_entries:
            return Fraction(0)
        places = {
            place
            for place, ranked_entry in enumerate(competing_entries, start=1)
            if ranked_entry[1] in tied_entries
        }
        prize = self.prizes[prize_index]
        prize_values = [
            other_prize.value
            for other_prize in (
                self.prizes[other_index]
                for other_index in self.remaining_prizes - {prize_index}
            )
            if other_prize.list_name == prize.list_name and other_prize.place in places
        ]
        return Fraction(prize.value + sum(prize_values), len(tied_entries))

    def award_prize(self, prize_index: int) -> Award:
        """Award a prize to the next entry of its list that can still win it.

        Entries tied with this entry get no prize from another list.
        """
        self.remaining_prizes.remove(prize_index)
        prize, tied_entries, competing_entries = (
            self.prizes[prize_index],
            self._list_tied_entries(prize_index),
            self._list_competing_entries(prize_index),
        )
        if not tied_entries:
            return Award(prize, None)
        self.awarded_entries.add(tied_entries[0])
        self.list_name_by_entry |= dict.fromkeys(tied_entries, prize.list_name)
        competing_entry_ids = {id_ for _rank, id_ in competing_entries}
        list_entries = [id_ for _rank, id_ in self.ranked_entries_by_list[prize.list_name]]
        higher_ranked_entries = list_entries[: list_entries.index(tied_entries[0])]
        passed_over_entries = tuple(
            id_ for id_ in higher_ranked_entries if id_ not in competing_entry_ids
        )
        return Award(prize, tied_entries[0], passed_over_entries, tuple(tied_entries[1:]))

    def _list_competing_entries(self, prize_index: int) -> list[RankAndEntry]:
        """Return the entries that compete for a prize.

        Entries with a prize from another list do not compete.
        """
        name = self.prizes[prize_index].list_name
        return [
            ranked_entry
            for ranked_entry in self.ranked_entries_by_list.get(name, ())
            if self.list_name_by_entry.get(ranked_entry[1], name) == name
        ]

    def _list_tied_entries(self, prize_index: int) -> list[int]:
        """Return the next entry for a prize, and tied entries that have no prize yet."""
        competing_entries = self._list_competing_entries(prize_index)
        unawarded_entries = [
            ranked_entry
            for ranked_entry in competing_entries
            if ranked_entry[1] not in self.awarded_entries
        ]
        first_entry = next(
            (
                ranked_entry
                for ranked_entry in competing_entries[self.prizes[prize_index].place - 1 :]
                if ranked_entry in unawarded_entries
            ),
            None,
        )
        if first_entry is None:
            return []
        tied_entries = [
            id_
            for rank, id_ in unawarded_entries
            if rank == first_entry[0] and id_ != first_entry[1]
        ]
        return [first_entry[1], *tied_entries]


def compute_payments(
    awards: Sequence[Award], ranked_entries_by_list: RankedEntriesByList
) -> dict[int, int]:
    """Return the payment to each entry in cents; tied entries share the mean of their prizes.

    Tied entries with a prize from another list do not share. The odd cents go to the entry with
    the better tie-break. All money that is awarded is paid.
    """
    payments_by_entry: dict[int, int] = {}
    list_name_by_entry: dict[int, str] = {}
    for award in awards:
        if award.entry_id is not None and award.prize.value:
            payments_by_entry[award.entry_id] = award.prize.value
            list_name_by_entry |= dict.fromkeys(
                (award.entry_id, *award.sharing_entries), award.prize.list_name
            )
    for list_name, ranked_entries in ranked_entries_by_list.items():
        for tied_entries in _group_ties(
            [
                ranked_entry
                for ranked_entry in ranked_entries
                if list_name_by_entry.get(ranked_entry[1], list_name) == list_name
            ]
        ):
            shares = _split_money(
                sum(payments_by_entry.get(id_, 0) for id_ in tied_entries), len(tied_entries)
            )
            for id_, entry_cents in zip(tied_entries, shares, strict=True):
                payments_by_entry[id_] = entry_cents
                if entry_cents:
                    list_name_by_entry[id_] = list_name
    return {id_: entry_cents for id_, entry_cents in payments_by_entry.items() if entry_cents}


def _group_ties(ranked_entries: Sequence[RankAndEntry]) -> list[list[int]]:
    """Return the groups of two or more that share a rank."""
    entries_by_rank: dict[int, list[int]] = {}
    for rank, id_ in ranked_entries:
        entries_by_rank.setdefault(rank, []).append(id_)
    return [entries for entries in entries_by_rank.values() if len(entries) > 1]


def _split_money(total_cents: int, recipient_count: int) -> list[int]:
    cents_per_recipient, remainder = divmod(total_cents, recipient_count)
    return [cents_per_recipient + (index < remainder) for index in range(recipient_count)]
