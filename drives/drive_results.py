"""Values computed from a drive's rows: winners, missing scores, doubtful cards, and prizes.

Only the awards of a close are stored; everything else follows from the scores.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.participants import PlayerId
from drives.draw.random_stream import RandomStream
from drives.models import Prize
from drives.moves.table_result import Side
from drives.prizes import awards
from drives.prizes.awards import PrizeAward, build_award_terms, list_candidates
from drives.prizes.prize import PrizeLine as Line
from drives.prizes.prize import PrizeTieRule
from drives.scores.totals_check import SuspectCards, find_suspects
from drives.snapshot import DriveSnapshot, RoundSnapshot

MAX_LISTED_NUMBERS = 12
BELL_AT_HEAD_TABLE, BELL_AT_ANY_TABLE, BELL_BY_CLOCK = "head", "any", "clock"
BELL_CODES = ("", BELL_AT_HEAD_TABLE, BELL_AT_ANY_TABLE, BELL_BY_CLOCK)
"""The codes of who rings the bell: no one, table 1, the first table to finish, or the clock.

Source: the progressive games of the older books, where the head table's or any table's rings.
"""


def find_suspect_cards(snapshot: DriveSnapshot, off: int) -> SuspectCards:
    """Return the cards that may explain a given difference in the check of totals."""
    totals: dict[PlayerId, int] = {}
    rows: dict[PlayerId, list[int]] = {}
    typed: dict[PlayerId, list[int]] = {}
    for each in snapshot.totals:
        if each.total is not None:
            typed.setdefault(each.player.number, []).append(each.total)
            totals[each.player.number] = totals.get(each.player.number, 0) + each.total
            rows.setdefault(each.player.number, []).extend(each.rows)
    return find_suspects(totals, rows, off, typed)


def compute_side_scores(snapshot: RoundSnapshot, table: int) -> tuple[int, int] | None:
    """Return the scores of a table's two sides in a round so far; None without scores."""
    score, extras = snapshot.compute_table_score(table)
    if not score:
        return None
    made = [a + b for a, b in zip(score, extras or (0,) * len(score), strict=True)]
    return (made[0] + made[2], made[1] + made[3]) if len(made) == 4 else (made[0], made[1])


def find_round_winners(
    snapshot: DriveSnapshot, number: int
) -> tuple[dict[int, str], list[int], list[int]]:
    """Return a round's winners by table, the tied tables, and the tables without a score."""
    winners: dict[int, str] = {}
    equal, open_ = [], []
    round_ = snapshot.rounds[number]
    for table in round_.tables:
        made = compute_side_scores(round_, table)
        if made is None:
            open_.append(table)
        elif made[0] == made[1]:
            equal.append(table)
        else:
            winners[table] = str(Side.A if made[0] > made[1] else Side.B)
    return winners, equal, open_


def list_incomplete_rounds(snapshot: DriveSnapshot) -> list[tuple[int, list[int]]]:
    """Return the earlier rounds that have scores, with the tables whose scores are missing.

    Nothing is missing where cards are handed in instead, or where no sheets are entered.
    """
    hands = snapshot.drive.hands
    found = [
        (
            number,
            [table for table in each.tables if each.count_hands_entered(table, hands) < hands],
        )
        for number, each in snapshot.rounds.items()
        if number < snapshot.drive.at_round and each.is_scored
    ]
    return (
        []
        if snapshot.scores.cards
        else [(number, tables) for number, tables in found if tables]
    )


def describe_missing_scores(snapshot: DriveSnapshot) -> list[str]:
    """Return messages about scores missing for a close: sheets, or else totals of cards."""
    handed = {(card.number, card.part) for card in snapshot.scores.cards}
    if handed:
        parts = range(1, 3 if snapshot.drive.halves else 2)
        missing = [
            str(player.number)
            for player in snapshot.ranked_players
            if any((player.number, part) not in handed for part in parts)
        ]
        words = ngettext(
            "Card %(cards)s is missing.", "Cards %(cards)s are missing.", len(missing)
        )
        return [words % {"cards": _format_numbers(missing)}] if missing else []
    found = []
    for number, each in snapshot.rounds.items():
        tables = [
            str(table)
            for table in each.tables
            if number <= snapshot.drive.at_round
            and each.count_hands_entered(table, snapshot.drive.hands) < snapshot.drive.hands
        ]
        if tables:
            words = ngettext(
                "Round %(round)s: scores missing from table %(tables)s.",
                "Round %(round)s: scores missing from tables %(tables)s.",
                len(tables),
            )
            found.append(words % {"round": number, "tables": _format_numbers(tables)})
    return found


def _format_numbers(numbers: Sequence[str]) -> str:
    """Return the first numbers as text, with the count of further numbers."""
    named = ", ".join(numbers[:MAX_LISTED_NUMBERS])
    more = len(numbers) - MAX_LISTED_NUMBERS
    if more <= 0:
        return named
    return _("%(named)s and %(more)s more") % {"named": named, "more": more}


def draw_tie_winner(secret: bytes, number: int, table: int) -> str:
    """Return the side that wins the lot after a tie; the secret can repeat the draw."""
    sides = (Side.A, Side.B)
    return str(sides[RandomStream(secret, "tie", number, table).draw_one_below(2)])


def compute_awards(
    snapshot: DriveSnapshot, prizes: list[Prize], *, revealed: bool
) -> list[PrizeAward]:
    """Return the winners of the prizes by the present scores.

    Ties are decided by lot only if the drive's secret is `revealed`.
    """
    lines = [to_prize_line(prize) for prize in prizes]
    return awards.award_prizes(
        lines, list_candidates(snapshot.scores), _build_award_terms(snapshot, revealed=revealed)
    )


def find_cutting_players(
    snapshot: DriveSnapshot, prizes: list[Prize]
) -> list[frozenset[PlayerId]]:
    """Return the equal players who cut for each prize, now and after a close.

    A lot for an earlier prize of the list may create equals, which a close then names.
    """
    lines, candidates = (
        [to_prize_line(prize) for prize in prizes],
        list_candidates(snapshot.scores),
    )
    now, then = (
        awards.find_cutting_players(
            lines, candidates, _build_award_terms(snapshot, revealed=revealed)
        )
        for revealed in (False, True)
    )
    return [one | other for one, other in zip(now, then, strict=True)]


def _build_award_terms(snapshot: DriveSnapshot, *, revealed: bool) -> awards.AwardTerms:
    drive = snapshot.drive
    secret = bytes(drive.secret or b"") if revealed else b""
    return build_award_terms(snapshot.scores, drive.name, secret, one_each=drive.one_prize_each)


def to_prize_line(prize: Prize) -> Line:
    """Return a prize as a value for awarding."""
    return Line(
        words=prize.words,
        field=prize.field,
        measure=prize.measure,
        count=prize.count,
        ties=PrizeTieRule(prize.ties),
        places=tuple(prize.places),
        then=tuple(prize.then),
        round=prize.round,
        least=prize.least,
        won=tuple(prize.won),
        cut_by=tuple(prize.cut_by or ()),
    )
