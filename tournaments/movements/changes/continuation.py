"""One way to continue after a change: a whole schedule with its past and its consequences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournaments.movements.changes.consequences import Clash, Consequences, consequences
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement


@dataclass(frozen=True, slots=True)
class Way:
    """One way to continue: the whole schedule with its past, and the consequences.

    `newcomers` are the places of a late arrival: one, or both of a team. The movement allows
    replays and sharing, because what happened may break rules that a plan obeys.
    """

    key: str
    movement: Movement
    clashes: tuple[Clash, ...]
    brings: Consequences
    newcomers: tuple[int, ...] = ()


def way(
    key: str,
    before: Movement,
    meetings: Iterable[Meeting],
    *,
    clashes: Sequence[Clash] = (),
    filled: Iterable[int] = (),
    labels: Sequence[str] = (),
    gone: Iterable[int] = (),
) -> Way | None:
    """Build a way; return None if a round would have no table left."""
    left = before.gone.union(gone)
    try:
        after = replace(
            before,
            name="custom",
            meetings=tuple(meetings),
            labels=(*before.labels, *labels),
            absent=before.absent - set(filled),
            sharing=True,
            replays=True,
            gone=left,
        )
    except UnplayableMovement:
        return None
    newcomers = (*sorted(filled), *range(before.places + 1, after.places + 1))
    return Way(key, after, tuple(clashes), consequences(before, after, left), newcomers)


def split(movement: Movement, played: int) -> tuple[list[Meeting], list[Meeting]]:
    """Return the meetings of the rounds played, and those of later rounds."""
    past = [each for each in movement.meetings if each.round <= played]
    return past, [each for each in movement.meetings if each.round > played]


def really_played(movement: Movement, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Leave out the meetings that an absent place makes idle."""
    return [each for each in meetings if not movement.absent.intersection(each.places)]


def is_of_pairs(movement: Movement) -> bool:
    """Return whether pairs are ranked, for which most ways are made."""
    return movement.contest is Contest.PAIRS
