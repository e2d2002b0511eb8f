"""Sample sheets for the papers of the trays."""

from boards.whist import Seat
from boards.whist.dealing import deal_board
from scoring.sheets.trays import (
    DealingMachineList,
    DealingMachineRow,
    HandCard,
    ResultCard,
    TrayLabel,
)
from tests.scoring.papers import samples

HEADING = samples.build_trump_slips(1)[0].heading


def build_labels(boards: int) -> list[TrayLabel]:
    """Return labels of this many trays."""
    return [
        TrayLabel(HEADING, number, Seat.find_dealer(number))
        for number in list_board_numbers(boards)
    ]


def build_hand_cards(boards: int, *, title: str = "", player: str = "") -> list[HandCard]:
    """Return the four cards of this many boards."""
    cards = []
    for number in list_board_numbers(boards):
        deal = deal_board(bytes(32), number)
        for seat in Seat:
            turn_up = deal.turn_up if seat is deal.dealer else None
            hand = tuple(sorted(deal.hands[seat]))
            card = HandCard(HEADING, number, seat, hand, deal.dealer, turn_up, title, player)
            cards.append(card)
    return cards


def build_dealing_machine_list(boards: int) -> DealingMachineList:
    """Return a dealing machine's list of this many boards."""
    rows = []
    for number in list_board_numbers(boards):
        deal = deal_board(bytes(32), number)
        rows.append(DealingMachineRow(number, deal.dealer, deal.turn_up, ("4-3-3-3",) * 4))
    return DealingMachineList(HEADING, tuple(rows))


def build_result_card(boards: int) -> ResultCard:
    """Return a result card of this many boards."""
    return ResultCard(
        HEADING, ("Pole & Clay", "Trist & Mott"), tuple(list_board_numbers(boards))
    )


def list_board_numbers(boards: int) -> range:
    return range(1, boards + 1)
