"""Computes winners, missing scores, cards that may be wrong, and prizes of a stored drive.

Only the awards are stored, when the drive is closed. All other values are always computed.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.participants import PlayerId
from drives.draw.random_stream import RandomStream
from drives.models import Prize
from drives.moves.table_result import Side
from drives.play_forms import SeatingTime
from drives.prizes import awards
from drives.prizes.awards import (
    PrizeAward,
    build_award_terms,
    format_player_placeholder,
    list_candidates,
)
from drives.prizes.prize import PrizeLine, PrizeTieRule
from drives.scores.totals_check import SuspectCards, find_suspect_cards
from drives.snapshot import DriveSnapshot, RoundSnapshot

MAX_LISTED_NUMBERS = 12
BELL_AT_HEAD_TABLE, BELL_AT_ANY_TABLE, BELL_BY_CLOCK = "head", "any", "clock"
BELL_CODES = ("", BELL_AT_HEAD_TABLE, BELL_AT_ANY_TABLE, BELL_BY_CLOCK)
"""The codes of the rules for the bell that ends a round: no bell, or it rings when table 1
finishes, when the first table finishes, or when the time is up.

Source: the progressive games of the older books, in which the head table or any table rings.
"""


def find_suspect_score_cards(snapshot: DriveSnapshot, difference: int) -> SuspectCards:
    """Return the score cards that may be wrong, because the totals do not add up.

    `difference` is the sum of all totals minus the expected sum.
    """
    total_by_player: dict[PlayerId, int] = {}
    score_parts_by_player: dict[PlayerId, list[int]] = {}
    typed_numbers_by_player: dict[PlayerId, list[int]] = {}
    for card in snapshot.card_totals:
        if card.total is not None:
            typed_numbers_by_player.setdefault(card.player.number, []).append(card.total)
            total_by_player[card.player.number] = (
                total_by_player.get(card.player.number, 0) + card.total
            )
            score_parts_by_player.setdefault(card.player.number, []).extend(card.rows)
    return find_suspect_cards(
        total_by_player, score_parts_by_player, difference, typed_numbers_by_player
    )


def compute_side_scores(snapshot: RoundSnapshot, table_number: int) -> tuple[int, int] | None:
    """Return the scores of a table's two sides in a round so far; None if there is no score."""
    score, extra_points = snapshot.compute_table_score(table_number)
    if not score:
        return None
    totals = [
        points + side_extra_points
        for points, side_extra_points in zip(
            score, extra_points or (0,) * len(score), strict=True
        )
    ]
    return (
        (totals[0] + totals[2], totals[1] + totals[3])
        if len(totals) == 4
        else (totals[0], totals[1])
    )


def find_round_winners(
    snapshot: DriveSnapshot, round_number: int
) -> tuple[dict[int, str], list[int], list[int]]:
    """Return a round's winners by table, the tied tables, and the tables without a score."""
    winner_by_table: dict[int, str] = {}
    tied_tables, unscored_tables = [], []
    round_ = snapshot.round_by_number[round_number]
    for table_number in round_.seats_by_table:
        side_scores = compute_side_scores(round_, table_number)
        if side_scores is None:
            unscored_tables.append(table_number)
        elif side_scores[0] == side_scores[1]:
            tied_tables.append(table_number)
        else:
            winner_by_table[table_number] = str(
                Side.A if side_scores[0] > side_scores[1] else Side.B
            )
    return winner_by_table, tied_tables, unscored_tables


def list_incomplete_rounds(snapshot: DriveSnapshot) -> list[tuple[int, list[int]]]:
    """Return earlier rounds in which some tables have no score, with the numbers of the tables.

    Rounds without any score are omitted. Returns [] if score cards were handed in instead.
    """
    hand_count = snapshot.drive.hands
    incomplete_rounds = [
        (
            round_number,
            [
                table_number
                for table_number in round_.seats_by_table
                if round_.count_hands_entered(table_number, hand_count) < hand_count
            ],
        )
        for round_number, round_ in snapshot.round_by_number.items()
        if round_number < snapshot.drive.at_round and round_.has_any_score
    ]
    return (
        []
        if snapshot.scores.cards
        else [(round_number, tables) for round_number, tables in incomplete_rounds if tables]
    )


def list_unfinished_tables(snapshot: DriveSnapshot) -> list[tuple[int, int]]:
    """Return (table, number of hands entered) for each table that has not entered all hands.

    Only tables of the round in play are listed. The list is empty if score cards were handed in
    instead or, in games without contracts, if no table has a score. If results decide who
    moves, tables without any score are omitted, because `begin_next_round` reports them.
    """
    round_, hand_count = snapshot.current_round, snapshot.drive.hands
    are_scores_entered = round_ is not None and (
        round_.has_any_score or snapshot.points_table is not None
    )
    if round_ is None or not are_scores_entered or snapshot.scores.cards:
        return []
    do_results_decide_moves = snapshot.play_form.seating_time is SeatingTime.AFTER_RESULT
    tables_with_hand_count = [
        (table_number, round_.count_hands_entered(table_number, hand_count))
        for table_number in round_.seats_by_table
    ]
    return [
        (table_number, entered_hand_count)
        for table_number, entered_hand_count in tables_with_hand_count
        if (1 if do_results_decide_moves else 0) <= entered_hand_count < hand_count
    ]


def describe_missing_scores(snapshot: DriveSnapshot) -> list[str]:
    """Return messages about scores of tables, or about score cards, that are missing."""
    entered_card_parts = {
        (card.player_number, card.card_part) for card in snapshot.scores.cards
    }
    if entered_card_parts:
        card_parts = range(1, 3 if snapshot.drive.halves else 2)
        player_number_texts_without_card = [
            str(player.number)
            for player in snapshot.ranked_players
            if any(
                (player.number, card_part) not in entered_card_parts for card_part in card_parts
            )
        ]
        message = ngettext(
            "Card %(cards)s is missing.",
            "Cards %(cards)s are missing.",
            len(player_number_texts_without_card),
        )
        return (
            [message % {"cards": _format_numbers(player_number_texts_without_card)}]
            if player_number_texts_without_card
            else []
        )
    messages = []
    for round_number, round_ in snapshot.round_by_number.items():
        tables = [
            str(table_number)
            for table_number in round_.seats_by_table
            if round_number <= snapshot.drive.at_round
            and round_.count_hands_entered(table_number, snapshot.drive.hands)
            < snapshot.drive.hands
        ]
        if tables:
            message = ngettext(
                "Round %(round)s: scores missing from table %(tables)s.",
                "Round %(round)s: scores missing from tables %(tables)s.",
                len(tables),
            )
            messages.append(
                message % {"round": round_number, "tables": _format_numbers(tables)}
            )
    return messages


def _format_numbers(number_texts: Sequence[str]) -> str:
    """Return the first numbers as text, and how many more there are."""
    numbers_text = ", ".join(number_texts[:MAX_LISTED_NUMBERS])
    unnamed_count = len(number_texts) - MAX_LISTED_NUMBERS
    if unnamed_count <= 0:
        return numbers_text
    return _("%(named)s and %(more)s more") % {"named": numbers_text, "more": unnamed_count}


def draw_tie_winner(secret: bytes, round_number: int, table_number: int) -> str:
    """Draw the winning side of a tied table; anyone can repeat this with the drive's secret."""
    sides = (Side.A, Side.B)
    return str(sides[RandomStream(secret, "tie", round_number, table_number).draw_integer(2)])


def compute_awards(
    snapshot: DriveSnapshot, prizes: list[Prize], *, is_secret_revealed: bool
) -> list[PrizeAward]:
    """Return the winners of the prizes by the present scores.

    Lots are drawn only if `is_secret_revealed` is true. Before the close it must be false,
    because the secret that decides lots is not public yet. Reasons contain placeholders instead
    of names (`format_player_placeholder`).
    """
    prize_lines = [build_prize_line(prize) for prize in prizes]
    return awards.award_prizes(
        prize_lines,
        list_candidates(snapshot.scores),
        _build_award_terms(snapshot, is_secret_revealed=is_secret_revealed),
    )


def find_cutting_players(
    snapshot: DriveSnapshot, prizes: list[Prize]
) -> list[frozenset[PlayerId]]:
    """Return, for each prize, all players who may have to cut cards for it.

    The result joins the players who are tied now with those who are tied after the lots were
    drawn at the close. A lot can change the ties, because the winner of one prize no longer
    competes for a later prize.
    """
    prize_lines, candidates = (
        [build_prize_line(prize) for prize in prizes],
        list_candidates(snapshot.scores),
    )
    current_cutting_players, cutting_players_at_close = (
        awards.find_cutting_players(
            prize_lines,
            candidates,
            _build_award_terms(snapshot, is_secret_revealed=is_secret_revealed),
        )
        for is_secret_revealed in (False, True)
    )
    return [
        players | other_players
        for players, other_players in zip(
            current_cutting_players, cutting_players_at_close, strict=True
        )
    ]


def _build_award_terms(
    snapshot: DriveSnapshot, *, is_secret_revealed: bool
) -> awards.AwardTerms:
    drive = snapshot.drive
    secret = bytes(drive.secret or b"") if is_secret_revealed else b""
    return build_award_terms(
        snapshot.scores,
        drive.name,
        secret,
        has_one_prize_each=drive.one_prize_each,
        format_player=format_player_placeholder,
    )


def build_prize_line(prize: Prize) -> PrizeLine:
    """Return a prize as a `PrizeLine`, the input of `award_prizes`."""
    return PrizeLine(
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
