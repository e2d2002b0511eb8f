"""The export declarations of fetched bookings for club archives."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    excluded_models={
        "seasons.BookingFetch": "the last fetch of bookings here; its token is sealed"
    },
)
