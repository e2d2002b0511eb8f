"""The archive declarations of challenges, helpers, the clock and rehearsals."""

from clubs.archives.known import ArchiveSchema

CARRIED = ArchiveSchema(
    data={"hall.Rehearsal.script": {}},  # tables and entries are in it by number
    calls={
        "challenge.reopen": {"challenge": "hall.Challenge"},
        "entry_links.revoke": {"links.*": "tournaments.EntryLink"},
        "hand_link.revoke": {"session": "tournaments.Session"},
        "rehearsal.speed": {},
    },
    words={
        "challenge": "hall.Challenge",
        "entry link": "tournaments.EntryLink",
        "hand link": "tournaments.Session",
        "rehearsal": "",
    },
)
