"""The list of grade models that a club archive exports and imports."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    json_keys={"seasons.GradeConstants.tried": {}},
    excluded_models={
        "seasons.GradeCheckpoint": "worked out from the evenings, there anew",
        "seasons.GradeEvening": "worked out from the results, there anew",
    },
)
