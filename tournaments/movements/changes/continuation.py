"""One way to go on after a change: a whole schedule with its past, and what it brings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournaments.movements.changes.consequences import Clash, Consequences, consequences
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement


@dataclass(frozen=True, slots=True)
class Way:
    """One way to go on: the whole schedule, with its past, and what it brings.

    `newcomers` are the places that who came late takes: one, or both of a team. The movement
    admits replays and sharing, because what happened may break rules that a plan keeps.
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
    """Put a way together; None where a round would have no table left."""
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
    """The meetings of the rounds played, and those of the rounds to come."""
    past = [each for each in movement.meetings if each.round <= played]
    return past, [each for each in movement.meetings if each.round > played]


def really_played(movement: Movement, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Leave out the meetings in which an absent place leaves nobody to play."""
    return [each for each in meetings if not movement.absent.intersection(each.places)]


def is_of_pairs(movement: Movement) -> bool:
    """Whether pairs are ranked, which is what most ways are made for."""
    return movement.contest is Contest.PAIRS
