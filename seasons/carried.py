"""What an archive has to know of seasons and their ladders."""

from clubs.archives.known import Known

CARRIED = Known(
    data={
        "seasons.Ladder.rule": {},
        "seasons.SeasonVersion.rows": {"*.*.who.*": "clubs.Player"},
    },
    left={
        "seasons.EntryFigures": "worked out from the results, there anew",
        "seasons.Grade": "worked out from all evenings, there anew",
    },
    words={"season": ""},
    calls={
        "season.close": {},
        "season.remove": {"new.*": "clubs.Player"},
        "season.unclose": {},
    },
)
