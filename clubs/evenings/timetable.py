"""The timetable of the rounds of an evening; this module does not read the time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, NamedTuple

Phase = Literal["playing", "moving", "over"]
ZERO_TIME = timedelta()


class Pace(NamedTuple):
    """The length of a round and of the following move, in minutes."""

    minutes: int
    moving: int


@dataclass(frozen=True, slots=True)
class Timetable:
    """The timetable of a session's rounds, relative to the clock's start.

    Time added to a round or move delays everything after it. `added` and `added_moving`
    contain that time by round number.
    """

    rounds: int
    length: timedelta
    moving: timedelta = ZERO_TIME
    added: Mapping[int, timedelta] = field(default_factory=dict)
    added_moving: Mapping[int, timedelta] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClockMoment:
    """The state of the clock at one moment: the round, its phase, and the remaining time."""

    round: int
    phase: Phase
    left: timedelta


def compute_round_ends(timetable: Timetable) -> list[tuple[timedelta, timedelta]]:
    """Return, for each round, the end of play and the start of the next round."""
    ends, start = [], ZERO_TIME
    for number in range(1, timetable.rounds + 1):
        extra = timetable.added.get(number, ZERO_TIME)
        end = start + max(timetable.length + extra, ZERO_TIME)
        moving = timetable.moving + timetable.added_moving.get(number, ZERO_TIME)
        start = end + (max(moving, ZERO_TIME) if number < timetable.rounds else ZERO_TIME)
        ends.append((end, start))
    return ends


def compute_moment(timetable: Timetable, elapsed: timedelta) -> ClockMoment:
    """Return the state of the clock when `elapsed` is the time since its start."""
    for number, (end, next_start) in enumerate(compute_round_ends(timetable), start=1):
        if elapsed < end:
            return ClockMoment(number, "playing", end - elapsed)
        if elapsed < next_start:
            return ClockMoment(number, "moving", next_start - elapsed)
    return ClockMoment(timetable.rounds, "over", ZERO_TIME)
