"""Sample sheets for the papers of the trays."""

from boards.whist import Seat
from boards.whist.dealing import deal_board
from scoring.sheets.trays import HandCard, MachineBoard, MachineList, ResultCard, TrayLabel
from tests.scoring.papers import samples

HEADING = samples.trump_slips(1)[0].heading


def labels(boards: int) -> list[TrayLabel]:
    """Return labels of this many trays."""
    return [TrayLabel(HEADING, number, Seat.dealer_of(number)) for number in _numbers(boards)]


def hand_cards(boards: int, *, title: str = "", player: str = "") -> list[HandCard]:
    """Return the four cards of this many boards."""
    found = []
    for number in _numbers(boards):
        deal = deal_board(bytes(32), number)
        for seat in Seat:
            turn_up = deal.turn_up if seat is deal.dealer else None
            hand = tuple(sorted(deal.hands[seat]))
            card = HandCard(HEADING, number, seat, hand, deal.dealer, turn_up, title, player)
            found.append(card)
    return found


def machine_list(boards: int) -> MachineList:
    """Return a dealing machine's list of this many boards."""
    rows = []
    for number in _numbers(boards):
        deal = deal_board(bytes(32), number)
        rows.append(MachineBoard(number, deal.dealer, deal.turn_up, ("4-3-3-3",) * 4))
    return MachineList(HEADING, tuple(rows))


def result_card(boards: int) -> ResultCard:
    """Return a result card of this many boards."""
    return ResultCard(HEADING, ("Pole & Clay", "Trist & Mott"), tuple(_numbers(boards)))


def _numbers(boards: int) -> range:
    return range(1, boards + 1)
