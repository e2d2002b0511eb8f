"""Arrow switches: sides are exchanged in a few rounds, so that two fields have one winner."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.influence import Influence
from tournaments.movements.meetings import Meeting, make_pair_meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

Rounds = tuple[int, ...]
Price = tuple[int, int, Rounds]  # unevenness; then the fewest and latest rounds


def switch_arrows(movement: Movement, rounds: Iterable[int]) -> Movement:
    """Exchange North-South and East-West at every table in the given rounds."""
    wanted = set(rounds)
    for number in sorted(wanted):
        if not 1 <= number <= movement.rounds:
            raise UnplayableMovement(
                _("Round %(round)s can't be switched. %(movement)s has rounds 1 to %(rounds)s.")
                % {"round": number, "movement": movement.title, "rounds": movement.rounds}
            )
    if not wanted:
        return movement
    title = ngettext(
        "%(movement)s, one winner (arrow switch in round %(rounds)s)",
        "%(movement)s, one winner (arrow switch in rounds %(rounds)s)",
        len(wanted),
    )
    numbers = ", ".join(str(number) for number in sorted(wanted))
    return replace(
        movement,
        meetings=tuple(
            _turn_table(meeting) if meeting.round in wanted else meeting
            for meeting in movement.meetings
        ),
        title=title % {"movement": movement.title, "rounds": numbers},
    )


@lru_cache(maxsize=64)
def find_best_switch(movement: Movement) -> tuple[int, ...]:
    """Find the rounds to switch so that the pairs' influence on each other is most even.

    Influence is most even when about a seventh of the rounds are switched (the "last eighth" of
    clubs). All choices of the two numbers of rounds next to that are tried. Above thirty rounds
    there are too many choices, and rounds are exchanged one at a time. The best choices for
    complete movements with many rounds are stored in `systems.switches`.
    """
    influence = Influence(movement)
    few = max(1, int(_SWITCHED_SHARE * movement.rounds))

    def price(rounds: Rounds) -> Price:
        return influence.unevenness(rounds), len(rounds), tuple(-each for each in rounds)

    if comb(movement.rounds - 1, few - 1) > _MAX_CHOICES:
        return _improve_by_exchange(price, movement.rounds, few)
    return min(_list_choices(movement.rounds, few), key=price)


def _list_choices(rounds: int, few: int) -> Iterator[tuple[int, ...]]:
    """Return all choices of `few` rounds and of one more; if too many, only of the last."""
    for size in (few, few + 1):
        if comb(rounds, size) <= _MAX_CHOICES:
            yield from combinations(range(rounds, 0, -1), size)
        elif size == few:
            rest = combinations(range(rounds - 1, 0, -1), size - 1)
            yield from ((rounds, *chosen) for chosen in rest)


def _improve_by_exchange(price: Callable[[Rounds], Price], rounds: int, few: int) -> Rounds:
    """Start with the last rounds; exchange one at a time while the influence gets more even."""
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


def _turn_table(meeting: Meeting) -> Meeting:
    return make_pair_meeting(
        meeting.round, meeting.table, meeting.east, meeting.north, meeting.board_group
    )


_SWITCHED_SHARE = (
    1 - 0.5**0.5
) / 2  # same-way influence, n (1 - 2x)^2, equals that of opponents here
_MAX_CHOICES = 5000  # choices tried of one number of rounds
