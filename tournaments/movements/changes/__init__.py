"""Changes during an evening: what happened, and two or three ways to continue.

Every way keeps the rounds already played as they were. In later rounds no place plays a deal
twice; a meeting that cannot be played is named, with the solution.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.movements.changes.arrivals import after_arrival, after_leaving
from tournaments.movements.changes.continuation import Way, split
from tournaments.movements.changes.corrections import (
    after_exchange,
    after_turning,
    after_wrong_boards,
)
from tournaments.movements.changes.drawn_rounds import into_the_next_draw, out_of_the_draws
from tournaments.movements.changes.incidents import (
    Change,
    Exchanged,
    Late,
    Left,
    Turned,
    WrongBoards,
)
from tournaments.movements.drawn import DRAWN
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.memory import FOUR_INDIVIDUALS

MOST_WAYS = 3


def ways(movement: Movement, played: int, change: Change) -> list[Way]:
    """List the ways to continue after a number of rounds, least disturbing first.

    `played` counts the rounds that are over or in progress; the rounds of a change must not be
    later. Raises UnplayableMovement where a change does not fit the schedule.
    """
    if refused := unchangeable(movement.contest, movement.name):
        raise UnplayableMovement(refused)
    unlike: dict[tuple[Meeting, ...], Way] = {}
    found = _of_drawn_rounds if movement.name == DRAWN else _ways
    for way in found(movement, played, change):
        unlike.setdefault(way.movement.meetings, way)
    if not unlike:
        raise UnplayableMovement(_("There is no way to go on with this change."))
    return _best(list(unlike.values()))


def unchangeable(contest: Contest, name: str) -> str:
    """Return why nothing can be changed in memory duplicate, else "".

    Every way would leave out the overplays, as boards that the table has played already.
    """
    if contest is Contest.MEMORY:
        return _("At memory duplicate nobody moves, so nothing can be changed.")
    if name == FOUR_INDIVIDUALS.name:
        return _(
            "These four overplay every deal from memory, so nothing can be changed: put the "
            "scores right instead, or rule on a board."
        )
    return ""


def disturbance(way: Way) -> int:
    """Compute the cost of a way from what it loses, repeats and makes uneven.

    It counts tables left out, new groups, rounds, couples lost or met again, and the spread of
    comparisons.
    """
    left_out = sum(1 for clash in way.clashes if clash.instead is None)
    before, after = way.brings.before, way.brings.after
    even = after.comparisons
    return (
        3 * left_out
        + 2 * len(way.brings.new_groups)
        + 2 * abs(after.rounds - before.rounds)
        + len(way.brings.no_longer_met)
        + len(way.brings.met_again)
        + even.most
        - even.least
    )


def _best(found: list[Way]) -> list[Way]:
    """Return the simplest way and at most two others, in order.

    First are ways without additional sit-outs, then those without new boards; among equals the
    simplest, which is the first found.
    """

    def cost(way: Way) -> tuple[bool, bool, bool, int, int]:
        sat_out = sum(len(rounds) for _place, rounds in way.brings.sit_outs)
        new = bool(way.brings.new_groups)
        return sat_out > 0, new, way is not found[0], sat_out, disturbance(way)

    return sorted([found[0], *sorted(found[1:], key=cost)[: MOST_WAYS - 1]], key=cost)


def _ways(movement: Movement, played: int, change: Change) -> Iterator[Way]:
    match change:
        case Late():
            return after_arrival(movement, played)
        case Left():
            return after_leaving(movement, played, change)
        case Turned():
            return after_turning(movement, played, change)
        case Exchanged():
            return after_exchange(movement, played, change)
        case WrongBoards():
            return after_wrong_boards(movement, played, change)


def _of_drawn_rounds(movement: Movement, played: int, change: Change) -> Iterator[Way]:
    """Yield the ways where rounds are drawn: the next draw uses the entries that are present.

    Only ways that keep the drawn tables are possible. An extra round would replace one that is
    still to be drawn, and new boards would be those of the next draw.
    """
    match change:
        case Late():
            return into_the_next_draw(movement)
        case Left():
            return out_of_the_draws(movement, played, change)
        case _:
            found = _ways(movement, played, change)
            return (way for way in found if _leaves_what_is_drawn(way, movement, played))


def _leaves_what_is_drawn(way: Way, movement: Movement, played: int) -> bool:
    _past, drawn = split(movement, played)
    return set(split(way.movement, played)[1]) <= set(drawn)
