"""Data about the cards after a session is closed: hand records, opening leads, best play."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist import CARDS_BY_CODE, Card, Seat
from scoring.errors import PaperRefused
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.travellers import count_results_by_tricks, load_travellers
from scoring.sheets.values import Traveller


@dataclass(frozen=True, slots=True)
class LeadGroup:
    """Opening leads of a board after which best play makes the same number of tricks."""

    ns_tricks: int
    cards: tuple[Card, ...]
    is_best: bool  # whether these leads are the best for the leader's side


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One board after play: its hands, best play and the field's results."""

    traveller: Traveller
    table_counts_by_tricks: tuple[tuple[int, int], ...]  # N-S tricks, and the number of tables


def load_travellers_with_hands(snapshot: SessionSnapshot) -> list[Traveller]:
    """Load the boards of a session for a printed hand record; raise PaperRefused while secret.

    A redealt board is included even if its new cards are not known, with a note. Boards whose
    cards were never known are left out.
    """
    if not can_see_hands(snapshot.session):
        raise PaperRefused(_("Close the session before printing the hands."))
    known_deals_by_board = snapshot.session.load_known_deals()
    travellers = [
        traveller
        for traveller in load_travellers(snapshot)
        if traveller.board in known_deals_by_board
    ]
    if not any(traveller.deal for traveller in travellers):
        raise PaperRefused(_("No hands recorded. Enter or import them first."))
    return travellers


def load_hand_records(snapshot: SessionSnapshot) -> list[HandRecord]:
    """Load every board with its hands and the field's results; empty while they are secret."""
    if not can_see_hands(snapshot.session):
        return []
    return [
        HandRecord(traveller, tuple(count_results_by_tricks(traveller)))
        for traveller in load_travellers(snapshot)
        if traveller.deal is not None
    ]


def load_leads(snapshot: SessionSnapshot, board_number: int) -> list[LeadGroup]:
    """Return the opening leads of a board, grouped by tricks, the leader's best first."""
    board_set = snapshot.session.board_set
    if board_set is None or not can_see_hands(snapshot.session):
        return []
    if not snapshot.session.event.has_turn_up:
        return []  # the stored leads were computed for the suit of the turn-up
    current_board = board_set.boards.current().filter(number=board_number).first()
    return (
        _group_leads(current_board.leads, current_board.as_deal().leader)
        if current_board
        else []
    )


def load_best_play_tables(snapshot: SessionSnapshot) -> dict[int, str]:
    """Return the stored best-play tables (`Board.table`), by the number of the board."""
    board_set = snapshot.session.board_set
    if board_set is None or not can_see_hands(snapshot.session):
        return {}
    analysed_boards = board_set.boards.current().exclude(table="")
    return dict(analysed_boards.values_list("number", "table"))


def _group_leads(ns_tricks_by_card: Mapping[str, int], leader: Seat) -> list[LeadGroup]:
    cards_by_tricks: dict[int, list[Card]] = {}
    for card_code, ns_tricks in ns_tricks_by_card.items():
        cards_by_tricks.setdefault(ns_tricks, []).append(CARDS_BY_CODE[card_code])
    sorted_tricks = sorted(cards_by_tricks, reverse=leader.side == "NS")
    return [
        LeadGroup(ns_tricks, tuple(sorted(cards_by_tricks[ns_tricks])), group_index == 0)
        for group_index, ns_tricks in enumerate(sorted_tricks)
    ]
