"""A new game takes one record in one tuple; every page and command then offers it."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from clubs.models import Act
from drives.games import GAMES_BY_CODE
from drives.games.contracts import Game, PointsTable, build_contract
from drives.models import Drive, SheetVersion
from drives.services import change_points
from drives.services import points as points_service
from tests.drives.games.contract_tables import write_tables
from tests.drives.games.test_hand_services import (
    begin_drive,
    enter_hand,
    list_sheet_rows,
    reload_drive,
)
from tests.drives.test_api import DRIVE_URL, extra_fields, send_json, sign_in_director

NOLO = Game(
    code="nolo",
    title="Nolo whist",
    blurb="Everyone avoids tricks.",
    source="invented for this test",
    doubt="",
    points_table=PointsTable(
        contracts=(build_contract("nothing/no/each/most 0: 9 | 9", "Nothing", "niks", "Nolo"),)
    ),
    variants=(),
)


@pytest.fixture
def nolo_game(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Add a game to the registry."""
    monkeypatch.setitem(GAMES_BY_CODE, NOLO.code, NOLO)
    return NOLO


def test_command_knows_a_new_game(
    nolo_game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("drive", "hand", "games")
    assert "Nolo whist" in capsys.readouterr().out
    file = tmp_path / "hands.json"
    hand = {"contract": "nothing", "by": [2], "tricks": [0]}
    file.write_text(json.dumps({"game": nolo_game.code, "hands": [hand]}))
    call_command("drive", "hand", "score", str(file))
    assert json.loads(capsys.readouterr().out)["total"] == [-9, 27, -9, -9]
    assert "| no | Nothing (*niks*) | each | none | 9 | 9 |" in write_tables()


@pytest.mark.django_db
def test_form_and_api_know_a_new_game(nolo_game: Game, client: Client) -> None:
    sign_in_director(client)
    assert "Nolo whist" in client.get(reverse("drive_new")).content.decode()
    extra_fields(client, score={"kind": "player", "sum": 0, "game": nolo_game.code}, hands=4)
    assert client.get(f"{DRIVE_URL}game/").json()["title"] == "Nolo whist"
    body = {"hand": 1, "contract": {"contract": "nothing", "by": [1], "made": [False]}}
    response = send_json(client, "put", f"{DRIVE_URL}rounds/1/tables/1/", body)
    assert response.json()["score"] == [-27, 9, 9, 9]
    assert Drive.objects.get().score["game"] == nolo_game.code


@pytest.mark.django_db
def test_crash_during_a_table_change_leaves_every_row_unchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drive = begin_drive(hands=16)
    for hand in range(1, 17):
        enter_hand(drive, hand, contract="misere", by=[1 + hand % 4], tricks=hand % 2)
    sheet_rows_before, acts = list_sheet_rows(drive), Act.objects.count()
    versions = SheetVersion.objects.count()

    def exit_process(*_arguments: object, **_options: object) -> None:
        raise SystemExit

    monkeypatch.setattr(points_service.SheetVersion.objects, "bulk_create", exit_process)
    house = {"contracts": {"misere": {"made": [10], "lost": [10]}}}
    with pytest.raises(SystemExit):
        change_points(drive=drive, custom=None, house=house, by=None)
    assert (list_sheet_rows(drive), Act.objects.count()) == (sheet_rows_before, acts)
    assert SheetVersion.objects.count() == versions
    assert "house" not in reload_drive(drive).score
