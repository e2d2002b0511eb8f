"""The export declarations of people's statistics for club archives."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    excluded_models={"seasons.EntryFigures": "worked out from the results, there anew"},
)
