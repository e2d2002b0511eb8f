"""Changes the points table of a drive, and recomputes all hands entered with it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from drives.errors import DriveActionNotAllowed
from drives.games.point_changes import list_point_changes
from drives.hand_points import RecomputedHand, find_hands_with_changed_points
from drives.models import Drive, Sheet, SheetVersion
from drives.scores.terms import parse_points_table
from drives.services.seat_changes import check_drive_open
from server.json_reader.problems import can_be_stored
from server.request_source import get_request_source

UPDATE_BATCH_SIZE = 500


@transaction.atomic
def change_points(
    *, drive: Drive, custom: str | None, house: Mapping[str, Any], by: Actor
) -> Drive:
    """Change the points table of a drive's game, and recompute the scores of all its hands.

    `custom` is the code of a predefined variant, and `house` contains the club's own changes.
    The change is one act in the history, and its undo restores every score. Raises
    ActionUnavailable after the close, UnreadableDrive for an invalid table, and InvalidHand for
    an entered hand that the table does not accept.
    """
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    if not locked_drive.score.get("game"):
        raise DriveActionNotAllowed(_("This drive’s game has no contracts."))
    if not can_be_stored(dict(house)):
        raise DriveActionNotAllowed(_("The text contains invalid characters."))
    old_values = {
        "custom": locked_drive.score.get("custom"),
        "house": locked_drive.score.get("house", {}),
    }
    new_values = {"custom": custom, "house": dict(house)}
    if old_values == new_values:
        return locked_drive
    unchanged_terms = {
        term_name: term_value
        for term_name, term_value in locked_drive.score.items()
        if term_name not in old_values
    }
    score_terms = unchanged_terms | {
        term_name: term_value for term_name, term_value in new_values.items() if term_value
    }
    points_table, old_table = (
        parse_points_table(score_terms),
        parse_points_table(locked_drive.score),
    )
    assert points_table is not None
    assert old_table is not None
    contract_sheets = Sheet.objects.filter(round__drive=locked_drive).exclude(contract={})
    recomputed_hands = find_hands_with_changed_points(
        points_table, contract_sheets.select_related("round")
    )
    locked_drive.score = score_terms
    locked_drive.save(update_fields=["score"])
    _write_recomputed_hands(recomputed_hands, by)
    increment_revision(locked_drive)
    audit.record(
        by,
        "drive.points",
        subject=locked_drive,
        after={
            "changed_points": {
                "game": locked_drive.score["game"],
                "changes": list_point_changes(old_table, points_table),
            },
            "changed_hands": len(recomputed_hands),
        },
        undo=Undo(("drive score",), "drive.points", old_values),
    )
    return locked_drive


def _write_recomputed_hands(recomputed_hands: list[RecomputedHand], by: Actor) -> None:
    for sheet, score in recomputed_hands:
        sheet.score = score
    changed_sheets = [sheet for sheet, _score in recomputed_hands]
    Sheet.objects.bulk_update(changed_sheets, ["score"], batch_size=UPDATE_BATCH_SIZE)
    version_values = {
        "entered_by": audit.format_author_key(by),
        "entered_at": timezone.now(),
        "way": get_request_source(),
    }
    versions = [
        SheetVersion(sheet=sheet, score=sheet.score, contract=sheet.contract, **version_values)
        for sheet in changed_sheets
    ]
    SheetVersion.objects.bulk_create(versions, batch_size=UPDATE_BATCH_SIZE)
