"""The sheets that a desk types, while tables enter their own.

The axes: what the page showed of a table × what came meanwhile × what was typed on its line.
A line that nobody touched says nothing; what was typed over something unseen is asked again.
"""

import re
from typing import Any

import pytest
from django.test import Client

from drives.models import Drive, Sheet
from drives.services import enter_sheet
from tests.drives.test_services import begun
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db


def desk_of(drive: Drive) -> tuple[Client, str]:
    client = Client()
    client.force_login(MembershipFactory(club=drive.club).user)
    return client, f"/director/drives/{drive.slug}/"


def fields(page: Any) -> dict[str, str]:
    """What a browser sends of the sheets' form, as the page filled it."""
    form = page.content.decode().partition("data-sheets")[2].partition("</form>")[0]
    tags = re.findall(r"<input[^>]+>", form)
    boxes = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in tags]
    return {box["name"]: box.get("value", "") for box in boxes}


def enter(drive: Drive, score: list[int], table: int = 1, **more: Any) -> None:
    enter_sheet(drive=drive, round_number=1, table=table, score=score, by=None, **more)


def stands(drive: Drive, table: int = 1) -> list[int]:
    found = Sheet.objects.filter(round__drive=drive, round__number=1, table=table).first()
    return found.score if found else []


SHOWN = {"nothing": [], "a score": [8, 5]}
MEANWHILE = {"nothing": None, "a score": [9, 4], "taken out": []}
TYPED: dict[str, list[str] | None] = {
    "untouched": None,
    "the same as came": ["9", "4"],
    "another": ["3", "10"],
    "one figure": ["3", ""],
    "emptied": ["", ""],
}


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("meanwhile", MEANWHILE)
@pytest.mark.parametrize("shown", SHOWN)
def test_a_page_that_has_grown_old_neither_wipes_nor_reverts_a_score(
    shown: str, meanwhile: str, typed: str
) -> None:
    drive = begun(size=8)
    client, root = desk_of(drive)
    if SHOWN[shown]:
        enter(drive, SHOWN[shown])
    page = fields(client.get(f"{root}sheets/"))
    came = MEANWHILE[meanwhile]
    if came is not None:
        enter(drive, came)
    before = stands(drive)
    boxes = TYPED[typed]
    if boxes is not None:
        page |= {"t1-0": boxes[0], "t1-1": boxes[1]}
    answer = client.post(f"{root}sheets/", page | {"t2-0": "7", "t2-1": ""})
    assert stands(drive, 2) == [7, 6]  # the other table is not held up
    wanted = before
    if boxes is not None:
        wanted = {"9": [9, 4], "3": [3, 10], "": []}[boxes[0]]
    is_touched = boxes is not None and wanted != SHOWN[shown]
    is_unseen = before != SHOWN[shown] and wanted != before
    if not is_touched:
        assert (answer.status_code, stands(drive)) == (302, before)
    elif is_unseen:
        assert (answer.status_code, stands(drive)) == (422, before)
        assert "was entered meanwhile" in answer.content.decode()
        assert client.post(f"{root}sheets/", fields(answer)).status_code == 302
        assert stands(drive) == wanted  # once seen it is written
    else:
        assert (answer.status_code, stands(drive)) == (302, wanted)


def test_a_slip_on_a_line_does_not_hide_what_came_meanwhile() -> None:
    drive = begun(size=8)
    client, root = desk_of(drive)
    page = fields(client.get(f"{root}sheets/")) | {"t1-0": "14", "t1-1": ""}
    enter(drive, [9, 4])
    slip = client.post(f"{root}sheets/", page)
    assert (slip.status_code, stands(drive)) == (422, [9, 4])
    again = client.post(f"{root}sheets/", fields(slip) | {"t1-0": "3"})
    assert (again.status_code, stands(drive)) == (422, [9, 4])
    assert "9–4 was entered meanwhile" in again.content.decode()
