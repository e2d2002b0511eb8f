"""The reader and writer of LIN, the text format of Bridge Base Online's viewer."""

import re
from collections.abc import Iterator, Mapping

from boards.whist import (
    CARDS_BY_CODE,
    PACK,
    Card,
    Deal,
    Seat,
    Suit,
    UnreadableCard,
)
from boards.whist.board_file import (
    MAX_BOARD_COUNT,
    MAX_HAND_CHARACTERS,
    NO_TURN_UPS,
    BoardFile,
    TurnUpsByBoard,
    UncheckedBoard,
    build_too_many_boards_error,
    check_boards,
    decode_text,
    format_board_problem,
)

SEAT_ORDER = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order in which a LIN file lists the hands."""


def format_lin(deals_by_board: Mapping[int, Deal]) -> str:
    """Return boards as a LIN file with one line for each board."""
    return "".join(
        _format_board(board_number, deal)
        for board_number, deal in sorted(deals_by_board.items())
    )


def _format_board(board_number: int, deal: Deal) -> str:
    dealer_digit = SEAT_ORDER.index(deal.dealer) + 1
    hands_text = ",".join(_format_hand(deal.hands[seat]) for seat in SEAT_ORDER)
    trumps_text = f"Turn-up {deal.turn_up.code}" if deal.turn_up else "Trumps declared"
    return (
        f"qx|o{board_number}|pn|South,West,North,East|st||md|{dealer_digit}{hands_text}|rh||"
        f"ah|Board {board_number}|sv|o|mb|1{deal.trumps or 'N'}|an|{trumps_text}|"
        "mb|p|mb|p|mb|p|pg||\n"
    )


def _format_hand(hand: frozenset[Card]) -> str:
    cards = sorted(hand, key=lambda card: ("SHDC".index(card.suit), card.rank))
    return "".join(
        suit + "".join(card.rank.letter for card in cards if card.suit is suit) for suit in Suit
    )


_COMMAND_PATTERN = re.compile(r"\b([a-z]{2})\|([^|]*)\|", re.IGNORECASE)
_BOARD_PATTERN = re.compile(r"(?:board|[oc])\s*(\d{1,4})\b", re.IGNORECASE)
_TURN_UP_PATTERN = re.compile(r"turn-up ([SHDC][2-9TJQKA])", re.IGNORECASE)
_SUIT_PATTERN = re.compile(r"([SHDC])([^SHDC]*)")


def is_lin(file_content: bytes) -> bool:
    """Return whether a file looks like LIN, with a deal between vertical bars."""
    return (
        re.search(r"\bmd\|[0-4]?[SHDC]", decode_text(file_content), re.IGNORECASE) is not None
    )


def read_lin(file_content: bytes | str, *, turn_ups: TurnUpsByBoard = NO_TURN_UPS) -> BoardFile:
    """Read the boards of a LIN file; a missing fourth hand gets the remaining cards.

    Raises UnusableBoards, which lists every problem with its board number.
    """
    boards, problems = list[UncheckedBoard](), list[str]()
    for board_number, deal_text, turn_up in _read_deals(decode_text(file_content)):
        try:
            boards.append(_read_deal(board_number, deal_text, turn_up))
        except UnreadableCard as problem:
            problems.append(format_board_problem(board_number, problem))
    return check_boards(boards, problems=problems, turn_ups=turn_ups)


def _read_deals(file_text: str) -> Iterator[tuple[int, str, Card | None]]:
    """Yield the board number, the text and the turn-up, if any, of each deal.

    The board number is in the command `qx` before the deal or in `ah` after it. A deal without
    a number gets the number that follows the previous deal's.
    """
    text_sections = re.split(
        r"\bmd\|", file_text, maxsplit=MAX_BOARD_COUNT + 1, flags=re.IGNORECASE
    )
    if len(text_sections) > MAX_BOARD_COUNT + 1:
        raise build_too_many_boards_error()
    text_before_deal, board_number = text_sections[0], 0
    for text_section in text_sections[1:]:
        deal_text, _bar, text_after_deal = text_section.partition("|")
        board_numbers = _read_board_numbers(text_before_deal, "qx") or _read_board_numbers(
            text_after_deal, "ah"
        )
        board_number = board_numbers[-1] if board_numbers else board_number + 1
        turn_up_match = _TURN_UP_PATTERN.search(text_after_deal)
        yield (
            board_number,
            deal_text.upper(),
            CARDS_BY_CODE[turn_up_match[1].upper()] if turn_up_match else None,
        )
        text_before_deal = text_after_deal


def _read_board_numbers(lin_text: str, command: str) -> list[int]:
    arguments = (
        argument
        for command_name, argument in _COMMAND_PATTERN.findall(lin_text)
        if command_name.lower() == command
    )
    return [
        int(board_match[1])
        for argument in arguments
        if (board_match := _BOARD_PATTERN.match(argument.strip()))
    ]


def _read_deal(board_number: int, deal_text: str, turn_up: Card | None) -> UncheckedBoard:
    dealer_digit = deal_text[:1]
    dealer = (
        SEAT_ORDER[int(dealer_digit) - 1]
        if dealer_digit in ("1", "2", "3", "4")
        else Seat.find_dealer(board_number)
    )
    parsed_hands = [
        _read_hand(hand_text) for hand_text in deal_text.lstrip("01234").split(",")
    ][:4]
    if len(parsed_hands) == 3 or (len(parsed_hands) == 4 and not parsed_hands[3]):
        dealt_cards = {card for hand in parsed_hands for card in hand}
        parsed_hands = [*parsed_hands[:3], [card for card in PACK if card not in dealt_cards]]
    hands = dict(zip(SEAT_ORDER, [*parsed_hands, [], [], []], strict=False))
    return UncheckedBoard(board_number, dealer, hands, turn_up)


def _read_hand(hand_text: str) -> list[Card]:
    """Return the cards of a hand such as S82HAK4D..C; raise UnreadableCard for other text."""
    return [
        Card.parse(suit + rank)
        for suit, ranks in _SUIT_PATTERN.findall(hand_text[:MAX_HAND_CHARACTERS])
        for rank in re.findall(r"10|\S", ranks)
    ]
