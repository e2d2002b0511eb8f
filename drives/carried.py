"""What an archive has to know of drives.

Inside JSON players stand by their numbers in the drive, rounds and tables by theirs.
"""

from clubs.archives.known import Known

CARRIED = Known(
    data={
        "drives.HouseTerms.presets": {},
        "drives.HouseTerms.terms": {},
        "drives.Drive.apart": {},
        "drives.Drive.score": {},
        "drives.Drive.terms": {},
        "drives.Drive.without": {},
        "drives.Draw.given": {},
        "drives.DriveChange.after": {},
        "drives.DriveChange.before": {},
        "drives.Prize.places": {},
        "drives.Prize.then": {},
        "drives.Prize.won": {},
        "drives.CardTotal.rows": {},
        "drives.CardVersion.rows": {},
        "drives.Sheet.extras": {},
        "drives.Sheet.score": {},
        "drives.SheetVersion.extras": {},
        "drives.SheetVersion.score": {},
    }
)
