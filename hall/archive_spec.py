"""The archive specification of the `hall` models: challenges, typed hands and rehearsals."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={
        "hall.Rehearsal.script": {}
    },  # it refers to tables and entries by number
    reference_paths_by_inverse_name={
        "challenge.reopen": {"challenge": "hall.Challenge"},
        "entry_links.revoke": {"links.*": "tournaments.EntryLink"},
        "hand_link.revoke": {"session": "tournaments.Session"},
        "rehearsal.speed": {},
    },
    model_labels_by_subject={
        "challenge": "hall.Challenge",
        "entry link": "tournaments.EntryLink",
        "hand link": "tournaments.Session",
        "rehearsal": "",
    },
)
