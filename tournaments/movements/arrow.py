"""Arrow switches: two fields exchange sides in some rounds, which gives one winner."""

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
Price = tuple[int, int, Rounds]  # unevenness; ties are broken by the fewest and latest rounds


def switch_arrows(movement: Movement, rounds: Iterable[int]) -> Movement:
    """Exchange North-South and East-West at every table in the given rounds."""
    switched_rounds = set(rounds)
    for number in sorted(switched_rounds):
        if not 1 <= number <= movement.rounds:
            raise UnplayableMovement(
                _("Round %(round)s can't be switched. %(movement)s has rounds 1 to %(rounds)s.")
                % {"round": number, "movement": movement.title, "rounds": movement.rounds}
            )
    if not switched_rounds:
        return movement
    title = ngettext(
        "%(movement)s, one winner (arrow switch in round %(rounds)s)",
        "%(movement)s, one winner (arrow switch in rounds %(rounds)s)",
        len(switched_rounds),
    )
    numbers = ", ".join(str(number) for number in sorted(switched_rounds))
    return replace(
        movement,
        meetings=tuple(
            _turn_table(meeting) if meeting.round in switched_rounds else meeting
            for meeting in movement.meetings
        ),
        title=title % {"movement": movement.title, "rounds": numbers},
    )


@lru_cache(maxsize=64)
def find_best_switch(movement: Movement) -> tuple[int, ...]:
    """Find the rounds to switch that make the influence of pairs on each other most even.

    That is the case when about a seventh of the rounds are switched (clubs switch "the last
    eighth"). All choices of the two nearest numbers of rounds are tried. Above thirty rounds
    there are too many choices, and rounds are exchanged one at a time. The best choices for
    long complete movements are stored in `systems.switches`.
    """
    influence = Influence(movement)
    switch_count = max(1, int(_SWITCHED_SHARE * movement.rounds))

    def price(rounds: Rounds) -> Price:
        return influence.unevenness(rounds), len(rounds), tuple(-round_ for round_ in rounds)

    if comb(movement.rounds - 1, switch_count - 1) > _MAX_CHOICES:
        return _improve_by_exchange(price, movement.rounds, switch_count)
    return min(_list_choices(movement.rounds, switch_count), key=price)


def _list_choices(rounds: int, switch_count: int) -> Iterator[tuple[int, ...]]:
    """Return all choices of `switch_count` rounds and of one more.

    If too many, the last rounds.
    """
    for size in (switch_count, switch_count + 1):
        if comb(rounds, size) <= _MAX_CHOICES:
            yield from combinations(range(rounds, 0, -1), size)
        elif size == switch_count:
            combinations_of_others = combinations(range(rounds - 1, 0, -1), size - 1)
            yield from ((rounds, *choice) for choice in combinations_of_others)


def _improve_by_exchange(
    price: Callable[[Rounds], Price], rounds: int, switch_count: int
) -> Rounds:
    """Start with the last rounds, and exchange one at a time while influence gets more even."""
    best = tuple(range(rounds, rounds - switch_count, -1))
    while True:
        other_rounds = [number for number in range(1, rounds + 1) if number not in best]
        nearby = [
            tuple(sorted({*best, new} - {old}, reverse=True))
            for old in best
            for new in other_rounds
        ]
        best_neighbour = min([best, *nearby], key=price)
        if best_neighbour == best:
            return best
        best = best_neighbour


def _turn_table(meeting: Meeting) -> Meeting:
    return make_pair_meeting(
        meeting.round, meeting.table, meeting.east, meeting.north, meeting.board_group
    )


_SWITCHED_SHARE = (
    1 - 0.5**0.5
) / 2  # with this share x, same-way influence n (1 - 2x)^2 equals that of opponents
_MAX_CHOICES = 5000  # the maximum of choices tried for one number of rounds
