"""Services for the custom movements that a club has saved."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club
from tournaments.models import SavedMovement
from tournaments.movements import Contest, Movement, UnplayableMovement
from tournaments.movements.systems.custom import build_custom, build_rows


@transaction.atomic
def save_movement(
    *,
    club: Club,
    name: str,
    contest: str,
    rows: Sequence[Mapping[str, Any]],
    sharing: bool = False,
    by: Actor,
) -> SavedMovement:
    """Save a custom movement of a club; it replaces a saved movement of the same name.

    Raises UnplayableMovement with every problem; then nothing is stored.
    """
    name = " ".join(name.split())[:60]
    if not name:
        raise UnplayableMovement(_("Enter a name for the movement."))
    movement = build_custom(rows, title=name, contest=Contest(contest), sharing=sharing)
    standing = SavedMovement.objects.filter(club=club, name=name).first()
    undo = (
        _build_undo(standing)
        if standing
        else Undo(_movement_subject(name), "movement.drop", {"name": name})
    )
    saved, _is_new = SavedMovement.objects.update_or_create(
        club=club,
        name=name,
        defaults={"contest": contest, "rows": build_rows(movement), "sharing": sharing},
    )
    audit.record(by, "movement.saved", subject=club, where={"name": name}, back=undo)
    return saved


@transaction.atomic
def delete_movement(*, saved: SavedMovement, by: Actor) -> None:
    """Delete a saved movement; evenings that use it remain unchanged."""
    act_place, undo = {"name": saved.name}, _build_undo(saved)
    audit.record(by, "movement.dropped", subject=saved.club, where=act_place, back=undo)
    saved.delete()


def _build_undo(saved: SavedMovement) -> Undo:
    """Return the undo action that saves the movement again in its current state."""
    arguments = {
        "name": saved.name,
        "contest": saved.contest,
        "rows": saved.rows,
        "sharing": saved.sharing,
    }
    return Undo(_movement_subject(saved.name), "movement.save", arguments)


def _movement_subject(name: str) -> tuple[str]:
    return (f"movement {name}",)


def build_saved_movement(saved: SavedMovement) -> Movement:
    """Build the movement from its saved rows."""
    return build_custom(
        saved.rows, title=saved.name, contest=Contest(saved.contest), sharing=saved.sharing
    )
