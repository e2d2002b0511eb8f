"""Services that undo acts in the history of a drive."""

from collections.abc import Mapping

import clubs.activities.services
from clubs.audit import Actor
from clubs.models import Act
from clubs.undo import Inverse
from drives.models import Drive
from drives.services.inverses import INVERSES
from drives.table_marks import get_table_marks_hooks


def get_inverses() -> Mapping[str, Inverse]:
    """Return the undo actions of a drive, and those of the rubbers marked at its tables."""
    return {**INVERSES, **get_table_marks_hooks().inverses}


def undo_act(*, drive: Drive, act: Act, by: Actor) -> None:
    """Undo an act in the history of a drive.

    Raises ActionUnavailable with the reason if this fails.
    """
    clubs.activities.services.undo_activity_act(
        activity=drive, act=act, inverses_by_name=get_inverses(), by=by
    )


def undo_last_act(*, drive: Drive, by: Actor) -> Act:
    """Undo the last act that no phone recorded and whose undo cancels no links.

    Raises ActionUnavailable if there is none.
    """
    return clubs.activities.services.undo_newest_act(
        activity=drive,
        inverses_by_name=get_inverses(),
        is_offered=clubs.activities.services.is_from_staff,
        by=by,
    )
