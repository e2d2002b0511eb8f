"""Late arrivals and withdrawals if rounds are drawn: the next draw includes the change."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.movements.changes.continuation import (
    Continuation,
    build_continuation,
    split_rounds,
)
from tournaments.movements.changes.incidents import Withdrawal
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement, UnplayableMovement


def add_to_next_draw(movement: Movement) -> Iterator[Continuation]:
    """Give a late arrival a place; the drawn tables stay as they are."""
    if movement.contest is Contest.TEAMS:
        number = max(map(movement.team, range(1, movement.places + 1))) + 1
        labels = [f"{number}NS", f"{number}EW"]
    else:
        labels = [str(movement.places + 1)]
    continuation = build_continuation("swiss-in", movement, movement.meetings, labels=labels)
    yield from [continuation] if continuation else []


def remove_from_draws(
    movement: Movement, played: int, change: Withdrawal
) -> Iterator[Continuation]:
    """Exclude a withdrawn entry from later draws; its opponents in a drawn round sit out."""
    if change.place in movement.withdrawn_places or change.place in movement.absent:
        raise UnplayableMovement(_("No one is sitting there."))
    withdrawn = {change.place}
    if movement.contest is Contest.TEAMS:
        team = movement.team(change.place)
        withdrawn = {n for n in range(1, movement.places + 1) if movement.team(n) == team}
    past, future = split_rounds(movement, played)
    remaining = [meeting for meeting in future if not withdrawn.intersection(meeting.places)]
    if future and not remaining:
        raise UnplayableMovement(_("No one would be left to play. Close the session instead."))
    continuation = build_continuation(
        "swiss-out", movement, [*past, *remaining], withdrawn=withdrawn
    )
    yield from [continuation] if continuation else []
