"""Computes the standings, the check of totals and the awards of a drive file for commands."""

from fractions import Fraction

from drives.draw.participants import PlayerId
from drives.files.drive_file import DriveFile
from drives.prizes.awards import PrizeAward, award_prizes, build_award_terms, list_candidates


def build_standings_data(drive: DriveFile) -> dict[str, object]:
    """Return the output of `drive standings`; points and sums are fractions such as "13/2"."""
    totals_check = drive.scores.check_totals(table_count=len(drive.players) // 4)
    return {
        "standings": [
            {
                "number": ranked_player.number,
                "points": str(ranked_player.points),
                "rank": ranked_player.rank,
                "tied": ranked_player.is_tied,
                "rests": ranked_player.rest_count,
            }
            for ranked_player in drive.scores.ranking
        ],
        "check": {
            "expected": _format_fraction(totals_check.expected_sum),
            "got": str(totals_check.actual_sum),
            "off": _format_fraction(totals_check.difference),
        },
        "awards": [
            {"prize": award.prize_number, "number": award.player_number, "why": award.reason}
            for award in compute_awards(drive)
        ],
    }


def compute_awards(drive: DriveFile) -> list[PrizeAward]:
    """Compute the awards of the prizes in a drive file."""
    scores = drive.scores
    name_by_number: dict[PlayerId, str] = {entry.number: entry.name for entry in drive.players}
    award_terms = build_award_terms(
        scores,
        drive.name,
        drive.secret,
        has_one_prize_each=drive.has_one_prize_each,
        format_player=lambda player: name_by_number.get(player) or str(player),
    )
    return award_prizes(drive.prizes, list_candidates(scores), award_terms)


def _format_fraction(fraction: Fraction | None) -> str | None:
    return None if fraction is None else str(fraction)
