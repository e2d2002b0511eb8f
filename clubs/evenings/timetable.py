"""The timetable of the rounds of an evening; this module does not read the current time."""

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

    Time added to a round, or to the move after a round, delays everything that follows.
    """

    round_count: int
    round_length: timedelta
    moving_time: timedelta = ZERO_TIME
    added_times_by_round: Mapping[int, timedelta] = field(default_factory=dict)
    added_moving_times_by_round: Mapping[int, timedelta] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClockMoment:
    """The state of the clock at one moment: the round, its phase, and the remaining time."""

    round_number: int
    phase: Phase
    time_left: timedelta


def compute_round_ends(timetable: Timetable) -> list[tuple[timedelta, timedelta]]:
    """Return, for each round, the end of play and the start of the next round."""
    round_ends, start_time = [], ZERO_TIME
    for round_number in range(1, timetable.round_count + 1):
        added_time = timetable.added_times_by_round.get(round_number, ZERO_TIME)
        end_time = start_time + max(timetable.round_length + added_time, ZERO_TIME)
        moving_time = timetable.moving_time + timetable.added_moving_times_by_round.get(
            round_number, ZERO_TIME
        )
        start_time = end_time + (
            max(moving_time, ZERO_TIME) if round_number < timetable.round_count else ZERO_TIME
        )
        round_ends.append((end_time, start_time))
    return round_ends


def compute_moment(timetable: Timetable, elapsed_time: timedelta) -> ClockMoment:
    """Return the state of the clock after the time `elapsed_time` since the clock's start."""
    for round_number, (end_time, next_start) in enumerate(
        compute_round_ends(timetable), start=1
    ):
        if elapsed_time < end_time:
            return ClockMoment(round_number, "playing", end_time - elapsed_time)
        if elapsed_time < next_start:
            return ClockMoment(round_number, "moving", next_start - elapsed_time)
    return ClockMoment(timetable.round_count, "over", ZERO_TIME)
