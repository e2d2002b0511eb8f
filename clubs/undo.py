"""The undo of a recorded act, which is itself recorded as an act.

An act stores the name of its inverse and the arguments. Each app has a mapping of inverses,
which the caller passes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import models, transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.models import Act

Row = TypeVar("Row", bound=models.Model)
Inverse = Callable[..., object]
"""A function that undoes an act.

Its keyword arguments are the subject (`event=…`), `by`, and the stored arguments.
"""


@dataclass(frozen=True, slots=True)
class LinkRevokingInverse:
    """An inverse that cancels links, which players may already have."""

    revoke_links: Inverse

    def __call__(self, **arguments: Any) -> object:
        """Cancel the links."""
        return self.revoke_links(**arguments)


@transaction.atomic
def undo_recorded_act(
    acts: models.QuerySet[Act],
    act: Act,
    inverses_by_name: Mapping[str, Inverse],
    *,
    by: Actor,
    **subject_arguments: object,
) -> bool:
    """Undo an act; idempotent. Return False if it was already undone.

    `acts` is the whole history of the act's subject. `inverses_by_name` maps the stored names
    to functions, which get `subject_arguments` as a keyword argument. Raises ActionUnavailable
    if the act has no inverse, if a newer act on the same subject must be undone first, or if
    the inverse raises it.
    """
    act = acts.select_for_update().get(pk=act.pk)  # serialise double clicks
    if hasattr(act, "undone_by"):
        return False
    if refusal := describe_undo_refusal(acts, act):
        raise ActionUnavailable(refusal)
    with audit.mark_act_as_undo(act):
        inverses_by_name[act.back["call"]](by=by, **subject_arguments, **act.back["given"])
    if not Act.objects.filter(undoes=act).exists():
        raise ActionUnavailable(_("Already undone."))
    return True


def describe_undo_refusal(
    acts: models.QuerySet[Act], act: Act, *, is_history_shown: bool = True
) -> str:
    """Return why an act cannot be undone now, or an empty string if it can be.

    `acts` is the whole history of the act's subject. `is_history_shown` is whether the page
    that shows the text lists the newer changes.
    """
    if acts.filter(undoes=act).exists():
        return _("Already undone.")
    if not act.back.get("call"):
        return _("This can’t be undone.")
    if act.pk in list_undoable_act_pks(acts):
        return ""
    if is_history_shown:
        return _("Undo the newer change above first.")
    return _("This has changed since. See History.")


def does_undo_revoke_links(act: Act, inverses_by_name: Mapping[str, Inverse]) -> bool:
    """Return whether the undo of an act cancels links that may already be printed."""
    return isinstance(inverses_by_name.get(act.back.get("call", "")), LinkRevokingInverse)


def get_existing_row(rows: models.QuerySet[Row], **lookup: object) -> Row:
    """Return the row with these key values; raise ActionUnavailable if it no longer exists."""
    row = rows.filter(**lookup).first()
    if row is None:
        raise ActionUnavailable(_("This no longer exists."))
    return row


def build_row_inverse(
    apply_inverse: Callable[..., object],
    argument_name: str,
    query_rows: Callable[[Any], models.QuerySet[Any]],
) -> Inverse:
    """Return an inverse that loads a row and calls `apply_inverse` with it.

    `apply_inverse` gets the row as the argument `argument_name`; the stored argument of this
    name is the primary key. `query_rows` returns the rows of a club or event among which the
    key is looked up.
    """

    def apply_to_row(*, by: Actor, **arguments: Any) -> None:
        subject = arguments.pop("event", None) or arguments.pop("club")
        arguments[argument_name] = get_existing_row(
            query_rows(subject), pk=arguments[argument_name]
        )
        apply_inverse(by=by, **arguments)

    return apply_to_row


def list_undoable_act_pks(acts: Iterable[Act]) -> set[int]:
    """Return the primary keys of the acts that can be undone; `acts` are ordered newest first.

    Acts on the same subject are undone in reverse order, which ensures that each undo restores
    a former state. An undone act does not block the acts before it. An undo can itself be
    undone until a new act on the subject is recorded.
    """
    acts = list(acts)
    undo_pks = _list_undo_act_pks(acts)
    undoable_pks: set[int] = set()
    undone_pks: set[int] = set()
    newer_subjects: set[str] = set()  # subjects of all newer acts
    covered_subjects: set[str] = set()  # subjects of newer acts that are not an undo
    for act in acts:
        if not act.back or act.pk in undone_pks:
            continue
        subject_keys = set(act.back["about"])
        blocked_subjects = subject_keys | set(act.back["waits_for"])
        if act.undoes_id is not None:
            undone_pks.add(act.undoes_id)
        if act.back["call"] and not blocked_subjects & (
            newer_subjects if act.pk in undo_pks else covered_subjects
        ):
            undoable_pks.add(act.pk)
        if act.pk not in undo_pks:
            covered_subjects |= subject_keys
        newer_subjects |= subject_keys
    return undoable_pks


def _list_undo_act_pks(acts: list[Act]) -> set[int]:
    """Return the primary keys of the acts that undid another act.

    The undo of an undo counts as an ordinary act.
    """
    undo_pks: set[int] = set()
    for act in reversed(acts):
        if act.undoes_id is not None and act.undoes_id not in undo_pks:
            undo_pks.add(act.pk)
    return undo_pks
