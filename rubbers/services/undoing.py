"""An act of a rubber night taken back; that is an act itself."""

from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.models import Act
from clubs.undoing import take_back, undoable
from rubbers.models import RubberNight
from rubbers.services.inverses import INVERSES


def undo_rubbers(*, night: RubberNight, act: Act, by: Actor) -> None:
    """Take an act of a night back; raise NotNow with the reason where it cannot be."""
    take_back(audit.history(night), act, INVERSES, by=by, night=night)


def undo_last_at(
    *, night: RubberNight, table: int | None = None, round: int = 0, by: Actor
) -> Act:
    """Take the last act back, or the last at one table; raise NotNow where none can be."""
    acts = list(audit.history(night))
    ways = undoable(acts)
    undone = {act.undoes_id for act in acts}
    for act in acts:
        here = table is None or (act.where.get("table"), act.where.get("round", 0)) == (
            table,
            round,
        )
        if here and act.pk in ways and act.undoes_id is None and act.pk not in undone:
            undo_rubbers(night=night, act=act, by=by)
            return act
    raise NotNow(_("There is nothing to take back."))
