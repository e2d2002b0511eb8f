"""When each round begins and ends, and where the clock stands; no clock is read here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, NamedTuple

Phase = Literal["playing", "moving", "over"]
NOTHING = timedelta()


class Pace(NamedTuple):
    """How long a round and the move after it are, in minutes."""

    minutes: int
    moving: int


@dataclass(frozen=True, slots=True)
class Timetable:
    """The rounds of a session as the clock counts them, seen from its start.

    What is added to a round, or taken off, moves everything after it.
    """

    rounds: int
    length: timedelta
    moving: timedelta = NOTHING
    added: Mapping[int, timedelta] = field(default_factory=dict)
    added_moving: Mapping[int, timedelta] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the clock stands: the round, whether it is played, and what is left of that."""

    round: int
    phase: Phase
    left: timedelta


def round_ends(timetable: Timetable) -> list[tuple[timedelta, timedelta]]:
    """Return for each round when its play ends, and when the next one begins."""
    ends, start = [], NOTHING
    for number in range(1, timetable.rounds + 1):
        extra = timetable.added.get(number, NOTHING)
        end = start + max(timetable.length + extra, NOTHING)
        moving = timetable.moving + timetable.added_moving.get(number, NOTHING)
        start = end + (max(moving, NOTHING) if number < timetable.rounds else NOTHING)
        ends.append((end, start))
    return ends


def moment(timetable: Timetable, passed: timedelta) -> Moment:
    """Say where the clock stands when so much time has passed since its start."""
    for number, (end, following) in enumerate(round_ends(timetable), start=1):
        if passed < end:
            return Moment(number, "playing", end - passed)
        if passed < following:
            return Moment(number, "moving", following - passed)
    return Moment(timetable.rounds, "over", NOTHING)
