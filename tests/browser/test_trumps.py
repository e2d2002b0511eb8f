"""Trumps that a table declared, noted with its score under a director's fingers."""

import re

import pytest
from playwright.sync_api import Locator, expect

from scoring.models import Result
from server.models import User
from tests import evenings
from tests.browser.conftest import Visitor
from tournaments.models import Session
from tournaments.services import agree_on_trumps

pytestmark = [pytest.mark.browser, pytest.mark.once]


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Three tables in play, one board a round, each declaring its trumps."""
    opened, user = evenings.opened(boards_a_round=1)
    user.save()
    agree_on_trumps(event=opened.event, trumps="declared", agreed=True, by=user)
    return opened


def test_tricks_and_a_letter_note_a_score_with_its_trumps(
    visitor: Visitor, session: Session
) -> None:
    page = visitor(User.objects.get(username="director"))
    page.goto(f"/director/events/{session.event.slug}/scores/")

    def cell(board: int, table: int) -> Locator:
        return page.get_by_role("textbox", name=re.compile(f"^Board {board}, table {table},"))

    def suit(board: int, table: int) -> Locator:
        name = f"Board {board}, table {table}: declared trumps"
        return page.get_by_role("combobox", name=name)

    expect(cell(1, 1)).to_be_focused()
    for key in ("8", "h", "Enter"):
        page.keyboard.press(key)
    expect(suit(1, 1)).to_have_value("H")
    expect(page.get_by_text("Board 1, table 1: N-S 8, E-W 5. Trumps: hearts.")).to_be_visible()
    expect(cell(1, 3)).to_be_focused()
    for key in ("1", "0", "s", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("Board 1, table 3: N-S 10, E-W 3. Trumps: spades.")).to_be_visible()
    suit(1, 1).select_option("C")
    expect(page.get_by_text("Board 1, table 1: N-S 8, E-W 5. Trumps: clubs.")).to_be_visible()
    page.reload()
    expect(suit(1, 1)).to_have_value("C")
    kept = Result.objects.order_by("pk").values_list("ns_tricks", "trump")
    assert list(kept) == [(8, "C"), (10, "S")]
