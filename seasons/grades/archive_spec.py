"""The specification of how club archives include grades, without computed data."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    json_reference_paths={"seasons.GradeConstants.tried": {}},
    excluded_models={
        "seasons.GradeCheckpoint": "worked out from the evenings, there anew",
        "seasons.GradeEvening": "worked out from the results, there anew",
    },
)
