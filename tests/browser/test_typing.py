"""Three helpers with three phones enter the hands of one session by tapping."""

import pytest
from playwright.sync_api import Page, expect

from boards.whist import CARDS_BY_CODE, Deal, Seat
from boards.whist.dealing import deal_board
from scoring.services import close_session
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.pictures import save_page_screenshot

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]
DEALS = {number: deal_board(bytes(32), number) for number in range(1, 7)}


def tap_hand(
    page: Page, deal: Deal, seat: Seat, *, exchanged_codes: tuple[str, str] = ("", "")
) -> None:
    """Tap a hand's thirteen cards and the turn-up, optionally one card wrong."""
    for card in sorted(deal.hands[seat]):
        code = exchanged_codes[1] if card.code == exchanged_codes[0] else card.code
        page.get_by_role("button", name=format_face(code), exact=True).click()
    if seat is deal.dealer:
        expect(page.locator("#hand-words")).to_contain_text("tap the turn-up")
        page.get_by_role("button", name=format_face(deal.turn_up.code), exact=True).click()
    else:
        expect(page.locator("#hand-words")).to_have_text("Thirteen cards.")


def format_face(code: str) -> str:
    """Return a card as the pad shows it."""
    card = CARDS_BY_CODE[code]
    return card.rank.text + card.suit.symbol


@pytest.mark.slow
def test_three_phones_type_a_board_and_a_duplicate_card_is_corrected(
    open_visitor_page: PageOpener,
) -> None:
    session, user = evenings.play_session()
    close_session(session=session, by=user)
    desk = open_visitor_page(user, hurry=True)
    desk.goto(f"/director/events/{session.event.slug}/deals/")
    desk.get_by_role("link", name="Share the typing").click()
    desk.get_by_role("button", name="Create link").click()
    address = desk.get_by_role("link", name="Open on this computer").get_attribute("href")
    save_page_screenshot(desk, "helpers-desk")

    phones = {
        seat: open_visitor_page(phone=True) for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH)
    }
    for seat, phone in phones.items():
        phone.goto(str(address))
        save_page_screenshot(phone, "helpers-choice")
        phone.get_by_role("link", name=f"I’ll enter {seat.word}").click()
        expect(phone.get_by_role("heading", level=1)).to_have_text(
            f"Board 1, {seat.word}’s hand"
        )

    deal = DEALS[1]
    shared_card, replaced_card = min(deal.hands[Seat.NORTH]), min(deal.hands[Seat.EAST])
    for seat, phone in phones.items():
        exchanged_codes = (
            (replaced_card.code, shared_card.code) if seat is Seat.EAST else ("", "")
        )
        tap_hand(phone, deal, seat, exchanged_codes=exchanged_codes)
        if seat is Seat.EAST:
            save_page_screenshot(phone, "helpers-pad")
    for phone in phones.values():
        phone.get_by_role("button", name="Save hand").click()
    fault = f"The {shared_card.word} is in both North’s and East’s hands."
    expect(phones[Seat.EAST].get_by_text(fault)).to_be_visible()
    expect(desk.get_by_text(fault)).to_be_visible()  # it appears without a reload
    save_page_screenshot(phones[Seat.EAST], "helpers-clash")
    save_page_screenshot(desk, "helpers-desk-clash")
    assert session.board_set is None

    phones[Seat.EAST].get_by_role("link", name="Correct this hand").click()
    tap_hand(phones[Seat.EAST], deal, Seat.EAST)
    phones[Seat.EAST].get_by_role("button", name="Save hand").click()
    expect(phones[Seat.EAST].get_by_role("heading", level=1)).to_have_text(
        "Board 2, East’s hand"
    )
    expect(desk.locator("tbody tr").first).to_contain_text("complete")
    session.refresh_from_db()
    assert session.board_set.load_deals() == {1: deal}
    for phone in phones.values():
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_hand_is_typed_on_a_phone_without_javascript(open_visitor_page: PageOpener) -> None:
    session, user = evenings.play_session()
    close_session(session=session, by=user)
    desk = open_visitor_page(user, java_script_enabled=False)
    desk.goto(f"/director/events/{session.event.slug}/deals/helpers/")
    desk.get_by_role("button", name="Create link").click()
    phone = open_visitor_page(phone=True, java_script_enabled=False)
    phone.goto(
        str(desk.get_by_role("link", name="Open on this computer").get_attribute("href"))
    )
    phone.get_by_role("link", name="I’ll enter West").click()
    phone.get_by_label("West’s thirteen cards").fill("AKQ.AKQ.AKQ.AK")
    phone.get_by_role("button", name="Save hand").click()
    expect(phone.get_by_role("alert")).to_contain_text("West has 11 cards")
    phone.get_by_label("West’s thirteen cards").fill("AKQ.AKQ.AKQ.AKQJ")
    phone.get_by_role("button", name="Save hand").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Board 2, West’s hand")
