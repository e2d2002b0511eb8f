"""Numbers and first seats by drawn cards: aces sit at table 1, kings at table 2, and so on.

Red cards play against black: ♥ and ♦ are partners in seats 1 and 3, ♠ and ♣ in seats 2 and 4.
So firsts draw a red and a black card of each rank (♥, ♠), and seconds the other two.

Source: docs/sources.md DT3, progressive euchre: "the players who have drawn the four aces sit
at the ace table".
"""

import re
from collections.abc import Mapping

from drives.draw.evening import Plan
from drives.draw.participants import Participants, PlayerId, SeatedRound, check_rounds
from drives.draw.plan_statistics import compute_statistics
from drives.moves.table_repair import repair_tables
from drives.play_forms.play_form import DriveForm

START_TERM, START_BY_CARDS = "start", "cards"
"""The term of a drive whose first round is seated by drawn cards, and its only value."""
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
SUITS = "♥♠♦♣"
MAX_PLAYERS = len(RANKS) * len(SUITS)
"""The number of cards in a pack."""
_CARD_PATTERN = re.compile(r"(A|K|Q|J|T|10|[2-9])\s*([HSDC♥♠♦♣])", re.IGNORECASE)
_LETTERS = "HSDC"


def format_card(number: int) -> str:
    """Return the card of a player's number: "A♥" of 1, "K♣" of 8; "" above 52."""
    if not 1 <= number <= MAX_PLAYERS:
        return ""
    rank, suit = divmod(number - 1, len(SUITS))
    return f"{RANKS[rank]}{SUITS[suit]}"


def parse_card(text: str) -> int | None:
    """Read a card such as "AH", "10♠" or "t c" as a player's number; None for other texts."""
    match = _CARD_PATTERN.fullmatch(text.strip())
    if match is None:
        return None
    rank, suit = match[1].upper().replace("T", "10"), match[2].upper()
    place = SUITS.index(suit) if suit in SUITS else _LETTERS.index(suit)
    return RANKS.index(rank) * len(SUITS) + place + 1


def can_seat_by_cards(form: DriveForm) -> bool:
    """Return whether cards can seat the first round of a form: a form moved by results."""
    return form.move_players is not None


def seat_by_cards(participants: Participants, roles: Mapping[PlayerId, str]) -> SeatedRound:
    """Seat the first round by the numbers of the cards; players without a full table rest.

    An empty seat, for example of a player who left, is filled with a player without a table.
    """
    present = [*participants.players, *participants.playing_house_players]
    numbers = [number for number in present if isinstance(number, int)]
    full_tables = max(numbers, default=0) // 4
    tables = tuple(
        (4 * at + 1, 4 * at + 2, 4 * at + 3, 4 * at + 4) for at in range(full_tables)
    )
    seated = {number for table in tables for number in table}
    resting = tuple(player for player in present if player not in seated)
    drawn_round = repair_tables(SeatedRound(tables, resting), present, roles, {})
    return SeatedRound(drawn_round.tables, drawn_round.rest)


def plan_by_cards(participants: Participants, rounds: int) -> Plan:
    """Plan the first round by cards, for the command; later rounds follow from results."""
    check_rounds(rounds)
    drawn_round = seat_by_cards(participants, {})
    return Plan(
        rounds=(drawn_round,),
        statistics=compute_statistics([drawn_round], participants.players),
        tries=0,
    )
