"""One way to continue after a change: the complete schedule and the consequences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournaments.movements.changes.consequences import Clash, Consequences, compute_consequences
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement


@dataclass(frozen=True, slots=True)
class Continuation:
    """One way to continue: the schedule including the rounds played, and the consequences.

    `newcomers` are the places of a late arrival: one, or both of a team. The movement allows
    replays and sharing, because real play may have broken rules that a plan obeys.
    """

    key: str
    movement: Movement
    clashes: tuple[Clash, ...]
    consequences: Consequences
    newcomers: tuple[int, ...] = ()


def build_continuation(
    key: str,
    before: Movement,
    meetings: Iterable[Meeting],
    *,
    clashes: Sequence[Clash] = (),
    filled: Iterable[int] = (),
    labels: Sequence[str] = (),
    gone: Iterable[int] = (),
) -> Continuation | None:
    """Build a way to continue; return None if a round would have no table left."""
    left = before.withdrawn_places.union(gone)
    try:
        after = replace(
            before,
            name="custom",
            meetings=tuple(meetings),
            labels=(*before.labels, *labels),
            absent=before.absent - set(filled),
            sharing=True,
            replays=True,
            withdrawn_places=left,
        )
    except UnplayableMovement:
        return None
    newcomers = (*sorted(filled), *range(before.places + 1, after.places + 1))
    return Continuation(
        key, after, tuple(clashes), compute_consequences(before, after, left), newcomers
    )


def split_rounds(movement: Movement, played: int) -> tuple[list[Meeting], list[Meeting]]:
    """Return the meetings of the rounds played, and those of later rounds."""
    past = [each for each in movement.meetings if each.round <= played]
    return past, [each for each in movement.meetings if each.round > played]


def drop_idle_meetings(movement: Movement, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the meetings without those that an absent place makes idle."""
    return [each for each in meetings if not movement.absent.intersection(each.places)]


def ranks_pairs(movement: Movement) -> bool:
    """Return whether pairs are ranked; most ways to continue exist only for pairs."""
    return movement.contest is Contest.PAIRS
