"""Undo for the history of an activity."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.models import Activity, EveningActivity
from clubs.activities.services.lifecycle import archive, restore
from clubs.activities.services.links import revoke_table_links
from clubs.audit import Actor, Guest
from clubs.errors import NotNow
from clubs.evenings.services import put_clock_back
from clubs.models import Act
from clubs.undoing import Inverse, take_back, undoable

PHONE = f"{Guest.Kind.TABLE}:"
"""The prefix of the name under which a phone's acts are stored."""


def _put_clock_back(
    *, activity: EveningActivity, by: Actor, evening: int, state: Mapping[str, Any]
) -> None:
    assert evening == activity.evening_id
    put_clock_back(evening=activity.evening, state=state, about=activity, by=by)


def shared_inverses(kind: Activity | type[Activity]) -> Mapping[str, Inverse]:
    """Return the inverses of acts that every kind records in the same way."""
    return {
        "clock": _put_clock_back,
        "links.revoke": revoke_table_links,
        f"{kind.kind}.bring_back": restore,
        f"{kind.kind}.put_away": archive,
    }


def undo(*, activity: Activity, act: Act, inverses: Mapping[str, Inverse], by: Actor) -> None:
    """Undo an act of an activity; raise NotNow with the reason if it cannot be undone."""
    shared = shared_inverses(activity).items()
    bound = {code: _bound(inverse, activity) for code, inverse in shared}
    subject = {activity.argument: activity}
    take_back(audit.history(activity), act, {**bound, **inverses}, by=by, **subject)


def _bound(inverse: Inverse, activity: Activity) -> Inverse:
    """Return a shared inverse that accepts the activity under its kind's own name."""

    def called(*, by: Actor, **given: Any) -> object:
        del given[activity.argument]
        return inverse(activity=activity, by=by, **given)

    return called


def undo_last(
    *,
    activity: Activity,
    inverses: Mapping[str, Inverse],
    chosen: Callable[[Act], bool],
    by: Actor,
) -> Act:
    """Undo the newest chosen act that can be undone; raise NotNow without one."""
    acts = list(audit.history(activity))
    ways = undoable(acts)
    undone = {act.undoes_id for act in acts}
    for act in acts:
        if act.pk in ways - undone and act.undoes_id is None and chosen(act):
            undo(activity=activity, act=act, inverses=inverses, by=by)
            return act
    raise NotNow(_("There is nothing to take back."))


def is_from_staff(act: Act) -> bool:
    """Return whether an act is by a director or scorer, not by a table's phone."""
    return not act.by.startswith(PHONE)
