"""The arrow switch: sides are changed in a few rounds, so that two fields have one winner."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from math import comb

from tournaments.movements.meetings import Meeting, pair_meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

Round = tuple[Meeting, ...]


def switched(movement: Movement, rounds: Iterable[int]) -> Movement:
    """Change North-South and East-West at every table in the named rounds."""
    wanted = set(rounds)
    for number in sorted(wanted):
        if not 1 <= number <= movement.rounds:
            raise UnplayableMovement(
                f"Round {number} cannot be switched: {movement.title} has "
                f"the rounds 1 to {movement.rounds}."
            )
    if not wanted:
        return movement
    words = ", ".join(str(number) for number in sorted(wanted))
    return replace(
        movement,
        meetings=tuple(
            _turned(meeting) if meeting.round in wanted else meeting
            for meeting in movement.meetings
        ),
        title=f"{movement.title}, one winner (sides changed in round {words})",
    )


@lru_cache(maxsize=64)
def best_switch(movement: Movement) -> tuple[int, ...]:
    """Find the rounds to switch for the most even influence, by trying every choice of them.

    The influence of one pair on another is one for each board group on which they sit the
    same way, less one where they sit opposite ways; where they meet it is as much as all
    other tables together, because one's trick is the other's loss. Influence is most even
    when about a seventh of the rounds are switched, so choices of the numbers of rounds on
    both sides of that are tried: the "last eighth" of the bridge clubs.
    """
    terms = _terms(movement)
    return min(_choices(movement.rounds), key=lambda rounds: _unevenness(terms, rounds))


@dataclass(frozen=True, slots=True)
class _Term:
    """The influence between two pairs: what is fixed, and what changes with each round."""

    fixed: int
    alike: tuple[tuple[int, int], ...]
    opposite: tuple[tuple[int, int], ...]


def _choices(rounds: int) -> Iterator[tuple[int, ...]]:
    """All choices of a seventh of the rounds; of long movements those with the last round."""
    few = max(1, int(_SHARE * rounds))
    for size in (few, few + 1):
        if comb(rounds, size) <= _MANY:
            yield from combinations(range(rounds, 0, -1), size)
        elif size == few:
            rest = combinations(range(rounds - 1, 0, -1), size - 1)
            yield from ((rounds, *chosen) for chosen in rest)


def _unevenness(
    terms: Counter[_Term], rounds: tuple[int, ...]
) -> tuple[int, int, tuple[int, ...]]:
    """The variance of influence over all couples, scaled to a whole number."""
    total = squares = couples = 0
    chosen = frozenset(rounds)
    for term, times in terms.items():
        influence = term.fixed + _signed(term.alike, chosen) - _signed(term.opposite, chosen)
        total += times * influence
        squares += times * influence * influence
        couples += times
    return couples * squares - total * total, len(rounds), tuple(-each for each in rounds)


def _signed(plays: tuple[tuple[int, int], ...], chosen: frozenset[int]) -> int:
    changed = sum((one in chosen) != (other in chosen) for one, other in plays)
    return len(plays) - 2 * changed


def _terms(movement: Movement) -> Counter[_Term]:
    fixed: Counter[tuple[int, int]] = Counter()
    plays: dict[tuple[int, int], tuple[list[tuple[int, int]], list[tuple[int, int]]]]
    plays = defaultdict(lambda: ([], []))
    for on_group in _by_group(movement):
        for one, other in combinations(on_group, 2):
            when = (min(one.round, other.round), max(one.round, other.round))
            for mine, theirs in product(one.places, other.places):
                differ = one.side_of(mine) != other.side_of(theirs)
                plays[min(mine, theirs), max(mine, theirs)][differ].append(when)
        for meeting in on_group:
            fixed[min(meeting.places), max(meeting.places)] += len(on_group) - 1
    return Counter(
        _Term(fixed[couple], *(tuple(sorted(each)) for each in plays[couple]))
        for couple in combinations(movement.taken, 2)
    )


def _by_group(movement: Movement) -> list[list[Meeting]]:
    groups: dict[int, list[Meeting]] = defaultdict(list)
    for meeting in movement.played:
        groups[meeting.board_group].append(meeting)
    return list(groups.values())


def _turned(meeting: Meeting) -> Meeting:
    return pair_meeting(
        meeting.round, meeting.table, meeting.east, meeting.north, meeting.board_group
    )


_SHARE = (1 - 0.5**0.5) / 2  # where same-way influence, n (1 - 2x)^2, meets that of opponents
_MANY = 1500  # choices tried of one number of rounds
