"""The arrow switch: sides are changed in a few rounds, so that two fields have one winner."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from math import comb

from boards.whist.words import gettext as _
from boards.whist.words import ngettext
from tournaments.movements.meetings import Meeting, pair_meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

Plays = tuple[list[tuple[int, int]], list[tuple[int, int]]]  # the same way, opposite ways


def switched(movement: Movement, rounds: Iterable[int]) -> Movement:
    """Change North-South and East-West at every table in the named rounds."""
    wanted = set(rounds)
    for number in sorted(wanted):
        if not 1 <= number <= movement.rounds:
            raise UnplayableMovement(
                _(
                    "Round %(round)s cannot be switched: %(movement)s has the rounds 1 to "
                    "%(rounds)s."
                )
                % {"round": number, "movement": movement.title, "rounds": movement.rounds}
            )
    if not wanted:
        return movement
    title = ngettext(
        "%(movement)s, one winner (sides changed in round %(rounds)s)",
        "%(movement)s, one winner (sides changed in rounds %(rounds)s)",
        len(wanted),
    )
    numbers = ", ".join(str(number) for number in sorted(wanted))
    return replace(
        movement,
        meetings=tuple(
            _turned(meeting) if meeting.round in wanted else meeting
            for meeting in movement.meetings
        ),
        title=title % {"movement": movement.title, "rounds": numbers},
    )


@lru_cache(maxsize=64)
def best_switch(movement: Movement) -> tuple[int, ...]:
    """Find the rounds to switch for the most even influence, by trying every choice of them.

    The influence of one pair on another is one for each board group on which they sit the same
    way, less one where they sit opposite ways; where they meet it is as much as all the other
    tables together, because one's trick is the other's loss. It is most even when about a
    seventh of the rounds are switched (the "last eighth" of the clubs), so the numbers next to
    that on both sides are tried. Above thirty rounds the choices are too many, and rounds
    are exchanged one at a time.
    """
    terms = _terms(movement)
    few = max(1, int(_SHARE * movement.rounds))
    if comb(movement.rounds - 1, few - 1) > _MANY:
        return _exchanged(terms, movement.rounds, few)
    return min(_choices(movement.rounds, few), key=lambda chosen: _unevenness(terms, chosen))


@dataclass(frozen=True, slots=True)
class _Term:
    """The influence between two pairs, and which plays turn it about when a round is switched.

    `alike` and `opposite` have a bit for each board group, listed by round; `times` counts the
    couples of pairs that look the same.
    """

    times: int
    base: int
    alike: tuple[int, ...]
    opposite: tuple[int, ...]


def _choices(rounds: int, few: int) -> Iterator[tuple[int, ...]]:
    """All choices of few rounds and of one more; if too many, those with the last round."""
    for size in (few, few + 1):
        if comb(rounds, size) <= _MANY:
            yield from combinations(range(rounds, 0, -1), size)
        elif size == few:
            rest = combinations(range(rounds - 1, 0, -1), size - 1)
            yield from ((rounds, *chosen) for chosen in rest)


def _exchanged(terms: list[_Term], rounds: int, few: int) -> tuple[int, ...]:
    """Start from the last rounds and exchange one at a time while that makes it more even."""
    best = tuple(range(rounds, rounds - few, -1))
    while True:
        others = [number for number in range(1, rounds + 1) if number not in best]
        nearby = [
            tuple(sorted({*best, new} - {old}, reverse=True)) for old in best for new in others
        ]
        found = min([best, *nearby], key=lambda chosen: _unevenness(terms, chosen))
        if found == best:
            return best
        best = found


def _unevenness(
    terms: list[_Term], rounds: tuple[int, ...]
) -> tuple[int, int, tuple[int, ...]]:
    """The variance of influence over all couples, scaled to a whole number."""
    total = squares = couples = 0
    for term in terms:
        alike = opposite = 0
        for number in rounds:
            alike ^= term.alike[number]
            opposite ^= term.opposite[number]
        influence = term.base + 2 * (opposite.bit_count() - alike.bit_count())
        total += term.times * influence
        squares += term.times * influence * influence
        couples += term.times
    return couples * squares - total * total, len(rounds), tuple(-each for each in rounds)


def _terms(movement: Movement) -> list[_Term]:
    met: Counter[tuple[int, int]] = Counter()
    plays: dict[tuple[int, int], Plays] = defaultdict(lambda: ([], []))
    for on_group in _by_group(movement):
        for one, other in combinations(on_group, 2):
            for mine, theirs in product(one.places, other.places):
                differ = one.side_of(mine) != other.side_of(theirs)
                couple = (min(mine, theirs), max(mine, theirs))
                plays[couple][differ].append((one.round, other.round))
        for meeting in on_group:
            met[min(meeting.places), max(meeting.places)] += len(on_group) - 1
    looks: Counter[tuple[int, tuple[int, ...], tuple[int, ...]]] = Counter()
    for couple in combinations(movement.taken, 2):
        alike, opposite = plays[couple]
        base = met[couple] + len(alike) - len(opposite)
        looks[base, _bits(alike, movement.rounds), _bits(opposite, movement.rounds)] += 1
    return [
        _Term(times, base, alike, opposite) for (base, alike, opposite), times in looks.items()
    ]


def _bits(plays: list[tuple[int, int]], rounds: int) -> tuple[int, ...]:
    """For each round from 0 the plays that it turns about; both rounds of a play do."""
    found = [0] * (rounds + 1)
    ordered = sorted((min(play), max(play)) for play in plays)
    for bit, (one, other) in enumerate(ordered):
        found[one] ^= 1 << bit
        found[other] ^= 1 << bit
    return tuple(found)


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
_MANY = 5000  # choices tried of one number of rounds
