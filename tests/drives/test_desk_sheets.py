"""The desk's score sheets are saved while tables enter their own scores.

The axes: what the page showed of a table × what arrived in the meantime × what was typed on its
line. An untouched line changes nothing; a value typed over an unseen one must be confirmed.
"""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from clubs import audit
from clubs.models import TableLink
from drives.errors import InvalidScore
from drives.files.export import export_drive
from drives.kind import DRIVE_KIND
from drives.models import Drive, Sheet
from drives.services import create_table_links, enter_sheet, import_drive, undo_last_act
from drives.services.scores import Agreement, confirm_sheet
from drives.sheets.contract_phone import load_table_phone_page
from tests.drives.test_services import begin_drive, load_snapshot
from tests.factories import ClubFactory, MembershipFactory
from tests.page_text import unwrap_nowrap_spans

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def open_desk(drive: Drive) -> tuple[Client, str]:
    client = Client()
    client.force_login(MembershipFactory(club=drive.club).user)
    return client, f"/director/drives/{drive.slug}/"


def read_form_fields(page: Any) -> dict[str, str]:
    """Return what a browser sends of the sheets' form, as the page filled it."""
    form = page.content.decode().partition("data-sheets")[2].partition("</form>")[0]
    tags = re.findall(r"<input[^>]+>", form)
    boxes = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in tags]
    return {box["name"]: box.get("value", "") for box in boxes}


def enter_score(drive: Drive, score: list[int], table: int = 1, **more: Any) -> None:
    enter_sheet(drive=drive, round_number=1, table=table, score=score, by=None, **more)


def read_stored_score(drive: Drive, table: int = 1) -> list[int]:
    sheet = Sheet.objects.filter(round__drive=drive, round__number=1, table=table).first()
    return sheet.score if sheet else []


SHOWN_SCORES = {"nothing": [], "a score": [8, 5]}
SCORES_ENTERED_SINCE = {"nothing": None, "a score": [9, 4], "taken out": []}
TYPED_BOXES: dict[str, list[str] | None] = {
    "untouched": None,
    "the same as came": ["9", "4"],
    "another": ["3", "10"],
    "one figure": ["3", ""],
    "emptied": ["", ""],
}


@pytest.mark.parametrize("typed_value", TYPED_BOXES)
@pytest.mark.parametrize("entered_since", SCORES_ENTERED_SINCE)
@pytest.mark.parametrize("shown_score", SHOWN_SCORES)
def test_stale_page_neither_deletes_nor_reverts_a_score(
    shown_score: str, entered_since: str, typed_value: str
) -> None:
    drive = begin_drive(size=8)
    client, desk_url = open_desk(drive)
    if SHOWN_SCORES[shown_score]:
        enter_score(drive, SHOWN_SCORES[shown_score])
    page = read_form_fields(client.get(f"{desk_url}sheets/"))
    new_score = SCORES_ENTERED_SINCE[entered_since]
    if new_score is not None:
        enter_score(drive, new_score)
    stored_score_before = read_stored_score(drive)
    boxes = TYPED_BOXES[typed_value]
    if boxes is not None:
        page |= {"t1-0": boxes[0], "t1-1": boxes[1]}
    response = client.post(f"{desk_url}sheets/", page | {"t2-0": "7", "t2-1": ""})
    assert read_stored_score(drive, 2) == [7, 6]  # the other table is not blocked
    expected = stored_score_before
    if boxes is not None:
        expected = {"9": [9, 4], "3": [3, 10], "": []}[boxes[0]]
    is_row_changed = boxes is not None and expected != SHOWN_SCORES[shown_score]
    has_unseen_score = (
        stored_score_before != SHOWN_SCORES[shown_score] and expected != stored_score_before
    )
    if not is_row_changed:
        assert (response.status_code, read_stored_score(drive)) == (302, stored_score_before)
    elif has_unseen_score:
        assert (response.status_code, read_stored_score(drive)) == (422, stored_score_before)
        assert "someone has just entered" in response.content.decode()
        assert client.post(f"{desk_url}sheets/", read_form_fields(response)).status_code == 302
        assert read_stored_score(drive) == expected  # once shown it is overwritten
    else:
        assert (response.status_code, read_stored_score(drive)) == (302, expected)


def test_refused_row_does_not_hide_a_score_entered_in_the_meantime() -> None:
    drive = begin_drive(size=8)
    client, root = open_desk(drive)
    page = read_form_fields(client.get(f"{root}sheets/")) | {"t1-0": "14", "t1-1": ""}
    enter_score(drive, [9, 4])
    slip = client.post(f"{root}sheets/", page)
    assert (slip.status_code, read_stored_score(drive)) == (422, [9, 4])
    repeated_response = client.post(f"{root}sheets/", read_form_fields(slip) | {"t1-0": "3"})
    assert (repeated_response.status_code, read_stored_score(drive)) == (422, [9, 4])
    assert "someone has just entered 9–4" in repeated_response.content.decode()


KLAVERJAS_SCORING = {"kind": "side", "sum": 162, "extras": 10, "low": 0, "high": 162}


def read_first_sheet(drive: Drive) -> tuple[list[int], list[int]]:
    sheet = Sheet.objects.get(round__drive=drive, round__number=1, table=1)
    return sheet.score, sheet.extras


@pytest.mark.parametrize(
    ("typed", "expected_result"),
    [
        ({}, ([100, 62], [40, 0])),
        ({"t1-0": "101", "t1-1": "61"}, ([101, 61], [40, 0])),
        ({"t1-0": "", "t1-1": "61"}, ([101, 61], [40, 0])),
        ({"x1-0": "", "x1-1": "20"}, ([100, 62], [0, 20])),
        ({"x1-0": "0", "x1-1": ""}, ([100, 62], [])),
        ({"t1-0": "90", "t1-1": "72", "x1-0": "", "x1-1": ""}, ([90, 72], [])),
        ({"t1-0": "", "t1-1": "", "x1-0": "", "x1-1": ""}, ([], [])),
        ({"t1-0": "", "t1-1": ""}, "enter a score with the extras"),
        ({"x1-0": "15"}, "multiples of 10"),
        ({"x1-0": "roem"}, "Table 1: enter whole numbers"),
    ],
)
def test_extras_are_separate_and_stay_when_a_score_is_corrected(
    typed: dict[str, str], expected_result: tuple[list[int], list[int]] | str
) -> None:
    drive = begin_drive(size=8, hands=1, score=KLAVERJAS_SCORING)
    client, root = open_desk(drive)
    enter_score(drive, [100, 62], extras=[40, 0])
    page = read_form_fields(client.get(f"{root}sheets/"))
    assert (page["x1-0"], page["x1-1"], page["x2-0"]) == ("40", "0", "")
    response = client.post(f"{root}sheets/", page | typed)
    if isinstance(expected_result, str):
        assert response.status_code == 422
        assert expected_result in response.content.decode()
        assert read_first_sheet(drive) == ([100, 62], [40, 0])
        assert read_form_fields(response)["s1"] == "100,62,40,0"
    else:
        assert (response.status_code, read_first_sheet(drive)) == (302, expected_result)


def test_extras_entered_in_the_meantime_must_be_confirmed() -> None:
    drive = begin_drive(size=8, hands=1, score=KLAVERJAS_SCORING)
    client, root = open_desk(drive)
    enter_score(drive, [100, 62], extras=[40, 0])
    page = read_form_fields(client.get(f"{root}sheets/"))
    enter_score(drive, [100, 62], extras=[400, 0])
    assert (
        client.post(f"{root}sheets/", page | {"t1-0": "101", "t1-1": "61"}).status_code == 422
    )
    assert read_first_sheet(drive) == ([100, 62], [400, 0])
    # A client that only knows scores leaves the extras unchanged.
    client.post(f"{root}sheets/", {"round": "1", "t1-0": "101", "t1-1": "61"})
    assert read_first_sheet(drive) == ([101, 61], [400, 0])
    response = open_desk(other_drive := begin_drive(size=8))[0].get(
        f"/director/drives/{other_drive.slug}/sheets/"
    )
    assert "x1-0" not in read_form_fields(response)


def test_history_of_a_sheet_shows_its_extras() -> None:
    drive = begin_drive(size=8, hands=1, score=KLAVERJAS_SCORING)
    client, root = open_desk(drive)

    def read_newest_change() -> tuple[str, str]:
        line = DRIVE_KIND.get_history_formatter(drive).build_lines(
            list(audit.list_acts(drive))
        )[0]
        page = unwrap_nowrap_spans(client.get(f"{root}history/").content.decode())
        assert line.old_values_text in page
        assert line.new_values_text in page
        return line.old_values_text, line.new_values_text

    enter_score(drive, [100, 62], extras=[40, 0])
    assert read_newest_change() == ("", "100–62, extras 40–0")
    enter_score(drive, [100, 62], extras=[0, 20])
    assert read_newest_change() == ("100–62, extras 40–0", "100–62, extras 0–20")
    enter_score(drive, [101, 61])
    assert read_newest_change() == ("100–62, extras 0–20", "101–61")
    undo_last_act(drive=drive, by=None)
    assert read_newest_change() == ("101–61", "100–62, extras 0–20")
    assert read_first_sheet(drive) == ([100, 62], [0, 20])
    enter_score(drive, [90, 72], extras=[20, 0], agreement=Agreement.AWAITED)
    confirm_sheet(drive=drive, round_number=1, table=1, hand=0, seen=[90, 72, 20, 0], by=None)
    assert read_newest_change() == ("", "90–72, extras 20–0")


def test_extras_of_hands_are_added_up_for_the_whole_round() -> None:
    drive = begin_drive(size=8, hands=2, score=KLAVERJAS_SCORING)
    client, root = open_desk(drive)
    enter_score(drive, [100, 62], hand=1, extras=[40, 0])
    enter_score(drive, [62, 100], hand=2)
    response = client.get(f"{root}sheets/")
    sums = re.findall(r'two-figures__sum">([^<]*)<', response.content.decode())
    assert sums == ["162", "162", "40", "0"]
    page = read_form_fields(response)
    assert "t1-0" not in page
    assert client.post(f"{root}sheets/", page).status_code == 302
    hand = read_form_fields(client.get(f"{root}sheets/?hand=2")) | {"x1-1": "20"}
    assert client.post(f"{root}sheets/", hand).status_code == 302
    sheet = Sheet.objects.get(round__drive=drive, round__number=1, table=1, hand=2)
    assert (sheet.score, sheet.extras) == ([62, 100], [0, 20])


def test_single_hand_of_a_round_is_stored_as_the_round_score() -> None:
    """The API may name it hand 1: desk and phone share one sheet and one value."""
    drive = begin_drive(size=8, hands=1)
    client, root = open_desk(drive)
    create_table_links(drive=drive, by=None)
    link = TableLink.objects.get(evening=drive.evening, table=1)
    enter_score(drive, [8, 5], hand=1)
    assert read_form_fields(client.get(f"{root}sheets/"))["s1"] == "8,5"
    assert [hand.score for hand in load_table_phone_page(link).hands] == [(8, 5)]
    enter_score(drive, [9, 4], hand=0)
    enter_score(drive, [7, 6], hand=1, seen=[9, 4])
    assert Sheet.objects.filter(round__drive=drive, table=1).count() == 1
    undo_last_act(drive=drive, by=None)
    assert read_stored_score(drive) == [9, 4]
    with pytest.raises(InvalidScore, match="only 1 hand per round"):
        enter_score(drive, [8, 5], hand=2)


def test_sheet_stored_as_the_first_hand_is_corrected_in_place() -> None:
    drive = begin_drive(size=8, hands=1)
    enter_score(drive, [8, 5])
    Sheet.objects.filter(round__drive=drive).update(hand=1)  # as older versions stored it
    enter_score(drive, [9, 4], seen=[8, 5])
    assert [sheet.score for sheet in Sheet.objects.filter(round__drive=drive)] == [[9, 4]]
    undo_last_act(drive=drive, by=None)
    assert read_stored_score(drive) == [8, 5]


def test_file_with_a_single_hand_is_read_as_a_round_score_and_exported_unchanged() -> None:
    drive = begin_drive(size=8, hands=1)
    enter_score(drive, [8, 5])
    data = json.loads(json.dumps(export_drive(load_snapshot(drive)))) | {"uid": str(uuid4())}
    data["played"][0]["tables"][0]["hands"] = [{"hand": 1, "score": [8, 5]}]
    other_drive = import_drive(club=ClubFactory(), file_text=json.dumps(data), by=None)
    assert load_snapshot(other_drive).round_by_number[1].sheet_by_table_and_hand[
        1, 0
    ].score == [8, 5]
    assert export_drive(load_snapshot(other_drive)) == data
