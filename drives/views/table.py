"""The page of a drive's table on a phone: the functions that `clubs.views.tables` needs."""

from dataclasses import asdict, dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from boards.whist import WhistError
from clubs.evenings.tables import TableKind
from clubs.models import TableLink
from drives.contract_words import load_worded_table
from drives.games.contracts import PassedRule, PointsTable
from drives.games.house import build_table_data
from drives.games.settling import SEATS
from drives.scores.rules import choose_input_mode
from drives.services.tables import get_drive, is_over, perform_table_act, query_table_links
from drives.sheets.contract_phone import (
    BidHandOnPhone,
    ContractPhone,
    build_page_data,
    explain_hand_points,
    find_dealer,
    group_by_family,
    list_hand_hints,
    load_table_phone,
    name_opponents,
)
from drives.sheets.table_phone import HandOnPhone, TablePhone
from server.formatting import format_signed


@dataclass(frozen=True, slots=True)
class PhoneScreen:
    """The state of the page: the hand that is entered or to be confirmed, and the mode.

    "planned" and "idle" wait; "enter", "confirm" and "done" are about a hand; "turn" is a
    complete round, "over" the last one.
    """

    hand: HandOnPhone | None
    mode: str

    @property
    def side(self) -> str:
        """The side that may enter a score now: A first, then the side that has to confirm it;
        "" once it is confirmed.
        """
        if self.hand is None or not self.hand.score:
            return "A"
        return self.hand.confirming_side if self.hand.awaits else ""


def _build_frame(link: TableLink) -> dict[str, object]:
    drive = get_drive(link)
    return {"drive": drive, "club": drive.club}


def _show_page(
    request: HttpRequest, link: TableLink, problem: WhistError | None
) -> HttpResponse:
    page = load_table_phone(link)
    shown = _choose_screen(request, page)
    context = _build_frame(link) | {
        "page": page,
        "data": asdict(page),
        "shown": shown,
        "fields": page.people if page.figures > 2 else page.sides,
        "keyboard": choose_input_mode(page.hands[0].low if page.hands else 0),
        "problem": str(problem) if problem else "",
    }
    table = load_worded_table(get_drive(link))
    if isinstance(page, ContractPhone) and table is not None:
        context |= _build_contract_context(page, table, shown.hand)
        template = "drives/contract_table.html"
    else:
        template = "drives/table.html"
    return render(request, template, context, status=400 if problem else 200)


def _build_contract_context(
    page: ContractPhone, table: PointsTable, hand: HandOnPhone | None
) -> dict[str, object]:
    """Build the additional template context for a game with contracts."""
    dealer = find_dealer(table, page.hands, hand.hand) if hand and page.people else 0
    bid = hand if isinstance(hand, BidHandOnPhone) else None
    return {
        "game": {"id": page.points, **build_table_data(table)},
        "families": group_by_family(table.played),
        "seated": list(zip(SEATS, page.people, map(format_signed, page.totals), strict=False)),
        "seat_points": list(zip(page.people, map(format_signed, hand.score), strict=False))
        if hand
        else [],
        "dealer": dealer,
        "told": [
            *explain_hand_points(table, bid, page.people),
            *list_hand_hints(table, page.hands, bid),
        ]
        if bid
        else [],
        "opponents": name_opponents(bid, page.people) if bid and page.people else "",
        "can_count_passed": table.passed is not PassedRule.REDEAL,
    }


def _choose_screen(request: HttpRequest, page: TablePhone) -> PhoneScreen:
    """Choose the state of the page: as the query string requests, else the next thing to do."""
    if not page.seats:
        return PhoneScreen(None, "planned" if not page.round else "idle")
    is_whole = page.whole is not None and (page.is_whole or bool(request.GET.get("whole")))
    if request.GET.get("hands") and not (page.whole and page.whole.score):
        is_whole = False
    items = [page.whole] if is_whole and page.whole else list(page.hands)
    requested_hand = request.GET.get("hand", "")
    hand = next((item for item in items if str(item.hand) == requested_hand), None)
    hand = hand or next((item for item in items if not item.is_done), None)
    if hand is None:
        return PhoneScreen(None, "over" if page.is_over else "turn")
    if request.GET.get("again") or not hand.score:
        return PhoneScreen(hand, "enter")
    return PhoneScreen(hand, "confirm" if hand.awaits else "done")


DRIVE_TABLE = TableKind(
    find_links=query_table_links,
    lock_lookup="evening__drive",
    is_over=is_over,
    process_request=perform_table_act,
    build_data=build_page_data,
    render_page=_show_page,
    build_closed_context=_build_frame,
    closed_template="drives/table_gone.html",
    closed_message=_("The drive is closed. Thank you for your scores."),
    revoked_message=_("The organiser has cancelled this link. Ask for a new one."),
)
