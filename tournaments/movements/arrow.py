"""Arrow switches: sides are exchanged in a few rounds, so that two fields have one winner."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.influence import Influence
from tournaments.movements.meetings import Meeting, pair_meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

Rounds = tuple[int, ...]
Price = tuple[int, int, Rounds]  # unevenness; then the fewest and latest rounds


def switched(movement: Movement, rounds: Iterable[int]) -> Movement:
    """Exchange North-South and East-West at every table in the given rounds."""
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

    Influence is most even when about a seventh of the rounds are switched (the "last eighth" of
    the clubs), so the numbers next to that on both sides are tried. Above thirty rounds there
    are too many choices, and rounds are exchanged one at a time. For whole movements with many
    rounds the best choices are stored in `systems.switches`.
    """
    influence = Influence(movement)
    few = max(1, int(_SHARE * movement.rounds))

    def price(rounds: Rounds) -> Price:
        return influence.unevenness(rounds), len(rounds), tuple(-each for each in rounds)

    if comb(movement.rounds - 1, few - 1) > _MANY:
        return _exchanged(price, movement.rounds, few)
    return min(_choices(movement.rounds, few), key=price)


def _choices(rounds: int, few: int) -> Iterator[tuple[int, ...]]:
    """Return all choices of few rounds and of one more; if too many, those of the last."""
    for size in (few, few + 1):
        if comb(rounds, size) <= _MANY:
            yield from combinations(range(rounds, 0, -1), size)
        elif size == few:
            rest = combinations(range(rounds - 1, 0, -1), size - 1)
            yield from ((rounds, *chosen) for chosen in rest)


def _exchanged(price: Callable[[Rounds], Price], rounds: int, few: int) -> Rounds:
    """Start from the last rounds and exchange one at a time, as long as it gets more even."""
    best = tuple(range(rounds, rounds - few, -1))
    while True:
        others = [number for number in range(1, rounds + 1) if number not in best]
        nearby = [
            tuple(sorted({*best, new} - {old}, reverse=True)) for old in best for new in others
        ]
        found = min([best, *nearby], key=price)
        if found == best:
            return best
        best = found


def _turned(meeting: Meeting) -> Meeting:
    return pair_meeting(
        meeting.round, meeting.table, meeting.east, meeting.north, meeting.board_group
    )


_SHARE = (1 - 0.5**0.5) / 2  # same-way influence, n (1 - 2x)^2, equals that of opponents here
_MANY = 5000  # choices tried of one number of rounds
