"""Late arrivals and withdrawals where rounds are drawn: the next draw includes the change."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.movements.changes.continuation import Way, split, way
from tournaments.movements.changes.incidents import Left
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement, UnplayableMovement


def into_the_next_draw(movement: Movement) -> Iterator[Way]:
    """Give a late arrival a place; the drawn tables stay as they are."""
    if movement.contest is Contest.TEAMS:
        number = max(map(movement.team, range(1, movement.places + 1))) + 1
        labels = [f"{number}NS", f"{number}EW"]
    else:
        labels = [str(movement.places + 1)]
    found = way("swiss-in", movement, movement.meetings, labels=labels)
    yield from [found] if found else []


def out_of_the_draws(movement: Movement, played: int, change: Left) -> Iterator[Way]:
    """Take a withdrawn entry out of the draws; its opponents in a drawn round sit out."""
    if change.place in movement.gone or change.place in movement.absent:
        raise UnplayableMovement(_("Nobody sits at this place, so nobody can leave it."))
    gone = {change.place}
    if movement.contest is Contest.TEAMS:
        team = movement.team(change.place)
        gone = {n for n in range(1, movement.places + 1) if movement.team(n) == team}
    past, future = split(movement, played)
    kept = [each for each in future if not gone.intersection(each.places)]
    if future and not kept:
        raise UnplayableMovement(_("Without them nobody is left to play: close the session."))
    found = way("swiss-out", movement, [*past, *kept], gone=gone)
    yield from [found] if found else []
