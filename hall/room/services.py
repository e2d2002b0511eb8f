"""The round clock: set, started, paused, moved by a minute; the rounds after it follow."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Back, Data
from clubs.evenings.timetable import round_ends
from hall.room.clock import moment_of, rounds_of, usual_pace
from scoring.models import RoundClock
from tournaments.errors import NotNow
from tournaments.models import Session


@transaction.atomic
def set_clock(*, session: Session, minutes: int, moving: int, by: Actor) -> RoundClock:
    """Say how long a round and a move between rounds are, in minutes."""
    if not (1 <= minutes <= 240 and 0 <= moving <= 60):
        raise NotNow(_("A round takes 1 to 240 minutes, and moving 0 to 60."))
    clock = _locked(session)
    before = _state(clock)
    if clock._state.adding or (clock.minutes, clock.moving) != (minutes, moving):
        clock.minutes, clock.moving = minutes, moving
        clock.save()
        _record(by, session, before, "set", minutes)
    return clock


@transaction.atomic
def start_clock(*, session: Session, by: Actor, round_: int = 1) -> RoundClock:
    """Begin a round now, or go on after a pause: the pause moves everything after it.

    A clock that is first started when play is on begins with the round that is on.
    """
    clock = _locked(session)
    before = _state(clock)
    if session.state != Session.State.OPEN:
        raise NotNow(_("Open the session first; then the clock can start."))
    now = timezone.now()
    if clock.started_at is None:
        clock.added, clock.added_moving = {}, {}
        clock.started_at, clock.paused_at = now - _before(clock, session, round_), None
        _record(by, session, before, "started")
    elif clock.paused_at is not None:
        if session.event.is_rehearsal:  # nobody played on meanwhile, so nothing comes later
            clock.started_at += now - clock.paused_at
        else:
            _add(clock, session, now - clock.paused_at)
        clock.paused_at = None
        _record(by, session, before, "goes_on")
    clock.save()
    return clock


@transaction.atomic
def pause_clock(*, session: Session, by: Actor) -> RoundClock:
    """Stop the clock where it stands."""
    clock = _locked(session)
    before = _state(clock)
    if clock.started_at is not None and clock.paused_at is None:
        clock.paused_at = timezone.now()
        clock.save(update_fields=["paused_at"])
        _record(by, session, before, "paused")
    return clock


@transaction.atomic
def add_to_clock(*, session: Session, minutes: int, by: Actor) -> RoundClock:
    """Make the round or the move that is on longer or shorter; it ends now at the soonest."""
    clock = _running(session)
    before = _state(clock)
    left = moment_of(clock, rounds_of(session), timezone.now()).left
    _add(clock, session, max(timedelta(minutes=minutes), -left))
    clock.save(update_fields=["added", "added_moving"])
    _record(by, session, before, "added", minutes)
    return clock


@transaction.atomic
def end_phase(*, session: Session, by: Actor) -> RoundClock:
    """End the round, or the move, that is on now."""
    clock = _running(session)
    before = _state(clock)
    left = moment_of(clock, rounds_of(session), timezone.now()).left
    _add(clock, session, -left)
    clock.save(update_fields=["added", "added_moving"])
    _record(by, session, before, "ended")
    return clock


@transaction.atomic
def reset_clock(*, session: Session, by: Actor) -> RoundClock:
    """Take the start back."""
    clock = _locked(session)
    before = _state(clock)
    if clock.started_at is not None:
        clock.started_at = clock.paused_at = None
        clock.save(update_fields=["started_at", "paused_at"])
        _record(by, session, before, "set_back")
    return clock


@transaction.atomic
def put_clock_back(*, session: Session, state: Mapping[str, Any], by: Actor) -> RoundClock:
    """Undo the last change of a clock: it runs as if that had never been made."""
    clock = _locked(session)
    before = _state(clock)
    moments = ("started_at", "paused_at")
    for name, value in state.items():
        kept = parse_datetime(value) if value and name in moments else value
        setattr(clock, name, kept)
    if state:
        clock.full_clean()
        clock.save()
    elif not clock._state.adding:
        clock.delete()
    _record(by, session, before, "put_back")
    return clock


def _locked(session: Session) -> RoundClock:
    """Fetch the session's clock for a change; two who tap at once take turns.

    Until something is said about it there is no row, and the pace is the usual one.
    """
    Session.objects.select_for_update().get(pk=session.pk)
    kept = RoundClock.objects.filter(session=session).first()
    return kept or RoundClock(session=session, **usual_pace(session))


def _running(session: Session) -> RoundClock:
    clock = _locked(session)
    if clock.started_at is None:
        raise NotNow(_("The clock has not been started."))
    return clock


def _before(clock: RoundClock, session: Session, round_: int) -> timedelta:
    """How long after its start a clock comes to a round."""
    ends = round_ends(clock.timetable(rounds_of(session)))
    return ends[round_ - 2][1] if 1 < round_ <= len(ends) else timedelta()


def _add(clock: RoundClock, session: Session, more: timedelta) -> None:
    """Add to what is on at the moment, so that everything after it moves too."""
    on = moment_of(clock, rounds_of(session), timezone.now())
    kept = clock.added_moving if on.phase == "moving" else clock.added
    key = str(on.round)
    kept[key] = kept.get(key, 0) + round(more.total_seconds())


def _state(clock: RoundClock) -> dict[str, Any]:
    """Write down what a clock is, so that its next change can be taken back.

    Nothing, where nothing was said about it yet.
    """
    if clock._state.adding:
        return {}
    started, paused = clock.started_at, clock.paused_at
    return {
        "minutes": clock.minutes,
        "moving": clock.moving,
        "started_at": started.isoformat() if started else None,
        "paused_at": paused.isoformat() if paused else None,
        "added": dict(clock.added),
        "added_moving": dict(clock.added_moving),
    }


def _record(
    by: Actor, session: Session, before: Data, did: str, minutes: int | None = None
) -> None:
    """Keep what was `before`, what was done to the clock (a code), and by how much."""
    given = {"session": session.pk, "state": before}
    audit.record(
        by,
        "clock.changed",
        subject=session.event,
        after={"clock": {"did": did} | ({} if minutes is None else {"minutes": minutes})},
        back=Back((f"clock {session.pk}",), "clock", given),
    )
