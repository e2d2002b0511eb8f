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
from clubs.audit import Actor, Data, Undo

Kind = TypeVar("Kind", bound=Activity)
EveningKind = TypeVar("EveningKind", bound=EveningActivity)


def lock_activity(activity: Kind) -> Kind:
    """Lock the row of an activity until the transaction ends, and return its current values."""
    rows = type(activity)._default_manager.select_for_update(of=("self",))
    return rows.select_related(*activity.related).get(pk=activity.pk)


def increment_revision(activity: EveningActivity) -> None:
    """Increment the activity's revision number, which open pages and caches compare."""
    activity.revision += 1
    activity.save(update_fields=["revision"])


def build_creation_undo(kind: type[Activity], *waits_for: str) -> Undo:
    """Return the undo data of an activity's creation.

    Its undo archives the activity and deletes nothing.
    """
    return Undo(_build_list_subject(kind), f"{kind.kind}.put_away", waits_for=waits_for)


@transaction.atomic
def archive(
    *,
    activity: Kind,
    first: Callable[[Kind], object] | None = None,
    undo_arguments: Data | None = None,
    by: Actor,
) -> Kind:
    """Hide an activity from all lists; its page and its data are not changed.

    `first` is called with the locked row and may raise an error to refuse. `undo_arguments` is
    stored as the keyword arguments of the inverse. Nothing happens if the activity is already
    archived.
    """
    return _set_archived(activity, True, first, undo_arguments, by)


@transaction.atomic
def restore(
    *,
    activity: Kind,
    first: Callable[[Kind], object] | None = None,
    undo_arguments: Data | None = None,
    by: Actor,
) -> Kind:
    """Show an archived activity in the lists again, with the same arguments as `archive`."""
    return _set_archived(activity, False, first, undo_arguments, by)


def _set_archived(
    activity: Kind,
    is_archived: bool,
    first: Callable[[Kind], object] | None,
    undo_arguments: Data | None,
    by: Actor,
) -> Kind:
    row = lock_activity(activity)
    if (row.put_away_at is not None) == is_archived:
        return row
    if first is not None:
        first(row)
    row.put_away_at = timezone.now() if is_archived else None
    row.save(update_fields=["put_away_at"])
    action, undo_action = (
        ("put_away", "bring_back") if is_archived else ("brought_back", "put_away")
    )
    undo = Undo(
        _build_list_subject(type(row)), f"{row.kind}.{undo_action}", undo_arguments or {}
    )
    audit.record(by, f"{row.kind}.{action}", subject=row, back=undo)
    return row


@transaction.atomic
def close(
    *,
    activity: EveningKind,
    first: Callable[[EveningKind], Data | None] | None = None,
    closed_at: str = "",
    by: Actor,
) -> EveningKind:
    """Close an activity, which makes its result final and allows its secret to be published.

    `first` is called with the locked row, may raise an error to refuse, and returns the result
    for the history. `closed_at` is the original closing time (ISO 8601) when a reopening is
    undone.
    """
    row = lock_activity(activity)
    if row.is_closed:
        return row
    after = first(row) if first is not None else None
    closing_time = datetime.fromisoformat(closed_at) if closed_at else timezone.now()
    _set_closed_at(row, row.State.CLOSED, closing_time)
    undo = Undo(_build_close_subject(row), f"{row.kind}.reopen")
    audit.record(by, f"{row.kind}.closed", subject=row, after=after, back=undo)
    return row


@transaction.atomic
def reopen(
    *,
    activity: EveningKind,
    first: Callable[[EveningKind], object] | None = None,
    undo_arguments: Mapping[str, Any] | None = None,
    by: Actor,
) -> EveningKind:
    """Reopen a closed activity.

    Its secret may already be public, which would make later draws predictable. `first` is
    called with the locked row and may raise an error to refuse. `undo_arguments` is stored as
    the keyword arguments of the inverse.
    """
    row = lock_activity(activity)
    if not row.is_closed:
        return row
    if first is not None:
        first(row)
    undo_values = {"closed_at": row.closed_at.isoformat() if row.closed_at else ""}
    _set_closed_at(row, row.State.OPEN, None)
    undo = Undo(
        _build_close_subject(row),
        f"{row.kind}.close",
        {**(undo_arguments or {}), **undo_values},
    )
    audit.record(by, f"{row.kind}.reopened", subject=row, back=undo)
    return row


def _set_closed_at(row: EveningActivity, state: str, closed_at: datetime | None) -> None:
    row.state, row.closed_at = state, closed_at
    row.revision += 1
    row.save(update_fields=["state", "closed_at", "revision"])


def _build_list_subject(kind: type[Activity]) -> tuple[str]:
    return (f"{kind.kind} in lists",)


def _build_close_subject(row: EveningActivity) -> tuple[str]:
    return (f"{row.kind} close",)
