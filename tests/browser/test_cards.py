"""Plays are replayed, and plays and deals are entered by tapping cards."""

import pytest
from playwright.sync_api import expect

from boards.whist import Seat
from boards.worked_hands import read_worked_hands
from scoring.models import PlayRecord
from scoring.services import close_session
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.pictures import save_page_screenshot
from tests.solving import replace_solver
from tournaments.services import import_deals

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HAND = read_worked_hands()["pole-1"]


@pytest.fixture(autouse=True)
def stub_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_solver(monkeypatch)
    monkeypatch.setattr(
        "boards.solver.compute_tricks_in_play", lambda play: list(HAND.best_play_trick_totals)
    )


@pytest.mark.slow
@pytest.mark.parametrize("phone", [False, True])
def test_worked_hand_is_replayed_with_keys_and_buttons(
    open_visitor_page: PageOpener, phone: bool
) -> None:
    page = open_visitor_page(phone=phone)
    page.goto("/worked-hands/pole-1/")
    status_line = page.get_by_role("status").filter(has_text="first trick")
    expect(status_line).to_be_visible()
    page.get_by_role("button", name="Next card").click()
    element = page.locator("#replay-words")
    expect(element).to_contain_text("South: king of spades")
    play = page.get_by_role("group", name="Card by card")
    play.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(element).to_contain_text("South wins the trick. 1–0. Best play from here: N-S 7")
    page.keyboard.press("ArrowLeft")
    expect(element).to_contain_text("North: six of spades")
    page.keyboard.press("End")
    expect(element).to_contain_text("11–2")
    expect(page.get_by_role("button", name="Next card")).to_be_disabled()
    save_page_screenshot(page, f"replay-{'phone' if phone else 'laptop'}")
    page.keyboard.press("Home")
    expect(element).to_contain_text("Before the first trick")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_worked_hand_is_replayed_by_swiping(open_visitor_page: PageOpener) -> None:
    page = open_visitor_page(phone=True, has_touch=True)
    page.goto("/worked-hands/pole-1/")
    element = page.locator("#replay-words")
    expect(element).to_contain_text("Before the first trick")
    box = page.get_by_role("group", name="Card by card").bounding_box()
    assert box is not None
    hand = page.context.new_cdp_session(page)

    def swipe(horizontal_pixels: int, vertical_pixels: int = 0) -> None:
        x, y = box["x"] + box["width"] / 2, box["y"] + 120
        touch_points = [{"x": x - horizontal_pixels / 2, "y": y}]
        hand.send(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touch_points}
        )
        for step in (0.25, 0.5, 0.75, 1):
            touch_points = [
                {"x": x + horizontal_pixels * (step - 0.5), "y": y + vertical_pixels * step}
            ]
            hand.send(
                "Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": touch_points}
            )
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(-120)
    expect(element).to_contain_text("South: king of spades")
    swipe(-120)
    expect(element).to_contain_text("West: five of spades")
    swipe(120)
    expect(element).to_contain_text("South: king of spades")
    swipe(-20)  # a tap, not a swipe
    expect(element).to_contain_text("South: king of spades")


def test_arrow_keys_step_through_a_play_unless_its_table_has_the_focus(
    open_visitor_page: PageOpener,
) -> None:
    page = open_visitor_page()
    page.goto("/worked-hands/pole-1/")
    element = page.locator("#replay-words")
    expect(element).to_contain_text("Before the first trick")
    page.keyboard.press("ArrowRight")
    expect(element).to_contain_text("South: king of spades")
    page.get_by_role("region", name="Trick by trick").focus()
    page.keyboard.press("ArrowRight")  # moves the table
    expect(element).to_contain_text("South: king of spades")


@pytest.mark.parametrize("phone", [False, True])
def test_play_is_recorded_by_tapping_its_cards(
    open_visitor_page: PageOpener, phone: bool
) -> None:
    session, user = evenings.play_session()
    import_deals(session=session, deals_by_board={1: HAND.play.deal}, by=user)
    close_session(session=session, by=user)
    page = open_visitor_page(user, phone=phone)
    page.goto(f"/director/events/{session.event.slug}/boards/1/play/")
    element = page.locator("#play-words")
    expect(element).to_contain_text("South to play")
    cards = HAND.play.cards[:8]
    for card in cards:
        page.locator(f'button[data-card="{card.code}"]').click()
        expect(page.locator(f'button[data-card="{card.code}"]')).to_be_disabled()
        expect(element).not_to_contain_text("wrong")
    expect(element).to_contain_text("N-S 2, E-W 0")
    page.get_by_role("button", name="Undo last card").click()
    expect(element).to_contain_text("East to play")
    page.locator(f'button[data-card="{cards[-1].code}"]').click()
    expect(element).to_contain_text("N-S 2, E-W 0")
    save_page_screenshot(page, f"play-{'phone' if phone else 'laptop'}")
    page.get_by_role("button", name="Save play").click()
    expect(page.get_by_role("heading", name="board 1")).to_be_visible()
    assert PlayRecord.objects.get().build_play().cards == cards
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize("phone", [False, True])
def test_deal_is_entered_by_taps_and_the_fourth_hand_is_completed(
    open_visitor_page: PageOpener, phone: bool
) -> None:
    session, user = evenings.open_session()
    page = open_visitor_page(user, phone=phone)
    page.goto(f"/director/events/{session.event.slug}/boards/2/deal/")
    deal = HAND.play.deal  # East deals it, as board 2
    card_labels = {card: f"{card.rank.text}{card.suit.symbol}" for card in HAND.play.cards}
    for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH):
        for card in sorted(deal.hands[seat]):
            page.get_by_role("button", name=card_labels[card], exact=True).click()
    expect(page.locator("#deal-words")).to_contain_text("the turn-up")
    expect(page.get_by_label("West")).to_have_value("875.AQJ.AT.QJT53")
    page.get_by_role("button", name=card_labels[deal.turn_up], exact=True).click()
    save_page_screenshot(page, f"deal-{'phone' if phone else 'laptop'}")
    page.get_by_role("button", name="Check and save").click()
    expect(page.get_by_text("Board 2 saved.")).to_be_visible()
    session.refresh_from_db()
    assert session.board_set is not None
    assert session.board_set.load_deals() == {2: deal}
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_card_tapped_for_the_wrong_hand_is_corrected(open_visitor_page: PageOpener) -> None:
    session, user = evenings.open_session()
    page = open_visitor_page(user)
    page.goto(f"/director/events/{session.event.slug}/boards/2/deal/")
    deal = HAND.play.deal
    signs = {card: f"{card.rank.text}{card.suit.symbol}" for card in HAND.play.cards}
    north_card, south_card = min(deal.hands[Seat.NORTH]), min(deal.hands[Seat.SOUTH])
    exchanged_cards = {north_card: south_card, south_card: north_card}
    for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH):
        for card in sorted(deal.hands[seat]):
            page.get_by_role(
                "button", name=signs[exchanged_cards.get(card, card)], exact=True
            ).click()
    expect(page.locator("#deal-words")).to_contain_text("the turn-up")
    for seat, removed_card in (("North", south_card), ("South", north_card)):
        page.get_by_role("button", name=seat, exact=True).click()
        page.get_by_role("button", name=signs[removed_card], exact=True).click()
    page.get_by_role("button", name=signs[south_card], exact=True).click()
    expect(page.locator("#deal-words")).to_contain_text("the turn-up")
    page.get_by_role("button", name=signs[deal.turn_up], exact=True).click()
    page.get_by_role("button", name="Check and save").click()
    expect(page.get_by_text("Board 2 saved.")).to_be_visible()
    session.refresh_from_db()
    assert session.board_set is not None
    assert session.board_set.load_deals() == {2: deal}


@pytest.mark.slow
def test_hand_records_switch_to_four_colours(open_visitor_page: PageOpener) -> None:
    session, user = evenings.play_session()
    import_deals(session=session, deals_by_board={1: HAND.play.deal}, by=user)
    close_session(session=session, by=user)
    page = open_visitor_page(phone=True)
    page.goto(f"/events/{session.event.slug}/hands/")
    four_colours_button = page.get_by_role("button", name="Four-colour suits")
    four_colours_button.click()
    expect(four_colours_button).to_have_attribute("aria-pressed", "true")
    save_page_screenshot(page, "hands-phone")
    page.goto(f"/events/{session.event.slug}/boards/1/")
    save_page_screenshot(page, "board-phone")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
