"""What an archive has to know of seasons and their ladders."""

from clubs.archives.known import Known

CARRIED = Known(
    data={
        "seasons.Ladder.rule": {},
        "seasons.Received.document": {},
        "seasons.SeasonVersion.rows": {"*.*.who.*": "clubs.Player"},
    },
    words={"season": "", "trophy": ""},
    calls={
        "season.close": {},
        "season.remove": {"new.*": "clubs.Player"},
        "season.unclose": {},
        "trophy.engrave": {"names.*.0": "clubs.Player"},
        "trophy.remove": {},
        "trophy.unengrave": {},
    },
    left={
        "seasons.ClubFile": "a file that was asked for here; it is made anew elsewhere",
        "seasons.Grade": "worked out from all evenings, there anew",
        "seasons.Destination": "its token is sealed with this installation's key",
        "seasons.EntryFigures": "worked out from the results, there anew",
    },
)
