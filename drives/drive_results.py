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


def find_suspect_cards(snapshot: DriveSnapshot, difference: int) -> SuspectCards:
    """Return the cards that may explain a given difference in the check of totals."""
    totals: dict[PlayerId, int] = {}
    rows: dict[PlayerId, list[int]] = {}
    typed_numbers: dict[PlayerId, list[int]] = {}
    for total in snapshot.totals:
        if total.total is not None:
            typed_numbers.setdefault(total.player.number, []).append(total.total)
            totals[total.player.number] = totals.get(total.player.number, 0) + total.total
            rows.setdefault(total.player.number, []).extend(total.rows)
    return find_suspects(totals, rows, difference, typed_numbers)


def compute_side_scores(snapshot: RoundSnapshot, table: int) -> tuple[int, int] | None:
    """Return the scores of a table's two sides in a round so far; None without scores."""
    score, extras = snapshot.compute_table_score(table)
    if not score:
        return None
    totals = [a + b for a, b in zip(score, extras or (0,) * len(score), strict=True)]
    return (
        (totals[0] + totals[2], totals[1] + totals[3])
        if len(totals) == 4
        else (totals[0], totals[1])
    )


def find_round_winners(
    snapshot: DriveSnapshot, number: int
) -> tuple[dict[int, str], list[int], list[int]]:
    """Return a round's winners by table, the tied tables, and the tables without a score."""
    winners: dict[int, str] = {}
    tied_tables, unscored_tables = [], []
    round_ = snapshot.rounds[number]
    for table in round_.tables:
        side_scores = compute_side_scores(round_, table)
        if side_scores is None:
            unscored_tables.append(table)
        elif side_scores[0] == side_scores[1]:
            tied_tables.append(table)
        else:
            winners[table] = str(Side.A if side_scores[0] > side_scores[1] else Side.B)
    return winners, tied_tables, unscored_tables


def list_incomplete_rounds(snapshot: DriveSnapshot) -> list[tuple[int, list[int]]]:
    """Return the earlier rounds that have scores, with the tables whose scores are missing.

    Nothing is missing where cards are handed in instead, or where no sheets are entered.
    """
    hands = snapshot.drive.hands
    incomplete_rounds = [
        (
            number,
            [
                table
                for table in round_.tables
                if round_.count_hands_entered(table, hands) < hands
            ],
        )
        for number, round_ in snapshot.rounds.items()
        if number < snapshot.drive.at_round and round_.is_scored
    ]
    return (
        []
        if snapshot.scores.cards
        else [(number, tables) for number, tables in incomplete_rounds if tables]
    )


def describe_missing_scores(snapshot: DriveSnapshot) -> list[str]:
    """Return messages about scores missing for a close: sheets, or else totals of cards."""
    entered_cards = {(card.number, card.part) for card in snapshot.scores.cards}
    if entered_cards:
        parts = range(1, 3 if snapshot.drive.halves else 2)
        players_without_card = [
            str(player.number)
            for player in snapshot.ranked_players
            if any((player.number, part) not in entered_cards for part in parts)
        ]
        message = ngettext(
            "Card %(cards)s is missing.",
            "Cards %(cards)s are missing.",
            len(players_without_card),
        )
        return (
            [message % {"cards": _format_numbers(players_without_card)}]
            if players_without_card
            else []
        )
    messages = []
    for number, round_ in snapshot.rounds.items():
        tables = [
            str(table)
            for table in round_.tables
            if number <= snapshot.drive.at_round
            and round_.count_hands_entered(table, snapshot.drive.hands) < snapshot.drive.hands
        ]
        if tables:
            message = ngettext(
                "Round %(round)s: scores missing from table %(tables)s.",
                "Round %(round)s: scores missing from tables %(tables)s.",
                len(tables),
            )
            messages.append(message % {"round": number, "tables": _format_numbers(tables)})
    return messages


def _format_numbers(numbers: Sequence[str]) -> str:
    """Return the first numbers as text, with the count of further numbers."""
    shown_numbers = ", ".join(numbers[:MAX_LISTED_NUMBERS])
    further_count = len(numbers) - MAX_LISTED_NUMBERS
    if further_count <= 0:
        return shown_numbers
    return _("%(named)s and %(more)s more") % {"named": shown_numbers, "more": further_count}


def draw_tie_winner(secret: bytes, number: int, table: int) -> str:
    """Decide a tie at random and return the winning side; with the drive's secret the draw can
    be repeated.
    """
    sides = (Side.A, Side.B)
    return str(sides[RandomStream(secret, "tie", number, table).draw_one_below(2)])


def compute_awards(
    snapshot: DriveSnapshot, prizes: list[Prize], *, is_revealed: bool
) -> list[PrizeAward]:
    """Return the winners of the prizes by the present scores.

    Ties are decided by lot only if the drive's secret is `is_revealed`.
    """
    lines = [to_prize_line(prize) for prize in prizes]
    return awards.award_prizes(
        lines,
        list_candidates(snapshot.scores),
        _build_award_terms(snapshot, is_revealed=is_revealed),
    )


def find_cutting_players(
    snapshot: DriveSnapshot, prizes: list[Prize]
) -> list[frozenset[PlayerId]]:
    """Return the tied players who cut cards for each prize, now and as they were at the close.

    A lot for an earlier prize of the list may create equals, which a close then names.
    """
    lines, candidates = (
        [to_prize_line(prize) for prize in prizes],
        list_candidates(snapshot.scores),
    )
    equals_now, equals_at_close = (
        awards.find_cutting_players(
            lines, candidates, _build_award_terms(snapshot, is_revealed=revealed)
        )
        for revealed in (False, True)
    )
    return [one | other for one, other in zip(equals_now, equals_at_close, strict=True)]


def _build_award_terms(snapshot: DriveSnapshot, *, is_revealed: bool) -> awards.AwardTerms:
    drive = snapshot.drive
    secret = bytes(drive.secret or b"") if is_revealed else b""
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
