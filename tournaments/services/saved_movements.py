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
from tournaments.movements.systems.custom import build_custom_movement, build_rows


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
    """Save a custom movement of a club, which replaces a saved movement of the same name.

    If there are problems, nothing is stored, and UnplayableMovement is raised with all of them.
    """
    name = " ".join(name.split())[:60]
    if not name:
        raise UnplayableMovement(_("Enter a name for the movement."))
    movement = build_custom_movement(
        rows, title=name, contest=Contest(contest), sharing=sharing
    )
    existing_movement = SavedMovement.objects.filter(club=club, name=name).first()
    undo = (
        _build_undo(existing_movement)
        if existing_movement
        else Undo(_get_movement_subject(name), "movement.drop", {"name": name})
    )
    saved_movement, _is_new = SavedMovement.objects.update_or_create(
        club=club,
        name=name,
        defaults={"contest": contest, "rows": build_rows(movement), "sharing": sharing},
    )
    audit.record(by, "movement.saved", subject=club, where={"name": name}, undo=undo)
    return saved_movement


@transaction.atomic
def delete_movement(*, saved_movement: SavedMovement, by: Actor) -> None:
    """Delete a saved movement; evenings that use it remain unchanged."""
    act_location, undo = {"name": saved_movement.name}, _build_undo(saved_movement)
    audit.record(
        by, "movement.dropped", subject=saved_movement.club, where=act_location, undo=undo
    )
    saved_movement.delete()


def _build_undo(saved_movement: SavedMovement) -> Undo:
    """Return the undo action that saves the movement again in its current state."""
    arguments = {
        "name": saved_movement.name,
        "contest": saved_movement.contest,
        "rows": saved_movement.rows,
        "sharing": saved_movement.sharing,
    }
    return Undo(_get_movement_subject(saved_movement.name), "movement.save", arguments)


def _get_movement_subject(name: str) -> tuple[str]:
    return (f"movement {name}",)


def build_saved_movement(saved_movement: SavedMovement) -> Movement:
    """Build the movement from its saved rows."""
    return build_custom_movement(
        saved_movement.rows,
        title=saved_movement.name,
        contest=Contest(saved_movement.contest),
        sharing=saved_movement.sharing,
    )
