"""Builds the page of a table's phone in a game with contracts: bid hands, dealer and sums."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any
from zlib import crc32

from django.utils.translation import gettext as _

from clubs.models import TableLink
from drives.games.contracts import Contract, PassedDealRule, PointsTable
from drives.games.house import build_points_table_data
from drives.games.settling import SEATS, sum_points
from drives.hand_points import ContractByHand
from drives.models import Sheet
from drives.sheets.table_phone import (
    HandOnPhone,
    TablePhonePage,
    build_table_phone_page,
    load_phone_snapshot,
)

WORDING_KEYS = ("title", "local", "family")


@dataclass(frozen=True, kw_only=True, slots=True)
class BidHandOnPhone(HandOnPhone):
    """A hand with its stored contract, which is {} if the four scores were typed."""

    contract: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class ContractTablePage(TablePhonePage):
    """A table's page in a game with contracts; `points` is the id of the points table."""

    hands: tuple[BidHandOnPhone, ...]
    points: str

    @property
    def contract_by_hand(self) -> ContractByHand:
        """The contract of each hand with a score, by the number of the hand."""
        return {hand.hand: hand.contract for hand in self.hands if hand.score}

    @property
    def totals(self) -> tuple[int, ...]:
        """The sums of the players' points in this round at this table, in seat order."""
        return tuple(sum_points(hand.score for hand in self.hands if hand.score))


def build_page_data(link: TableLink, _state: object) -> Mapping[str, object]:
    """Return the page of a table as JSON data."""
    return {"page": load_table_phone_page(link)}


def load_table_phone_page(link: TableLink) -> TablePhonePage:
    """Return the page of a link's table, with contracts if the drive's game has contracts."""
    snapshot = load_phone_snapshot(link)
    page = build_table_phone_page(snapshot, link)
    if snapshot.points_table is None:
        return page
    current_round = snapshot.current_round
    sheet_items = current_round.sheet_by_table_and_hand.items() if current_round else ()
    sheet_by_hand = {
        hand_number: sheet
        for (table_number, hand_number), sheet in sheet_items
        if table_number == link.table
    }
    return _add_contracts(page, snapshot.points_table, sheet_by_hand)


def _add_contracts(
    page: TablePhonePage, points_table: PointsTable, sheet_by_hand: Mapping[int, Sheet]
) -> ContractTablePage:
    hands = []
    for hand in page.hands:
        sheet = sheet_by_hand.get(hand.hand)
        field_values = {field.name: getattr(hand, field.name) for field in fields(HandOnPhone)}
        hands.append(BidHandOnPhone(**field_values, contract=sheet.contract if sheet else {}))
    field_values = {field.name: getattr(page, field.name) for field in fields(TablePhonePage)}
    field_values |= {"hands": tuple(hands), "is_whole": bool(page.whole and page.whole.score)}
    return ContractTablePage(**field_values, points=compute_points_table_checksum(points_table))


def compute_points_table_checksum(points_table: PointsTable) -> str:
    """Return a checksum of a points table that does not depend on the language."""
    table_data = build_points_table_data(points_table)
    rules_without_wording = [
        {key: value for key, value in contract_data.items() if key not in WORDING_KEYS}
        for contract_data in table_data["contracts"]
    ]
    return (
        f"{crc32(json.dumps(table_data | {'contracts': rules_without_wording}).encode()):08x}"
    )


def group_contracts_by_family(
    contracts: Sequence[Contract],
) -> list[tuple[str, list[Contract]]]:
    """Group contracts under the headings of the phone, e.g. "Misère", in the order of bids."""
    contracts_by_family: dict[str, list[Contract]] = defaultdict(list)
    for contract in contracts:
        contracts_by_family[str(contract.label.family)].append(contract)
    return list(contracts_by_family.items())


def find_dealer(
    points_table: PointsTable, contract_by_hand: ContractByHand, hand_number: int
) -> int:
    """Return the seat that deals a hand; seat 1 deals the first hand.

    After a deal that everyone passed, the next player deals, unless the rule is to redeal.
    """
    dealer_move_count = hand_number - 1
    if points_table.passed is not PassedDealRule.REDEAL:
        dealer_move_count += sum(
            contract.get("passed", 0)
            for hand, contract in contract_by_hand.items()
            if hand < hand_number
        )
    return SEATS[max(dealer_move_count, 0) % len(SEATS)]


def format_opponent_names(hand: BidHandOnPhone, player_names: Sequence[str]) -> str:
    """Return the names of the players who confirm a hand: the opponents of its contract."""
    declarers = hand.contract.get("by", ())
    opponents = [
        name for seat, name in zip(SEATS, player_names, strict=True) if seat not in declarers
    ]
    if not declarers or not opponents:
        return _("All four")
    return ", ".join(opponents)
