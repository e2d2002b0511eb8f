"""The specification of how club archives include the cached statistics of entries."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    exclusion_reasons_by_label={
        "seasons.EntryFigures": "worked out from the results, there anew"
    },
)
