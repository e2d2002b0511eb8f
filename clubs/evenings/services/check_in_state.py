"""Services that open, cancel and finish the check-in of an evening."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, AuditSubject, Undo
from clubs.errors import CheckInRefused
from clubs.evenings.services.check_ins import lock_evening
from clubs.evenings.services.links import create_evening_table_links
from clubs.models import CheckIn, Evening

CHECK_IN_SECTION = "A"
"""The section of all tables, because check-in is for events with one section."""
MAX_CHECK_IN_TABLES = 100

State = Evening.CheckInState


@transaction.atomic
def open_check_in(
    *, evening: Evening, table_count: int, subject: AuditSubject, by: Actor
) -> Evening:
    """Open the check-in with this many tables, or add the missing tables; idempotent.

    Every table gets a link. Raises CheckInRefused for a wrong number of tables, and once play
    has started.
    """
    if not 1 <= table_count <= MAX_CHECK_IN_TABLES:
        message = _("Enter 1–%(most)s tables.")
        raise CheckInRefused(message % {"most": MAX_CHECK_IN_TABLES})
    locked_evening = lock_evening(evening)
    if locked_evening.check_in_state == State.STARTED:
        raise CheckInRefused(_("Play has started."))
    sections_and_tables = [
        (CHECK_IN_SECTION, table_number) for table_number in range(1, table_count + 1)
    ]
    create_evening_table_links(
        evening=locked_evening, sections_and_tables=sections_and_tables, subject=subject, by=by
    )
    _set_state(locked_evening, State.OPEN, subject, by)
    return locked_evening


@transaction.atomic
def set_check_in_state(
    *, evening: Evening, state: str, subject: AuditSubject, by: Actor
) -> Evening:
    """Open the check-in again, or cancel it; the people on the list and the links remain."""
    locked_evening = lock_evening(evening)
    if state not in (State.UNUSED, State.OPEN):
        raise CheckInRefused(_("Choose open or cancelled."))
    _set_state(locked_evening, State(state), subject, by)
    return locked_evening


def _set_state(evening: Evening, state: State, subject: AuditSubject, by: Actor) -> None:
    old_state = evening.check_in_state
    if old_state == state:
        return
    evening.check_in_state = state
    evening.save(update_fields=["check_in_state"])
    # A start has its own undo, which also removes the seats.
    was_not_started = old_state != State.STARTED
    undo_arguments = {"evening": evening.pk, "state": old_state}
    audit.record(
        by,
        "check_in.opened" if state == State.OPEN else "check_in.cancelled",
        subject=subject,
        undo=Undo(
            (f"check_ins {evening.pk}",),
            "check_in.state" if was_not_started else "",
            undo_arguments,
        ),
    )


def end_check_in(*, evening: Evening, numbers_by_check_in: Mapping[int, int]) -> None:
    """End the check-in when play starts, and store each person's number in the event.

    The numbers are given by the primary key of the check-in. The caller has locked the evening
    and records the act.
    """
    check_ins = list(evening.check_ins.filter(pk__in=numbers_by_check_in))
    for check_in in check_ins:
        check_in.number = numbers_by_check_in[check_in.pk]
    CheckIn.objects.bulk_update(check_ins, ["number"])
    evening.check_in_state = State.STARTED
    evening.save(update_fields=["check_in_state"])


def write_check_in_state(*, evening: Evening, state: str) -> None:
    """Save the check-in state when a start is undone or redone; the caller records the act."""
    evening.check_in_state = state
    evening.save(update_fields=["check_in_state"])
