"""Changes during an evening: the incidents, and two or three ways to continue for each.

Rounds that were already played never change. In later rounds no place plays a deal twice. A
meeting that cannot be played is reported with a repair.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.movements.changes.arrivals import (
    list_continuations_after_arrival,
    list_continuations_after_withdrawal,
)
from tournaments.movements.changes.continuation import Continuation, split_meetings_at_round
from tournaments.movements.changes.corrections import (
    list_continuations_after_exchange,
    list_continuations_after_turned_table,
    list_continuations_after_wrong_boards,
)
from tournaments.movements.changes.drawn_rounds import (
    add_late_entry_to_next_draw,
    remove_entry_from_draws,
)
from tournaments.movements.changes.incidents import (
    ExchangedPlaces,
    Incident,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
)
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.memory import FOUR_INDIVIDUALS_SYSTEM

MAX_CONTINUATIONS = 3


def list_continuations(
    movement: Movement, played_round_count: int, incident: Incident
) -> list[Continuation]:
    """List the ways to continue after a number of rounds, least disturbing first.

    `played_round_count` is the number of rounds that are over or in progress. The change must
    have happened in these rounds. Raises UnplayableMovement if the change does not match the
    schedule.
    """
    if error := find_seat_change_obstacle(movement.contest, movement.name):
        raise UnplayableMovement(error)
    continuations_by_meetings: dict[tuple[Meeting, ...], Continuation] = {}
    iter_continuations = (
        _iter_drawn_round_continuations
        if movement.name == DRAWN_MOVEMENT_NAME
        else _iter_continuations
    )
    for continuation in iter_continuations(movement, played_round_count, incident):
        continuations_by_meetings.setdefault(continuation.movement.meetings, continuation)
    if not continuations_by_meetings:
        raise UnplayableMovement(_("No way to continue fits this change."))
    return _select_best_continuations(list(continuations_by_meetings.values()))


def find_seat_change_obstacle(contest: Contest, system_name: str) -> str:
    """Return the reason why seats cannot be changed during play, or "" if they can.

    If the same players play a board twice, the second play would be treated as a mistake.
    """
    if contest is Contest.MEMORY:
        return _("No one moves in memory duplicate, so the seats can’t be changed.")
    if system_name == FOUR_INDIVIDUALS_SYSTEM.name:
        return _(
            "These four replay every deal, so the seats can’t be changed. Correct the "
            "scores or add a ruling instead."
        )
    return ""


def compute_disturbance(continuation: Continuation) -> int:
    """Compute the cost of a way to continue.

    It is the weighted sum of tables left out, new groups, changes of the number of rounds, lost
    and repeated meetings, and the spread of comparisons.
    """
    left_out_clash_count = sum(
        1 for clash in continuation.clashes if clash.replacement_board_group is None
    )
    fairness_before, fairness_after = (
        continuation.consequences.fairness_before,
        continuation.consequences.fairness_after,
    )
    comparison_spread = fairness_after.comparison_spread
    return (
        3 * left_out_clash_count
        + 2 * len(continuation.consequences.new_groups)
        + 2 * abs(fairness_after.round_count - fairness_before.round_count)
        + len(continuation.consequences.lost_meetings)
        + len(continuation.consequences.repeated_meetings)
        + comparison_spread.maximum
        - comparison_spread.minimum
    )


def _select_best_continuations(continuations: list[Continuation]) -> list[Continuation]:
    """Return the simplest way and at most two others, in order of preference.

    Ways without additional sit-outs come first, then ways without new boards. The first of
    `continuations` is the simplest way.
    """

    def compute_sort_key(continuation: Continuation) -> tuple[bool, bool, bool, int, int]:
        sit_out_count = sum(
            len(rounds) for _place, rounds in continuation.consequences.sit_outs
        )
        needs_new_groups = bool(continuation.consequences.new_groups)
        return (
            sit_out_count > 0,
            needs_new_groups,
            continuation is not continuations[0],
            sit_out_count,
            compute_disturbance(continuation),
        )

    return sorted(
        [
            continuations[0],
            *sorted(continuations[1:], key=compute_sort_key)[: MAX_CONTINUATIONS - 1],
        ],
        key=compute_sort_key,
    )


def _iter_continuations(
    movement: Movement, played_round_count: int, incident: Incident
) -> Iterator[Continuation]:
    match incident:
        case LateArrival():
            return list_continuations_after_arrival(movement, played_round_count)
        case Withdrawal():
            return list_continuations_after_withdrawal(movement, played_round_count, incident)
        case TurnedTable():
            return list_continuations_after_turned_table(movement, played_round_count, incident)
        case ExchangedPlaces():
            return list_continuations_after_exchange(movement, played_round_count, incident)
        case WrongBoards():
            return list_continuations_after_wrong_boards(movement, played_round_count, incident)


def _iter_drawn_round_continuations(
    movement: Movement, played_round_count: int, incident: Incident
) -> Iterator[Continuation]:
    """Yield the ways to continue if rounds are drawn: the next draw uses the present entries.

    Only ways that keep the drawn tables are possible. An extra round would take the place of a
    round that is not drawn yet, and new boards would take the boards of the next draw.
    """
    match incident:
        case LateArrival():
            return add_late_entry_to_next_draw(movement)
        case Withdrawal():
            return remove_entry_from_draws(movement, played_round_count, incident)
        case _:
            continuations = _iter_continuations(movement, played_round_count, incident)
            return (
                continuation
                for continuation in continuations
                if _has_same_drawn_rounds(continuation, movement, played_round_count)
            )


def _has_same_drawn_rounds(
    continuation: Continuation, movement: Movement, played_round_count: int
) -> bool:
    _past_meetings, drawn_meetings = split_meetings_at_round(movement, played_round_count)
    return set(split_meetings_at_round(continuation.movement, played_round_count)[1]) <= set(
        drawn_meetings
    )
