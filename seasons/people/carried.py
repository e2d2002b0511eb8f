"""What an archive of a club has to know of people's figures."""

from clubs.archives.known import ArchiveSchema

CARRIED = ArchiveSchema(
    left={"seasons.EntryFigures": "worked out from the results, there anew"},
)
