"""The export declarations of published results for club archives."""

from clubs.archives.known import ArchiveSchema

CARRIED = ArchiveSchema(
    data={"seasons.Received.document": {}},
    left={
        "seasons.ClubFile": "a file that was asked for here; it is made anew elsewhere",
        "seasons.Destination": "its token is sealed with this installation's key",
        "seasons.EventTables": "made from the results, there anew",
    },
)
