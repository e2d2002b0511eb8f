"""A novice marks a rubber at one table, with a revoke, an undo and a second screen."""

import pytest
from playwright.sync_api import Page, expect

from rubbers.models import RubberHand
from tests.browser import drives
from tests.browser.conftest import PageOpener
from tests.browser.pictures import save_page_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
def test_rubber_with_a_revoke_is_entered_on_a_phone_and_followed_on_a_tablet(
    open_visitor_page: PageOpener,
) -> None:
    user = drives.create_organiser()
    page = open_visitor_page(user, phone=True)
    page.goto("/director/")
    page.get_by_role("link", name="Create rubber night").click()
    page.get_by_label("Names, one per line").fill(
        "Ann Abbot\nBen Baker\nCora Carr\nDan Dale\nEve Ede"
    )
    save_page_screenshot(page, "rubber-new")
    with page.expect_navigation():
        page.get_by_role("button", name="Create night").click()
    save_page_screenshot(page, "rubber-seats")
    page.get_by_text("Choose seats").click()
    page.get_by_role("button", name="Save seats").click()
    expect(page.get_by_text("Hand 1: Ann Abbot deals")).to_be_visible()
    save_page_screenshot(page, "rubber-marker")
    tablet = open_visitor_page(user, hurry=True)
    tablet.goto(page.url)
    score_displays = tablet.locator(".marker__score")
    page.get_by_role("radio", name="A 3").check(force=True)
    tap_slowly(page, "8 tricks for Ann Abbot + Ben Baker")
    expect(score_displays.first).to_have_text("4")
    page.get_by_text("Revoke", exact=True).click()
    page.get_by_label("Cora Carr + Dan Dale revoked", exact=True).select_option(
        label="3 tricks"
    )
    save_page_screenshot(page, "rubber-revoke")
    tap_slowly(page, "7 tricks for Cora Carr + Dan Dale")
    expect(page.get_by_text("game, a treble").first).to_be_visible()
    expect(score_displays.first).to_have_text("0")
    tap_slowly(page, "12 tricks for Ann Abbot + Ben Baker")
    expect(page.get_by_text("rubber, a bumper of 8").first).to_be_visible()
    save_page_screenshot(page, "rubber-over")
    expect(tablet.get_by_text("rubber, a bumper of 8").first).to_be_visible()
    save_page_screenshot(tablet, "rubber-tablet-over")
    tap_slowly(tablet, "Undo")
    expect(
        tablet.get_by_role("button", name="11 tricks for Ann Abbot + Ben Baker")
    ).to_be_visible()
    save_page_screenshot(tablet, "rubber-tablet")
    tap_slowly(tablet, "11 tricks for Ann Abbot + Ben Baker")
    tap_slowly(tablet, "Draw by computer")
    expect(page.get_by_text("Hand 1:")).to_be_visible()
    assert RubberHand.objects.filter(told__revokes__0__by="B").count() == 1
    page.get_by_role("link", name="Rubber night", exact=True).click()
    expect(page.get_by_text("+8").first).to_be_visible()
    save_page_screenshot(page, "rubber-desk")


def tap_slowly(page: Page, name: str) -> None:
    """Tap with a pause, because a tap too soon after the last counts as the same."""
    page.wait_for_timeout(900)
    page.get_by_role("button", name=name).click()
