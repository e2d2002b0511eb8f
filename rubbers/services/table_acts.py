"""The common steps of changes at a table: lock the night, load it, and record the act."""

from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, AuditData, Undo
from clubs.errors import ActionUnavailable
from rubbers.errors import RubberRefused
from rubbers.models import RubberNight, RubberTable
from rubbers.snapshot import NightSnapshot, TableSnapshot, load_night


def check_is_open(night: RubberNight) -> None:
    """Raise ActionUnavailable if the night, or the drive of its rubbers, is closed."""
    if night.is_closed:
        raise ActionUnavailable(_("The night is closed. Reopen it first."))
    if night.drive is not None and night.drive.is_closed:
        raise ActionUnavailable(_("The drive is closed. Reopen it first."))


def check_has_no_drive(night: RubberNight) -> None:
    """Raise ActionUnavailable for the rubbers of a drive.

    The drive decides the players and seats.
    """
    if night.drive is not None:
        raise ActionUnavailable(_("The drive decides the seats here."))


def load_table(
    night: RubberNight, table_number: int, round_number: int = 0
) -> tuple[NightSnapshot, TableSnapshot]:
    """Load a locked night and one of its tables; raise RubberRefused for an unknown table."""
    snapshot = load_night(night)
    table = snapshot.get_table(table_number, round_number)
    if table is None:
        raise RubberRefused(_("Table %(table)s not found.") % {"table": table_number})
    return snapshot, table


def lock_table(
    night: RubberNight,
    table_number: int,
    round_number: int = 0,
    *,
    should_refuse_drive: bool = False,
) -> tuple[NightSnapshot, TableSnapshot]:
    """Lock an open night, and load it with one of its tables.

    Raises ActionUnavailable or RubberRefused. If `should_refuse_drive` is true,
    ActionUnavailable is raised for the rubbers of a drive, because the drive decides who plays.
    """
    locked_night = lock_activity(night)
    if should_refuse_drive:
        check_has_no_drive(locked_night)
    check_is_open(locked_night)
    return load_table(locked_night, table_number, round_number)


def record_table_act(
    by: Actor,
    action: str,
    rubber_table: RubberTable,
    inverse_name: str,
    undo_arguments: AuditData | None = None,
    *,
    where: AuditData | None = None,
    before: AuditData | None = None,
    after: AuditData | None = None,
    undo_subjects: tuple[str, ...] = (),
) -> None:
    """Record an act at a table, and increment the revision of its night.

    `inverse_name` is the key in `INVERSES` of the service that undoes the act. That service is
    called with the table and `undo_arguments`. Acts with a common subject in `undo_subjects`
    can only be undone in reverse order. By default, the subject is the table.
    """
    increment_revision(rubber_table.night)
    table_key = {"round": rubber_table.round} if rubber_table.round else {}
    table_key |= {"table": rubber_table.number}
    audit.record(
        by,
        action,
        subject=rubber_table.night,
        where={**table_key, **(where or {})},
        before=before,
        after=after,
        undo=Undo(
            undo_subjects or (build_table_subject(rubber_table),),
            inverse_name,
            {**table_key, **(undo_arguments or {})},
        ),
    )


def build_table_subject(rubber_table: RubberTable) -> str:
    """Return the undo subject of a table, e.g. "rubber table 2.3" for table 3 in round 2."""
    return f"rubber table {rubber_table.round}.{rubber_table.number}"
