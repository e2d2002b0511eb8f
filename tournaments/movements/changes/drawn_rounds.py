"""Late arrivals and withdrawals if rounds are drawn: the next draw includes the change."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournaments.movements.changes.continuation import (
    Continuation,
    build_continuation,
    split_meetings_at_round,
)
from tournaments.movements.changes.incidents import Withdrawal
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement, UnplayableMovement


def add_late_entry_to_next_draw(movement: Movement) -> Iterator[Continuation]:
    """Give a late arrival a place; the drawn tables stay as they are."""
    if movement.contest is Contest.TEAMS:
        team_number = max(map(movement.get_team_number, range(1, movement.place_count + 1))) + 1
        labels = [f"{team_number}NS", f"{team_number}EW"]
    else:
        labels = [str(movement.place_count + 1)]
    continuation = build_continuation("swiss-in", movement, movement.meetings, labels=labels)
    yield from [continuation] if continuation else []


def remove_entry_from_draws(
    movement: Movement, played_round_count: int, withdrawal: Withdrawal
) -> Iterator[Continuation]:
    """Exclude a withdrawn entry from later draws; in drawn rounds the opponents sit out."""
    if (
        withdrawal.place in movement.withdrawn_places
        or withdrawal.place in movement.absent_places
    ):
        raise UnplayableMovement(_("No one is sitting there."))
    withdrawn_places = {withdrawal.place}
    if movement.contest is Contest.TEAMS:
        team_number = movement.get_team_number(withdrawal.place)
        withdrawn_places = {
            place
            for place in range(1, movement.place_count + 1)
            if movement.get_team_number(place) == team_number
        }
    past_meetings, future_meetings = split_meetings_at_round(movement, played_round_count)
    remaining_meetings = [
        meeting
        for meeting in future_meetings
        if not withdrawn_places.intersection(meeting.places)
    ]
    if future_meetings and not remaining_meetings:
        raise UnplayableMovement(_("No one would be left to play. Close the session instead."))
    continuation = build_continuation(
        "swiss-out",
        movement,
        [*past_meetings, *remaining_meetings],
        withdrawn_places=withdrawn_places,
    )
    yield from [continuation] if continuation else []
