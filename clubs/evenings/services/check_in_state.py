"""Services that open, cancel and finish the check-in of an evening."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Subject, Undo
from clubs.errors import CheckInRefused
from clubs.evenings.services.check_ins import lock_evening
from clubs.evenings.services.links import create_links
from clubs.models import CheckIn, Evening

CHECK_IN_SECTION = "A"
"""The section of all tables, because check-in is for events with one section."""
MAX_CHECK_IN_TABLES = 100

State = Evening.CheckInState


@transaction.atomic
def open_check_in(*, evening: Evening, tables: int, subject: Subject, by: Actor) -> Evening:
    """Open the check-in with this many tables, or add the missing tables; idempotent.

    Every table gets a link. Raises CheckInRefused for a wrong number of tables, and once play
    has started.
    """
    if not 1 <= tables <= MAX_CHECK_IN_TABLES:
        words = _("Enter 1–%(most)s tables.")
        raise CheckInRefused(words % {"most": MAX_CHECK_IN_TABLES})
    row = lock_evening(evening)
    if row.check_in_state == State.STARTED:
        raise CheckInRefused(_("Play has started."))
    numbers = [(CHECK_IN_SECTION, number) for number in range(1, tables + 1)]
    create_links(evening=row, tables=numbers, about=subject, by=by)
    _set_state(row, State.OPEN, subject, by)
    return row


@transaction.atomic
def set_check_in_state(*, evening: Evening, state: str, subject: Subject, by: Actor) -> Evening:
    """Open the check-in again, or cancel it; the people on the list and the links remain."""
    row = lock_evening(evening)
    if state not in (State.UNUSED, State.OPEN):
        raise CheckInRefused(_("Choose open or cancelled."))
    _set_state(row, State(state), subject, by)
    return row


def _set_state(row: Evening, state: State, subject: Subject, by: Actor) -> None:
    before = row.check_in_state
    if before == state:
        return
    row.check_in_state = state
    row.save(update_fields=["check_in_state"])
    # A start has its own undo, which also removes the seats.
    is_plain = before != State.STARTED
    undo_arguments = {"evening": row.pk, "state": before}
    audit.record(
        by,
        "check_in.opened" if state == State.OPEN else "check_in.cancelled",
        subject=subject,
        back=Undo(
            (f"check_ins {row.pk}",), "check_in.state" if is_plain else "", undo_arguments
        ),
    )


def mark_started(*, evening: Evening, numbers: Mapping[int, int]) -> None:
    """End the check-in when play starts, and store each person's number in the event.

    `numbers` maps the primary keys of check-ins to numbers. The caller has locked the evening
    and records the act.
    """
    rows = list(evening.check_ins.filter(pk__in=numbers))
    for row in rows:
        row.number = numbers[row.pk]
    CheckIn.objects.bulk_update(rows, ["number"])
    evening.check_in_state = State.STARTED
    evening.save(update_fields=["check_in_state"])


def write_check_in_state(*, evening: Evening, state: str) -> None:
    """Restore the state before a start, or after it; the caller records the act."""
    evening.check_in_state = state
    evening.save(update_fields=["check_in_state"])
