"""The standing, the room's check and the awards of a drive's file, as a command writes them."""

from fractions import Fraction

from drives.files.drive_file import DriveFile
from drives.forms.ties import TieRule
from drives.prizes.awarding import Award, Terms, give
from drives.prizes.prize import Runner
from drives.scores.ranking import rank
from drives.scores.room_check import check_room
from drives.scores.sheets import Tally, is_entered, tallies
from drives.scores.stays import rounds_on_cards
from drives.scores.terms import numbers_of


def standings_data(drive: DriveFile) -> dict[str, object]:
    """Rank a drive; points and sums are exact fractions, written as texts."""
    made = made_by(drive)
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
            for each in rank(made, drive.score.ties, numbers_of(drive.played, drive.rounds))
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


def made_by(drive: DriveFile) -> dict[int | str, Tally]:
    """What each ranked player made."""
    ranked = [player.number for player in drive.ranked]
    stays, planned, halves = drive.stays, drive.rounds, drive.halves
    counts = rounds_on_cards(stays, drive.played, drive.cards, planned, halves=halves)
    return tallies(
        drive.played,
        drive.cards,
        drive.scoring,
        ranked,
        counts,
        half_ties=drive.tie_rule is TieRule.HALF,
    )


def awards_of(drive: DriveFile) -> list[Award]:
    """Give a drive's prizes."""
    made = made_by(drive)
    rounds = numbers_of(drive.played, drive.rounds)
    runners = [
        Runner(
            number=player.number,
            tally=made[player.number],
            role=player.role,
            club=player.club,
            fort=player.fort,
            present=player.present,
            rounds=rounds,
            whole=player.stay.is_whole(drive.rounds),
        )
        for player in drive.ranked
    ]
    terms = Terms(
        one_each=drive.one_each,
        rounds=0 if drive.cards else sum(map(is_entered, drive.played)),
        parts=frozenset(card.part for card in drive.cards),
        halves=drive.halves,
        drive=drive.name,
        secret=drive.secret,
    )
    return give(drive.prizes, runners, terms)


def _written(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
