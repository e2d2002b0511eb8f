"""The specification of how club archives include published results."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={"seasons.Received.document": {}},
    exclusion_reasons_by_label={
        "seasons.ClubFile": "a file that was asked for here; it is made anew elsewhere",
        "seasons.Destination": "its token is sealed with this installation's key",
        "seasons.EventTables": "made from the results, there anew",
    },
)
