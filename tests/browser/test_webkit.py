"""The ten most important journeys, in the current WebKit and in that of iOS 16.

They are run manually (docs/testing.md): CI has only Chromium.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

import hall.phones.services
from clubs.evenings.services import create_fixture, open_check_in
from clubs.models import Booking, CheckIn, Player, TableLink
from clubs.services.person_links import create_person_links
from scoring.models import Agreement, Result, ResultVersion, Ruling
from scoring.standings_engine import standings
from seasons.people.views.person_links import compute_link_expiry
from tests import evenings
from tests.browser.pages import create_full_event
from tests.browser.test_contract_phones import begin_drive, list_stored_bids
from tests.browser.test_drive_phones import OFFLINE_SCRIPT
from tests.browser.test_evening import PASSWORD, add_club_players
from tests.browser.test_tables import list_stored_results
from tests.browser.webkit import ENGINES, Window, open_window
from tournaments.models import Event, Session

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    # Selenium's own classes for WebKit call its deprecated function.
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),
]

ENTER = "\ue007"  # the code of the key in WebDriver
GO_OFFLINE_SCRIPT = f"({OFFLINE_SCRIPT})(); window.isDown = true"
GO_ONLINE_SCRIPT = "window.isDown = false; window.dispatchEvent(new Event('online'))"


@pytest.fixture(params=ENGINES)
def open_new_window(
    request: pytest.FixtureRequest, transactional_db: None, live_server: Any
) -> Iterator[Callable[[], Window]]:
    """Yield a function that opens a window of an engine in a profile of its own."""
    with ExitStack() as exit_stack:
        yield lambda: exit_stack.enter_context(open_window(request.param, live_server.url))


@pytest.fixture
def window(open_new_window: Callable[[], Window]) -> Window:
    return open_new_window()


def create_link(session: Session, table: int = 0) -> TableLink:
    return hall.phones.services.create_table_links(session=session, by=None)[table]


# WPE 2.38 moves the caret in a password field with a user name above it.
@pytest.mark.parametrize("open_new_window", ["WebKitGTK"], indirect=True)
def test_director_signs_in_and_creates_an_event(window: Window) -> None:
    add_club_players()
    window.open("/director/")
    window.fill("Name", "director")
    window.fill("Password", PASSWORD)
    window.press(ENTER)
    window.click("a", "New event")
    window.click("a", "Create duplicate")
    window.fill("Name", "Friday pairs")
    window.click("button", "Create event")
    window.fill("First player", "Ada Pole")
    window.fill("Second player", "Henry Jones")
    window.click("button", "Add the pair")  # Enter would choose a suggested name
    window.wait_for_text("1 pair entered.")
    event = Event.objects.get(name="Friday pairs")
    assert event.sessions.get().evening.date == timezone.localdate()
    assert event.entries.get().name == "Ada Pole & Henry Jones"


def test_table_enters_confirms_and_continues(window: Window) -> None:
    session, _user = evenings.open_session()
    window.open(create_link(session).path)
    window.click("#t-enter button", "8")
    window.wait_for_text("Board 1, entered by North-South")
    window.click("#t-confirm button", "Yes, 8 and 5")
    window.click("#t-enter button", "6")
    window.click("#t-confirm a", "No, change it")
    window.wait_for_text("East-West, what should it be?")
    window.click("#t-enter button", "7")
    window.click("#t-confirm button", "Yes, 7 and 6")
    window.wait_for_text("Round 1 is complete.")
    window.click("#t-next")
    window.wait_for_text("Board 3: tricks won by North-South?")
    wait_until_all_sent(window)
    assert list_stored_results() == [(1, 8, Agreement.CONFIRMED), (1, 7, Agreement.CONFIRMED)]


def test_offline_scores_are_sent_once(window: Window) -> None:
    session, _user = evenings.open_session()
    window.open(create_link(session, 1).path)
    window.run(GO_OFFLINE_SCRIPT)
    window.click("#t-enter button", "8")
    window.click("#t-confirm button", "Yes, 8 and 5")
    window.click("#t-enter button", "9")
    window.click("#t-confirm button", "Yes, 9 and 4")
    window.wait_for_text("Round 1 is complete.")
    assert not Result.objects.exists()
    window.run(GO_ONLINE_SCRIPT)
    window.wait_for_text("All scores sent.")
    assert list_stored_results() == [(2, 8, Agreement.CONFIRMED), (2, 9, Agreement.CONFIRMED)]
    assert ResultVersion.objects.count() == 2


def test_grid_is_typed_with_keys_only(window: Window) -> None:
    session, user = evenings.open_session(boards_a_round=1)
    window.sign_in(user)
    window.open(f"/director/events/{session.event.slug}/scores/")
    window.wait_for_text("9 results missing.")
    window.wait(lambda: window.driver.switch_to.active_element.tag_name == "input")
    for tricks in ("8", "14", "\ue0032", "q7"):  # the code of Backspace
        window.press(*tricks, ENTER)
    window.wait_for_text("6 results missing.")
    rows = Result.objects.order_by("board", "sitting__round")
    assert list(rows.values_list("board", "ns_tricks")) == [(1, 8), (1, 12), (1, 7)]


def test_ruling_is_previewed_and_recorded(window: Window) -> None:
    session, user = evenings.play_session(boards_a_round=1)
    result = Result.objects.get(board=1, sitting__round=1)
    window.sign_in(user)
    rulings_url = f"/director/events/{session.event.slug}/rulings"
    window.open(f"{rulings_url}/play/?sitting={result.sitting_id}&board=1")
    window.choose("Ruling", "average")
    window.fill("Reason", "fouled")
    window.click("button", "Preview")
    window.wait_for_text("Not saved yet.")
    assert not Ruling.objects.exists()
    window.click("button", "Record ruling")
    window.wait_for_text("Withdraw")
    assert Ruling.objects.get().kind == Ruling.Kind.AVERAGE


def test_open_standings_follow_a_new_result(window: Window) -> None:
    session, user = evenings.play_session(boards_a_round=1, but=8)
    evenings.show_growing_totals(session.event)
    standings.update_standings(session.event)
    window.open(f"/events/{session.event.slug}/")
    window.wait_for_text("8 results missing.")
    window.run("window.openSinceTheBeginning = true")
    missing_sitting = session.sections.get().sittings.get(round=2, table=1)
    evenings.enter_result(session, missing_sitting.pk, 2, "9", user)
    window.wait_for_text("7 results missing.")
    assert window.run("return window.openSinceTheBeginning") is True


def test_player_finds_scorecard_traveller_and_hands(window: Window) -> None:
    create_full_event()
    window.open("/")
    window.click("main a", "Tuesday")
    window.click("main td a, main th a", "Pole 0a & Nowak 0b")
    window.click("table[aria-labelledby] a, table a", "1")
    window.wait_for_text("Traveller")
    for seat in ("North", "East", "South", "West"):
        window.find("h3", seat)
    window.click("button", "Dark")
    window.find("html[data-scheme=dark] body")


def test_contract_is_entered_on_a_drive_phone(window: Window) -> None:
    drive = begin_drive("colour-whist", hands=4)
    window.open(TableLink.objects.get(evening=drive.evening, table=1).path)
    for key in ("together-8", "seat-1", "seat-3", "tricks-9"):
        window.click(f"#t-bid [data-key='{key}']")
    window.click("button", "Yes")
    window.wait_for_text("Hand 2 of 4")
    wait_until_all_sent(window)
    bid = {"contract": "together-8", "by": [1, 3], "tricks": 9}
    assert [(row[0], row[2]) for row in list_stored_bids(drive)] == [(1, bid)]


def test_player_books_and_checks_in(window: Window) -> None:
    event, user = evenings.create_event(0)
    ann = Player.objects.create(club=event.club, name="Ann Alder", shown="name")
    values = {
        "date": timezone.localdate() + timedelta(days=5), "start": None, "place": "",
        "title": "Thursday", "books": True, "places": 4, "unit": "players",
    }  # fmt: skip
    create_fixture(club=event.club, values_by_field=values, by=None)
    ends = compute_link_expiry(event.club)
    (link,) = create_person_links(club=event.club, players=[ann], ends_at=ends, by=None)
    window.open(link.path)
    window.click("a", "Thursday")
    window.click("button", "Book")
    window.wait_for_text("You have a place.")
    assert Booking.objects.count() == 1

    evening = event.sessions.get().evening
    open_check_in(evening=evening, table_count=4, subject=event, by=user)
    window.open(f"{TableLink.objects.get(evening=evening, table=2).path}check-in/")
    window.click("main a, main button", "North")
    window.fill("Your name", "ann")
    window.click("label", "Ann Alder")
    window.click("button", "Sit down")
    window.wait_for_text("Ann Alder")
    assert [(row.player, row.table) for row in CheckIn.objects.all()] == [(ann, 2)]


def test_full_set_is_printed(window: Window) -> None:
    session, user = evenings.open_session()
    window.sign_in(user)
    window.open(f"/director/events/{session.event.slug}/papers/")
    window.click("button", "Print full set")
    papers = r"/director/papers/\d+/$"
    window.wait(lambda: re.search(papers, window.driver.current_url))  # opened automatically
    script = "const [url, done] = arguments; fetch(url).then(r => r.text()).then(done)"
    url = window.driver.current_url
    window.open("/")
    content = window.driver.execute_async_script(script, url)
    assert content.startswith("%PDF-")


def wait_until_all_sent(window: Window) -> None:
    queue_script = "JSON.parse(localStorage.getItem('overplay' + location.pathname)).queue"
    window.wait(lambda: window.run(f"return {queue_script}.length === 0"))
