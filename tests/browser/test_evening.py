"""Director and players use the pages of one event from the sign-in to the hand records."""

import io
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

import scoring.services
import tournaments.services
from boards.models import Board
from scoring.models import Result
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import Event

pytestmark = [pytest.mark.browser]

PASSWORD = "seven-diamonds-doubled"
PASTED_PAIRS = "Kate Wheelock, Émile Zähringer\nJohn Trist & Dvora Cohen"
FILE_WITH_PAIRS = "Player;Partner\nMarta Señor;Cassius Paine\nInès Lefèvre;Edwin Gale\n"
# These are the N-S tricks by board and round. Pair 1 N-S gets 27 in total, the others 24.
TRICKS = (10, 8, 9, 7, 8, 9, 7, 8, 9)


def test_event_is_run_from_the_first_name_to_the_last_average(
    open_visitor_page: PageOpener, start_job_worker: Callable[[], None], tmp_path: Path
) -> None:
    add_club_players()
    director = open_visitor_page(hurry=True)
    _sign_in(director)
    _create_event(director)
    _enter_pairs(director, tmp_path)
    _choose_a_movement(director)
    deal_boards(director, start_job_worker)
    print_papers(director)
    _start_session(director)

    player = open_visitor_page(phone=True)
    player.goto("/events/")
    player.get_by_role("link", name="Friday pairs").click()
    _enter_scores(director)
    _check_standings(player)
    _check_hands_are_hidden(player)
    close_session(director)
    _check_hands_are_shown(player)
    assert player.context.cookies() == []


def add_club_players() -> None:
    club, user = evenings.create_club_with_director()
    user.set_password(PASSWORD)
    user.save()
    for names in (("Ada Pole", "Łucja Nowak"), ("Henry Jones", "Ольга Иванова")):
        earlier_event = scoring.services.create_event(
            club=club, name=f"With {names[0]}", date=date(2026, 3, 3), by=user
        )
        tournaments.services.create_entry(event=earlier_event, names=names, by=user)


def _sign_in(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Director").click()
    page.get_by_label("Name", exact=True).fill("director")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")
    page.wait_for_timeout(600)  # no one types a password faster: the throttle is half a second
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^(Tonight|Evenings)$"))).to_be_visible()


def _create_event(page: Page) -> None:
    page.get_by_role("link", name="New event").click()
    page.get_by_role("link", name="Create duplicate").click()
    page.get_by_label("Name").fill("Friday pairs")
    page.get_by_label("Date").fill("2026-03-13")
    page.get_by_label("Scoring").select_option("plus and minus")
    page.get_by_role("button", name="Create event").click()
    expect(page.get_by_role("heading", name="Pairs", exact=True)).to_be_visible()


def _enter_pairs(page: Page, folder: Path) -> None:
    type_pair(page, "Ada Pole", "Łucja Nowak")
    expect(page.get_by_label("First player")).to_be_focused()
    type_pair(page, "Ada Pole", "Henry Jones")
    expect(page.get_by_role("alert")).to_contain_text("Ada Pole")
    type_pair(page, "Henry Jones", "Ольга Иванова")
    expect(page.get_by_text("2 pairs entered.")).to_be_visible()
    paste_pairs(page, PASTED_PAIRS.replace(" & Dvora Cohen", ""))
    expect(page.get_by_role("alert")).to_contain_text("Line 2")
    page.get_by_label("Paste here").fill(PASTED_PAIRS)
    page.get_by_role("button", name="Add these pairs").click()
    expect(page.get_by_text("4 pairs entered.")).to_be_visible()
    (folder / "pairs.csv").write_bytes(FILE_WITH_PAIRS.encode("cp1252"))
    page.get_by_text("Import a spreadsheet (CSV, XLSX)").click()
    page.get_by_label("File").set_input_files(folder / "pairs.csv")
    page.get_by_role("button", name="Import pairs").click()
    expect(page.get_by_text("6 pairs entered.")).to_be_visible()
    expect(page.get_by_role("row", name="6 Change Inès Lefèvre & Edwin Gale")).to_be_visible()


def type_pair(page: Page, first_player: str, second: str) -> None:
    """Type two names; the club's players are offered for both."""
    for label, name in (("First player", first_player), ("Second player", second)):
        field = page.get_by_label(label)
        offered_names = field.evaluate(
            "field => Array.from(field.list.options, one => one.value)"
        )
        assert name in offered_names
        field.fill(name)
    page.keyboard.press("Enter")


def paste_pairs(page: Page, text: str) -> None:
    page.get_by_text("Paste list of pairs").click()
    page.get_by_label("Paste here").fill(text)
    page.get_by_role("button", name="Add these pairs").click()


def _choose_a_movement(page: Page) -> None:
    page.get_by_role("link", name="Continue to movement").click()
    page.get_by_label("Seats").select_option("North-South stationary")
    page.get_by_role("button", name="Suggest a movement").click()
    expect(page.get_by_role("heading", name="Mitchell, 3 tables").first).to_be_visible()
    page.get_by_label("Seats").select_option("the best movement")
    page.get_by_role("button", name="Suggest a movement").click()
    page.get_by_text("Compare all").click()
    comparison_table = page.get_by_role("table", name="Side by side")
    mitchell_row = comparison_table.get_by_role("row", name="Mitchell, 3 tables 3 ")
    expect(mitchell_row).to_contain_text("3 of 3")
    expect(comparison_table.get_by_role("row", name="Howell, 6 pairs 5 ")).to_contain_text(
        "5 of 5"
    )
    chosen_movement = page.get_by_role("listitem").filter(
        has=page.get_by_role("heading", name="Mitchell, 3 tables", exact=True, level=3)
    )
    chosen_movement.get_by_label("Boards per round").select_option("1")
    chosen_movement.get_by_role("button", name="Play this").click()
    expect(page.get_by_text("Mitchell, 3 tables chosen. Everyone has a seat.")).to_be_visible()


def deal_boards(page: Page, start_work: Callable[[], None]) -> None:
    page.get_by_role("link", name="Set up boards").click()
    page.get_by_role("button", name="Deal 3 boards").click()
    expect(page.get_by_role("progressbar", name="Dealing 0 of 3.")).to_be_visible()
    start_work()
    expect(page.get_by_text("3 boards dealt.")).to_be_visible()
    assert Board.objects.count() == 3


def print_papers(page: Page) -> None:
    page.get_by_role("link", name="Papers", exact=True).click()
    page.get_by_role("button", name="Print full set").click()
    print_link = page.get_by_role("link", name="Print full set")
    response = page.context.request.get(print_link.get_attribute("href"))
    assert response.headers["content-type"] == "application/pdf", response.text()[:3000]
    text = PdfReader(io.BytesIO(response.body())).pages[0].extract_text()
    assert "Friday pairs" in text


def _start_session(page: Page) -> None:
    page.locator(".crumb__name").first.click()
    page.get_by_role("button", name="Start session").click()
    page.get_by_role("button", name="No, I’m only directing").click()
    page.get_by_role("link", name="Enter scores").first.click()
    page.get_by_role("link", name="By board").click()
    expect(page.get_by_text("9 results missing.")).to_be_visible()
    # Each round of the movement has one board.
    evenings.show_growing_totals(Event.objects.get(name="Friday pairs"))


def _enter_scores(page: Page) -> None:
    """Type the travellers in order, with only the keyboard."""
    # Before the script has started, Enter sends the form and further keys are lost.
    expect(page.locator(".not-played").first).to_be_visible()
    for tricks in TRICKS:
        page.keyboard.type(str(tricks))
        page.keyboard.press("Enter")
    expect(page.locator("#scores-missing")).to_have_text("All results in.")
    results = Result.objects.order_by("board", "sitting__round")
    assert tuple(results.values_list("ns_tricks", flat=True)) == TRICKS


def _check_standings(page: Page) -> None:
    """Check that an open page is updated with the final standings."""
    expect(page.get_by_text("All in, not final yet.").first).to_be_visible()
    north_south_table = page.get_by_role("table", name="North-South")
    expect(north_south_table).to_contain_text("average 25 tricks")
    first_row = north_south_table.get_by_role("row", name="Ada Pole & Łucja Nowak")
    expect(first_row).to_contain_text("leads overall")
    expect(first_row.get_by_role("cell", name="+2", exact=True)).to_be_visible()
    expect(page.get_by_text("27 tricks")).to_be_visible()  # a phone has no such column


def _check_hands_are_hidden(page: Page) -> None:
    page.get_by_role("link", name="Ada Pole & Łucja Nowak").first.click()
    expect(page.get_by_role("heading", name="Ada Pole & Łucja Nowak")).to_be_visible()
    page.get_by_role("table").get_by_role("link", name="1", exact=True).click()
    expect(page.get_by_role("heading", name="Board 1")).to_be_visible()
    expect(page.get_by_text("Hands stay hidden until the session is closed.")).to_be_visible()
    expect(page.get_by_role("region", name="The hands")).to_have_count(0)


def close_session(page: Page) -> None:
    page.locator(".crumb__name").first.click()
    closing_section = page.locator("section#closing")
    expect(closing_section).to_be_visible()
    close_anyway_button = closing_section.get_by_text("Close anyway")
    if close_anyway_button.is_visible():  # the cards are random, and may contradict a score
        close_anyway_button.click()
        closing_section.get_by_role("button", name="Yes, close session").click()
    else:
        closing_section.get_by_role("button", name="Close session").click()
    expect(page.get_by_role("heading", name="Session closed")).to_be_visible()


def _check_hands_are_shown(page: Page) -> None:
    page.reload()
    hands = page.get_by_role("region", name="The hands")
    for seat in ("North", "East", "South", "West"):
        expect(hands.get_by_role("heading", name=seat)).to_be_visible()
    expect(hands).to_contain_text("Turn-up")
