"""The organiser's hand grid accepts, refuses and stores rows.

The axes: game × outcome of the hand × late or current round × open or closed drive, and what
the page showed × what someone else entered since × what was typed.
"""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Act
from drives.games import GAMES_BY_CODE
from drives.models import Drive, Sheet, SheetVersion
from drives.services import begin_next_round, enter_sheet, set_contract_words, undo_act
from drives.snapshot import load_drive_snapshot
from tests.drives.games.test_hand_services import (
    begin_drive,
    find_last_act,
    list_sheet_rows,
    reload_drive,
)
from tests.factories import MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db
JSON_REQUEST = {"headers": {"accept": "application/json"}}
BOXES = ("contract", "players", "tricks", "passed", "other", "scores")
FORM_PATTERN = re.compile(r'<form method="post" id="hands-form">.*?</form>', re.DOTALL)


def create_game_drive(game: str = "wiezen", **terms: Any) -> Drive:
    drive: Drive = begin_drive(score={"kind": "player", "sum": 0, "game": game}, **terms)
    return drive


def desk(drive: Drive) -> tuple[Client, str]:
    client = Client()
    client.force_login(MembershipFactory(club=drive.club).user)
    return client, f"/director/drives/{drive.slug}/hands/"


def fields(page: Any) -> dict[str, str]:
    """Return what a browser sends of the grid's form, as the page filled it."""
    form = FORM_PATTERN.search(page.content.decode())
    assert form is not None
    boxes = [
        dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        for tag in re.findall(r"<input[^>]+>", form[0])
    ]
    return {box["name"]: unescape(box.get("value", "")) for box in boxes}


def typed(hand: int, *texts: str, **more: str) -> dict[str, str]:
    """Return the boxes of a row."""
    values = dict(zip(BOXES, texts, strict=False)) | more
    return {f"{name}{hand}": values.get(name, "") for name in BOXES}


def send(drive: Drive, hand: int, *texts: str, seen_row: str = "", **more: Any) -> Any:
    """Send one row of round 1 at table 1 as the page's script does."""
    client, path = desk(drive)
    extra_fields = {
        name: more.pop(name) for name in ("reason", "w1", "w2", "w3", "w4") if name in more
    }
    place = {"round": "1", "table": "1", "hand": str(hand), f"seen{hand}": seen_row}
    return client.post(path, place | typed(hand, *texts, **more) | extra_fields, **JSON_REQUEST)


OUTCOMES = {
    "colour-whist": [
        (("t8", "13", "9"), {"contract": "together-8", "by": [1, 3], "tricks": 9},
         [11, -11, 11, -11]),
        (("t8", "13", "6"), {"contract": "together-8", "by": [1, 3], "tricks": 6},
         [-14, 14, -14, 14]),
        (("gm", "12", "+-"), {"contract": "grand-misere", "by": [1, 2], "made": [True, False]},
         [48, -48, 0, 0]),
    ],
    "wiezen": [
        (("l5", "2", "7"), {"contract": "alone-5", "by": [2], "tricks": 7}, [-4, 12, -4, -4]),
        (("tr", "24", "5"), {"contract": "troel", "by": [2, 4], "tricks": 5},
         [10, -10, 10, -10]),
        (("mi", "3", "0"), {"contract": "misere", "by": [3], "tricks": [0]}, [-7, -7, 21, -7]),
    ],
    "solo-whist": [
        (("so", "4", "5"), {"contract": "solo", "by": [4], "tricks": 5}, [-6, -6, -6, 18]),
        (("mi", "1", "-"), {"contract": "misere", "by": [1], "made": False},
         [-36, 12, 12, 12]),
        (("pc", "12", "7"), {"contract": "prop-cop", "by": [1, 2], "tricks": 7},
         [-7, -7, 7, 7]),
    ],
    "danish-whist": [
        (("9g", "12", "10"), {"contract": "9-good", "by": [1, 2], "tricks": 10},
         [16, 16, -16, -16]),
        (("8", "3a", "7"), {"contract": "8", "by": [3], "tricks": 7}, [4, 4, -12, 4]),
        (("so", "23", "1 2"), {"contract": "sol", "by": [2, 3], "tricks": [1, 2]},
         [6, 30, -42, 6]),
    ],
    "rikken": [
        (("ri", "14", "8"), {"contract": "rik", "by": [1, 4], "tricks": 8}, [1, -1, -1, 1]),
        (("l8", "2", "6"), {"contract": "alone-8", "by": [2], "tricks": 6}, [3, -9, 3, 3]),
        (("pi", "4", "+"), {"contract": "piek", "by": [4], "made": [True]}, [-5, -5, -5, 15]),
    ],
}  # fmt: skip
CASES = [(game, *outcome) for game, outcomes in OUTCOMES.items() for outcome in outcomes]


def test_every_game_is_in_the_table_of_outcomes() -> None:
    assert set(OUTCOMES) == set(GAMES_BY_CODE)


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize(("game", "texts", "hand", "points"), CASES)
def test_hand_of_every_game_is_entered_and_corrected(
    game: str,
    texts: tuple[str, ...],
    hand: dict[str, Any],
    points: list[int],
    *,
    is_late: bool,
    is_closed: bool,
) -> None:
    drive = create_game_drive(game)
    if is_late:
        begin_next_round(drive=drive, by=None)
    if is_closed:
        Drive.objects.update(state=Drive.State.CLOSED, closed_at=timezone.now())
        refused_response = send(drive, 1, *texts)
        assert (refused_response.status_code, list_sheet_rows(drive)) == (422, [])
        assert refused_response.json()["code"] == "not_now"
        return
    answer = send(drive, 1, *texts)
    assert answer.status_code == 200, answer.json()
    assert list_sheet_rows(drive) == [(1, 1, points, hand)]
    first_row = answer.json()["rows"][0]
    assert (first_row["points"], json.loads(first_row["seen"])) == (points, [points, hand])
    assert "Details" in first_row["details"]
    other_texts = ("", "", "", "", "", "3 -1 -1 -1")
    correction_response = send(drive, 1, *other_texts, seen_row=first_row["seen"])
    if is_late:
        assert (correction_response.status_code, correction_response.json()["place"]) == (
            422,
            "reason",
        )
        assert list_sheet_rows(drive) == [(1, 1, points, hand)]
        correction_response = send(
            drive, 1, *other_texts, seen_row=first_row["seen"], reason="The sheet shows it."
        )
        assert find_last_act("drive.sheet").after["reason"] == "The sheet shows it."
    assert correction_response.status_code == 200
    assert list_sheet_rows(drive) == [(1, 1, [3, -1, -1, -1], {})]
    undo_act(drive=reload_drive(drive), act=find_last_act("drive.sheet"), by=None)
    assert list_sheet_rows(drive) == [(1, 1, points, hand)]
    removal_response = send(drive, 1, seen_row=first_row["seen"], reason="Not played.")
    assert (removal_response.status_code, list_sheet_rows(drive)[0][2:]) == (200, ([], {}))


@pytest.mark.parametrize(
    ("texts", "place", "detail"),
    [
        (
            {"contract": "zz", "players": "1", "tricks": "5"},
            "contract",
            "Contract “zz” not found",
        ),
        ({"contract": "pi", "players": "1", "tricks": "1"}, "contract", "isn’t played here"),
        ({"contract": "t8", "players": "1", "tricks": "9"}, "players", "is played by 2, not 1"),
        ({"contract": "t8", "players": "11", "tricks": "9"}, "players", "entered twice"),
        ({"contract": "t8", "players": "15", "tricks": "9"}, "players", "isn’t at this table"),
        ({"contract": "t8", "players": "13", "tricks": "14"}, "tricks", "13"),
        ({"contract": "t8", "players": "13"}, "tricks", "Enter the tricks."),
        ({"contract": "t8", "players": "13", "tricks": "+"}, "tricks", "enter tricks"),
        ({"contract": "mi", "players": "12", "tricks": "0"}, "tricks", "for each player"),
        ({"contract": "mi", "players": "12", "tricks": "9 9"}, "tricks", "more than 13"),
        ({"contract": "t8", "players": "13", "tricks": "9", "other": "x2"}, "other", "doubl"),
        ({"contract": "t8", "players": "13", "tricks": "9", "other": "r"}, "other", "fines"),
        ({"other": "f1:1001"}, "other", "1000"),
        ({"passed": "1"}, "", "contract or a fine"),
        ({"scores": "1 1 1 1"}, "", "0"),
    ],
)
def test_error_of_an_invalid_row_names_its_box_and_nothing_is_stored(
    texts: dict[str, str], place: str, detail: str
) -> None:
    drive = create_game_drive()
    answer = send(drive, 1, **texts)
    assert answer.status_code == 422
    error_data = answer.json()
    assert (error_data["place"], list_sheet_rows(drive)) == (place, [])
    assert detail in error_data["detail"]


def test_plain_form_saves_the_valid_rows_and_keeps_the_others() -> None:
    drive = create_game_drive()
    client, path = desk(drive)
    page = fields(client.get(path))
    sent_form = (
        page | typed(1, "t8", "13", "9") | typed(2, "t8", "1", "9") | typed(4, other="f2:5")
    )
    answer = client.post(path, sent_form)
    assert answer.status_code == 422
    assert [row[1:3] for row in list_sheet_rows(drive)] == [
        (1, [3, -3, 3, -3]),
        (4, [5, -15, 5, 5]),
    ]
    text = answer.content.decode()
    assert "vragen en meegaan is played by 2, not 1" in text
    refilled_form = fields(answer)
    assert [refilled_form[f"{name}2"] for name in BOXES[:3]] == ["t8", "1", "9"]
    assert client.post(path, refilled_form | typed(2, "t8", "14", "9")).status_code == 302
    assert [row[1] for row in list_sheet_rows(drive)] == [1, 2, 4]
    shown_page = client.get(path).content.decode()
    assert "vragen en meegaan, made with 9 tricks, +3 each." in shown_page


SHOWN_ROWS = {"nothing": None, "a hand": ("mi", "2", "+")}
ROWS_ENTERED_SINCE = {"nothing": None, "another hand": ("t8", "13", "9"), "removed": ()}
TYPED_ROWS = {
    "untouched": None,
    "the same as since": ("t8", "13", "9"),
    "another": ("l5", "4", "5"),
}


@pytest.mark.parametrize("change", TYPED_ROWS)
@pytest.mark.parametrize("entered_since", ROWS_ENTERED_SINCE)
@pytest.mark.parametrize("shown", SHOWN_ROWS)
@pytest.mark.parametrize("is_script", [False, True])
def test_two_screens_never_overwrite_each_other(
    shown: str, entered_since: str, change: str, *, is_script: bool
) -> None:
    drive = create_game_drive()
    client, path = desk(drive)
    if SHOWN_ROWS[shown]:
        send(drive, 1, *SHOWN_ROWS[shown])
    page = fields(client.get(path))
    if ROWS_ENTERED_SINCE[entered_since] is not None:
        send(drive, 1, *ROWS_ENTERED_SINCE[entered_since], seen_row=page["seen1"])
    rows_before = list_sheet_rows(drive)
    page |= typed(1, *TYPED_ROWS[change]) if TYPED_ROWS[change] else {}
    request_options: dict[str, Any] = JSON_REQUEST if is_script else {}
    answer = client.post(path, page | ({"hand": "1"} if is_script else {}), **request_options)
    stored_rows = [list(row[2:]) for row in rows_before if row[2]]
    wanted_points = {"t8": [3, -3, 3, -3], "l5": [-2, -2, -2, 6]}.get(page["contract1"])
    shown_rows = [json.loads(page["seen1"])] if page["seen1"] else []
    if TYPED_ROWS[change] is None or (stored_rows and stored_rows[0][0] == wanted_points):
        assert (answer.status_code, list_sheet_rows(drive)) == (
            200 if is_script else 302,
            rows_before,
        )
    elif stored_rows == shown_rows:
        assert list_sheet_rows(drive)[0][2] == wanted_points
    else:
        assert (answer.status_code, list_sheet_rows(drive)) == (
            409 if is_script else 422,
            rows_before,
        )
        check_conflict(answer, "t8 13 9: +3 −3 +3 −3" if stored_rows else "no score")


def test_plain_form_overwrites_a_conflict_that_it_has_shown() -> None:
    drive = create_game_drive()
    client, path = desk(drive)
    page = fields(client.get(path)) | typed(1, "l5", "4", "5")
    send(drive, 1, "t8", "13", "9")
    answer = client.post(path, page)
    assert (answer.status_code, list_sheet_rows(drive)[0][2]) == (422, [3, -3, 3, -3])
    assert client.post(path, fields(answer)).status_code == 302
    assert list_sheet_rows(drive)[0][2] == [-2, -2, -2, 6]


def check_conflict(answer: Any, stored: str) -> None:
    """Check that a response reports the hand that someone else has entered."""
    is_json = "json" in answer.headers["Content-Type"]
    assert stored in (answer.json()["text"] if is_json else answer.content.decode())


def test_another_contract_with_the_same_points_is_a_conflict_too() -> None:
    drive = create_game_drive()
    send(drive, 1, "a9", "1", "+")
    seen = json.dumps([[15, -5, -5, -5], {"contract": "abondance-9", "by": [1], "made": True}])
    send(drive, 1, "at", "1", "+", seen_row=seen)
    before = list_sheet_rows(drive)
    answer = send(drive, 1, "so", "1", "+", seen_row=seen)
    assert (answer.status_code, list_sheet_rows(drive)) == (409, before)


@pytest.mark.parametrize("seen", ["x", "[1]", "{}", "[[true], {}]", '[["1"], {}]', "[" * 9000])
def test_malformed_page_state_counts_as_an_empty_row(seen: str) -> None:
    drive = create_game_drive()
    send(drive, 1, "t8", "13", "9")
    assert send(drive, 1, "t8", "13", "8", seen_row=seen).status_code == 409
    assert send(drive, 2, "t8", "13", "8", seen_row=seen).status_code == 200


def test_row_sent_twice_is_one_entry() -> None:
    drive = create_game_drive()
    for _again in range(2):
        assert send(drive, 1, "t8", "13", "9").status_code == 200
    assert SheetVersion.objects.count() == 1
    assert Act.objects.filter(action="drive.sheet").count() == 1


def test_fine_and_its_reason_stay_when_another_box_is_corrected() -> None:
    drive = create_game_drive("colour-whist")
    hand = {"contract": "together-8", "by": [1, 3], "tricks": 9, "passed": 1,
            "fines": [{"by": 4, "each": 5, "why": "revoke"}]}  # fmt: skip
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, contract=hand, by=None)
    client, path = desk(drive)
    page = fields(client.get(path))
    assert (page["passed1"], page["other1"]) == ("1", "f4:5 revoke")
    assert client.post(path, page | {"tricks1": "10"}).status_code == 302
    assert list_sheet_rows(drive)[0][3] == hand | {"tricks": 10}


def test_grid_accepts_a_single_hand_but_no_hand_of_a_scored_round() -> None:
    single_hand_drive = create_game_drive(hands=1)
    assert send(single_hand_drive, 1, "t8", "13", "9").status_code == 200
    hand = {"contract": "together-8", "by": [1, 3], "tricks": 9}
    assert list_sheet_rows(single_hand_drive) == [(1, 0, [3, -3, 3, -3], hand)]
    client, path = desk(single_hand_drive)
    assert fields(client.get(path))["contract1"] == "t8"
    whole = create_game_drive()
    enter_sheet(drive=whole, round_number=1, table=1, score=[3, -1, -1, -1], by=None)
    assert send(whole, 1, "t8", "13", "9").status_code == 422
    client, path = desk(whole)
    assert "already has a score" in client.get(path).content.decode()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?round=9&table=1", "No one is seated there yet."),
        ("?round=1&table=99", "No one is seated there yet."),
        ("?round=x&table=-1", "Hands: round 1, table 1"),
        ("?round=1&table=2&w1=%00&w2=zz", "Hands: round 1, table 2"),
    ],
)
def test_unknown_table_or_round_is_reported(query: str, words: str) -> None:
    client, path = desk(create_game_drive())
    assert words in client.get(path + query).content.decode()


def test_only_scorers_of_the_club_see_the_grid_of_a_game() -> None:
    drive_without_contracts = begin_drive(score={"kind": "player", "sum": 0})
    client, path = desk(drive_without_contracts)
    assert client.get(path).status_code == 404
    drive = create_game_drive()
    stranger = Client()
    assert stranger.get(f"/director/drives/{drive.slug}/hands/").status_code == 302
    stranger.force_login(UserFactory())
    assert stranger.get(f"/director/drives/{drive.slug}/hands/").status_code == 403


def test_unusual_hand_has_a_hint_and_is_saved() -> None:
    drive = create_game_drive()
    answer = send(drive, 1, "t8", "13", "3")
    assert answer.status_code == 200
    assert ", tricks: 3. Is that right?" in answer.json()["rows"][0]["details"]


def test_number_of_queries_does_not_depend_on_hands_and_tables() -> None:
    query_counts = []
    for hand_count, player_count in ((4, 8), (20, 40)):
        drive = create_game_drive(hands=hand_count, size=player_count)
        for hand in range(1, hand_count):
            contract = {"contract": "together-8", "by": [1, 3], "tricks": 8}
            enter_sheet(
                drive=drive, round_number=1, table=1, hand=hand, contract=contract, by=None
            )
        client, path = desk(drive)
        client.get(path)
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        query_counts.append(len(queries))
    assert query_counts[0] == query_counts[1] <= 20


SHEET_ROWS = [("t8", "13", "9"), ("l5", "2", "7"), ("mi", "3", "+"), ("t8", "24", "6")]
SUMS = (3 - 4 - 7 + 8, -3 + 12 - 7 - 8, 3 - 4 + 21 + 8, -3 - 4 - 7 - 8)


def build_written_sums(*sums: int) -> dict[str, str]:
    return {f"w{seat}": str(each) for seat, each in enumerate(sums, start=1)}


def test_matching_sums_are_confirmed() -> None:
    drive = create_game_drive()
    for hand, texts in enumerate(SHEET_ROWS, start=1):
        send(drive, hand, *texts)
    answer = send(drive, 1, *SHEET_ROWS[0], **build_written_sums(*SUMS))  # the unchanged row
    assert "The sums agree." in answer.json()["check"]
    client, path = desk(drive)
    shown = client.post(path, fields(client.get(path)) | build_written_sums(*SUMS), follow=True)
    assert "The sums agree." in shown.content.decode()


@pytest.mark.parametrize(
    ("hand", "misread_row", "words"),
    [
        (1, ("t8", "13", "8"), "Hand 1: does the sheet say t8 13 9: +3 −3 +3 −3?"),
        (2, ("l5", "3", "7"), "Hand 2: does the sheet say l5 2 7: −4 +12 −4 −4?"),
        (3, ("mi", "3", "-"), "Hand 3: does the sheet say mi 3 +: −7 −7 +21 −7?"),
        (4, ("tr", "24", "6"), "Hand 4: does the sheet say t8 24 6"),
    ],
)
def test_hand_misread_from_the_sheet_is_found_by_its_sums(
    hand: int, misread_row: tuple[str, ...], words: str
) -> None:
    drive = create_game_drive()
    for number, texts in enumerate(SHEET_ROWS, start=1):
        send(drive, number, *(misread_row if number == hand else texts))
    client, path = desk(drive)
    shown = client.post(path, fields(client.get(path)) | build_written_sums(*SUMS), follow=True)
    page = unescape(shown.content.decode())
    if misread_row[0] == "tr":  # both contracts lose the same points: nothing differs
        assert "The sums agree." in page
        return
    assert page.index("Check first:") < page.index(words) < page.index("from the hands.")


def test_wrong_sum_lists_the_hands_that_explain_it() -> None:
    drive = create_game_drive()
    for number, texts in enumerate(SHEET_ROWS, start=1):
        send(drive, number, *texts)
    client, path = desk(drive)
    wrong_sums = build_written_sums(SUMS[0], SUMS[1] - 12, *SUMS[2:])
    page = client.post(
        path, fields(client.get(path)) | wrong_sums, follow=True
    ).content.decode()
    assert "The four sums on the sheet add up to −12, not 0." in page
    assert "Hand 2, +12: left out?" in page
    assert Sheet.objects.count() == 4


def test_the_grid_has_the_names_that_the_club_chose() -> None:
    drive = create_game_drive()
    send(drive, 1, "t8", "13", "3")
    client, path = desk(drive)
    for words, name, other in (
        ("title", "Ask and join", "vragen en meegaan"),
        ("local", "vragen en meegaan", "Ask and join"),
    ):
        set_contract_words(club=drive.club, words=words, by=None)
        page = client.get(path, {"round": "1", "table": "1"}).content.decode()
        assert f"<kbd>t8</kbd> <span>{name}</span>" in page
        assert f"{name}, tricks: 3. Is that right?" in page
        details = send(drive, 2, "t8", "13", "9").json()["rows"][1]["details"]
        assert f"{name}, made with 9 tricks" in details
        assert f"<span>{other}</span>" not in page


def test_a_hand_that_the_round_does_not_have_is_not_found() -> None:
    drive = create_game_drive()
    for hand in (0, 5, 1000):
        assert send(drive, hand, "t8", "13", "9").status_code == 404
    assert not Sheet.objects.filter(round__drive=drive).exists()


@pytest.mark.parametrize(
    "seen",
    [
        '[[3, -3, 3, -3], {"contract": {"a": 1}, "by": [1]}]',
        '[[3, -3, 3, -3], {"contract": "together-8", "by": 5}]',
        '[[3, -3, 3, -3], {"fines": 5}]',
        "[[3, -3, 3, -3], [[1]]]",
        '[5, {"contract": "misere", "by": [1], "made": [true]}]',
        "[[], 5]",
        '{"a": 1}',
        "[[",
    ],
)
def test_malformed_values_of_a_page_count_as_no_score(seen: str) -> None:
    drive = create_game_drive()
    assert send(drive, 1, "t8", "13", "9", seen_row=seen).status_code == 200
    assert send(drive, 1, "t8", "13", "10", seen_row=seen).status_code == 409


def test_long_sheet_sums_are_truncated_in_the_redirect() -> None:
    drive = create_game_drive()
    client, path = desk(drive)
    form = {"round": "1", "table": "1", "w1": "é" * 9000} | typed(1, "t8", "13", "9")
    response = client.post(path, form)
    assert response.status_code == 302
    assert len(response["Location"]) < 200


def test_columns_have_names_with_seats_and_no_player_numbers() -> None:
    """A player's number next to a seat's was taken for it."""
    drive = create_game_drive()
    client, path = desk(drive)
    page = " ".join(client.get(path).content.decode().split())
    numbers = load_drive_snapshot(drive).round_by_number[1].seats_by_table[1]
    for seat, number in enumerate(numbers, start=1):
        assert isinstance(number, int)
        name = load_drive_snapshot(drive).player_by_number[number].name
        assert f'<b>{name}</b> <span class="quiet">seat {seat}</span>' in page
        assert f"{number} {name}" not in page
        assert f"{seat} {name}" not in page
    assert "seat 1 deals" in page
    assert "<kbd>1a</kbd>" not in page
    danish_client, danish_path = desk(create_game_drive("danish-whist"))
    assert "<kbd>1a</kbd>" in danish_client.get(danish_path).content.decode()


@pytest.mark.parametrize("game", sorted(GAMES_BY_CODE))
def test_example_keys_enter_a_hand_of_the_game(game: str) -> None:
    client, path = desk(create_game_drive(game))
    page = client.get(path).content.decode()
    [texts] = re.findall(r"For example: ((?:<kbd>[^<]+</kbd> )+)<kbd>Enter</kbd>", page)
    answer = client.post(
        path,
        {"round": "1", "table": "1", "hand": "1"}
        | typed(1, *re.findall(r"<kbd>([^<]+)<", texts)),
        **JSON_REQUEST,
    )
    assert answer.status_code == 200


@pytest.mark.parametrize("game", sorted(GAMES_BY_CODE))
def test_example_keys_are_explained(game: str) -> None:
    client, path = desk(create_game_drive(game))
    page = client.get(path).content.decode()
    [example] = re.findall(
        r"For example:.*?<kbd>Enter</kbd>\s*\((.*?)\)</span>", page, re.DOTALL
    )
    key, seats, *tricks = re.findall(r"<kbd>([^<]+)<", page)[:3]
    meanings = example.split(", ")
    assert meanings[0].startswith(f"{key} = ")
    assert meanings[1] in ("13 = seats 1 and 3", "1 = seat 1")
    assert meanings[1].startswith(f"{seats} = ")
    assert meanings[2:] == [
        f"{number} = tricks taken" for number in tricks if number != "Enter"
    ]


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        (("t10x", "13", "9"), "Contract “t10x” not found. Enter 0 if everyone passed, or t8 ("),
        (("", "13", "9"), "Enter the contract."),
        (("t8", "", "9"), "Enter who played it, e.g. 1."),
        (("t8", "13", ""), "Enter the tricks."),
    ],
)
def test_incomplete_row_says_what_to_enter(texts: tuple[str, ...], problem: str) -> None:
    client, path = desk(create_game_drive())
    answer = client.post(
        path, {"round": "1", "table": "1", "hand": "1"} | typed(1, *texts), **JSON_REQUEST
    )
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(problem)


def test_papers_of_the_hands_are_selected_instead_of_score_cards() -> None:
    client, path = desk(create_game_drive())
    page = client.get(path.removesuffix("hands/") + "papers/").content.decode()
    selected_papers = set(re.findall(r'name="paper" value="(\w+)" checked', page))
    assert {"table_sheets", "points_poster"} <= selected_papers
    assert "score_cards" not in selected_papers


def test_score_cards_are_not_counted_if_hands_are_entered() -> None:
    drive = create_game_drive()
    client, path = desk(drive)
    drive_url = path.removesuffix("hands/")
    client.post(path, {"round": "1", "table": "1"} | typed(1, "t8", "13", "9"))
    for page_name, words in (
        ("", "Cards handed in"),
        ("totals/", "0 handed in"),
        ("totals/", "Not handed in"),
        ("closing/", "0 of 0"),
    ):
        page = " ".join(client.get(drive_url + page_name).content.decode().split())
        assert words not in page


def test_all_accepted_contracts_are_listed_with_their_keys() -> None:
    client, path = desk(create_game_drive())
    page = client.get(path).content.decode()
    contracts = page.partition('id="contracts-title"')[2].partition("</section>")[0]
    keys = re.findall(r"<kbd>(\w+)</kbd> <span>([^<]+)</span>", contracts)
    assert ("t8", "vragen en meegaan") in keys
    assert len(keys) == len(GAMES_BY_CODE["wiezen"].points_table.playable_contracts)
    assert "<kbd>0</kbd> all passed" in contracts
    assert page.index("contracts-title") < page.index("hands-form")  # on screen when you start
    folds = re.findall(r"<details class=\"sheet fold\">\s*<summary>.*?</summary>", page)
    assert [("<svg" in fold) for fold in folds] == [True]  # an arrow shows that it opens


def test_sums_of_the_plain_form_leave_out_invalid_rows() -> None:
    client, path = desk(create_game_drive())
    sent = fields(client.get(path)) | typed(1, "t8", "13", "9") | typed(2, "pi", "1", "1")
    answer = client.post(path, sent)
    assert answer.status_code == 422
    assert re.findall(r"data-sum>([^<]+)<", answer.content.decode()) == ["+3", "−3", "+3", "−3"]
