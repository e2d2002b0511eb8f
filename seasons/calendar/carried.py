"""The export declarations of fetched bookings for club archives."""

from clubs.archives.known import ArchiveSchema

CARRIED = ArchiveSchema(
    left={"seasons.BookingFetch": "the last fetch of bookings here; its token is sealed"},
)
