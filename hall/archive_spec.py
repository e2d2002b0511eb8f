"""The archive specification of the `hall` models: challenges, typed hands and rehearsals."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    json_reference_paths={
        "hall.Rehearsal.script": {}
    },  # it refers to tables and entries by number
    undo_reference_paths={
        "challenge.reopen": {"challenge": "hall.Challenge"},
        "entry_links.revoke": {"links.*": "tournaments.EntryLink"},
        "hand_link.revoke": {"session": "tournaments.Session"},
        "rehearsal.speed": {},
    },
    subject_models={
        "challenge": "hall.Challenge",
        "entry link": "tournaments.EntryLink",
        "hand link": "tournaments.Session",
        "rehearsal": "",
    },
)
