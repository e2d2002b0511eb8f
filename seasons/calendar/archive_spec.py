"""The specification that excludes the fetches of bookings from club archives."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    exclusion_reasons_by_label={
        "seasons.BookingFetch": "the last fetch of bookings here; its token is sealed"
    },
)
