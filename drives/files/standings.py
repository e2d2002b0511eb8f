"""The standings, the check of totals and the awards of a drive's file, for the commands."""

from fractions import Fraction

from drives.files.drive_file import DriveFile
from drives.prizes.awards import PrizeAward, award_prizes, build_award_terms, list_candidates
from drives.scores.totals_check import sum_totals


def build_standings_data(drive: DriveFile) -> dict[str, object]:
    """Rank a drive; points and sums are exact fractions, written as strings."""
    check = sum_totals(
        drive.played,
        drive.cards,
        drive.scoring,
        tables=len(drive.players) // 4,
        planned=drive.rounds,
    )
    return {
        "standings": [
            {
                "number": round_.number,
                "points": str(round_.points),
                "rank": round_.rank,
                "tied": round_.tied,
                "rests": round_.rests,
            }
            for round_ in drive.scores.ranking
        ],
        "check": {
            "expected": _format_fraction(check.expected_sum),
            "got": str(check.actual_sum),
            "off": _format_fraction(check.difference),
        },
        "awards": [
            {"prize": award.prize, "number": award.number, "why": award.reason}
            for award in compute_awards(drive)
        ],
    }


def compute_awards(drive: DriveFile) -> list[PrizeAward]:
    """Award a drive's prizes."""
    scores = drive.scores
    terms = build_award_terms(scores, drive.name, drive.secret, one_each=drive.one_each)
    return award_prizes(drive.prizes, list_candidates(scores), terms)


def _format_fraction(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
