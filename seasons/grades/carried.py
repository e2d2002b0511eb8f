"""The export declarations of grades for club archives."""

from clubs.archives.known import ArchiveSchema

CARRIED = ArchiveSchema(
    data={"seasons.GradeConstants.tried": {}},
    left={
        "seasons.GradeCheckpoint": "worked out from the evenings, there anew",
        "seasons.GradeEvening": "worked out from the results, there anew",
    },
)
