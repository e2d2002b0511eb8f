"""Implements `drives.table_marks`, so that the tables of a drive can record rubbers.

The app `drives` does not import this app. It finds `RUBBER_TABLE_HOOKS` through the setting
`DRIVE_TABLE_MARKS_PATH`.
"""

from typing import Any

from clubs.audit import Actor
from drives.models import Drive
from drives.table_marks import TableMarksHooks
from rubbers.files.drive_file import DriveFileWithRubbers, find_score_differences
from rubbers.models import RubberNight
from rubbers.rubber.codes import DEFAULT_LAW_CODE_NAME
from rubbers.services.drives import disable_rubbers, enable_rubbers
from rubbers.services.files import create_drive_rubbers
from rubbers.sheets.act_words import DRIVE_TITLES_BY_ACTION
from rubbers.snapshot import load_night


def _enable_rubbers_with_default_code(drive: Drive, by: Actor) -> None:
    enable_rubbers(drive=drive, code=DEFAULT_LAW_CODE_NAME, by=by)


def _import_rubbers_section(drive: Drive, drive_file: DriveFileWithRubbers, by: Actor) -> None:
    create_drive_rubbers(drive, drive_file.rubbers, by)


def _export_section(drive: Drive) -> dict[str, Any]:
    return {"rubbers": _build_rubbers_data(drive)}


def _build_rubbers_data(drive: Drive) -> dict[str, Any] | None:
    """Return the JSON value of the key `rubbers` in a drive file; None without rubbers."""
    night = RubberNight.objects.filter(drive=drive).select_related("drive__evening").first()
    if night is None:
        return None
    tables = [
        {"round": table_key[0], "table": table_key[1], "seats": list(table.current_seats)}
        | {"hands": list(table.stored_hands[0])}
        | ({"settled": True} if table.row.settled else {})
        for table_key, table in load_night(night).tables.items()
        if any(table.stored_hands)
    ]
    return {"code": night.code} | {
        key: value for key, value in (("terms", night.terms), ("tables", tables)) if value
    }


RUBBER_TABLE_HOOKS = TableMarksHooks(
    enable_marks=_enable_rubbers_with_default_code,
    file_format=DriveFileWithRubbers,
    import_section=_import_rubbers_section,
    export_section=_export_section,
    find_mark_differences=find_score_differences,
    inverses={"drive.drop_rubbers": disable_rubbers, "drive.rubbers": enable_rubbers},
    titles=DRIVE_TITLES_BY_ACTION,
)
"""The value of the setting `DRIVE_TABLE_MARKS_PATH`."""
