"""Any act of a history taken back in one step; that is an act itself.

What takes an act back is another act, called with what the first one has kept. The acts know
it by name alone; each room has a table of its own inverses, and who takes back hands it in.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django.db import models, transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.models import Act

Row = TypeVar("Row", bound=models.Model)
Inverse = Callable[..., object]
"""Called with the subject by its name (`event=…`), `by`, and with what the act has kept."""


@transaction.atomic
def take_back(
    acts: models.QuerySet[Act],
    act: Act,
    inverses: Mapping[str, Inverse],
    *,
    by: Actor,
    **subject: object,
) -> None:
    """Put back what stood before an act of a history; taken back twice it is one change.

    `acts` are the whole history and `inverses` what takes its acts back, each called with the
    `subject`. Raises NotNow when something newer about the same thing stands, when the act
    cannot be taken back, or with the reason of the act that would undo it.
    """
    act = acts.select_for_update().get(pk=act.pk)  # a double click races
    if hasattr(act, "undone_by"):
        return
    if not act.back.get("call"):
        raise NotNow(_("This cannot be taken back; the history records it."))
    if act.pk not in undoable(acts):
        raise NotNow(
            _("Something newer has changed the same thing. Take that back first: it is above.")
        )
    with audit.undo(act):
        inverses[act.back["call"]](by=by, **subject, **act.back["given"])
    if not Act.objects.filter(undoes=act).exists():
        raise NotNow(_("It is so already; nothing was left to take back."))


def still_there(rows: models.QuerySet[Row], **key: object) -> Row:
    """Find what an act was about; raise NotNow when it is there no more."""
    row = rows.filter(**key).first()
    if row is None:
        raise NotNow(_("What this was about is there no more."))
    return row


def on_row(
    act: Callable[..., object], name: str, rows: Callable[[Any], models.QuerySet[Any]]
) -> Inverse:
    """Return an inverse that calls `act` with a row instead of the key kept under `name`.

    `rows` gives the rows of the club or event of the history among which the key is looked up.
    """

    def inverse(*, by: Actor, **given: Any) -> None:
        subject = given.pop("event", None) or given.pop("club")
        given[name] = still_there(rows(subject), pk=given[name])
        act(by=by, **given)

    return inverse


def undoable(acts: Iterable[Act]) -> set[int]:
    """Find the acts that can be taken back, by their keys; `acts` come newest first.

    What was done to one thing goes back in turn, the last first, so that each step leads to
    what really stood there. An act that was taken back is out of the way of those before it;
    the undoing itself can be taken back until something new is done.
    """
    acts = list(acts)
    undoings = _undoings(acts)
    found: set[int] = set()
    gone: set[int] = set()  # acts that were taken back
    newer: set[str] = set()  # what anything newer was about
    covered: set[str] = set()  # what a newer act that stands was about
    for act in acts:
        if not act.back or act.pk in gone:
            continue
        about = set(act.back["about"])
        waits = about | set(act.back["waits_for"])
        if act.undoes_id is not None:
            gone.add(act.undoes_id)
        if act.back["call"] and not waits & (newer if act.pk in undoings else covered):
            found.add(act.pk)
        if act.pk not in undoings:
            covered |= about
        newer |= about
    return found


def _undoings(acts: list[Act]) -> set[int]:
    """The acts that took another back; what takes an undoing back is an act like any other."""
    found: set[int] = set()
    for act in reversed(acts):
        if act.undoes_id is not None and act.undoes_id not in found:
            found.add(act.pk)
    return found
