"""The undo forms shown next to the changes in a history."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Act, Club
from clubs.undo import list_undoable_act_pks


@dataclass(frozen=True, slots=True)
class UndoForm:
    """A form that undoes one change: its URL and its fields."""

    url: str
    fields: tuple[tuple[str, str], ...] = ()


def build_version_undo_form(
    event_address: str, version_pk: int, last_version_pk: int
) -> UndoForm:
    """Return the form that undoes a version of a result.

    `last_version_pk` is the newest version that the page shows. `event_address` identifies the
    event and its session in URLs.
    """
    form_fields = (("version", str(version_pk)), ("last", str(last_version_pk)))
    return UndoForm(reverse("result_undo", args=[event_address]), form_fields)


def build_event_undo_forms(address: str, acts: Sequence[Act]) -> dict[int, UndoForm]:
    """Return an undo form for each of an event's acts that can be undone now, by act key."""
    return {
        act_pk: UndoForm(reverse("event_act_undo", args=[address, act_pk]))
        for act_pk in list_undoable_act_pks(acts)
    }


def build_club_undo_forms(club: Club, acts: Sequence[Act]) -> dict[int, UndoForm]:
    """Return an undo form for each of a club's acts that can be undone now, by act key."""
    return {
        act_pk: UndoForm(reverse("club_act_undo", args=[club.slug, act_pk]))
        for act_pk in list_undoable_act_pks(acts)
    }


def map_no_undo_reasons(acts: Sequence[Act]) -> dict[int, str]:
    """Return the reason why each act cannot be undone now, by act key; empty if unknown."""
    undone_act_pks = {act.undoes_id for act in acts}
    permanent_reasons_by_action = _map_permanent_reasons()
    no_undo_reasons_by_act = {}
    for act in acts:
        if act.pk in undone_act_pks:
            no_undo_reasons_by_act[act.pk] = _("undone")
        elif act.back.get("call"):
            no_undo_reasons_by_act[act.pk] = _("undo newer change first")
        else:
            no_undo_reasons_by_act[act.pk] = permanent_reasons_by_action.get(act.action, "")
    return no_undo_reasons_by_act


def _map_permanent_reasons() -> dict[str, str]:
    """Return the reason for each kind of act that can never be undone, by action code."""
    seen_text, create_text = _("already seen"), _("create a new one")
    return {
        "boards.added": _("part of another change"),
        "boards.dealt_anew": _("published"),
        "boards.filed": seen_text,
        "boards.public_value": _("published"),
        "boards.sealed": _("until the session is closed"),
        "entry_link.revoked": create_text,
        "hand_link.revoked": create_text,
        "link.revoked": create_text,
        "rehearsal.finished": _("already played"),
        "seating.restored": _("choose again"),
        "tray.looked_at": seen_text,
    }
