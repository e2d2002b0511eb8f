"""The page of a drive's table on a phone, which the views in `clubs.views.tables` show."""

from dataclasses import asdict, dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from boards.whist import WhistError
from clubs.evenings.tables import TableKind
from clubs.models import TableLink
from drives.contract_words import load_drive_points_table
from drives.games.contracts import PassedDealRule, PointsTable
from drives.games.hand_rows import NO_CONTRACT_KEY
from drives.games.house import build_points_table_data
from drives.games.settling import SEATS
from drives.games.term_sentences import explain_passed_deals
from drives.hand_points import collect_hints_by_hand, explain_contract
from drives.scores.rules import choose_input_mode
from drives.services.tables import (
    get_drive,
    is_drive_closed,
    perform_table_act,
    query_table_links,
)
from drives.sheets.contract_phone import (
    BidHandOnPhone,
    ContractTablePage,
    build_page_data,
    find_dealer,
    format_opponent_names,
    group_contracts_by_family,
    load_table_phone_page,
)
from drives.sheets.table_phone import HandOnPhone, TablePhonePage
from server.formatting import format_signed


@dataclass(frozen=True, slots=True)
class PhoneScreen:
    """The hand that the page shows, and its mode.

    In the modes "planned" and "idle", the table waits for a round. In "enter", "confirm" and
    "done", the page shows a hand. "turn" follows a complete round, and "over" the last round.
    """

    hand: HandOnPhone | None
    mode: str

    @property
    def side(self) -> str:
        """The side that acts next: A enters a score, then the other side confirms it.

        The value is "" once the score is confirmed.
        """
        if self.hand is None or not self.hand.score:
            return "A"
        return self.hand.confirming_side if self.hand.awaits else ""


def _build_drive_context(link: TableLink) -> dict[str, object]:
    drive = get_drive(link)
    return {"drive": drive, "club": drive.club}


def _render_page(
    request: HttpRequest, link: TableLink, problem: WhistError | None
) -> HttpResponse:
    page = load_table_phone_page(link)
    screen = _choose_screen(request, page)
    context = _build_drive_context(link) | {
        "page": page,
        "data": asdict(page),
        "shown": screen,
        "fields": page.people if page.figures > 2 else page.sides,
        "keyboard": choose_input_mode(page.hands[0].low if page.hands else 0),
        "problem": str(problem) if problem else "",
    }
    points_table = load_drive_points_table(get_drive(link))
    if isinstance(page, ContractTablePage) and points_table is not None:
        context |= _build_contract_context(page, points_table, screen.hand)
        template = "drives/contract_table.html"
    else:
        template = "drives/table.html"
    return render(request, template, context, status=400 if problem else 200)


def _build_contract_context(
    page: ContractTablePage, points_table: PointsTable, hand: HandOnPhone | None
) -> dict[str, object]:
    """Build the additional template context for a game with contracts."""
    contract_by_hand = page.contract_by_hand
    dealer_seat = (
        find_dealer(points_table, contract_by_hand, hand.hand) if hand and page.people else 0
    )
    bid_hand = hand if isinstance(hand, BidHandOnPhone) else None
    return {
        "game": {"id": page.points, **build_points_table_data(points_table)},
        "families": group_contracts_by_family(points_table.playable_contracts),
        "seated": list(zip(SEATS, page.people, map(format_signed, page.totals), strict=False)),
        "seat_points": list(zip(page.people, map(format_signed, hand.score), strict=False))
        if hand
        else [],
        "dealer": dealer_seat,
        "told": [
            *explain_contract(points_table, bid_hand.contract, page.people),
            *collect_hints_by_hand(points_table, contract_by_hand).get(bid_hand.hand, ()),
        ]
        if bid_hand
        else [],
        "opponents": format_opponent_names(bid_hand, page.people)
        if bid_hand and page.people
        else "",
        "asks_alone": points_table.is_partner_optional,
        "passed_rule": explain_passed_deals(points_table),
        "no_contract_key": NO_CONTRACT_KEY,
        "can_count_passed": points_table.passed is not PassedDealRule.REDEAL,
    }


def _choose_screen(request: HttpRequest, page: TablePhonePage) -> PhoneScreen:
    """Choose the hand that the query string requests, or else the first unfinished hand."""
    if not page.seats:
        return PhoneScreen(None, "planned" if not page.round else "idle")
    is_whole_round_shown = page.whole is not None and (
        page.is_whole or bool(request.GET.get("whole"))
    )
    if request.GET.get("hands") and not (page.whole and page.whole.score):
        is_whole_round_shown = False
    offered_hands = [page.whole] if is_whole_round_shown and page.whole else list(page.hands)
    requested_hand_text = request.GET.get("hand", "")
    hand = next(
        (
            offered_hand
            for offered_hand in offered_hands
            if str(offered_hand.hand) == requested_hand_text
        ),
        None,
    )
    hand = hand or next(
        (offered_hand for offered_hand in offered_hands if not offered_hand.is_done), None
    )
    if hand is None:
        return PhoneScreen(None, "over" if page.is_over else "turn")
    if request.GET.get("again") or not hand.score:
        return PhoneScreen(hand, "enter")
    return PhoneScreen(hand, "confirm" if hand.awaits else "done")


DRIVE_TABLE_KIND = TableKind(
    find_links=query_table_links,
    locked_row_lookup="evening__drive",
    is_over=is_drive_closed,
    process_request=perform_table_act,
    build_data=build_page_data,
    render_page=_render_page,
    build_closed_context=_build_drive_context,
    closed_template="drives/table_gone.html",
    closed_message=_("The drive is closed. Thank you for your scores."),
    revoked_message=_("The organiser has cancelled this link. Ask for a new one."),
)
