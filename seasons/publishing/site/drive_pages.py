"""The page of a drive or a rubber night: places, points, prizes."""

from seasons.publishing.documents.values import PublishedDrive
from seasons.publishing.site.evening_pages import Around, drawn
from server import formatting


def drive_page(drive: PublishedDrive, around: Around) -> str:
    """Draw it."""
    points = [each.points for each in drive.places]
    return drawn(
        "drive",
        around,
        drive=drive,
        column=formatting.column(points, sign=not drive.is_drive),
        has_rests=any(each.rests for each in drive.places),
        has_rubbers=any(each.rubbers and each.rubbers[1] for each in drive.places),
    )
