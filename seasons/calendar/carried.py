"""What an archive of a club has to know of fetched bookings."""

from clubs.archives.known import ArchiveSchema

CARRIED = ArchiveSchema(
    left={"seasons.BookingFetch": "the last fetch of bookings here; its token is sealed"},
)
