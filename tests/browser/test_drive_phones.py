"""Table phones in a drive work offline and while the organiser changes things."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from clubs.models import TableLink
from drives.models import Drive, Sheet
from drives.services import (
    NewPlayer,
    begin_next_round,
    close_drive,
    create_drive,
    create_table_links,
    enter_sheet,
    undo_last_act,
)
from tests.browser import drives
from tests.browser.conftest import PageOpener
from tests.browser.test_tables import check_closing_slows_polling, wait_until_all_sent

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OFFLINE_SCRIPT = """() => {
    const reach = window.fetch;
    window.fetch = (...sent) =>
        window.isDown ? Promise.reject(new Error("down")) : reach(...sent);
}"""


def begin_drive_of_eight(**terms: Any) -> Drive:
    """Create a drive of eight with two hands a round and all rounds drawn."""
    user = drives.create_organiser()
    drive = create_drive(
        club=user.memberships.get().club,
        name="Friday drive",
        date=drives.DRIVE_DATE,
        form="social",
        players=[NewPlayer(name=name) for name in drives.NAMES[:8]],
        rounds=2,
        by=user,
        **({"hands": 2} | terms),
    )
    create_table_links(drive=drive, by=user)
    return drive


def poll_page(page: Page) -> None:
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def tap_button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def list_stored_sheets(drive: Drive) -> list[tuple[int, int, list[int], str]]:
    rows = Sheet.objects.filter(round__drive=drive, table=1).exclude(score=[])
    return list(
        rows.order_by("round__number", "hand").values_list(
            "round__number", "hand", "score", "agreement"
        )
    )


def test_drive_phone_saves_offline_scores_and_follows_the_organiser(
    open_visitor_page: PageOpener,
) -> None:
    drive = begin_drive_of_eight()
    page = open_visitor_page(phone=True)
    page.goto(TableLink.objects.get(evening=drive.evening, table=1).path)
    page.evaluate(OFFLINE_SCRIPT)
    expect(page.get_by_role("heading", name="Tricks for")).to_be_visible()
    tap_button(page, "8")
    expect(page.get_by_text("is this right?")).to_be_visible()
    tap_button(page, "Yes, 8–5")
    expect(page.locator("[data-hand='1'] .table__mark")).to_have_text("8–5")
    wait_until_all_sent(page)
    assert list_stored_sheets(drive) == [(1, 1, [8, 5], "given")]

    page.evaluate("window.isDown = true")
    tap_button(page, "6")
    tap_button(page, "Yes, 6–7")
    expect(page.get_by_text("saved on this phone")).to_be_visible()
    expect(page.get_by_role("heading", name="Round 1 is complete.")).to_be_visible()
    expect(page.locator("#t-move-list li")).to_have_count(4)
    page.reload()
    expect(page.get_by_text("All scores sent.")).to_be_visible()
    wait_until_all_sent(page)
    assert list_stored_sheets(drive)[1] == (1, 2, [6, 7], "given")

    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[9], by=None)
    poll_page(page)
    expect(page.get_by_text("Hand 1: the organiser entered 9–4.")).to_be_visible()
    enter_sheet(drive=drive, round_number=1, table=1, hand=2, score=[], by=None)
    poll_page(page)
    expect(page.get_by_text("Hand 2 has no score.")).to_be_visible()
    expect(page.get_by_role("heading", name="Tricks for")).to_be_visible()
    begin_next_round(drive=drive, by=None)
    poll_page(page)
    expect(page.get_by_text("Round 2 is now in play.")).to_be_visible()
    undo_last_act(drive=drive, by=None)
    poll_page(page)
    expect(page.get_by_text("Round 1 is in play again.")).to_be_visible()
    tap_button(page, "OK")

    page.evaluate(OFFLINE_SCRIPT)
    page.evaluate("window.isDown = true")
    tap_button(page, "3")
    enter_sheet(drive=drive, round_number=1, table=1, hand=2, score=[4], by=None)
    page.evaluate("window.isDown = false; window.dispatchEvent(new Event('online'))")
    expect(page.get_by_text("You entered 3 here.")).to_be_visible()
    tap_button(page, "Enter 3")
    expect(page.get_by_role("button", name="Yes, 3–10")).to_be_visible()
    wait_until_all_sent(page)
    assert list_stored_sheets(drive)[1] == (1, 2, [3, 10], "awaited")

    close_drive(drive=drive, anyway=True, by=None)
    poll_page(page)
    expect(page.get_by_text("The drive is closed.")).to_be_visible()
    expect(page.locator(".notice--wrong")).to_have_count(0)
    expect(page.get_by_role("link", name="Go to the drive")).to_be_visible()


def test_closed_drive_table_shows_that_it_is_closed_and_polls_rarely(
    open_visitor_page: PageOpener,
) -> None:
    drive = begin_drive_of_eight()
    page = open_visitor_page(phone=True, hurry=True)
    page.goto(TableLink.objects.get(evening=drive.evening, table=1).path)
    close_drive(drive=drive, anyway=True, by=None)
    check_closing_slows_polling(page, "The drive is closed.")


def test_confirmation_covers_the_extras_shown_on_the_page(
    open_visitor_page: PageOpener,
) -> None:
    score = {"kind": "side", "sum": 162, "extras": 10, "low": 0, "high": 162}
    drive = begin_drive_of_eight(hands=1, score=score)
    page = open_visitor_page(phone=True)
    page.goto(TableLink.objects.get(evening=drive.evening, table=1).path)
    boxes = page.locator("#t-boxes input[type=text]")
    boxes.nth(0).fill("100")
    expect(boxes.nth(1)).to_have_value("62")
    boxes.nth(2).fill("40")
    tap_button(page, "Enter score")
    expect(page.locator("#t-tally b").first).to_have_text("100 + 40")
    wait_until_all_sent(page)
    page.evaluate(OFFLINE_SCRIPT)
    page.evaluate("window.isDown = true")
    enter_sheet(
        drive=drive, round_number=1, table=1, score=[100, 62], extras=[400, 0],
        agreement="awaited", by=None,
    )  # fmt: skip
    tap_button(page, "Yes, 100–62")
    page.evaluate("window.isDown = false; window.dispatchEvent(new Event('online'))")
    expect(page.locator("#t-tally b").first).to_have_text("100 + 400")
    assert list_stored_sheets(drive) == [(1, 0, [100, 62], "awaited")]
    page.wait_for_timeout(600)  # a new question ignores taps for a moment
    tap_button(page, "Yes, 100–62")
    expect(page.get_by_role("heading", name="Round 1 is complete.")).to_be_visible()
    wait_until_all_sent(page)
    assert list_stored_sheets(drive) == [(1, 0, [100, 62], "given")]
