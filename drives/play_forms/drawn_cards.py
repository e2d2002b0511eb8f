"""Seats the first round by the card that each player draws before play.

The four players with aces sit at table 1, those with kings at table 2, and so on. Red cards
play against black: ♥ and ♦ are partners in seats 1 and 3, ♠ and ♣ in seats 2 and 4. So firsts
draw ♥ and ♠, and seconds draw ♦ and ♣.

Source: docs/sources.md DT3, progressive euchre: "the players who have drawn the four aces sit
at the ace table".
"""

import re
from collections.abc import Mapping

from drives.draw.evening import DrawPlan
from drives.draw.participants import Participants, PlayerId, SeatedRound, check_round_count
from drives.draw.plan_statistics import compute_statistics
from drives.moves.table_repair import repair_tables
from drives.play_forms.play_form import DriveForm

START_TERM, START_BY_CARDS = "start", "cards"
"""The term of a drive whose first round is seated by drawn cards, and its only value."""
CARD_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
SUIT_SYMBOLS = "♥♠♦♣"
MAX_PLAYERS = len(CARD_RANKS) * len(SUIT_SYMBOLS)
"""The number of cards in a pack."""
_CARD_PATTERN = re.compile(r"(A|K|Q|J|T|10|[2-9])\s*([HSDC♥♠♦♣])", re.IGNORECASE)
_SUIT_LETTERS = "HSDC"


def format_card(player_number: int) -> str:
    """Return the card for a player's number, e.g. "A♥" for 1 and "K♣" for 8; "" above 52."""
    if not 1 <= player_number <= MAX_PLAYERS:
        return ""
    rank_index, suit_index = divmod(player_number - 1, len(SUIT_SYMBOLS))
    return f"{CARD_RANKS[rank_index]}{SUIT_SYMBOLS[suit_index]}"


def parse_card(card_text: str) -> int | None:
    """Convert a card such as "AH", "10♠" or "t c" to a player's number; None if invalid."""
    card_match = _CARD_PATTERN.fullmatch(card_text.strip())
    if card_match is None:
        return None
    rank, suit_text = card_match[1].upper().replace("T", "10"), card_match[2].upper()
    suit_index = (
        SUIT_SYMBOLS.index(suit_text)
        if suit_text in SUIT_SYMBOLS
        else _SUIT_LETTERS.index(suit_text)
    )
    return CARD_RANKS.index(rank) * len(SUIT_SYMBOLS) + suit_index + 1


def can_seat_by_cards(play_form: DriveForm) -> bool:
    """Return whether the first round can be seated by cards: only if results decide moves."""
    return play_form.move_players is not None


def seat_players_by_cards(
    participants: Participants, role_by_player: Mapping[PlayerId, str]
) -> SeatedRound:
    """Seat the first round by the players' cards.

    A player whose card belongs to an incomplete table fills an empty seat elsewhere, e.g. the
    seat of a player who has left. If there is no empty seat, the player rests.
    """
    present_players = [*participants.players, *participants.playing_house_players]
    player_numbers = [
        player_number for player_number in present_players if isinstance(player_number, int)
    ]
    full_table_count = max(player_numbers, default=0) // 4
    tables = tuple(
        (4 * table_index + 1, 4 * table_index + 2, 4 * table_index + 3, 4 * table_index + 4)
        for table_index in range(full_table_count)
    )
    seated_players = {
        player_number for table_players in tables for player_number in table_players
    }
    resting_players = tuple(
        player for player in present_players if player not in seated_players
    )
    repaired_round = repair_tables(
        SeatedRound(tables, resting_players), present_players, role_by_player, {}
    )
    return SeatedRound(repaired_round.tables, repaired_round.resting_players)


def plan_first_round_by_cards(participants: Participants, round_count: int) -> DrawPlan:
    """Plan the first round by cards, for the `drive` command; results decide later rounds."""
    check_round_count(round_count)
    drawn_round = seat_players_by_cards(participants, {})
    return DrawPlan(
        rounds=(drawn_round,),
        statistics=compute_statistics([drawn_round], participants.players),
        try_count=0,
    )
