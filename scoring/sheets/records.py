"""Data about the cards after a session is closed: hand records, opening leads, best play."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist import CARDS_BY_CODE, Card, Seat
from scoring.errors import PaperRefused
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.travellers import count_results, load_travellers
from scoring.sheets.values import Traveller


@dataclass(frozen=True, slots=True)
class Leads:
    """A group of opening leads of a board after which best play makes the same number of
    tricks.
    """

    ns_tricks: int
    cards: tuple[Card, ...]
    is_best: bool  # for the leader's side


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One board after play: its hands, best play and the field's results."""

    traveller: Traveller
    spread: tuple[tuple[int, int], ...]  # N-S tricks, and the number of tables


def load_travellers_with_hands(room: SessionSnapshot) -> list[Traveller]:
    """Load the boards of a session for a printed hand record; raise PaperRefused while secret.

    A redealt board is included even if its new cards are not known, with a note. Boards whose
    cards were never known are left out.
    """
    if not can_see_hands(room.session):
        raise PaperRefused(_("Close the session before printing the hands."))
    known_deals = room.session.deals_known()
    travellers = [sheet for sheet in load_travellers(room) if sheet.board in known_deals]
    if not any(sheet.deal for sheet in travellers):
        raise PaperRefused(_("No hands recorded. Enter or import them first."))
    return travellers


def load_hand_records(room: SessionSnapshot) -> list[HandRecord]:
    """Load every board with its hands and the field's results; empty while they are secret."""
    if not can_see_hands(room.session):
        return []
    return [
        HandRecord(sheet, tuple(count_results(sheet)))
        for sheet in load_travellers(room)
        if sheet.deal is not None
    ]


def load_leads(room: SessionSnapshot, board: int) -> list[Leads]:
    """Return the tricks of each opening lead of a board, the leader's best first."""
    board_set = room.session.board_set
    if board_set is None or not can_see_hands(room.session):
        return []
    if not room.session.event.turns_a_card:
        return []  # they were computed with the turn-up's suit
    row = board_set.boards.current().filter(number=board).first()
    return _group_leads(row.leads, row.as_deal().leader) if row else []


def load_best_play_tables(room: SessionSnapshot) -> dict[int, str]:
    """Load the best-play tricks of every seat in every suit, by board, where computed."""
    board_set = room.session.board_set
    if board_set is None or not can_see_hands(room.session):
        return {}
    rows = board_set.boards.current().exclude(table="")
    return dict(rows.values_list("number", "table"))


def _group_leads(tricks: Mapping[str, int], leader: Seat) -> list[Leads]:
    cards: dict[int, list[Card]] = {}
    for code, ns_tricks in tricks.items():
        cards.setdefault(ns_tricks, []).append(CARDS_BY_CODE[code])
    order = sorted(cards, reverse=leader.side == "NS")
    return [
        Leads(ns_tricks, tuple(sorted(cards[ns_tricks])), place == 0)
        for place, ns_tricks in enumerate(order)
    ]
