"""The organiser's grid of hands in games with contracts, typed from a paper sheet."""

import random
import time
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from drives.games import GAMES
from drives.games.contracts import Contract, Goal, Side
from drives.games.house import build_table_data
from drives.models import Drive, Sheet
from drives.services import begin_next_round, enter_sheet
from server.models import User
from tests.browser.conftest import Visitor
from tests.browser.pictures import keep_picture
from tests.browser.test_accessibility import find_page_faults
from tests.browser.test_contract_phones import begin_drive
from tests.drives.games.second_scorer import score_hand

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
COUNT_KEYS = """window.keys = 0;
document.addEventListener("keydown", event => {
    if (event.key !== "Shift") window.keys += 1;
}, true);"""
MAX_KEYS, MAX_SECONDS = 8, 75
KEY_SECONDS, LOOK_SECONDS = 0.2, 1.5
"""A trained typist: five keys a second, and a look at the sheet before each hand."""


def open_grid(visitor: Visitor, drive: Drive, query: str = "round=1&table=1") -> Page:
    user = User.objects.get(memberships__club=drive.club)
    page = visitor(user)
    page.add_init_script(COUNT_KEYS)
    page.goto(f"/director/drives/{drive.slug}/hands/?{query}")
    expect(page.locator("#hands.hands--script")).to_be_visible()
    return page


def row(page: Page, hand: int) -> Locator:
    return page.locator(f"#hand-{hand}")


def box(page: Page, name: str) -> Locator:
    return page.locator(f"#hands [name={name}]")


def points(page: Page, hand: int) -> list[str]:
    return [each.strip() for each in row(page, hand).locator("[data-seat]").all_inner_texts()]


def hands(drive: Drive) -> list[tuple[int, list[int], dict[str, Any]]]:
    rows = Sheet.objects.filter(round__drive=drive, table=1).exclude(score=[]).order_by("hand")
    return list(rows.values_list("hand", "score", "contract"))


def type_rows(page: Page, *texts: str) -> None:
    """Type rows, each followed by Enter."""
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Enter")


def make_row(chance: random.Random, contract: Contract) -> tuple[str, dict[str, Any]]:
    """Return what a typist presses for a plausible hand of a contract, and the hand."""
    rule, key = contract.rule, contract.label.key
    is_each = rule.side is Side.EACH
    count = 1 if is_each and chance.random() < 0.8 else min(2, rule.player_counts[-1])
    by = sorted(chance.sample(range(1, 5), count))
    hand: dict[str, Any] = {"contract": contract.code, "by": by}
    seats = "".join(map(str, by))
    if rule.how is not Goal.AT_LEAST or rule.is_flat:
        made = [chance.random() < 0.6 for _who in (by if is_each else [0])]
        marks = "".join("+" if each else "-" for each in made)
        return f"{key}{seats}{marks}", hand | {"made": made if is_each else made[0]}
    tricks = min(13, max(0, (rule.wants or 0) + chance.choice((-2, -1, 0, 0, 1, 2))))
    return f"{key}{seats}{tricks}", hand | {"tricks": tricks}


def make_sheet(code: str) -> list[tuple[str, dict[str, Any]]]:
    """Return 16 hands; ordinary contracts are more frequent than rare ones, as in play."""
    chance = random.Random(16)
    played = GAMES[code].table.played
    weights = [max(1, 12 - at) for at in range(len(played))]
    return [make_row(chance, each) for each in chance.choices(played, weights, k=16)]


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_a_sheet_of_sixteen_hands_takes_a_typist_about_a_minute(
    visitor: Visitor, code: str, record_property: Any
) -> None:
    sheet = make_sheet(code)
    table = build_table_data(GAMES[code].table)
    expected = [score_hand(table, hand) for _keys, hand in sheet]
    drive = begin_drive(code)
    page = open_grid(visitor, drive)
    began = time.monotonic()
    for number, (keys, _hand) in enumerate(sheet, start=1):
        time.sleep(LOOK_SECONDS)
        for key in f"{keys}\n":
            page.keyboard.press("Enter" if key == "\n" else key)
            time.sleep(KEY_SECONDS)
        shown = [
            f"{each:+d}".replace("+0", "0").replace("-", "−") for each in expected[number - 1]
        ]
        assert points(page, number) == shown, keys
    sums = [sum(column) for column in zip(*expected, strict=True)]
    for total in sums:
        page.keyboard.type(str(total), delay=KEY_SECONDS * 1000)
        page.keyboard.press("Enter")
    expect(page.get_by_text("The sums agree.")).to_be_visible()
    seconds, presses = time.monotonic() - began, page.evaluate("window.keys")
    presses -= sum(len(str(total)) + 1 for total in sums)
    record_property("seconds", round(seconds, 1))
    record_property("keys a hand", presses / 16)
    print(f"\n{code}: {presses / 16:.2f} keys a hand, {seconds:.1f} s a sheet")  # noqa: T201
    assert presses / 16 <= MAX_KEYS
    assert seconds <= MAX_SECONDS
    assert [row[1] for row in hands(drive)] == expected


def test_keys_save_correct_repeat_and_undo_hands(visitor: Visitor) -> None:
    drive = begin_drive("colour-whist", hands=8)
    page = open_grid(visitor, drive)
    expect(box(page, "contract1")).to_be_focused()
    page.keyboard.type("o")
    expect(box(page, "contract1")).to_have_value("om")  # completed, the rest selected
    page.keyboard.type("2-")
    expect(box(page, "players1")).to_have_value("2")
    assert points(page, 1) == ["+24", "−72", "+24", "+24"]
    page.keyboard.press("Enter")
    type_rows(page, "t8139", "/10", "gm12+-", "=3 -1 -1 -1")
    expect(box(page, "contract6")).to_be_focused()
    page.keyboard.type("l5")
    page.keyboard.type("p3p7")  # one passed deal before, and another one
    page.keyboard.press("Enter")
    expect(
        page.get_by_text("Hand 6 saved: l5 3 7 passed deals: 2: −10 −10 +30 −10")
    ).to_be_visible()
    assert [row[1] for row in hands(drive)] == [
        [24, -72, 24, 24],
        [11, -11, 11, -11],
        [14, -14, 14, -14],
        [48, -48, 0, 0],
        [3, -1, -1, -1],
        [-10, -10, 30, -10],
    ]
    expect(page.locator("[data-sum]")).to_have_text(["+90", "−156", "+78", "−12"])
    for key in ("ArrowUp",) * 5 + ("ArrowRight",) * 2:
        page.keyboard.press(key)
    expect(box(page, "tricks2")).to_be_focused()
    page.keyboard.type("8")
    assert points(page, 2) == ["+8", "−8", "+8", "−8"]
    page.keyboard.press("Escape")
    expect(box(page, "tricks2")).to_have_value("9")
    box(page, "tricks2").fill("8")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Hand 2 saved: t8 13 8")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("Hand 2 saved: t8 13 9")).to_be_visible()
    row(page, 2).get_by_text("Details").click()
    expect(row(page, 2).get_by_text("samen 8, made with 9 tricks, +11 each.")).to_be_visible()
    expect(row(page, 2).locator("li")).to_have_count(3)
    row(page, 2).get_by_role("button", name="Restore").first.click()
    expect(page.get_by_text("Hand 2 saved: t8 13 8")).to_be_visible()
    assert hands(drive)[1][1] == [8, -8, 8, -8]


def test_a_refused_row_stops_nothing_and_a_spreadsheet_fills_rows(visitor: Visitor) -> None:
    drive = begin_drive("wiezen", hands=6)
    page = open_grid(visitor, drive)
    type_rows(page, "zz", "t8139")
    expect(row(page, 1)).to_contain_text("Contract: contract “zz” not found.")
    expect(box(page, "contract1")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Hand 2 saved")).to_be_visible()
    paste = """box => {
        const data = new DataTransfer();
        data.setData("text", "l5\\t2\\t7\\nmi\\t34\\t+-\\nt8\\t1\\t9\\n");
        box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }"""
    box(page, "contract3").evaluate(paste)
    expect(row(page, 5)).to_contain_text("Players: together-8 is played by 2, not 1.")
    assert [row[:2] for row in hands(drive)] == [
        (2, [3, -3, 3, -3]),
        (3, [-4, 12, -4, -4]),
        (4, [0, 0, 28, -28]),
    ]


def test_two_screens_keep_both_hands_until_one_is_chosen(visitor: Visitor) -> None:
    drive = begin_drive("wiezen", hands=4)
    one, other = open_grid(visitor, drive), open_grid(visitor, drive)
    type_rows(one, "t8139")
    expect(one.get_by_text("Hand 1 saved")).to_be_visible()
    type_rows(other, "l547")
    conflict = row(other, 1).get_by_role("button", name="Keep t8 13 9: +3 −3 +3 −3")
    expect(conflict).to_be_visible()
    assert hands(drive)[0][1] == [3, -3, 3, -3]
    conflict.click()
    expect(box(other, "contract1")).to_have_value("t8")
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[3, -1, -1, -1], by=None)
    box(other, "contract1").fill("l5")
    box(other, "players1").fill("4")
    box(other, "tricks1").fill("7")
    other.keyboard.press("Enter")
    row(other, 1).get_by_role("button", name="Use mine").click()
    expect(other.get_by_text("Hand 1 saved: l5 4 7")).to_be_visible()
    box(other, "contract2").focus()
    type_rows(other, "mi2+")  # the first screen gets this hand with its next row
    expect(other.get_by_text("Hand 2 saved")).to_be_visible()
    box(one, "contract3").focus()
    type_rows(one, "t8249")
    expect(box(one, "players2")).to_have_value("2")
    expect(one.locator("[data-sum]")).to_have_text(["−14", "+20", "−14", "+8"])
    assert [row[1] for row in hands(drive)] == [
        [-4, -4, -4, 12],
        [-7, 21, -7, -7],
        [-3, 3, -3, 3],
    ]


def test_a_late_correction_asks_for_a_reason(visitor: Visitor) -> None:
    drive = begin_drive("wiezen", hands=2)
    hand = {"contract": "together-8", "by": [1, 3], "tricks": 9}
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, contract=hand, by=None)
    begin_next_round(drive=drive, by=None)
    page = open_grid(visitor, drive)
    box(page, "tricks1").fill("8")
    page.keyboard.press("Enter")
    reason = page.get_by_label("Reason for corrections")
    expect(reason).to_be_focused()
    expect(row(page, 1)).to_contain_text("the round has ended. Enter a reason")
    page.keyboard.type("The sheet shows 8.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Hand 1 saved: t8 13 8")).to_be_visible()
    assert hands(drive)[0][1] == [2, -2, 2, -2]


def test_rows_wait_while_the_server_is_away(visitor: Visitor) -> None:
    drive = begin_drive("wiezen", hands=4)
    page = open_grid(visitor, drive)
    page.route("**/hands/", lambda route: route.abort())
    type_rows(page, "t8139", "l527")
    expect(page.get_by_text("Not saved yet.")).to_be_visible()
    assert hands(drive) == []
    page.unroute("**/hands/")
    expect(page.get_by_text("Hand 2 saved")).to_be_visible()
    assert [row[1] for row in hands(drive)] == [[3, -3, 3, -3], [-4, 12, -4, -4]]


def test_a_planted_slip_is_found_by_the_sums_of_the_sheet(visitor: Visitor) -> None:
    drive = begin_drive("wiezen", hands=4)
    page = open_grid(visitor, drive)
    type_rows(page, "t8138", "l527", "mi3+", "t8246")  # the first hand had 9 tricks
    expect(page.get_by_text("Hand 4 saved")).to_be_visible()
    for total in ("0", "-6", "28", "-22"):
        page.keyboard.type(total)
        page.keyboard.press("Enter")
    check = page.locator("#sums-check")
    expect(check.get_by_text("The sums differ")).to_be_visible()
    expect(check.locator("li").first).to_have_text(
        "Hand 1: does the sheet say t8 13 9: +3 −3 +3 −3?"
    )
    box(page, "tricks1").fill("9")
    page.keyboard.press("Enter")
    expect(check.get_by_text("The sums agree.")).to_be_visible()


def test_the_grid_is_accessible_and_fits_a_phone(visitor: Visitor) -> None:
    drive = begin_drive("colour-whist", hands=4)
    page = open_grid(visitor, drive)
    type_rows(page, "t8133", "zz")
    expect(row(page, 1)).to_contain_text("samen 8 with 3 tricks: is that right?")
    row(page, 1).get_by_text("Details").click()
    keep_picture(page, "drive-hands")
    assert find_page_faults(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert find_page_faults(page) == []
    keep_picture(page, "drive-hands-phone")
