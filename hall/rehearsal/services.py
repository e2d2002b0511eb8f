"""The services that create, control and delete rehearsals; they never change a real event."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import scoring.services
import tournaments.services
from boards.models import BoardSet
from clubs import audit
from clubs.audit import Actor, AuditData, Undo
from clubs.evenings.services import pause_clock
from clubs.evenings.timetable import Pace, compute_round_ends
from clubs.models import RoundClock
from hall.models import Rehearsal
from hall.phones.services import create_table_links
from hall.rehearsal.evening import (
    LATE_PLAYER_NAMES,
    get_session,
    list_sittings,
    load_scripted_evening,
    serialize_mishap,
)
from hall.rehearsal.script import choose_mishaps
from hall.room.clock import find_clock, get_default_pace
from hall.room.services import start_clock
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import load_session_snapshot
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Section, Session
from tournaments.movements.changes import LateArrival, list_continuations
from tournaments.movements.schedule import UnplayableMovement
from tournaments.seating_snapshot import load_movement


@transaction.atomic
def create_rehearsal(*, session: Session, by: Actor) -> Rehearsal:
    """Create a copy of a session's event in which the program plays; idempotent.

    The copy uses the real deals only if they are public. Otherwise new boards are dealt for it
    (rules D2). Raises ActionUnavailable before a movement is chosen, or if the event is scored
    in points.
    """
    # locked, so that a double click creates only one rehearsal
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.event.is_rehearsal:
        raise ActionUnavailable(_("This is already a rehearsal."))
    if session.event.is_scored_in_points:
        raise ActionUnavailable(_("An event scored in points can’t be rehearsed."))
    rehearsal = Rehearsal.objects.filter(of=session).first()
    if rehearsal is not None:
        return rehearsal
    name = _("Rehearsal: %(name)s") % {"name": session.event.name}
    copied_session = scoring.services.copy_session(session=session, name=name, by=by)
    _prepare_boards(session, copied_session, by)
    _copy_clock(session, copied_session)
    random_seed, table_sittings = (
        secrets.token_hex(8),
        list_sittings(load_session_snapshot(copied_session)),
    )
    mishaps = choose_mishaps(
        random_seed, table_sittings, can_admit_late_pair=_can_admit_late_entry(copied_session)
    )
    return Rehearsal.objects.create(
        event=copied_session.event,
        of=session,
        seed=random_seed,
        script=[serialize_mishap(mishap) for mishap in mishaps],
    )


@transaction.atomic
def run_rehearsal(*, rehearsal: Rehearsal, by: Actor) -> Rehearsal:
    """Open the rehearsal's session if necessary, and start or resume its round clock."""
    session = get_session(rehearsal)
    if session.state == Session.State.PLANNED:
        session = scoring.services.open_session(session=session, by=by)
        create_table_links(session=session, by=by)
    start_clock(session=session, by=by)
    return rehearsal


@transaction.atomic
def pause_rehearsal(*, rehearsal: Rehearsal, by: Actor) -> Rehearsal:
    """Pause the rehearsal's clock, which also pauses the simulation."""
    pause_clock(evening=get_session(rehearsal).evening, subject=rehearsal.event, by=by)
    return rehearsal


@transaction.atomic
def set_speed(*, rehearsal: Rehearsal, speed: int, by: Actor) -> Rehearsal:
    """Set the speed of a rehearsal: 1, 10 or 60 times real time."""
    rehearsal = Rehearsal.objects.select_for_update().get(pk=rehearsal.pk)
    if speed not in Rehearsal.Speed.values:
        raise ActionUnavailable(_("Choose one of the three speeds."))
    previous_speed, rehearsal.speed = rehearsal.speed, speed
    if previous_speed != speed:
        rehearsal.save(update_fields=["speed"])
        undo = Undo(("speed",), "rehearsal.speed", {"speed": previous_speed})
        _record_act(
            rehearsal, "rehearsal.speed", by, {"speed": previous_speed}, {"speed": speed}, undo
        )
    return rehearsal


@transaction.atomic
def finish_round(*, rehearsal: Rehearsal, round_number: int, by: Actor) -> Rehearsal:
    """Advance the rehearsal's clock until all results of a round are due."""
    rehearsal, session, clock = lock_rehearsal(rehearsal)
    scripted_evening = load_scripted_evening(rehearsal, session, clock)
    if round_number not in scripted_evening.times_by_round:
        raise ActionUnavailable(_("Round not found. Reload the page."))
    round_end, _next_round_start = compute_round_ends(
        clock.build_timetable(len(scripted_evening.times_by_round))
    )[round_number - 1]
    result_entry_seconds = [
        due_result.entry_seconds
        for due_result in scripted_evening.due_results
        if due_result.sitting.table_key.round_number <= round_number
    ]
    _advance_rehearsal(
        rehearsal, clock, max([*result_entry_seconds, round_end.total_seconds()])
    )
    _record_act(rehearsal, "rehearsal.finished", by, after={"round": round_number})
    return rehearsal


@transaction.atomic
def finish_evening(*, rehearsal: Rehearsal, by: Actor) -> Rehearsal:
    """Advance the rehearsal's clock until all results of the event are due."""
    rehearsal, session, clock = lock_rehearsal(rehearsal)
    scripted_evening = load_scripted_evening(rehearsal, session, clock)
    round_ends = compute_round_ends(clock.build_timetable(len(scripted_evening.times_by_round)))
    _advance_rehearsal(
        rehearsal,
        clock,
        max(
            [scripted_evening.due_results[-1].entry_seconds, round_ends[-1][0].total_seconds()]
        ),
    )
    _record_act(rehearsal, "rehearsal.finished", by, after={"evening": True})
    return rehearsal


@transaction.atomic
def delete_rehearsal(*, event: Event, by: Actor) -> None:
    """Delete a rehearsal's event with all its results, and record the deletion in the history.

    Raises ActionUnavailable for a real event.
    """
    scoring.services.delete_rehearsal(event=event, rehearsal_names=LATE_PLAYER_NAMES, by=by)


def lock_rehearsal(rehearsal: Rehearsal) -> tuple[Rehearsal, Session, RoundClock]:
    """Lock a rehearsal in progress, and return it with its session and its clock.

    Raises ActionUnavailable if the rehearsal has not been started, or if its session is closed.
    """
    # locked, because two open pages may send requests at the same time
    Session.objects.select_for_update().get(event=rehearsal.event_id, number=1)
    rehearsal = Rehearsal.objects.select_for_update(of=("self",)).get(pk=rehearsal.pk)
    clock = RoundClock.objects.filter(evening__session__event=rehearsal.event_id).first()
    if clock is None or clock.started_at is None:
        raise ActionUnavailable(_("Start the rehearsal first."))
    session = get_session(rehearsal)
    if session.state != Session.State.OPEN:
        raise ActionUnavailable(_("The rehearsal is closed. Reopen or delete it."))
    return rehearsal, session, clock


def set_elapsed_time(rehearsal: Rehearsal, clock: RoundClock, elapsed_time: timedelta) -> None:
    """Set the time that has elapsed since the start of the rehearsal's clock.

    `rehearsal.reached` stores the elapsed time. `clock.started_at` becomes now less that time.
    """
    rehearsal.reached = elapsed_time
    rehearsal.save(update_fields=["reached"])
    clock.started_at = (clock.paused_at or timezone.now()) - elapsed_time
    clock.save(update_fields=["started_at"])


def _advance_rehearsal(rehearsal: Rehearsal, clock: RoundClock, seconds: float) -> None:
    set_elapsed_time(rehearsal, clock, max(rehearsal.reached, timedelta(seconds=seconds)))


def _prepare_boards(session: Session, copied_session: Session, by: Actor) -> None:
    """Copy the real deals to the rehearsal if they are public; otherwise deal new boards."""
    board_set = session.board_set
    if board_set is None:
        tournaments.services.set_table_shuffling(session=copied_session, by=by)
    elif can_see_hands(session) and board_set.is_ready:
        needed_boards = range(1, count_boards(copied_session) + 1)
        deals_by_board = {
            board_number: deal
            for board_number, deal in board_set.load_deals().items()
            if board_number in needed_boards
        }
        tournaments.services.import_deals(
            session=copied_session,
            deals_by_board=deals_by_board,
            source=BoardSet.Source.IMPORTED,
            by=by,
        )
    else:
        tournaments.services.request_dealing(session=copied_session, by=by)


def _copy_clock(session: Session, copied_session: Session) -> None:
    clock = find_clock(session)
    pace = Pace(clock.minutes, clock.moving) if clock else get_default_pace(session)
    RoundClock.objects.create(evening=copied_session.evening, **pace._asdict())


def _can_admit_late_entry(session: Session) -> bool:
    """Return whether the movement can seat a late entry in the first round."""
    section = Section.objects.select_related("session__event").filter(session=session).first()
    try:
        return section is not None and bool(
            list_continuations(load_movement(section), 1, LateArrival())
        )
    except UnplayableMovement:
        return False


def _record_act(
    rehearsal: Rehearsal,
    action: str,
    by: Actor,
    before: AuditData | None = None,
    after: AuditData | None = None,
    undo: Undo | None = None,
) -> None:
    audit.record(by, action, subject=rehearsal.event, before=before, after=after, undo=undo)
