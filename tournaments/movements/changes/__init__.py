"""Changes during an evening: the incidents, and two or three ways to continue for each.

No way changes rounds that were already played. In later rounds no place plays a deal twice. A
meeting that cannot be played is reported with its solution.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.movements.changes.arrivals import (
    list_ways_after_arrival,
    list_ways_after_withdrawal,
)
from tournaments.movements.changes.continuation import Continuation, split_rounds
from tournaments.movements.changes.corrections import (
    list_ways_after_exchange,
    list_ways_after_turning,
    list_ways_after_wrong_boards,
)
from tournaments.movements.changes.drawn_rounds import add_to_next_draw, remove_from_draws
from tournaments.movements.changes.incidents import (
    Change,
    ExchangedPlaces,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
)
from tournaments.movements.drawn_rounds import DRAWN_KEY
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.memory import FOUR_INDIVIDUALS

MAX_WAYS = 3


def list_ways(movement: Movement, played: int, change: Change) -> list[Continuation]:
    """List the ways to continue after a number of rounds, least disturbing first.

    `played` is the number of rounds that are over or in progress. The rounds of a change must
    not be later. Raises UnplayableMovement if a change does not match the schedule.
    """
    if error := find_change_obstacle(movement.contest, movement.name):
        raise UnplayableMovement(error)
    unlike: dict[tuple[Meeting, ...], Continuation] = {}
    iter_ways = _iter_drawn_ways if movement.name == DRAWN_KEY else _iter_ways
    for continuation in iter_ways(movement, played, change):
        unlike.setdefault(continuation.movement.meetings, continuation)
    if not unlike:
        raise UnplayableMovement(_("No way to continue fits this change."))
    return _select_best(list(unlike.values()))


def find_change_obstacle(contest: Contest, name: str) -> str:
    """Return the reason why memory duplicate cannot be changed; "" for other contests.

    Overplays would be treated as boards that the table has already played.
    """
    if contest is Contest.MEMORY:
        return _("No one moves in memory duplicate, so the seats can't be changed.")
    if name == FOUR_INDIVIDUALS.name:
        return _(
            "These four replay every deal, so the seats can't be "
            "changed. Correct the scores or add a ruling instead."
        )
    return ""


def compute_disturbance(continuation: Continuation) -> int:
    """Compute the cost of a way to continue, from lost and repeated meetings and from
    unevenness.

    It counts tables left out, new groups, rounds, couples that no longer meet or meet again,
    and the spread of comparisons.
    """
    left_out = sum(1 for clash in continuation.clashes if clash.instead is None)
    before, after = continuation.consequences.before, continuation.consequences.after
    even = after.comparisons
    return (
        3 * left_out
        + 2 * len(continuation.consequences.new_groups)
        + 2 * abs(after.rounds - before.rounds)
        + len(continuation.consequences.no_longer_met)
        + len(continuation.consequences.met_again)
        + even.most
        - even.least
    )


def _select_best(continuations: list[Continuation]) -> list[Continuation]:
    """Return the simplest way and at most two others, in order of preference.

    Ways without additional sit-outs come first, then ways without new boards. Of equal ways the
    one found first is preferred, which is the simplest.
    """

    def cost(continuation: Continuation) -> tuple[bool, bool, bool, int, int]:
        sat_out = sum(len(rounds) for _place, rounds in continuation.consequences.sit_outs)
        new = bool(continuation.consequences.new_groups)
        return (
            sat_out > 0,
            new,
            continuation is not continuations[0],
            sat_out,
            compute_disturbance(continuation),
        )

    return sorted(
        [continuations[0], *sorted(continuations[1:], key=cost)[: MAX_WAYS - 1]], key=cost
    )


def _iter_ways(movement: Movement, played: int, change: Change) -> Iterator[Continuation]:
    match change:
        case LateArrival():
            return list_ways_after_arrival(movement, played)
        case Withdrawal():
            return list_ways_after_withdrawal(movement, played, change)
        case TurnedTable():
            return list_ways_after_turning(movement, played, change)
        case ExchangedPlaces():
            return list_ways_after_exchange(movement, played, change)
        case WrongBoards():
            return list_ways_after_wrong_boards(movement, played, change)


def _iter_drawn_ways(movement: Movement, played: int, change: Change) -> Iterator[Continuation]:
    """Yield the ways to continue if rounds are drawn: the next draw uses the present entries.

    Only ways that keep the drawn tables are possible. An extra round would replace a round that
    is not drawn yet, and new boards would be those of the next draw.
    """
    match change:
        case LateArrival():
            return add_to_next_draw(movement)
        case Withdrawal():
            return remove_from_draws(movement, played, change)
        case _:
            ways = _iter_ways(movement, played, change)
            return (
                continuation
                for continuation in ways
                if _keeps_drawn_rounds(continuation, movement, played)
            )


def _keeps_drawn_rounds(continuation: Continuation, movement: Movement, played: int) -> bool:
    _past, drawn_meetings = split_rounds(movement, played)
    return set(split_rounds(continuation.movement, played)[1]) <= set(drawn_meetings)
