"""What an archive has to know of seasons and their ladders."""

from clubs.archives.known import Known

CARRIED = Known(
    data={
        "seasons.Ladder.rule": {},
        "seasons.Received.document": {},
        "seasons.SeasonVersion.rows": {"*.*.who.*": "clubs.Player"},
    },
    words={"season": ""},
    calls={
        "season.close": {},
        "season.remove": {"new.*": "clubs.Player"},
        "season.unclose": {},
    },
    left={
        "seasons.ClubFile": "a file that was asked for here; it is made anew elsewhere",
        "seasons.Destination": "its token is sealed with this installation's key",
    },
)
