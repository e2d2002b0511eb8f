"""Doubtful rows of pasted or uploaded lists are shown first; valid rows are saved."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.models import Player
from tests import evenings
from tests.clubs.people.workbook_files import build_text_cell, build_workbook
from tournaments.models import Event
from tournaments.services import create_entry

pytestmark = pytest.mark.django_db
COUPLE_LINE = "SMITH, John & Mary"
MIXED_LIST_TEXT = f"Ann Alder & Bo Birch\n{COUPLE_LINE}\nCy Cedar\n"


@pytest.fixture
def desk() -> tuple[Client, Event, str]:
    event, user = evenings.create_event(pairs=0)
    client = Client()
    client.force_login(user)
    return client, event, reverse("entries", args=[event.slug])


def list_entry_names(event: Event) -> list[str]:
    return list(event.entries.order_by("number").values_list("name", flat=True))


def test_doubtful_row_is_shown_before_saving(desk: Any) -> None:
    client, event, page = desk
    response = client.post(page, {"how": "pasted", "text": COUPLE_LINE})
    assert response.status_code == 200
    assert "Read as two people: John SMITH &amp; Mary SMITH." in response.content.decode()
    assert not Player.objects.exists()
    form = {"how": "pasted", "text": COUPLE_LINE, "take": "good"}
    second_response = client.post(page, form)
    assert list_entry_names(event) == [], "a line that is not ticked waits"
    assert second_response.context["paste_form"]["text"].value() == COUPLE_LINE
    assert client.post(page, form | {"sure": COUPLE_LINE}).status_code == 302
    assert list_entry_names(event) == ["John SMITH & Mary SMITH"]


def test_valid_rows_are_added_and_invalid_rows_stay_in_form(desk: Any) -> None:
    client, event, page = desk
    response = client.post(page, {"how": "pasted", "text": MIXED_LIST_TEXT})
    assert response.status_code == 400
    assert "Line 3: add the partner of Cy Cedar" in response.content.decode()
    assert response.context["paste_form"]["text"].value().split() == MIXED_LIST_TEXT.split()
    assert list_entry_names(event) == []
    form_text = response.context["paste_form"]["text"].value()
    remaining_response = client.post(
        page, {"how": "pasted", "text": form_text, "take": "good", "sure": [COUPLE_LINE]}
    )
    assert list_entry_names(event) == ["Ann Alder & Bo Birch", "John SMITH & Mary SMITH"]
    assert remaining_response.context["paste_form"]["text"].value() == "Cy Cedar"
    assert "Line 1: add the partner of Cy Cedar" in remaining_response.content.decode()


def test_row_refused_by_event_stays_in_form(desk: Any) -> None:
    client, event, page = desk
    create_entry(event=event, names=["Ann Alder", "Bo Birch"], by=None)
    lines = "Ann Alder, Cy Cedar\nDi Dogwood, Ed Elm\nM. & M. HALL"
    remaining_response = client.post(
        page, {"how": "pasted", "text": lines, "take": "good", "sure": "M. & M. HALL"}
    )
    assert list_entry_names(event) == ["Ann Alder & Bo Birch", "Di Dogwood & Ed Elm"]
    box = remaining_response.context["paste_form"]["text"].value()
    assert box.splitlines() == ["Ann Alder, Cy Cedar", "M. & M. HALL"]


@pytest.mark.parametrize(
    "content",
    [
        b"Tuesday pairs,,\n,,\nPair,First name 1,Surname 1,First name 2,Surname 2\n"
        b"1,Ann,Alder,Bo,Birch\n",
        b'sep=;\n1;"Alder, Ann";Bo Birch\n',
        "1 Ann Alder\u200b & Mr Bo Birch\n".encode("utf-16"),
        build_workbook(f"<row>{build_text_cell('Player 1')}{build_text_cell('Player 2')}</row>"
                 f"<row>{build_text_cell('Alder, Ann')}{build_text_cell('Bo Birch')}</row>"),
    ],
    ids=["title", "sep", "UTF-16", "workbook"],
)  # fmt: skip
def test_file_is_read_in_formats_used_by_clubs(desk: Any, content: bytes) -> None:
    client, event, page = desk
    file = SimpleUploadedFile("list", content)
    assert client.post(page, {"how": "file", "file": file}).status_code == 302
    assert list_entry_names(event) == ["Ann Alder & Bo Birch"]


def test_rejected_rows_of_file_stay_in_form_and_can_be_resubmitted(desk: Any) -> None:
    client, event, page = desk
    content = b'player 2;pair;player 1\n"Alder, Ann";1;Bo Birch\n;2;Cy Cedar\n'
    response = client.post(page, {"how": "file", "file": SimpleUploadedFile("list", content)})
    box = response.context["paste_form"]["text"].value()
    remaining_response = client.post(page, {"how": "pasted", "text": box, "take": "good"})
    assert list_entry_names(event) == ["Ann Alder & Bo Birch"]
    assert remaining_response.context["paste_form"]["text"].value().splitlines() == [
        "player 2\tpair\tplayer 1",
        "\t2\tCy Cedar",
    ]


def test_existing_player_name_is_never_changed(desk: Any) -> None:
    client, event, page = desk
    for name in ("Alder, Ann", "Mrs Joan Hall", "Jones/Jones"):
        Player.objects.create(club=event.club, name=name)
    client.post(page, {"how": "typed", "player1": "Alder, Ann", "player2": "Birch, Bo"})
    client.post(page, {"how": "pasted", "text": "Mrs Joan Hall\tJones/Jones"})
    assert list_entry_names(event) == ["Alder, Ann & Bo Birch", "Mrs Joan Hall & Jones/Jones"]
