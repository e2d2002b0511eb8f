"""The specification of how club archives include the cached statistics of entries."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    excluded_models={"seasons.EntryFigures": "worked out from the results, there anew"},
)
