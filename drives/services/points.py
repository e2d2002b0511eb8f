"""The service that changes the table of points of a drive and all hands entered with it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from drives.errors import DriveRefused
from drives.games.house import list_changed_cells
from drives.hand_points import NewPoints, find_changed_points
from drives.models import Drive, Sheet, SheetVersion
from drives.scores.terms import parse_points_table
from drives.services.seat_changes import check_open
from server.json_reader.problems import can_be_stored
from server.request_source import get_request_source

BATCH_SIZE = 500


@transaction.atomic
def change_points(
    *, drive: Drive, custom: str | None, house: Mapping[str, Any], by: Actor
) -> Drive:
    """Change a game's table of points, and compute all its hands again.

    `custom` is a ready variant and `house` has the club's own changes. One act in the history,
    with one undo that restores every number. Raises NotNow after the close, UnreadableDrive
    for an invalid table, and HandRefused for an entered hand that the table does not accept.
    """
    row = lock_activity(drive)
    check_open(row)
    if not row.score.get("game"):
        raise DriveRefused(_("This drive has no game with contracts."))
    if not can_be_stored(dict(house)):
        raise DriveRefused(_("The text contains invalid characters."))
    before = {"custom": row.score.get("custom"), "house": row.score.get("house", {})}
    after = {"custom": custom, "house": dict(house)}
    if before == after:
        return row
    plain = {key: value for key, value in row.score.items() if key not in before}
    score = plain | {key: value for key, value in after.items() if value}
    table, old_table = parse_points_table(score), parse_points_table(row.score)
    assert table is not None
    assert old_table is not None
    sheets = Sheet.objects.filter(round__drive=row).exclude(contract={})
    changed = find_changed_points(table, sheets.select_related("round"))
    row.score = score
    row.save(update_fields=["score"])
    _write_points(changed, by)
    increment_revision(row)
    audit.record(
        by,
        "drive.points",
        subject=row,
        after={
            "points": ", ".join(list_changed_cells(old_table, table)),
            "changed_hands": len(changed),
        },
        back=Undo(("drive score",), "drive.points", before),
    )
    return row


def _write_points(changed: list[NewPoints], by: Actor) -> None:
    for sheet, score in changed:
        sheet.score = score
    sheets = [sheet for sheet, _score in changed]
    Sheet.objects.bulk_update(sheets, ["score"], batch_size=BATCH_SIZE)
    entry = {
        "entered_by": audit.format_author_key(by),
        "entered_at": timezone.now(),
        "way": get_request_source(),
    }
    versions = [
        SheetVersion(sheet=each, score=each.score, contract=each.contract, **entry)
        for each in sheets
    ]
    SheetVersion.objects.bulk_create(versions, batch_size=BATCH_SIZE)
