"""Games with contracts are scoring presets of a new drive."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from drives.games import GAMES
from drives.models import Drive
from drives.play_forms import find_play_form
from drives.scores.presets import PRESETS
from drives.scores.terms import parse_score_terms
from drives.services import save_house_table, set_house_terms
from tests import evenings

GAME_PRESETS = [preset for preset in PRESETS.values() if preset.game]


def test_every_game_has_a_preset() -> None:
    assert {preset.game for preset in GAME_PRESETS} == set(GAMES)


@pytest.mark.parametrize("preset", GAME_PRESETS, ids=lambda preset: preset.code)
def test_preset_has_a_valid_game_and_form(preset: object) -> None:
    terms = parse_score_terms(preset.score)
    assert terms.game is GAMES[preset.game]
    assert find_play_form(preset.form)


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
def test_game_is_the_first_field_of_a_new_drive_and_nothing_leads_away(client: Client) -> None:
    """A link to the points tables lost the names that were typed."""
    club, director = evenings.create_club_with_director()
    save_house_table(club=club, name="Ours", game="wiezen", custom=None, house={}, by=None)
    client.force_login(director)
    page = client.get("/director/drives/new/").content.decode()
    form = page.partition('id="start-drive"')[2].partition("</form>")[0]
    before_names = form.partition('name="names"')[0]
    for preset in GAME_PRESETS:
        assert f'<option value="{preset.code}">' in before_names
    assert '<option value="own:Ours">Ours</option>' in before_names
    assert re.findall(r'<option value="">([^<]+)<', before_names) == ["Whist"]
    assert set(re.findall(r'href="([^"]+)"', form)) == {"/director/"}


@pytest.mark.django_db
def test_club_with_its_own_usual_scoring_does_not_start_with_whist(client: Client) -> None:
    club, director = evenings.create_club_with_director()
    score = {"kind": "player", "sum": 0, "game": "wiezen"}
    set_house_terms(club=club, terms={"score": score}, by=None)
    client.force_login(director)
    page = client.get("/director/drives/new/").content.decode()
    assert '<option value="">Our usual scoring</option>' in page


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/director/", "/director/new/"])
def test_pages_with_the_kinds_of_event_name_the_games(client: Client, page: str) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    text = client.get(page).content.decode()
    assert "Also wiezen, colour whist, rikken, solo and Danish whist." in text
