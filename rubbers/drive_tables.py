"""The record by which drives use rubbers that their tables mark, without importing this app."""

from typing import Any

from clubs.audit import Actor
from drives.models import Drive
from drives.table_marks import TableMarks
from rubbers.files.drive_file import MarkedDriveFile, rubber_differences
from rubbers.held import read_night
from rubbers.models import RubberNight
from rubbers.rubber.codes import USUAL_CODE
from rubbers.services.drives import drop_rubbers, score_by_rubbers
from rubbers.services.files import fill_rubbers
from rubbers.sheets.act_words import DRIVE_TITLES


def _begin(drive: Drive, by: Actor) -> None:
    score_by_rubbers(drive=drive, code=USUAL_CODE, by=by)


def _fill(drive: Drive, file: MarkedDriveFile, by: Actor) -> None:
    fill_rubbers(drive, file.rubbers, by)


def _write(drive: Drive) -> dict[str, Any]:
    return {"rubbers": _section(drive)}


def _section(drive: Drive) -> dict[str, Any] | None:
    """Return the section of a drive's file with the hands of its tables, or None."""
    night = RubberNight.objects.filter(drive=drive).select_related("drive__evening").first()
    if night is None:
        return None
    tables = [
        {"round": at[0], "table": at[1], "seats": list(table.seated)}
        | {"hands": list(table.told[0])}
        | ({"settled": True} if table.row.settled else {})
        for at, table in read_night(night).tables.items()
        if any(table.told)
    ]
    return {"code": night.code} | {
        name: value for name, value in (("terms", night.terms), ("tables", tables)) if value
    }


MARKS = TableMarks(
    begin=_begin,
    file=MarkedDriveFile,
    fill=_fill,
    write=_write,
    differences=rubber_differences,
    inverses={"drive.drop_rubbers": drop_rubbers, "drive.rubbers": score_by_rubbers},
    titles=DRIVE_TITLES,
)
"""The value of the setting `DRIVE_TABLE_MARKS`."""
