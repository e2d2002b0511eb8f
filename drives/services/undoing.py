"""An act of a drive taken back; that is an act itself."""

from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Guest
from clubs.errors import NotNow
from clubs.models import Act
from clubs.undoing import take_back, undoable
from drives.models import Drive
from drives.services.inverses import INVERSES
from drives.table_marks import table_marks

PHONE = f"{Guest.Kind.TABLE}:"
"""What the name begins with under which a phone's acts are kept."""


def undo(*, drive: Drive, act: Act, by: Actor) -> None:
    """Take an act of a drive back; raise NotNow with the reason where it cannot be."""
    inverses = {**INVERSES, **table_marks().inverses}
    take_back(audit.history(drive), act, inverses, by=by, drive=drive)


def undo_last(*, drive: Drive, by: Actor) -> Act:
    """Take the last act back that can be; raise NotNow where none can.

    What a table's phone sent meanwhile is no step of whoever runs the drive, and stays.
    """
    acts = list(audit.history(drive))
    ways = undoable(acts)
    undone = {act.undoes_id for act in acts}
    for act in acts:
        if act.by.startswith(PHONE):
            continue
        if act.pk in ways and act.undoes_id is None and act.pk not in undone:
            undo(drive=drive, act=act, by=by)
            return act
    raise NotNow(_("There is nothing to take back."))
