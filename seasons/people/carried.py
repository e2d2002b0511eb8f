"""The export declarations of people's statistics for club archives."""

from clubs.archives.known import ArchiveSchema

CARRIED = ArchiveSchema(
    left={"seasons.EntryFigures": "worked out from the results, there anew"},
)
