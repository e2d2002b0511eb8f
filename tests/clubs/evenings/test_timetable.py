"""The clock computes rounds in sequence, and added time moves later rounds."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.evenings.timetable import ClockMoment, Timetable, compute_moment, compute_round_ends

MINUTE = timedelta(minutes=1)
TIMETABLE = Timetable(round_count=3, round_length=20 * MINUTE, moving_time=2 * MINUTE)


def test_rounds_follow_one_another_with_a_move_between_them() -> None:
    ends = [
        (round_end / MINUTE, next_start / MINUTE)
        for round_end, next_start in compute_round_ends(TIMETABLE)
    ]
    assert ends == [(20, 22), (42, 44), (64, 64)]


def test_moment_has_the_current_phase_and_the_time_left() -> None:
    assert compute_moment(TIMETABLE, 0 * MINUTE) == ClockMoment(1, "playing", 20 * MINUTE)
    assert compute_moment(TIMETABLE, 21 * MINUTE) == ClockMoment(1, "moving", MINUTE)
    assert compute_moment(TIMETABLE, 22 * MINUTE) == ClockMoment(2, "playing", 20 * MINUTE)
    assert compute_moment(TIMETABLE, 64 * MINUTE) == ClockMoment(3, "over", 0 * MINUTE)


def test_added_minute_moves_all_later_rounds() -> None:
    timetable = Timetable(3, 20 * MINUTE, 2 * MINUTE, added_times_by_round={2: MINUTE})
    ends = [end / MINUTE for end, _following in compute_round_ends(timetable)]
    assert ends == [20, 43, 65]


def test_minute_added_to_the_move_does_not_reopen_the_round() -> None:
    timetable = Timetable(3, 20 * MINUTE, 2 * MINUTE, added_moving_times_by_round={1: MINUTE})
    assert compute_moment(timetable, 21 * MINUTE) == ClockMoment(1, "moving", 2 * MINUTE)
    assert compute_moment(timetable, 23 * MINUTE) == ClockMoment(2, "playing", 20 * MINUTE)


@settings(max_examples=60)
@given(
    rounds=st.integers(1, 30),
    round_minutes=st.integers(1, 90),
    moving_minutes=st.integers(0, 10),
    added_minutes_by_round=st.dictionaries(
        st.integers(1, 30), st.integers(-95, 60), max_size=6
    ),
    elapsed_minutes=st.integers(0, 4000),
)
def test_clock_never_goes_back_and_each_phase_ends_when_announced(
    rounds: int,
    round_minutes: int,
    moving_minutes: int,
    added_minutes_by_round: dict[int, int],
    elapsed_minutes: int,
) -> None:
    timetable = Timetable(
        rounds,
        round_minutes * MINUTE,
        moving_minutes * MINUTE,
        {k: v * MINUTE for k, v in added_minutes_by_round.items()},
    )
    now, later_moment = (
        compute_moment(timetable, elapsed_minutes * MINUTE),
        compute_moment(timetable, (elapsed_minutes + 1) * MINUTE),
    )
    assert later_moment.round_number >= now.round_number
    assert now.time_left >= timedelta()
    if now.phase != "over":
        moment_after = compute_moment(timetable, elapsed_minutes * MINUTE + now.time_left)
        assert (moment_after.round_number, moment_after.phase) != (now.round_number, now.phase)
