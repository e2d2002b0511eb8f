"""What an archive has to know of seasons and their ladders."""

from clubs.archives.known import Known

CARRIED = Known(
    data={
        "seasons.Ladder.rule": {},
        "seasons.SeasonHandicap.terms": {},
        "seasons.GradeConstants.tried": {},
        "seasons.Received.document": {},
        "seasons.SeasonVersion.rows": {"*.*.who.*": "clubs.Player"},
    },
    words={"season": "", "trophy": ""},
    calls={
        "handicap.give": {"player": "clubs.Player"},
        "handicap.put_back": {"rows.*.0": "tournaments.Entry"},
        "handicap.settle": {"kept.*.0": "tournaments.Entry"},
        "ladder.put_back": {"handicaps.*.0": "clubs.Player"},
        "ladder.remove": {},
        "season.change": {},
        "season.close": {},
        "season.remove": {"new.*": "clubs.Player"},
        "season.unclose": {},
        "trophy.engrave": {"names.*.0": "clubs.Player", "season": "seasons.Season"},
        "trophy.remove": {},
        "trophy.unengrave": {},
    },
    left={
        "seasons.BookingFetch": "the last fetch of bookings here; its token is sealed",
        "seasons.ClubFile": "a file that was asked for here; it is made anew elsewhere",
        "seasons.Destination": "its token is sealed with this installation's key",
        "seasons.GradeCheckpoint": "worked out from the evenings, there anew",
        "seasons.GradeEvening": "worked out from the results, there anew",
        "seasons.EntryFigures": "worked out from the results, there anew",
        "seasons.EventTables": "made from the results, there anew",
    },
)
