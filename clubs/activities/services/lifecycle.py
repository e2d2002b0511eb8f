"""Services that archive, restore, close and reopen an activity.

The action codes and the names of the inverses begin with the activity's kind: `drive.closed`.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from clubs import audit
from clubs.activities.models import Activity, EveningActivity
from clubs.audit import Actor, AuditData, Undo

ActivityT = TypeVar("ActivityT", bound=Activity)
EveningActivityT = TypeVar("EveningActivityT", bound=EveningActivity)


def lock_activity(activity: ActivityT) -> ActivityT:
    """Lock the row of an activity until the transaction ends, and return its current values."""
    activities = type(activity)._default_manager.select_for_update(of=("self",))
    return activities.select_related(*activity.select_related_fields).get(pk=activity.pk)


def increment_revision(activity: EveningActivity) -> None:
    """Increment the activity's revision number, which open pages and caches compare."""
    activity.revision += 1
    activity.save(update_fields=["revision"])


def build_creation_undo(model: type[Activity], *blocking_subjects: str) -> Undo:
    """Return the undo data of an activity's creation.

    The undo archives the activity and deletes nothing.
    """
    return Undo(
        _build_list_visibility_undo_subjects(model),
        f"{model.kind}.put_away",
        waits_for=blocking_subjects,
    )


@transaction.atomic
def archive(
    *,
    activity: ActivityT,
    check: Callable[[ActivityT], object] | None = None,
    undo_arguments: AuditData | None = None,
    by: Actor,
) -> ActivityT:
    """Hide an activity from all lists; its page and its data are not changed.

    `check` is called with the locked row and may raise an error to prevent the change.
    `undo_arguments` is stored as the keyword arguments of the inverse. Nothing happens if the
    activity is already archived.
    """
    return _set_archived(activity, True, check, undo_arguments, by)


@transaction.atomic
def restore_activity(
    *,
    activity: ActivityT,
    check: Callable[[ActivityT], object] | None = None,
    undo_arguments: AuditData | None = None,
    by: Actor,
) -> ActivityT:
    """Show an archived activity in the lists again, with the same arguments as `archive`."""
    return _set_archived(activity, False, check, undo_arguments, by)


def _set_archived(
    activity: ActivityT,
    is_archived: bool,
    check: Callable[[ActivityT], object] | None,
    undo_arguments: AuditData | None,
    by: Actor,
) -> ActivityT:
    locked_activity = lock_activity(activity)
    if (locked_activity.put_away_at is not None) == is_archived:
        return locked_activity
    if check is not None:
        check(locked_activity)
    locked_activity.put_away_at = timezone.now() if is_archived else None
    locked_activity.save(update_fields=["put_away_at"])
    action, undo_action = (
        ("put_away", "bring_back") if is_archived else ("brought_back", "put_away")
    )
    undo = Undo(
        _build_list_visibility_undo_subjects(type(locked_activity)),
        f"{locked_activity.kind}.{undo_action}",
        undo_arguments or {},
    )
    audit.record(by, f"{locked_activity.kind}.{action}", subject=locked_activity, undo=undo)
    return locked_activity


@transaction.atomic
def close_activity(
    *,
    activity: EveningActivityT,
    get_result: Callable[[EveningActivityT], AuditData | None] | None = None,
    closed_at: str = "",
    by: Actor,
) -> EveningActivityT:
    """Close an activity, which makes its result final and allows its secret to be published.

    `get_result` is called with the locked row and returns the result for the history. It may
    raise an error to prevent the closing. `closed_at` is the original closing time (ISO 8601)
    when a reopening is undone.
    """
    locked_activity = lock_activity(activity)
    if locked_activity.is_closed:
        return locked_activity
    result_data = get_result(locked_activity) if get_result is not None else None
    closing_time = datetime.fromisoformat(closed_at) if closed_at else timezone.now()
    _set_state_and_closed_at(locked_activity, locked_activity.State.CLOSED, closing_time)
    undo = Undo(_build_closing_undo_subjects(locked_activity), f"{locked_activity.kind}.reopen")
    audit.record(
        by,
        f"{locked_activity.kind}.closed",
        subject=locked_activity,
        after=result_data,
        undo=undo,
    )
    return locked_activity


@transaction.atomic
def reopen_activity(
    *,
    activity: EveningActivityT,
    check: Callable[[EveningActivityT], object] | None = None,
    undo_arguments: Mapping[str, Any] | None = None,
    by: Actor,
) -> EveningActivityT:
    """Reopen a closed activity.

    Its secret may already be public, which would make later draws predictable. `check` is
    called with the locked row and may raise an error to prevent the reopening. `undo_arguments`
    is stored as the keyword arguments of the inverse.
    """
    locked_activity = lock_activity(activity)
    if not locked_activity.is_closed:
        return locked_activity
    if check is not None:
        check(locked_activity)
    closing_time_argument = {
        "closed_at": locked_activity.closed_at.isoformat() if locked_activity.closed_at else ""
    }
    _set_state_and_closed_at(locked_activity, locked_activity.State.OPEN, None)
    undo = Undo(
        _build_closing_undo_subjects(locked_activity),
        f"{locked_activity.kind}.close",
        {**(undo_arguments or {}), **closing_time_argument},
    )
    audit.record(by, f"{locked_activity.kind}.reopened", subject=locked_activity, undo=undo)
    return locked_activity


def _set_state_and_closed_at(
    activity: EveningActivity, state: str, closed_at: datetime | None
) -> None:
    activity.state, activity.closed_at = state, closed_at
    activity.revision += 1
    activity.save(update_fields=["state", "closed_at", "revision"])


def _build_list_visibility_undo_subjects(model: type[Activity]) -> tuple[str]:
    return (f"{model.kind} in lists",)


def _build_closing_undo_subjects(activity: EveningActivity) -> tuple[str]:
    return (f"{activity.kind} close",)
