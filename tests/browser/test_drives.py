"""A novice runs a first drive from pasted names to the prizes."""

import pytest
from playwright.sync_api import expect

from drives.models import Drive, Sheet
from drives.services import NewPlayer, create_drive
from tests.browser import drives
from tests.browser.conftest import PageOpener
from tests.browser.pictures import save_page_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_drive_is_run_from_pasted_names_to_its_prizes(open_visitor_page: PageOpener) -> None:
    page = open_visitor_page(drives.create_organiser())
    page.goto("/director/drives/new/")
    page.get_by_label("Names, one per line").fill("\n".join(drives.NAMES[:8]))
    expect(page.get_by_text("8 players: 2 tables, no one sits out")).to_be_visible()
    expect(page.locator("#rounds")).to_have_attribute("placeholder", "24")
    page.get_by_role("radio", name="Social drive").check()
    expect(page.locator("#rounds")).to_have_attribute("placeholder", "6")
    save_page_screenshot(page, "drive-new")
    page.get_by_text("More options").click()
    save_page_screenshot(page, "drive-new-more")
    page.get_by_label("Rounds").fill("2")
    page.get_by_label("Hands per round").fill("1")
    with page.expect_navigation():
        page.get_by_role("button", name="Create drive").click()
    expect(page.get_by_text("Round 1 of 2: Hearts")).to_be_visible()
    expect(page.get_by_role("link", name="Print papers")).to_be_visible()
    for number in (1, 2):
        page.get_by_role("link", name="Table scores").click()
        expect(
            page.get_by_role("heading", name=f"Table scores, round {number}")
        ).to_be_visible()
        boxes = page.locator("[data-sheets] input[type=text]")
        expect(boxes.first).to_be_focused()
        page.keyboard.type("8")
        expect(boxes.nth(1)).to_have_value("5")
        page.keyboard.press("Enter")
        page.keyboard.type("4")
        expect(boxes.nth(3)).to_have_value("9")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect(page.locator("#toasts").get_by_text("2 tables saved.")).to_be_visible()
        if number == 1:
            boxes.first.fill("10")  # a corrected typing error: the other side's score follows
            expect(boxes.nth(1)).to_have_value("3")
            page.get_by_role("link", name="Back to the room").click()
            with page.expect_navigation():
                page.get_by_role("button", name="Next round").click()
    save_page_screenshot(page, "drive-desk")
    page.locator("#main").get_by_role("link", name="Prizes").click()
    page.get_by_label("Prize 1").first.fill("Highest total")
    with page.expect_navigation():
        page.get_by_role("button", name="Save prizes").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Close drive").click()
    page.get_by_role("link", name="Present prizes").click()
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_text("Highest total").first).to_be_visible()
    drive = Drive.objects.get()
    assert drive.is_closed
    assert drive.played.count() == 2


@pytest.mark.slow
def test_extras_are_entered_next_to_their_scores(open_visitor_page: PageOpener) -> None:
    user = drives.create_organiser()
    drive = create_drive(
        club=user.memberships.get().club,
        name="Klaverjas",
        date=drives.DRIVE_DATE,
        form="social",
        players=[NewPlayer(name=name) for name in drives.NAMES[:8]],
        rounds=2,
        hands=1,
        score={"kind": "side", "sum": 162, "extras": 10, "low": 0, "high": 162},
        by=user,
    )
    page = open_visitor_page(user)
    page.goto(f"/director/drives/{drive.slug}/sheets/")
    boxes = page.locator("#table-1 input[type=text]")
    expect(boxes).to_have_count(4)
    expect(boxes.first).to_be_focused()
    page.keyboard.type("100")
    expect(boxes.nth(1)).to_have_value("62")
    page.keyboard.press("Enter")
    expect(boxes.nth(2)).to_be_focused()
    page.keyboard.type("40")
    expect(boxes.nth(3)).to_have_value("")
    expect(boxes.nth(1)).to_have_value("62")
    with page.expect_navigation():
        page.get_by_role("button", name="Save scores").click()
    expect(page.locator("#table-2 input[type=text]").first).to_be_focused()
    sheet = Sheet.objects.get(round__drive=drive)
    assert (sheet.table, sheet.score, sheet.extras) == (1, [100, 62], [40, 0])
