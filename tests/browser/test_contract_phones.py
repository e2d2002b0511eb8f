"""Table phones in games with contracts: arithmetic, number of taps, size, and offline use."""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from clubs.models import TableLink
from drives.games import GAMES_BY_CODE
from drives.games.contracts import PassedDealRule
from drives.games.hand_rows import format_row
from drives.games.hints import find_hints
from drives.games.house import build_points_table, build_points_table_data
from drives.games.reading import build_hand_data, parse_hand
from drives.games.settling import Settlement
from drives.models import Drive, Sheet
from drives.services import (
    NewPlayer,
    begin_next_round,
    change_points,
    close_drive,
    create_drive,
    create_table_links,
    enter_sheet,
)
from tests.browser import drives
from tests.browser.conftest import PageOpener
from tests.browser.test_drive_phones import OFFLINE_SCRIPT, poll_page
from tests.browser.test_tables import wait_until_all_sent
from tests.drives.games.random_hands import make_hand, make_house_rules

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GOLDEN_PATH = Path(__file__).parents[1] / "golden" / "games" / "hands.json"
SCORE_ALL_SCRIPT = """async ([url, hands]) => {
    const { settle } = await import(url);
    return hands.map(([table, hand]) => settle(table, hand));
}"""
COMPUTE_ALL_SCRIPT = """async ([urls, cases]) => {
    const { settle } = await import(urls.settling);
    const { hintsAbout } = await import(urls.hints);
    const { pointsOf, readRow } = await import(urls.reading);
    const hintsOf = (table, hand, previous) => hintsAbout(table, hand, previous)
        .map(([word, values]) => [word, values.contract]);
    return cases.map(([table, hands]) => hands.map(([hand, previous, texts]) => [
        settle(table, hand).points, hintsOf(table, hand, previous),
        readRow(table, texts).hand, pointsOf(table, texts),
    ]));
}"""
HANDS_PER_GAME, HANDS_PER_HOUSE_RULES = 1000, 50
HINT_NAMES_BY_TEXT = {
    "tricks: ": "sayHintTricks",
    "made: is": "sayHintSlam",
    "twice": "sayHintTwice",
}
WIDTH, HEIGHT = 360, 640
RECTANGLES_SCRIPT = """all => all.map(each => each.getBoundingClientRect())
    .map(each => [each.width, each.height, each.bottom])"""


TYPE_SIZES_SCRIPT = """all => all.map(each => [
    parseFloat(getComputedStyle(each).fontSize), each.scrollWidth - each.clientWidth])"""


def begin_drive(game: str, **terms: Any) -> Drive:
    """Create a drive of eight players in the first round of a game with contracts."""
    user = drives.create_organiser()
    drive = create_drive(
        club=user.memberships.get().club,
        name="Friday drive",
        date=drives.DRIVE_DATE,
        form="lot",
        players=[NewPlayer(name=name) for name in drives.NAMES[:8]],
        by=user,
        score={"kind": "player", "sum": 0, "game": game},
        **({"rounds": 2, "hands": 16} | terms),
    )
    create_table_links(drive=drive, by=user)
    return drive


def open_phone(open_visitor_page: PageOpener, drive: Drive) -> Page:
    page = open_visitor_page(phone=True)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto(TableLink.objects.get(evening=drive.evening, table=1).path)
    expect(page.locator("#t-bid button").first).to_be_visible()
    return page


def tap_buttons(page: Page, *keys: str) -> None:
    """Tap buttons of the hand that is entered, by their keys."""
    for key in keys:
        page.locator(f"#t-bid [data-key='{key}']").click()


def click_yes(page: Page) -> None:
    page.get_by_role("button", name="Yes", exact=True).click()


def list_stored_bids(drive: Drive) -> list[tuple[int, list[int], dict[str, Any], str]]:
    rows = Sheet.objects.filter(round__drive=drive, table=1).exclude(score=[]).order_by("hand")
    return list(rows.values_list("hand", "score", "contract", "agreement"))


def test_phone_settles_all_published_vectors_correctly(open_visitor_page: PageOpener) -> None:
    vectors = json.loads(GOLDEN_PATH.read_text("utf-8"))["vectors"]
    hands = []
    for vector in vectors:
        game = GAMES_BY_CODE[vector["game"]]
        table = build_points_table(game, vector.get("custom"), vector.get("house", {}))
        hands.append([build_points_table_data(table), vector["hand"]])
    page = open_phone(open_visitor_page, begin_drive("wiezen"))
    url = page.evaluate(
        "performance.getEntriesByType('resource').map(e => e.name)"
        ".find(name => name.includes('contracts/settling'))"
    )
    settlements = page.evaluate(SCORE_ALL_SCRIPT, [url, hands])
    assert len(settlements) == 177
    for vector, settlement in zip(vectors, settlements, strict=True):
        actual_result = settlement["points"], [part["isMade"] for part in settlement["parts"]]
        assert actual_result == (vector["points"], vector["made"]), vector["id"]
        assert [part["price"] for part in settlement["parts"]] == vector["stake"], vector["id"]


@pytest.mark.slow
@pytest.mark.parametrize("game_code", GAMES_BY_CODE)
def test_phone_and_grid_compute_random_hands_like_the_server(
    open_visitor_page: PageOpener, game_code: str
) -> None:
    rng = random.Random(39)
    payloads, expected = [], []
    variants = [None, *(variant.code for variant in GAMES_BY_CODE[game_code].variants)]
    for number in range(HANDS_PER_GAME // HANDS_PER_HOUSE_RULES):
        is_ready = number < len(variants)
        house = {} if is_ready else make_house_rules(rng, game_code)
        table = build_points_table(
            GAMES_BY_CODE[game_code], variants[number] if is_ready else None, house
        )
        hands, expected_hands = [], []
        previous_settlement: Settlement | None = None
        for _hand in range(HANDS_PER_HOUSE_RULES):
            settled = parse_hand(make_hand(rng, build_points_table_data(table)), table)
            hand = build_hand_data(settled.hand)
            previous_hand = (
                build_hand_data(previous_settlement.hand) if previous_settlement else None
            )
            hands.append([hand, previous_hand, format_row(table, hand, ())._asdict()])
            expected_hands.append(
                [list(settled.points), name_hints(settled, previous_settlement), hand]
            )
            previous_settlement = settled
        payloads.append([build_points_table_data(table) | {"passedWords": []}, hands])
        expected.append(expected_hands)
    page = open_phone(open_visitor_page, begin_drive(game_code))
    scripts_url = page.evaluate(
        "performance.getEntriesByType('resource').map(e => e.name)"
        ".find(name => name.includes('contracts/settling'))"
    ).partition("contracts/settling")[0]
    script_urls = {
        "settling": f"{scripts_url}contracts/settling.js",
        "hints": f"{scripts_url}contracts/hints.js",
        "reading": f"{scripts_url}hand_grid/reading.js",
    }
    browser_results = page.evaluate(COMPUTE_ALL_SCRIPT, [script_urls, payloads])
    pairs = [
        (browser_hand, server_hand)
        for browser_hands, server_hands in zip(browser_results, expected, strict=True)
        for browser_hand, server_hand in zip(browser_hands, server_hands, strict=True)
    ]
    assert len(pairs) == HANDS_PER_GAME
    for (points, hints, hand, row_points), (own_points, expected_hints, expected_hand) in pairs:
        assert (points, hints, hand) == (own_points, expected_hints, expected_hand)
        assert row_points == own_points


def name_hints(settled: Settlement, previous: Settlement | None) -> list[list[str]]:
    """Return the names of the phone's hint texts about a hand with a contract."""
    contract = settled.hand.contract
    assert contract is not None
    return [
        [
            next(
                word
                for hint_fragment, word in HINT_NAMES_BY_TEXT.items()
                if hint_fragment in hint
            ),
            contract.label.local,
        ]
        for hint in find_hints(settled, previous)
    ]


def test_surprising_hand_needs_confirmation_before_it_is_sent(
    open_visitor_page: PageOpener,
) -> None:
    drive = begin_drive("colour-whist", hands=4)
    page = open_phone(open_visitor_page, drive)
    tap_buttons(page, "together-8", "seat-1", "seat-3", "tricks-3")
    expect(page.get_by_text("samen 8, tricks: 3. Is that right?")).to_be_visible()
    assert list_stored_bids(drive) == []
    tap_buttons(page, "unsure", "tricks-8")
    click_yes(page)
    tap_buttons(page, "slam", "seat-2", "made-true")
    expect(page.get_by_text("solo slim was made: is that right?")).to_be_visible()
    tap_buttons(page, "sure")
    click_yes(page)
    tap_buttons(page, "troel", "seat-1", "seat-2", "tricks-8")
    click_yes(page)
    tap_buttons(page, "troel-9", "seat-1", "seat-4", "tricks-9")
    expect(page.get_by_text("troel, troef veranderd twice in a row")).to_be_visible()
    tap_buttons(page, "sure")
    click_yes(page)
    wait_until_all_sent(page)
    assert [row[1] for row in list_stored_bids(drive)] == [
        [8, -8, 8, -8],
        [-60, 180, -60, -60],
        [16, 16, -16, -16],
        [16, -16, -16, 16],
    ]


@pytest.mark.parametrize(
    ("game", "keys", "bid"),
    [
        ("colour-whist", "together-8 seat-1 seat-3 tricks-9",
         {"contract": "together-8", "by": [1, 3], "tricks": 9}),
        ("wiezen", "misere seat-2 2-made-true",
         {"contract": "misere", "by": [2], "made": [True]}),
        ("solo-whist", "misere seat-4 made-false",
         {"contract": "misere", "by": [4], "made": False}),
        ("danish-whist", "level-9 9-good seat-1 seat-2 tricks-10",
         {"contract": "9-good", "by": [1, 2], "tricks": 10}),
        ("rikken", "rik seat-3 alone tricks-8", {"contract": "rik", "by": [3], "tricks": 8}),
    ],
)  # fmt: skip
def test_hand_needs_at_most_four_taps_plus_names(
    open_visitor_page: PageOpener, game: str, keys: str, bid: dict[str, Any]
) -> None:
    drive = begin_drive(game)
    page = open_phone(open_visitor_page, drive)
    sizes = page.locator(".contracts__buttons button").evaluate_all(TYPE_SIZES_SCRIPT)
    assert min(size for size, _overflow in sizes) >= 14
    assert max(overflow for _size, overflow in sizes) <= 0
    buttons = page.locator("#t-bid button").evaluate_all(RECTANGLES_SCRIPT)
    assert min(min(width, height) for width, height, _bottom in buttons) >= 44
    contracts = page.locator(".contracts__family button, .contracts__levels button")
    assert max(bottom for _w, _h, bottom in contracts.evaluate_all(RECTANGLES_SCRIPT)) <= HEIGHT
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    keys_before_players = [key for key in keys.split() if not key.startswith("seat")][
        : 1 + keys.startswith("level")
    ]
    tap_buttons(page, *keys_before_players)
    expect(page.get_by_text("Who plays?")).to_be_visible()
    tap_buttons(page, *keys.split()[len(keys_before_players) :])
    border_widths = page.locator("#t-tally > *").evaluate_all(
        "all => all.map(each => getComputedStyle(each).borderInlineStartWidth)"
    )
    assert border_widths == ["0px", "1px", "0px", "1px"]
    click_yes(page)
    expect(page.locator("#t-ask")).to_contain_text("Hand 2 of 16")
    wait_until_all_sent(page)
    assert [(row[0], row[2], row[3]) for row in list_stored_bids(drive)] == [(1, bid, "given")]
    assert len([key for key in keys.split() if not key.startswith("seat")]) + 1 <= 4


def test_phone_asks_for_the_partner_before_it_shows_the_tricks(
    open_visitor_page: PageOpener,
) -> None:
    drive = begin_drive("rikken")
    page = open_phone(open_visitor_page, drive)
    tricks = page.locator("[data-key='tricks-8']")
    tap_buttons(page, "rik", "seat-3")
    expect(page.get_by_text("Choose the partner too.")).to_be_visible()
    expect(tricks).to_have_count(0)
    tap_buttons(page, "alone")
    expect(tricks).to_be_visible()
    tap_buttons(page, "seat-1")
    expect(page.locator("[data-key=alone]")).to_have_count(0)
    expect(tricks).to_be_visible()
    tap_buttons(page, "seat-3")  # only seat 1 is left, and it may lack its partner again
    expect(tricks).to_have_count(0)


def test_twenty_hands_are_entered_in_less_than_a_minute(open_visitor_page: PageOpener) -> None:
    drive = begin_drive("colour-whist", hands=20)
    page = open_phone(open_visitor_page, drive)
    started_at = time.monotonic()
    for hand in range(20):
        seats = (f"seat-{1 + hand % 4}", f"seat-{1 + (hand + 1) % 4}")
        tap_buttons(page, "together-8", *seats, f"tricks-{5 + hand % 9}")
        click_yes(page)
    expect(page.get_by_role("heading", name="Round 1 is complete.")).to_be_visible()
    seconds = time.monotonic() - started_at
    assert seconds <= 60, seconds
    wait_until_all_sent(page)
    assert len(list_stored_bids(drive)) == 20


def test_fifty_offline_hands_are_stored_once(open_visitor_page: PageOpener) -> None:
    drive = begin_drive("wiezen", hands=50)
    page = open_phone(open_visitor_page, drive)
    page.evaluate(OFFLINE_SCRIPT)
    page.evaluate("window.isDown = true")
    for hand in range(50):
        tap_buttons(page, "alone-5", f"seat-{1 + hand % 4}", "tricks-6")
        click_yes(page)
    expect(page.get_by_text("saved on this phone")).to_be_visible()
    page.reload()
    expect(page.get_by_text("All scores sent.")).to_be_visible(timeout=60_000)
    stored_bids = list_stored_bids(drive)
    assert [row[0] for row in stored_bids] == list(range(1, 51))
    assert stored_bids[0][1] == [9, -3, -3, -3]


def test_passed_deals_fines_and_typed_scores_are_entered_on_a_phone(
    open_visitor_page: PageOpener,
) -> None:
    drive = begin_drive("colour-whist", hands=4)
    page = open_phone(open_visitor_page, drive)
    expect(page.locator("#t-ask")).to_contain_text("Hand 1 of 4")
    tap_buttons(page, "passed", "else")
    page.locator(".contracts__fine select").select_option("4")
    page.locator(".contracts__fine input").fill("5")
    page.get_by_role("button", name="Add to this hand").click()
    tap_buttons(page, "grand-misere", "seat-1", "seat-2", "1-made-true", "2-made-false")
    expect(page.locator("#t-tally b")).to_have_text(["+101", "−91", "+5", "−15"])
    page.get_by_role("link", name="No, change it").click()
    tap_buttons(page, "small-misere", "seat-3", "3-made-true")
    click_yes(page)
    tap_buttons(page, "else", "typed")
    boxes = page.locator("#t-boxes [name=score]").all()
    for box, points in zip(boxes, ("3", "-1", "-1", "-1"), strict=True):
        box.fill(points)
    expect(page.locator("#t-sum")).to_have_text("Sum: 0")
    page.get_by_role("button", name="Enter score").click()
    click_yes(page)
    tap_buttons(page, "else")
    page.locator(".contracts__fine input").fill("2")
    page.get_by_role("button", name="Hand stopped").click()
    click_yes(page)
    expect(page.locator("#t-totals b")).to_have_text(["−9", "−5", "+19", "−5"])
    wait_until_all_sent(page)
    assert [(row[1], row[2]) for row in list_stored_bids(drive)] == [
        ([-6, -6, 18, -6], {"contract": "small-misere", "by": [3], "made": [True]}),
        ([3, -1, -1, -1], {}),
        ([-6, 2, 2, 2], {"fines": [{"by": 1, "each": 2}]}),
    ]


@pytest.mark.parametrize("code", GAMES_BY_CODE)
def test_phone_enters_a_hand_that_everyone_passed(
    open_visitor_page: PageOpener, code: str
) -> None:
    drive = begin_drive(code, hands=4)
    page = open_phone(open_visitor_page, drive)
    if GAMES_BY_CODE[code].points_table.passed is PassedDealRule.REDEAL:
        tap_buttons(page, "passed")
        expect(page.get_by_text("Deal again. Enter nothing.")).to_be_visible()
        tap_buttons(page, "redeal", "passed")
    else:
        tap_buttons(page, "else")
    tap_buttons(page, "zero")
    click_yes(page)
    expect(page.locator("#t-ask")).to_contain_text("Hand 2 of 4")
    wait_until_all_sent(page)
    assert list_stored_bids(drive) == [(1, [0, 0, 0, 0], {}, "given")]


def test_phone_says_where_its_players_go_after_the_last_hand(
    open_visitor_page: PageOpener,
) -> None:
    drive = begin_drive("wiezen", hands=1)
    page = open_phone(open_visitor_page, drive)
    names = page.locator("#t-totals span").all_inner_texts()
    tap_buttons(page, "misere", "seat-2", "2-made-true")
    click_yes(page)
    wait_until_all_sent(page)
    expect(page.get_by_text("Your new seats will appear here.")).to_be_visible()
    begin_next_round(drive=drive, by=None)
    poll_page(page)
    expect(page.get_by_role("heading", name="Players of round 1 move to:")).to_be_visible()
    lines = page.locator("#t-departure-list li")
    expect(lines).to_have_count(4)
    for name, line in zip(names, lines.all_inner_texts(), strict=True):
        assert line.startswith(f"{name.removesuffix(' (deals)')}: table ")
    tap_buttons(page, "misere", "seat-2", "2-made-true")
    expect(page.locator("#t-departures")).to_be_hidden()


def test_offline_phone_catches_up_with_the_organisers_acts(
    open_visitor_page: PageOpener,
) -> None:
    drive = begin_drive("wiezen", hands=4)
    page = open_phone(open_visitor_page, drive)
    page.evaluate(OFFLINE_SCRIPT)
    page.evaluate("window.isDown = true")
    tap_buttons(page, "misere", "seat-1", "1-made-true")
    expect(page.locator("#t-tally b")).to_have_text(["+21", "−7", "−7", "−7"])
    house = {"contracts": {"misere": {"made": [10], "lost": [10]}}}
    change_points(drive=drive, custom=None, house=house, by=None)
    page.evaluate("window.isDown = false; window.dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Hand 1: the points differ")).to_be_visible()
    expect(page.locator("#t-tally b")).to_have_text(["+30", "−10", "−10", "−10"])
    poll_page(page)
    expect(page.locator("#t-tally b")).to_have_text(["+30", "−10", "−10", "−10"])
    slam_hand = {"contract": "slam", "by": [4], "tricks": 13}
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, contract=slam_hand, by=None)
    poll_page(page)
    expect(page.get_by_text("Hand 1: the organiser entered")).to_be_visible()
    page.get_by_text("Hands so far").click()
    expect(page.locator("#t-hands li").first).to_contain_text("solo slim, tricks: 13")
    page.get_by_role("link", name="Continue").click()
    page.evaluate(OFFLINE_SCRIPT)
    page.evaluate("window.isDown = true")
    tap_buttons(page, "misere", "seat-2", "2-made-false")
    begin_next_round(drive=drive, by=None)
    page.evaluate("window.isDown = false; window.dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Round 2 is now in play.")).to_be_visible()
    assert list_stored_bids(drive)[1][1] == [10, -30, 10, 10]
    close_drive(drive=drive, anyway=True, by=None)
    poll_page(page)
    expect(page.get_by_text("The drive is closed.")).to_be_visible()
