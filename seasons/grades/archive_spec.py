"""The specification of how club archives include grades, without computed data."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={"seasons.GradeConstants.tried": {}},
    exclusion_reasons_by_label={
        "seasons.GradeCheckpoint": "worked out from the evenings, there anew",
        "seasons.GradeEvening": "worked out from the results, there anew",
    },
)
