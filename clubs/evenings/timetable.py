"""The timetable of rounds, and the state of the clock in it; the module reads no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, NamedTuple

Phase = Literal["playing", "moving", "over"]
NOTHING = timedelta()


class Pace(NamedTuple):
    """The lengths of a round and of the move after it, in minutes."""

    minutes: int
    moving: int


@dataclass(frozen=True, slots=True)
class Timetable:
    """The rounds of a session on the clock, relative to its start.

    Time added to a round, or removed, shifts everything after it.
    """

    rounds: int
    length: timedelta
    moving: timedelta = NOTHING
    added: Mapping[int, timedelta] = field(default_factory=dict)
    added_moving: Mapping[int, timedelta] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of the clock: the round, its phase, and the time left."""

    round: int
    phase: Phase
    left: timedelta


def round_ends(timetable: Timetable) -> list[tuple[timedelta, timedelta]]:
    """Return for each round the end of play, and the start of the next one."""
    ends, start = [], NOTHING
    for number in range(1, timetable.rounds + 1):
        extra = timetable.added.get(number, NOTHING)
        end = start + max(timetable.length + extra, NOTHING)
        moving = timetable.moving + timetable.added_moving.get(number, NOTHING)
        start = end + (max(moving, NOTHING) if number < timetable.rounds else NOTHING)
        ends.append((end, start))
    return ends


def moment(timetable: Timetable, passed: timedelta) -> Moment:
    """Return the state of the clock at a time after its start."""
    for number, (end, following) in enumerate(round_ends(timetable), start=1):
        if passed < end:
            return Moment(number, "playing", end - passed)
        if passed < following:
            return Moment(number, "moving", following - passed)
    return Moment(timetable.rounds, "over", NOTHING)
