"""The common steps of changes at a table: lock, load, and record in the history."""

from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Data, Undo
from clubs.errors import NotNow
from rubbers.errors import RubberRefused
from rubbers.models import RubberNight, RubberTable
from rubbers.snapshot import NightSnapshot, TableSnapshot, load_night


def check_open(night: RubberNight) -> None:
    """Refuse changes of a closed night. Raises NotNow."""
    if night.is_closed:
        raise NotNow(_("The night is closed. Reopen it first."))
    if night.drive is not None and night.drive.is_closed:
        raise NotNow(_("The drive is closed. Reopen it first."))


def check_not_of_drive(night: RubberNight) -> None:
    """Raise an error for the rubbers of a drive, whose players and seats the drive decides."""
    if night.drive is not None:
        raise NotNow(_("The drive decides the seats here."))


def load_table(
    night: RubberNight, number: int, round_: int = 0
) -> tuple[NightSnapshot, TableSnapshot]:
    """Load a locked night with one of its tables. Raises RubberRefused."""
    snapshot = load_night(night)
    table = snapshot.get_table(number, round_)
    if table is None:
        raise RubberRefused(_("Table %(table)s not found.") % {"table": number})
    return snapshot, table


def lock_table(
    night: RubberNight, number: int, round_: int = 0, *, is_own: bool = False
) -> tuple[NightSnapshot, TableSnapshot]:
    """Lock an open night, and load it with one of its tables. Raises NotNow, RubberRefused.

    With `is_own` a drive's rubbers are refused, since the drive decides who plays.
    """
    row = lock_activity(night)
    if is_own:
        check_not_of_drive(row)
    check_open(row)
    return load_table(row, number, round_)


def record_table_act(
    by: Actor,
    action: str,
    table: RubberTable,
    undo: str,
    undo_arguments: Data | None = None,
    *,
    where: Data | None = None,
    before: Data | None = None,
    after: Data | None = None,
    about: tuple[str, ...] = (),
) -> None:
    """Record an act at a table, and increment the revision of its night.

    `undo` is the inverse, which is called with the table and `undo_arguments`. Acts with a
    common `about` are undone in order; the default is the table.
    """
    increment_revision(table.night)
    place = {"round": table.round} if table.round else {}
    place |= {"table": table.number}
    audit.record(
        by,
        action,
        subject=table.night,
        where={**place, **(where or {})},
        before=before,
        after=after,
        back=Undo(
            about or (build_table_subject(table),), undo, {**place, **(undo_arguments or {})}
        ),
    )


def build_table_subject(table: RubberTable) -> str:
    """Return the subject under which changes at a table are undone in order."""
    return f"rubber table {table.round}.{table.number}"
