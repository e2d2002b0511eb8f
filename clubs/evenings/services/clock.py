"""Services that set, start, pause and adjust the round clock of an evening."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import floor
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, AuditData, AuditSubject, Undo
from clubs.errors import ActionUnavailable
from clubs.evenings.services.fixtures import serialize_fixture_values
from clubs.evenings.timetable import Pace, compute_round_ends
from clubs.models import Evening, RoundClock


@transaction.atomic
def set_clock(
    *, evening: Evening, minutes: int, moving: int, subject: AuditSubject, by: Actor
) -> RoundClock:
    """Set the length of each round and of each move between rounds, in minutes.

    Raises ActionUnavailable for a length outside the allowed range.
    """
    if not (1 <= minutes <= 240 and 0 <= moving <= 60):
        raise ActionUnavailable(_("Enter 1–240 minutes per round and 0–60 for moving."))
    clock = _lock_clock(evening)
    old_state = _build_state(clock)
    if clock._state.adding or (clock.minutes, clock.moving) != (minutes, moving):
        clock.minutes, clock.moving = minutes, moving
        clock.save()
        _record_act(by, clock, subject, old_state, "set", minutes)
    return clock


@transaction.atomic
def start_clock(
    *,
    evening: Evening,
    round_count: int,
    default_pace: Pace,
    subject: AuditSubject,
    by: Actor,
    round_number: int = 1,
    should_shift_start: bool = False,
) -> RoundClock:
    """Start the clock, or resume it after a pause.

    A new clock starts at the beginning of the round `round_number`, with the `default_pace`
    pace if it has no settings. After a pause the current phase becomes longer by the length of
    the pause. If `should_shift_start` is True, the start time is moved by the pause instead.
    """
    clock = _lock_clock(evening, default_pace)
    old_state = _build_state(clock)
    current_time = timezone.now()
    if clock.started_at is None:
        clock.added, clock.added_moving = {}, {}
        clock.started_at, clock.paused_at = (
            current_time - _compute_round_start(clock, round_count, round_number),
            None,
        )
        _record_act(by, clock, subject, old_state, "started")
    elif clock.paused_at is not None:
        if should_shift_start:
            clock.started_at += current_time - clock.paused_at
        else:
            _add_time(clock, round_count, current_time - clock.paused_at)
        clock.paused_at = None
        _record_act(by, clock, subject, old_state, "goes_on")
    clock.save()
    return clock


@transaction.atomic
def pause_clock(*, evening: Evening, subject: AuditSubject, by: Actor) -> RoundClock:
    """Pause the clock if it is running."""
    clock = _lock_clock(evening)
    old_state = _build_state(clock)
    if clock.started_at is not None and clock.paused_at is None:
        clock.paused_at = timezone.now()
        clock.save(update_fields=["paused_at"])
        _record_act(by, clock, subject, old_state, "paused")
    return clock


@transaction.atomic
def add_minutes_to_clock(
    *, evening: Evening, round_count: int, minutes: int, subject: AuditSubject, by: Actor
) -> RoundClock:
    """Add minutes to the current round or move; a negative number shortens it.

    The end of a round cannot be moved before the current time. If the last round is over, the
    minutes are counted from now. Raises ActionUnavailable if the clock was not started.
    """
    clock = _lock_running_clock(evening)
    old_state, now = _build_state(clock), timezone.now()
    moment = clock.compute_moment(round_count, now)
    added_time = max(timedelta(minutes=minutes), -moment.time_left)
    if moment.phase == "over":
        added_time = max(added_time, timedelta()) + _compute_overdue_time(
            clock, round_count, now
        )
    _add_time(clock, round_count, added_time)
    clock.save(update_fields=["added", "added_moving"])
    _record_act(by, clock, subject, old_state, "added", minutes)
    return clock


@transaction.atomic
def end_phase(
    *, evening: Evening, round_count: int, subject: AuditSubject, by: Actor
) -> RoundClock:
    """End the current round, or the current move, now.

    Raises ActionUnavailable if the clock was not started.
    """
    clock = _lock_running_clock(evening)
    old_state = _build_state(clock)
    remaining_time = clock.compute_moment(round_count, timezone.now()).time_left
    _add_time(clock, round_count, -remaining_time)
    clock.save(update_fields=["added", "added_moving"])
    _record_act(by, clock, subject, old_state, "ended")
    return clock


@transaction.atomic
def reset_clock(*, evening: Evening, subject: AuditSubject, by: Actor) -> RoundClock:
    """Reset a started clock to the state before its start."""
    clock = _lock_clock(evening)
    old_state = _build_state(clock)
    if clock.started_at is not None:
        clock.started_at = clock.paused_at = None
        clock.save(update_fields=["started_at", "paused_at"])
        _record_act(by, clock, subject, old_state, "set_back")
    return clock


@transaction.atomic
def restore_clock(
    *, evening: Evening, state: Mapping[str, Any], subject: AuditSubject, by: Actor
) -> RoundClock:
    """Undo a change of the clock by restoring its recorded state."""
    clock = _lock_clock(evening)
    old_state = _build_state(clock)
    _apply_state(clock, state)
    if state:
        clock.full_clean()
        clock.save()
    elif not clock._state.adding:
        clock.delete()
    _record_act(by, clock, subject, old_state, "put_back")
    return clock


@transaction.atomic
def restart_clock(*, evening: Evening) -> None:
    """Restart a started clock when the director calls a new round.

    No act is recorded here. The caller stores the result of `build_clock_state` as undo data.
    """
    clock = _lock_clock(evening)
    if clock.started_at is not None:
        clock.started_at, clock.paused_at, clock.added = timezone.now(), None, {}
        clock.save(update_fields=["started_at", "paused_at", "added"])


def build_clock_state(evening: Evening) -> dict[str, Any]:
    """Return the state of an evening's clock as undo data, which is empty without a clock."""
    clock = RoundClock.objects.filter(evening=evening).first()
    clock_state = _build_state(clock) if clock else {}
    return {
        name: clock_state[name] for name in ("started_at", "paused_at", "added") if clock_state
    }


@transaction.atomic
def set_clock_state(*, evening: Evening, clock_state: Mapping[str, Any]) -> None:
    """Restore a clock state that `build_clock_state` returned; the caller records the act."""
    clock = _lock_clock(evening)
    if clock_state and not clock._state.adding:
        _apply_state(clock, clock_state)
        clock.save()


def _apply_state(clock: RoundClock, clock_state: Mapping[str, Any]) -> None:
    for name, value in clock_state.items():
        is_time = name in ("started_at", "paused_at")
        setattr(clock, name, parse_datetime(value) if value and is_time else value)


def _lock_clock(evening: Evening, default_pace: Pace | None = None) -> RoundClock:
    """Lock the row of an evening, and return its clock.

    A clock without a row is returned unsaved, with the `default_pace` pace.
    """
    evenings = Evening.objects.select_for_update(of=("self",)).select_related("club")
    evening = evenings.get(pk=evening.pk)
    clock = RoundClock.objects.filter(evening=evening).first()
    clock = clock or RoundClock(**default_pace._asdict() if default_pace else {})
    clock.evening = evening
    return clock


def _lock_running_clock(evening: Evening) -> RoundClock:
    clock = _lock_clock(evening)
    if clock.started_at is None:
        raise ActionUnavailable(_("The clock hasn’t been started."))
    return clock


def _compute_round_start(clock: RoundClock, round_count: int, round_number: int) -> timedelta:
    """Return the time from the clock's start to the start of a round."""
    round_ends = compute_round_ends(clock.build_timetable(round_count))
    return (
        round_ends[round_number - 2][1] if 1 < round_number <= len(round_ends) else timedelta()
    )


def _compute_overdue_time(clock: RoundClock, round_count: int, now: datetime) -> timedelta:
    """Return the time that has passed since the end of the last round."""
    assert clock.started_at is not None
    round_ends = compute_round_ends(clock.build_timetable(round_count))
    return (clock.paused_at or now) - clock.started_at - round_ends[-1][0]


def _add_time(clock: RoundClock, round_count: int, added_time: timedelta) -> None:
    """Add time to the current round or move, which delays everything after it.

    Seconds are rounded. Negative times are rounded down, because an ended phase must not
    continue for a fraction of a second.
    """
    moment = clock.compute_moment(round_count, timezone.now())
    added_seconds_by_round = clock.added_moving if moment.phase == "moving" else clock.added
    round_key, total_seconds = str(moment.round_number), added_time.total_seconds()
    added_seconds_by_round[round_key] = added_seconds_by_round.get(round_key, 0) + (
        floor(total_seconds) if total_seconds < 0 else round(total_seconds)
    )


def _build_state(clock: RoundClock) -> dict[str, Any]:
    """Return the state of a clock as undo data, which is empty for an unsaved clock."""
    if clock._state.adding:
        return {}
    field_names = ("minutes", "moving", "started_at", "paused_at")
    clock_state = serialize_fixture_values({name: getattr(clock, name) for name in field_names})
    return {**clock_state, "added": dict(clock.added), "added_moving": dict(clock.added_moving)}


def _record_act(
    by: Actor,
    clock: RoundClock,
    subject: AuditSubject,
    old_state: AuditData,
    change_code: str,
    minutes: int | None = None,
) -> None:
    """Record a clock change with its code; `old_state` is stored as undo data."""
    evening = clock.evening
    undo_arguments = {"evening": evening.pk, "state": old_state}
    audit.record(
        by,
        "clock.changed",
        subject=subject,
        after={
            "clock": {"did": change_code} | ({} if minutes is None else {"minutes": minutes})
        },
        undo=Undo((f"clock {evening.pk}",), "clock", undo_arguments),
    )
