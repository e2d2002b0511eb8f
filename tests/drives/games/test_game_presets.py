"""Games with contracts are scoring presets of a new drive."""

import json
import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from drives.games import GAMES_BY_CODE
from drives.models import Drive
from drives.play_forms import find_play_form
from drives.scores.presets import PRESETS, list_presets
from drives.scores.terms import parse_score_terms
from drives.services import NewPlayer, create_drive, save_club_points_table, set_house_terms
from tests import evenings

GAME_PRESETS = [preset for preset in PRESETS.values() if preset.game_code]


def test_every_game_has_a_preset() -> None:
    assert {preset.game_code for preset in GAME_PRESETS} == set(GAMES_BY_CODE)


def test_presets_are_listed_once() -> None:
    assert [preset.code for preset in list_presets()] == list(PRESETS)


def test_game_without_its_own_preset_is_listed_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(PRESETS, "danish-whist")
    *presets, preset = list_presets()
    assert presets == list(PRESETS.values())
    assert (preset.code, preset.game_code) == ("danish-whist", "danish-whist")
    assert preset.title == GAMES_BY_CODE["danish-whist"].title


@pytest.mark.parametrize("preset", GAME_PRESETS, ids=lambda preset: preset.code)
def test_preset_has_a_valid_game_and_form(preset: object) -> None:
    terms = parse_score_terms(preset.score)
    assert terms.game is GAMES_BY_CODE[preset.game_code]
    assert find_play_form(preset.form_code)


@pytest.mark.django_db
def test_game_is_chosen_when_a_drive_is_created(client: Client) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    assert "Danish whist by contracts" in client.get(reverse("drive_new")).content.decode()
    form = {
        "club": club.slug,
        "count": "16",
        "form": "lot",
        "name": "Whist",
        "date": "2026-11-20",
        "preset": "danish-whist",
    }
    client.post(reverse("drive_new"), form)
    drive = Drive.objects.get()
    assert drive.score == {"kind": "player", "sum": 0, "game": "danish-whist"}
    assert (drive.rounds, drive.hands, drive.trumps) == (2, 12, "declared")


@pytest.mark.django_db
def test_game_is_the_first_field_and_the_form_has_only_a_back_link(client: Client) -> None:
    """A link to the points tables lost the names that were typed."""
    club, director = evenings.create_club_with_director()
    save_club_points_table(
        club=club, name="Ours", game_code="wiezen", variant_code=None, club_changes={}, by=None
    )
    client.force_login(director)
    page = client.get("/director/drives/new/").content.decode()
    form = page.partition('id="start-drive"')[2].partition("</form>")[0]
    html_before_names = form.partition('name="names"')[0]
    for preset in GAME_PRESETS:
        assert f'<option value="{preset.code}">' in html_before_names
    assert '<option value="own:Ours" selected>Ours</option>' in html_before_names
    assert re.findall(r'<option value="">([^<]+)<', html_before_names) == ["Whist"]
    assert set(re.findall(r'href="([^"]+)"', form)) == {"/director/"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tables", "played_table_names", "expected"),
    [
        ({"A": "adds"}, [], "own:A"),
        ({"A": "adds", "B": "double-next"}, [], ""),
        ({"A": "adds"}, ["wiezen"], "own:A"),
        ({"A": "adds", "B": "double-next"}, ["B"], "own:B"),
        ({"A": "adds", "B": "double-next"}, ["B", "wiezen"], ""),
        ({"A": "adds"}, ["A", "whist"], ""),
        ({"A": "adds"}, ["rikken"], ""),
    ],
)
def test_form_starts_with_the_clubs_own_table(
    client: Client, tables: dict[str, str], played_table_names: list[str], expected: str
) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    scores: dict[str, dict[str, Any]] = {"whist": {"kind": "tricks"}}
    for name, passed_rule in tables.items():
        house = {"passed": passed_rule}
        save_club_points_table(
            club=club,
            name=name,
            game_code="wiezen",
            variant_code=None,
            club_changes=house,
            by=None,
        )
        scores[name] = {"kind": "player", "sum": 0, "game": "wiezen", "house": house}
    for day, name in enumerate(played_table_names, start=1):
        score = scores.get(name, {"kind": "player", "sum": 0, "game": name})
        create_drive(
            club=club, name="D", date=date(2026, 3, day), form="lot", score=score,
            players=[NewPlayer() for _player in range(8)], by=None,
        )  # fmt: skip
    page = client.get("/director/drives/new/").content.decode()
    choice = page.partition('id="preset"')[2].partition("</select>")[0]
    assert "".join(re.findall(r'value="([^"]*)" selected', choice)) == expected
    page = client.get("/director/drives/new/?preset=rikken").content.decode()
    assert '<option value="rikken" selected>' in page


@pytest.mark.django_db
def test_club_with_its_own_usual_scoring_does_not_start_with_whist(client: Client) -> None:
    club, director = evenings.create_club_with_director()
    score = {"kind": "player", "sum": 0, "game": "wiezen"}
    set_house_terms(club=club, terms={"score": score}, by=None)
    client.force_login(director)
    page = client.get("/director/drives/new/").content.decode()
    assert '<option value="">Our usual scoring: Wiezen with a turn-up</option>' in page


@pytest.mark.django_db
@pytest.mark.parametrize("game", [*GAMES_BY_CODE, ""])
@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("is_changed", [False, True])
def test_usual_scoring_is_named_after_its_table_or_game(
    client: Client, game: str, *, is_named: bool, is_changed: bool
) -> None:
    club, director = evenings.create_club_with_director()
    score: dict[str, Any] = {"kind": "player", "sum": 0, "game": game}
    house: dict[str, Any] = {"house": {"passed": "adds"}}
    if not game:
        score, house = {"kind": "side", "sum": 99}, {"low": -5}
    stored_score = score | (house if is_changed else {})
    presets = {"Thursday table": score} if is_named else {}
    set_house_terms(club=club, terms={"score": stored_score}, presets=presets, by=None)
    client.force_login(director)
    page = client.get("/director/drives/new/").content.decode()
    [shown_option] = re.findall(r'<option value="">([^<]+)<', page)
    game_name = GAMES_BY_CODE[game].title.partition(" (")[0] if game else ""
    name = "Thursday table" if is_named and not is_changed else game_name
    assert shown_option == (f"Our usual scoring: {name}" if name else "Our usual scoring")
    [drive_name] = re.findall(r'name="name"[^>]*value="([^"]*)"', page)
    assert drive_name == (name or "Whist drive")


@pytest.mark.django_db
@pytest.mark.parametrize("preset", [preset.code for preset in list_presets()])
def test_new_drive_is_named_after_its_game(client: Client, preset: str) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    page = client.get(f"/director/drives/new/?preset={preset}").content.decode()
    [name] = re.findall(r'name="name"[^>]*value="([^"]*)"', page)
    names = {
        "whist": "Whist drive", "drive": "Whist drive", "rubbers": "Whist drive",
        "wiezen": "Wiezen or solo", "klaverjas": "Klaverjas", "euchre": "Euchre",
        "five-hundred": "Five Hundred", "wiezen-evening": "Wiezen with a turn-up",
        "wiezen-championship": "Wiezen with a turn-up", "colour-whist": "Colour whist",
        "solo-whist": "Solo whist", "danish-whist": "Danish whist", "rikken": "Rikken",
    }  # fmt: skip
    assert name == names[preset]
    [data] = re.findall(r'id="drive-names" type="application/json">([^<]+)<', page)
    assert json.loads(data)[preset] == name


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/director/", "/director/new/"])
def test_pages_with_the_kinds_of_event_name_the_games(client: Client, page: str) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    text = client.get(page).content.decode()
    assert "Also wiezen, colour whist, rikken, solo and Danish whist." in text
