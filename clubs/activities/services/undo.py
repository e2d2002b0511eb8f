"""Services that undo the recorded acts of an activity."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.models import Activity, EveningActivity
from clubs.activities.services.lifecycle import archive, restore
from clubs.activities.services.links import revoke_table_links
from clubs.audit import Actor, Guest
from clubs.errors import NotNow
from clubs.evenings.services import restore_check_ins, restore_clock, set_check_in_state
from clubs.models import Act
from clubs.undo import Inverse, list_undoable_acts, undo_recorded_act

PHONE_PREFIX = f"{Guest.Kind.TABLE}:"
"""The prefix of the stored author of acts from a table's phone."""


def _restore_clock(
    *, activity: EveningActivity, by: Actor, evening: int, state: Mapping[str, Any]
) -> None:
    assert evening == activity.evening_id
    restore_clock(evening=activity.evening, state=state, subject=activity, by=by)


def _restore_check_ins(
    *,
    activity: EveningActivity,
    by: Actor,
    evening: int,
    rows: Sequence[Mapping[str, Any]],
    new: Sequence[int],
) -> None:
    assert evening == activity.evening_id
    restore_check_ins(
        evening=activity.evening, rows=[*map(dict, rows)], new=new, subject=activity, by=by
    )


def _set_check_in_state(
    *, activity: EveningActivity, by: Actor, evening: int, state: str
) -> None:
    assert evening == activity.evening_id
    set_check_in_state(evening=activity.evening, state=state, subject=activity, by=by)


def build_shared_inverses(kind: Activity | type[Activity]) -> Mapping[str, Inverse]:
    """Return the inverses, by name, of the acts that every kind of activity records."""
    return {
        "check_in.put_back": _restore_check_ins,
        "check_in.state": _set_check_in_state,
        "clock": _restore_clock,
        "links.revoke": revoke_table_links,
        f"{kind.kind}.bring_back": restore,
        f"{kind.kind}.put_away": archive,
    }


def undo_activity_act(
    *, activity: Activity, act: Act, inverses: Mapping[str, Inverse], by: Actor
) -> None:
    """Undo one recorded act of an activity.

    Raises NotNow with the reason if it cannot be undone.
    """
    shared_inverses = build_shared_inverses(activity).items()
    inverses_by_name = {
        code: _bind_activity(inverse, activity) for code, inverse in shared_inverses
    }
    subject_arguments = {activity.argument_name: activity}
    undo_recorded_act(
        audit.list_acts(activity),
        act,
        {**inverses_by_name, **inverses},
        by=by,
        **subject_arguments,
    )


def _bind_activity(inverse: Inverse, activity: Activity) -> Inverse:
    """Return an inverse that calls a shared inverse with this activity as `activity`."""

    def call_service(*, by: Actor, **arguments: Any) -> object:
        del arguments[activity.argument_name]
        return inverse(activity=activity, by=by, **arguments)

    return call_service


def undo_last_activity_act(
    *,
    activity: Activity,
    inverses: Mapping[str, Inverse],
    is_undoable: Callable[[Act], bool],
    by: Actor,
) -> Act:
    """Undo the newest act that can be undone and for which `is_undoable` returns True.

    Acts that are themselves an undo are skipped. Raises NotNow if no act remains.
    """
    acts = list(audit.list_acts(activity))
    undoable_keys = list_undoable_acts(acts)
    undone_keys = {act.undoes_id for act in acts}
    for act in acts:
        if act.pk in undoable_keys - undone_keys and act.undoes_id is None and is_undoable(act):
            undo_activity_act(activity=activity, act=act, inverses=inverses, by=by)
            return act
    raise NotNow(_("Nothing to undo."))


def is_from_staff(act: Act) -> bool:
    """Return whether the author of an act is anyone but a table's phone."""
    return not act.by.startswith(PHONE_PREFIX)
