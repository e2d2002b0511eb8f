"""The marker of a rubber table works offline, and each tapped hand counts once."""

import pytest
from playwright.sync_api import Page, expect

from rubbers.models import RubberHand
from rubbers.services import record_hand
from tests.browser import drives
from tests.browser.conftest import PageOpener
from tests.browser.test_drive_phones import OFFLINE_SCRIPT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tap_tricks(page: Page, side: int, tricks: int) -> None:
    """Tap the tricks of a side once the pad accepts the next hand."""
    page.wait_for_timeout(900)
    page.locator(".marker__pad .pad").nth(side).get_by_role(
        "button", name=f"{tricks}"
    ).first.click()


def list_stored_tricks() -> list[tuple[int, int]]:
    rows = RubberHand.objects.exclude(told={}).order_by("number")
    return [(row.number, row.told["tricks"]["A"]) for row in rows]


def count_queued_entries(page: Page) -> int:
    read_script = (
        "() => JSON.parse(localStorage.getItem('overplay' + location.pathname) || '{}')"
    )
    return len(page.evaluate(read_script).get("queue", []))


@pytest.mark.slow
def test_offline_hands_are_sent_later_and_count_once(
    open_visitor_page: PageOpener,
) -> None:
    night, user, path = drives.create_marked_rubber_night()
    page = open_visitor_page(phone=True)
    page.goto(path)
    page.evaluate(OFFLINE_SCRIPT)
    tap_tricks(page, 0, 8)
    expect(page.locator("[data-next-hand]")).to_contain_text("Hand 3: ")
    assert list_stored_tricks() == [(1, 9), (2, 8)]

    page.evaluate("window.isDown = true")
    page.wait_for_timeout(900)
    page.locator(".marker__pad .pad").nth(1).get_by_role("button", name="7").first.dblclick()
    expect(page.get_by_text("1 hand is waiting for a connection.")).to_be_visible()
    tap_tricks(page, 0, 8)
    expect(page.get_by_text("2 hands are waiting for a connection.")).to_be_visible()
    expect(page.locator("[data-next-hand]")).to_have_text("Hand 5")
    tap_tricks(page, 1, 13)
    expect(page.get_by_text("Hand 5: 13 tricks for B")).to_be_visible()
    page.wait_for_timeout(900)
    page.get_by_role("button", name="Undo the last step").click()
    expect(page.get_by_text("Hand 5: 13 tricks for B")).to_be_hidden()
    assert (count_queued_entries(page), len(list_stored_tricks())) == (2, 2)

    page.reload()  # the store is the browser's: pending hands are sent as soon as possible
    expect(page.get_by_text("waiting for a connection")).to_be_hidden()
    page.wait_for_function(
        "() => !JSON.parse(localStorage.getItem('overplay' + location.pathname)).queue.length"
    )
    assert list_stored_tricks() == [(1, 9), (2, 8), (3, 6), (4, 8)]

    page.evaluate(OFFLINE_SCRIPT)
    page.evaluate("window.isDown = true")
    tap_tricks(page, 0, 9)
    expect(page.get_by_text("1 hand is waiting for a connection.")).to_be_visible()
    record_hand(
        night=night, table=1, spell=1, number=5, hand={"tricks": {"A": 5, "B": 8}}, by=user
    )
    page.evaluate("window.isDown = false; window.dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Hand 5: 9 tricks for A was not accepted.")).to_be_visible()
    assert list_stored_tricks()[4] == (5, 5)
    page.get_by_role("button", name="OK", exact=True).click()
    expect(page.get_by_text("was not accepted")).to_be_hidden()
    assert count_queued_entries(page) == 0
