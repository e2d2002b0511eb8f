"""The standings, the check of totals and the awards of a drive's file, for the commands."""

from fractions import Fraction

from drives.files.drive_file import DriveFile
from drives.prizes.awarding import Award, give, runners_of, terms_of
from drives.scores.room_check import check_room


def standings_data(drive: DriveFile) -> dict[str, object]:
    """Rank a drive; points and sums are exact fractions, written as strings."""
    check = check_room(
        drive.played,
        drive.cards,
        drive.scoring,
        tables=len(drive.players) // 4,
        planned=drive.rounds,
    )
    return {
        "standings": [
            {
                "number": each.number,
                "points": str(each.points),
                "rank": each.rank,
                "tied": each.tied,
                "rests": each.rests,
            }
            for each in drive.scores.ranking
        ],
        "check": {
            "expected": _written(check.expected),
            "got": str(check.got),
            "off": _written(check.off),
        },
        "awards": [
            {"prize": each.prize, "number": each.number, "why": each.why}
            for each in awards_of(drive)
        ],
    }


def awards_of(drive: DriveFile) -> list[Award]:
    """Award a drive's prizes."""
    scores = drive.scores
    terms = terms_of(scores, drive.name, drive.secret, one_each=drive.one_each)
    return give(drive.prizes, runners_of(scores), terms)


def _written(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
