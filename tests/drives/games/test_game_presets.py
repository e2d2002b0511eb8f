"""A game with contracts is a way of scoring of a new drive."""

import pytest
from django.test import Client
from django.urls import reverse

from drives.games import GAMES
from drives.models import Drive
from drives.play_forms import find_play_form
from drives.scores.presets import PRESETS
from drives.scores.terms import parse_score_terms
from tests import evenings

GAME_PRESETS = [preset for preset in PRESETS.values() if preset.game]


def test_every_game_has_a_preset() -> None:
    assert {preset.game for preset in GAME_PRESETS} == set(GAMES)


@pytest.mark.parametrize("preset", GAME_PRESETS, ids=lambda preset: preset.code)
def test_a_preset_has_a_valid_game_and_form(preset: object) -> None:
    terms = parse_score_terms(preset.score)
    assert terms.game is GAMES[preset.game]
    assert find_play_form(preset.form)


@pytest.mark.django_db
def test_a_game_is_chosen_when_a_drive_is_created(client: Client) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    assert "Danish whist by contracts" in client.get(reverse("drive_new")).content.decode()
    typed = {
        "club": club.slug,
        "count": "16",
        "form": "lot",
        "name": "Whist",
        "date": "2026-11-20",
        "preset": "danish-whist",
    }
    client.post(reverse("drive_new"), typed)
    drive = Drive.objects.get()
    assert drive.score == {"kind": "player", "sum": 0, "game": "danish-whist"}
    assert (drive.rounds, drive.hands, drive.trumps) == (2, 12, "declared")
