"""Arrow switches: two fields exchange sides in some rounds, which gives one winner."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.influence import PairInfluence
from tournaments.movements.meetings import Meeting, make_pair_meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

RoundNumbers = tuple[int, ...]
SwitchCost = tuple[int, int, RoundNumbers]
"""The unevenness, then the number of rounds and the negative rounds, which break ties."""


def switch_arrows(movement: Movement, rounds: Iterable[int]) -> Movement:
    """Exchange North-South and East-West at every table in the given rounds."""
    switched_rounds = set(rounds)
    for round_number in sorted(switched_rounds):
        if not 1 <= round_number <= movement.round_count:
            raise UnplayableMovement(
                _("Round %(round)s can’t be switched. %(movement)s has rounds 1–%(rounds)s.")
                % {
                    "round": round_number,
                    "movement": movement.title,
                    "rounds": movement.round_count,
                }
            )
    if not switched_rounds:
        return movement
    title = ngettext(
        "%(movement)s, one winner (arrow switch in round %(rounds)s)",
        "%(movement)s, one winner (arrow switch in rounds %(rounds)s)",
        len(switched_rounds),
    )
    rounds_text = ", ".join(str(round_number) for round_number in sorted(switched_rounds))
    return replace(
        movement,
        meetings=tuple(
            _exchange_sides(meeting) if meeting.round in switched_rounds else meeting
            for meeting in movement.meetings
        ),
        title=title % {"movement": movement.title, "rounds": rounds_text},
    )


@lru_cache(maxsize=64)
def find_best_switched_rounds(movement: Movement) -> tuple[int, ...]:
    """Find the rounds to switch that make the influence of pairs on each other most even.

    Influence is most even if about a seventh of the rounds are switched (clubs switch "the last
    eighth"). A seventh of 11 rounds, for example, is between 1 and 2. Then every choice of one
    or two rounds is compared. More than thirty rounds have too many choices, so the search
    starts with the last rounds and exchanges one round at a time. The best choices for long
    complete movements are stored in `systems.switches`.
    """
    influence = PairInfluence(movement)
    switch_count = max(1, int(_SWITCHED_ROUND_FRACTION * movement.round_count))

    def compute_cost(rounds: RoundNumbers) -> SwitchCost:
        unevenness = influence.compute_unevenness(rounds)
        return unevenness, len(rounds), tuple(-round_number for round_number in rounds)

    if comb(movement.round_count - 1, switch_count - 1) > _MAX_CHOICES:
        return _improve_rounds_by_exchange(compute_cost, movement.round_count, switch_count)
    return min(_iter_round_choices(movement.round_count, switch_count), key=compute_cost)


def _iter_round_choices(round_count: int, switch_count: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of `switch_count` rounds, and then of `switch_count` + 1 rounds.

    If there are more than _MAX_CHOICES sets of the first size, only those with the last round
    are included. If there are more of the second size, none of them is.
    """
    for choice_size in (switch_count, switch_count + 1):
        if comb(round_count, choice_size) <= _MAX_CHOICES:
            yield from combinations(range(round_count, 0, -1), choice_size)
        elif choice_size == switch_count:
            other_choices = combinations(range(round_count - 1, 0, -1), choice_size - 1)
            yield from ((round_count, *chosen_rounds) for chosen_rounds in other_choices)


def _improve_rounds_by_exchange(
    compute_cost: Callable[[RoundNumbers], SwitchCost], round_count: int, switch_count: int
) -> RoundNumbers:
    """Exchange one round at a time, beginning with the last ones, while the cost decreases."""
    best_rounds = tuple(range(round_count, round_count - switch_count, -1))
    while True:
        other_rounds = [
            round_number
            for round_number in range(1, round_count + 1)
            if round_number not in best_rounds
        ]
        neighbouring_choices = [
            tuple(sorted({*best_rounds, new_round_number} - {old_round_number}, reverse=True))
            for old_round_number in best_rounds
            for new_round_number in other_rounds
        ]
        best_neighbouring_choice = min([best_rounds, *neighbouring_choices], key=compute_cost)
        if best_neighbouring_choice == best_rounds:
            return best_rounds
        best_rounds = best_neighbouring_choice


def _exchange_sides(meeting: Meeting) -> Meeting:
    return make_pair_meeting(
        meeting.round, meeting.table, meeting.east, meeting.north, meeting.board_group
    )


# If this share x of n rounds is switched, two pairs of one field influence each other by
# n (1 - 2x)^2, which is as much as two opponents do.
_SWITCHED_ROUND_FRACTION = (1 - 0.5**0.5) / 2
_MAX_CHOICES = 5000  # the maximum number of choices that are tried for one number of rounds
