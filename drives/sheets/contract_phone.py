"""A table's phone in a game with contracts: its hands as bid, the dealer and the sums."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol
from zlib import crc32

from django.utils.translation import gettext as _

from clubs.models import TableLink
from drives.errors import HandRefused
from drives.games.contracts import Contract, PassedRule, PointsTable
from drives.games.explaining import explain_hand
from drives.games.hints import find_hints
from drives.games.house import allow_all_contracts, build_table_data
from drives.games.settling import SEATS, Settlement
from drives.hand_points import settle_contract
from drives.models import Sheet
from drives.sheets.table_phone import (
    HandOnPhone,
    TablePhone,
    build_table_phone,
    load_phone_snapshot,
)

WORDS = ("title", "local", "family")


@dataclass(frozen=True, kw_only=True, slots=True)
class BidHandOnPhone(HandOnPhone):
    """A hand with its contract in the format of files; {} if the four scores were typed."""

    contract: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class ContractPhone(TablePhone):
    """A table's page in a game with contracts; `points` identifies the table of points."""

    hands: tuple[BidHandOnPhone, ...]
    points: str

    @property
    def totals(self) -> tuple[int, ...]:
        """The sums of the players' points in this round at this table, in seat order."""
        scores = [hand.score for hand in self.hands if hand.score]
        return tuple(map(sum, zip(*scores, strict=True))) if scores else (0,) * len(SEATS)


def build_page_data(link: TableLink, _state: object) -> Mapping[str, object]:
    """Return the page of a table as data."""
    return {"page": load_table_phone(link)}


def load_table_phone(link: TableLink) -> TablePhone:
    """Return the present page of a link's table, with contracts if its game has them."""
    snapshot = load_phone_snapshot(link)
    page = build_table_phone(snapshot, link)
    if snapshot.points_table is None:
        return page
    current_round = snapshot.current_round
    found = current_round.sheets.items() if current_round else ()
    sheets = {hand: sheet for (table, hand), sheet in found if table == link.table}
    return _add_contracts(page, snapshot.points_table, sheets)


def _add_contracts(
    page: TablePhone, table: PointsTable, sheets: Mapping[int, Sheet]
) -> ContractPhone:
    hands = []
    for hand in page.hands:
        sheet = sheets.get(hand.hand)
        values = {each.name: getattr(hand, each.name) for each in fields(HandOnPhone)}
        hands.append(BidHandOnPhone(**values, contract=sheet.contract if sheet else {}))
    values = {each.name: getattr(page, each.name) for each in fields(TablePhone)}
    values |= {"hands": tuple(hands), "is_whole": bool(page.whole and page.whole.score)}
    return ContractPhone(**values, points=compute_points_id(table))


def compute_points_id(table: PointsTable) -> str:
    """Return a short text that changes with the table of points, in any language."""
    data = build_table_data(table)
    rules = [
        {key: value for key, value in each.items() if key not in WORDS}
        for each in data["contracts"]
    ]
    return f"{crc32(json.dumps(data | {'contracts': rules}).encode()):08x}"


def group_by_family(contracts: Sequence[Contract]) -> list[tuple[str, list[Contract]]]:
    """Return contracts under the headings of the phone, both in the order of the bids."""
    families: dict[str, list[Contract]] = defaultdict(list)
    for contract in contracts:
        families[str(contract.label.family)].append(contract)
    return list(families.items())


class DealtHand(Protocol):
    """The number of a hand and its contract, on which the dealers of later hands depend."""

    @property
    def hand(self) -> int:
        """The number of the hand."""

    @property
    def contract(self) -> Mapping[str, Any]:
        """The hand in the format of files; empty without a contract."""


def find_dealer(table: PointsTable, hands: Iterable[DealtHand], hand: int) -> int:
    """Return the seat that deals a hand: seat 1 deals the first one.

    A deal that everyone passed goes to the next dealer, unless the same player deals again.
    """
    moves = hand - 1
    if table.passed is not PassedRule.REDEAL:
        earlier = [each for each in hands if each.hand < hand]
        moves += sum(each.contract.get("passed", 0) for each in earlier)
    return SEATS[max(moves, 0) % len(SEATS)]


def explain_hand_points(
    table: PointsTable, hand: BidHandOnPhone, names: Sequence[str]
) -> list[str]:
    """Explain the points of a hand in sentences; an empty list for typed scores."""
    settled = _settle(table, hand)
    return explain_hand(table, settled, names) if settled else []


def list_hand_hints(
    table: PointsTable, hands: Sequence[BidHandOnPhone], hand: BidHandOnPhone
) -> list[str]:
    """Return the questions about a surprising hand, given all hands of its table."""
    settled = _settle(table, hand)
    earlier = [each for each in hands if each.hand < hand.hand and each.score]
    before = _settle(table, earlier[-1]) if earlier else None
    return find_hints(settled, before) if settled else []


def _settle(table: PointsTable, hand: BidHandOnPhone) -> Settlement | None:
    if not hand.contract:
        return None
    try:
        return settle_contract(allow_all_contracts(table), hand.contract)
    except HandRefused:  # the table of points changed without this hand
        return None


def name_opponents(hand: BidHandOnPhone, names: Sequence[str]) -> str:
    """Return the players who confirm a hand: those who did not play its contract."""
    by = hand.contract.get("by", ())
    others = [name for seat, name in zip(SEATS, names, strict=True) if seat not in by]
    if not by or not others:
        return _("All four")
    return ", ".join(others)
