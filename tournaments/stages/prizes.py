"""Who takes which prize: one of money each, the dearest that is due; honours add up."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

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
    """Who gets a prize; nobody where the list is too short.

    `passed` are those before in the list who take a dearer prize elsewhere.
    """

    prize: Prize
    id: int | None
    passed: tuple[int, ...] = ()


def awards(prizes: Sequence[Prize], lists: Lists, barred: Collection[int] = ()) -> list[Award]:
    """Give the prizes out, the dearest first and then in the order of the list.

    A prize of money for place p goes to the p-th of its list, not counting those who take a
    prize elsewhere, so that what one does not take passes to the next. Who withdrew or is
    barred takes none. Source: decided here.
    """
    given: dict[int, Award] = {}
    holds: dict[int, str] = {}  # the list from which somebody has money
    by_value = sorted(range(len(prizes)), key=lambda at: (-prizes[at].value, at))
    for at in by_value:
        prize = prizes[at]
        line = [id_ for _rank, id_ in lists.get(prize.list, ()) if id_ not in barred]
        if not prize.value:
            chosen = next(iter(line[prize.place - 1 : prize.place]), None)
            given[at] = Award(prize, chosen)
            continue
        own = [id_ for id_ in line if holds.get(id_, prize.list) == prize.list]
        free = [id_ for id_ in own[prize.place - 1 :] if id_ not in holds]
        if not free:
            given[at] = Award(prize, None)
            continue
        holds[free[0]] = prize.list
        before = line[: line.index(free[0])]
        given[at] = Award(prize, free[0], tuple(id_ for id_ in before if id_ not in own))
    return [given[at] for at in range(len(prizes))]


def payments(
    given: Sequence[Award], lists: Lists, barred: Collection[int] = ()
) -> dict[int, int]:
    """What everybody is paid, in cents: a tie shares the mean of its prizes.

    Those share who are tied in a list and take from it or else nothing; the odd cents go to the
    better tie-break. All the money that is awarded is paid.
    """
    paid: dict[int, int] = {}
    source: dict[int, str] = {}
    for each in given:
        if each.id is not None and each.prize.value:
            paid[each.id] = each.prize.value
            source[each.id] = each.prize.list
    for name, line in lists.items():
        own = [(rank, id_) for rank, id_ in line if id_ not in barred]
        for tied in _tied([each for each in own if source.get(each[1], name) == name]):
            shares = _shares(sum(paid.get(id_, 0) for id_ in tied), len(tied))
            for id_, cents in zip(tied, shares, strict=True):
                paid[id_] = cents
                if cents:
                    source[id_] = name
    return {id_: cents for id_, cents in paid.items() if cents}


def _tied(line: Sequence[Line]) -> list[list[int]]:
    """Those who share a rank, where several do."""
    by_rank: dict[int, list[int]] = {}
    for rank, id_ in line:
        by_rank.setdefault(rank, []).append(id_)
    return [tied for tied in by_rank.values() if len(tied) > 1]


def _shares(total: int, number: int) -> list[int]:
    share, odd = divmod(total, number)
    return [share + (place < odd) for place in range(number)]
