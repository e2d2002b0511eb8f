"""Services that undo the recorded acts of an activity."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.models import Activity, EveningActivity
from clubs.activities.services.lifecycle import archive, restore_activity
from clubs.activities.services.links import revoke_table_links
from clubs.audit import Actor, GuestAuthor
from clubs.errors import ActionUnavailable
from clubs.evenings.services import restore_check_ins, restore_clock, set_check_in_state
from clubs.models import Act
from clubs.undo import (
    Inverse,
    LinkRevokingInverse,
    does_undo_revoke_links,
    list_undoable_act_pks,
    undo_recorded_act,
)

_TABLE_AUTHOR_PREFIX = f"{GuestAuthor.Kind.TABLE}:"
"""The start of the stored author of acts that a table's phone recorded."""

RECENT_ACT_COUNT = 50
"""The number of acts among which the last undoable act is first looked for."""


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


def build_shared_inverses(
    activity_or_class: Activity | type[Activity],
) -> Mapping[str, Inverse]:
    """Return the inverses, by name, of the acts that every kind of activity records."""
    return {
        "check_in.put_back": _restore_check_ins,
        "check_in.state": _set_check_in_state,
        "clock": _restore_clock,
        "links.revoke": LinkRevokingInverse(revoke_table_links),
        f"{activity_or_class.kind}.bring_back": restore_activity,
        f"{activity_or_class.kind}.put_away": archive,
    }


def undo_activity_act(
    *, activity: Activity, act: Act, inverses_by_name: Mapping[str, Inverse], by: Actor
) -> bool:
    """Undo one recorded act of an activity. Return False if it was already undone.

    Raises ActionUnavailable with the reason if it cannot be undone.
    """
    shared_inverses = build_shared_inverses(activity).items()
    bound_inverses_by_name = {
        inverse_name: _bind_activity(inverse, activity)
        for inverse_name, inverse in shared_inverses
    }
    subject_arguments = {activity.argument_name: activity}
    return undo_recorded_act(
        audit.list_acts(activity),
        act,
        {**bound_inverses_by_name, **inverses_by_name},
        by=by,
        **subject_arguments,
    )


def _bind_activity(inverse: Inverse, activity: Activity) -> Inverse:
    """Return an inverse that calls a shared inverse with this activity as `activity`."""

    def call_service(*, by: Actor, **arguments: Any) -> object:
        del arguments[activity.argument_name]
        return inverse(activity=activity, by=by, **arguments)

    return call_service


def find_last_undoable_act(
    activity: Activity,
    inverses_by_name: Mapping[str, Inverse],
    is_offered: Callable[[Act], bool] = lambda _act: True,
) -> Act | None:
    """Return the newest act that can be undone and for which `is_offered` returns True.

    Acts that phones recorded are included. Acts that are themselves an undo are skipped. Acts
    whose undo cancels links are skipped, because the links may be printed. This function
    executes one query, or two if none of the recent acts can be undone.
    """
    all_inverses_by_name = {**build_shared_inverses(activity), **inverses_by_name}

    def is_undo_offered(act: Act) -> bool:
        has_regular_undo = act.undoes_id is None and not does_undo_revoke_links(
            act, all_inverses_by_name
        )
        return has_regular_undo and is_offered(act)

    acts = audit.list_acts(activity)
    recent_acts = list(acts[:RECENT_ACT_COUNT])
    act = _pick_last_undoable_act(recent_acts, is_undo_offered)
    if act is None and len(recent_acts) == RECENT_ACT_COUNT:
        act = _pick_last_undoable_act(list(acts), is_undo_offered)
    return act


def _pick_last_undoable_act(
    acts: Sequence[Act], is_offered: Callable[[Act], bool]
) -> Act | None:
    undone_act_pks = {act.undoes_id for act in acts}
    undoable_act_pks = list_undoable_act_pks(acts) - undone_act_pks
    return next((act for act in acts if act.pk in undoable_act_pks and is_offered(act)), None)


def undo_newest_act(
    *,
    activity: Activity,
    inverses_by_name: Mapping[str, Inverse],
    is_offered: Callable[[Act], bool] = lambda _act: True,
    by: Actor,
) -> Act:
    """Undo the act that `find_last_undoable_act` returns.

    Raises ActionUnavailable if there is none.
    """
    act = find_last_undoable_act(activity, inverses_by_name, is_offered)
    if act is None:
        raise ActionUnavailable(_("Nothing to undo."))
    undo_activity_act(activity=activity, act=act, inverses_by_name=inverses_by_name, by=by)
    return act


def is_from_staff(act: Act) -> bool:
    """Return whether an act was recorded by anyone but a table's phone."""
    return not act.by.startswith(_TABLE_AUTHOR_PREFIX)
