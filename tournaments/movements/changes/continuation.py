"""One way to continue after a change: the complete schedule and the consequences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournaments.movements.changes.consequences import Clash, Consequences, compute_consequences
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement


@dataclass(frozen=True, slots=True)
class Continuation:
    """One way to continue: the whole schedule with the rounds played, and the consequences.

    `newcomer_places` are the places of a late arrival: one place, or two for a team. The
    movement allows replays and sharing, because real play may break rules that plans obey.
    """

    key: str
    movement: Movement
    clashes: tuple[Clash, ...]
    consequences: Consequences
    newcomer_places: tuple[int, ...] = ()


def build_continuation(
    continuation_key: str,
    old_movement: Movement,
    meetings: Iterable[Meeting],
    *,
    clashes: Sequence[Clash] = (),
    places_to_fill: Iterable[int] = (),
    labels: Sequence[str] = (),
    withdrawn_places: Iterable[int] = (),
) -> Continuation | None:
    """Build a way to continue; return None if it would leave a round without tables."""
    all_withdrawn_places = old_movement.withdrawn_places.union(withdrawn_places)
    try:
        new_movement = replace(
            old_movement,
            name="custom",
            meetings=tuple(meetings),
            labels=(*old_movement.labels, *labels),
            absent_places=old_movement.absent_places - set(places_to_fill),
            allows_sharing=True,
            allows_replays=True,
            withdrawn_places=all_withdrawn_places,
        )
    except UnplayableMovement:
        return None
    newcomer_places = (
        *sorted(places_to_fill),
        *range(old_movement.place_count + 1, new_movement.place_count + 1),
    )
    return Continuation(
        continuation_key,
        new_movement,
        tuple(clashes),
        compute_consequences(old_movement, new_movement, all_withdrawn_places),
        newcomer_places,
    )


def split_meetings_at_round(
    movement: Movement, played_round_count: int
) -> tuple[list[Meeting], list[Meeting]]:
    """Return the meetings of the rounds played, and those of later rounds."""
    past_meetings = [
        meeting for meeting in movement.meetings if meeting.round <= played_round_count
    ]
    return past_meetings, [
        meeting for meeting in movement.meetings if meeting.round > played_round_count
    ]


def drop_idle_meetings(movement: Movement, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the meetings that have no absent place."""
    return [
        meeting
        for meeting in meetings
        if not movement.absent_places.intersection(meeting.places)
    ]


def is_pairs_contest(movement: Movement) -> bool:
    """Return whether pairs are ranked. Some ways to continue exist only for pairs."""
    return movement.contest is Contest.PAIRS
