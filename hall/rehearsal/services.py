"""The services for rehearsals: create, control and delete. They never change a real event."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import scoring.services
import tournaments.services
from boards.models import BoardSet
from clubs import audit
from clubs.audit import Actor, Back, Data
from clubs.evenings.services import pause_clock
from clubs.evenings.timetable import Pace, round_ends
from clubs.models import RoundClock
from hall.models import Rehearsal
from hall.phones.services import make_links
from hall.rehearsal.evening import STRANGERS, evening, keep_mishap, sats_of, session_of
from hall.rehearsal.script import script
from hall.room.clock import clock_of, usual_pace
from hall.room.services import start_clock
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import load_session_snapshot
from tournaments.board_counts import count_boards
from tournaments.errors import NotNow
from tournaments.models import Event, Section, Session
from tournaments.movements.changes import LateArrival, list_ways
from tournaments.movements.schedule import UnplayableMovement
from tournaments.seating_snapshot import load_movement


@transaction.atomic
def rehearse(*, session: Session, by: Actor) -> Rehearsal:
    """Create a copy of an evening that plays automatically; idempotent.

    It plays the real deals only if they are public, else boards dealt for it (rules D2). Raises
    NotNow before a movement is chosen.
    """
    # The lock serialises double clicks.
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.event.is_rehearsal:
        raise NotNow(_("This is a rehearsal already."))
    if session.event.counts_points:
        raise NotNow(
            _("An evening in points cannot be rehearsed: what is made up for it are tricks.")
        )
    standing = Rehearsal.objects.filter(of=session).first()
    if standing is not None:
        return standing
    name = _("Rehearsal: %(name)s") % {"name": session.event.name}
    made = scoring.services.copy_session(session=session, name=name, by=by)
    _prepare_boards(session, made, by)
    _copy_clock(session, made)
    seed, sats = secrets.token_hex(8), sats_of(load_session_snapshot(made))
    mishaps = script(seed, sats, admits=_admits(made))
    return Rehearsal.objects.create(
        event=made.event,
        of=session,
        seed=seed,
        script=[keep_mishap(each) for each in mishaps],
    )


@transaction.atomic
def run_rehearsal(*, rehearsal: Rehearsal, by: Actor) -> Rehearsal:
    """Start play with the round clock, or resume after a pause."""
    session = session_of(rehearsal)
    if session.state == Session.State.PLANNED:
        session = scoring.services.open_session(session=session, by=by)
        make_links(session=session, by=by)
    start_clock(session=session, by=by)
    return rehearsal


@transaction.atomic
def pause_rehearsal(*, rehearsal: Rehearsal, by: Actor) -> Rehearsal:
    """Pause the clock, and with it the simulation."""
    pause_clock(evening=session_of(rehearsal).evening, about=rehearsal.event, by=by)
    return rehearsal


@transaction.atomic
def set_speed(*, rehearsal: Rehearsal, speed: int, by: Actor) -> Rehearsal:
    """Set the speed to real time, ten times or sixty times as fast."""
    rehearsal = Rehearsal.objects.select_for_update().get(pk=rehearsal.pk)
    if speed not in Rehearsal.Speed.values:
        raise NotNow(_("Choose one of the three speeds."))
    before, rehearsal.speed = rehearsal.speed, speed
    if before != speed:
        rehearsal.save(update_fields=["speed"])
        back = Back(("speed",), "rehearsal.speed", {"speed": before})
        _record(rehearsal, "rehearsal.speed", by, {"speed": before}, {"speed": speed}, back)
    return rehearsal


@transaction.atomic
def finish_round(*, rehearsal: Rehearsal, round_: int, by: Actor) -> Rehearsal:
    """Skip to the end of a round, with all results up to it."""
    rehearsal, session, clock = locked(rehearsal)
    found = evening(rehearsal, session, clock)
    if round_ not in found.rounds:
        raise NotNow(_("There is no such round. Look at the page again."))
    end, _next = round_ends(clock.timetable(len(found.rounds)))[round_ - 1]
    results = [due.at for due in found.dues if due.sat.at.round <= round_]
    _jump(rehearsal, clock, max([*results, end.total_seconds()]))
    _record(rehearsal, "rehearsal.finished", by, after={"round": round_})
    return rehearsal


@transaction.atomic
def finish_evening(*, rehearsal: Rehearsal, by: Actor) -> Rehearsal:
    """Skip to the end of the evening, with all its results."""
    rehearsal, session, clock = locked(rehearsal)
    found = evening(rehearsal, session, clock)
    ends = round_ends(clock.timetable(len(found.rounds)))
    _jump(rehearsal, clock, max([found.dues[-1].at, ends[-1][0].total_seconds()]))
    _record(rehearsal, "rehearsal.finished", by, after={"evening": True})
    return rehearsal


@transaction.atomic
def throw_rehearsal_away(*, event: Event, by: Actor) -> None:
    """Delete a rehearsal with all its results; the history keeps a note of it.

    Raises NotNow for a real event, of which nothing is ever deleted.
    """
    scoring.services.delete_rehearsal(event=event, strangers=STRANGERS, by=by)


def locked(rehearsal: Rehearsal) -> tuple[Rehearsal, Session, RoundClock]:
    """Lock a rehearsal in progress, and return it with its session and its clock.

    Raises NotNow before it began and once it is closed.
    """
    # The lock serialises the requests of two open pages.
    Session.objects.select_for_update().get(event=rehearsal.event_id, number=1)
    rehearsal = Rehearsal.objects.select_for_update(of=("self",)).get(pk=rehearsal.pk)
    clock = RoundClock.objects.filter(evening__session__event=rehearsal.event_id).first()
    if clock is None or clock.started_at is None:
        raise NotNow(_("The rehearsal has not begun. Start it first."))
    session = session_of(rehearsal)
    if session.state != Session.State.OPEN:
        raise NotNow(_("The rehearsal is closed. Open it again, or discard it."))
    return rehearsal, session, clock


def set_clock_to(rehearsal: Rehearsal, clock: RoundClock, passed: timedelta) -> None:
    """Set the time elapsed since the start of the clock."""
    rehearsal.reached = passed
    rehearsal.save(update_fields=["reached"])
    clock.started_at = (clock.paused_at or timezone.now()) - passed
    clock.save(update_fields=["started_at"])


def _jump(rehearsal: Rehearsal, clock: RoundClock, seconds: float) -> None:
    set_clock_to(rehearsal, clock, max(rehearsal.reached, timedelta(seconds=seconds)))


def _prepare_boards(session: Session, made: Session, by: Actor) -> None:
    """Give the copy the real deals if they are no longer secret, else its own."""
    board_set = session.board_set
    if board_set is None:
        tournaments.services.shuffle_at_table(session=made, by=by)
    elif can_see_hands(session) and board_set.is_ready:
        needed = range(1, count_boards(made) + 1)
        deals = {number: deal for number, deal in board_set.deals().items() if number in needed}
        tournaments.services.import_deals(
            session=made, deals=deals, source=BoardSet.Source.IMPORTED, by=by
        )
    else:
        tournaments.services.prepare_boards(session=made, by=by)


def _copy_clock(session: Session, made: Session) -> None:
    clock = clock_of(session)
    pace = Pace(clock.minutes, clock.moving) if clock else usual_pace(session)
    RoundClock.objects.create(evening=made.evening, **pace._asdict())


def _admits(session: Session) -> bool:
    """Return whether a late entry can be seated in the first round."""
    section = Section.objects.select_related("session__event").filter(session=session).first()
    try:
        return section is not None and bool(list_ways(load_movement(section), 1, LateArrival()))
    except UnplayableMovement:
        return False


def _record(
    rehearsal: Rehearsal,
    action: str,
    by: Actor,
    before: Data | None = None,
    after: Data | None = None,
    back: Back | None = None,
) -> None:
    audit.record(by, action, subject=rehearsal.event, before=before, after=after, back=back)
