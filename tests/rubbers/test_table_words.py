"""A rubber table names who sits out, offers undo, and explains its points in plain words."""

import pytest

from rubbers.models import RubberNight
from tests.rubbers.test_pages import create_organiser, read_text, sign_in, submit_new_night

pytestmark = pytest.mark.django_db


def test_table_of_five_names_who_sits_out_and_offers_undo() -> None:
    client = sign_in(create_organiser())
    table = submit_new_night(client, "Ann\nBea\nCy\nDi\nEve", name="Thursday").url
    client.post(table, {"act": "seat", "spell": "1", "seats": ["1", "3", "2", "4"]})
    page = read_text(client.get(table))
    assert "Sits out: Eve" in page
    night = RubberNight.objects.get()
    assert (
        f'<a class="button" href="/director/rubbers/{night.slug}/">Back to Thursday</a>' in page
    )


def test_points_are_shown_in_plain_words_and_side_at_four_has_no_honours() -> None:
    client = sign_in(create_organiser())
    table = submit_new_night(client).url
    client.post(table, {"act": "seat", "spell": "1", "seats": ["1", "3", "2", "4"]})
    assert "honours don’t count" not in read_text(client.get(table))
    hand = {"act": "mark", "spell": "1", "made": "A8", "honours": "A3"}
    client.post(table, hand | {"hand": "1"})
    page = read_text(client.get(table))
    assert "A: 2 points for tricks, A: 2 points for honours" in page
    assert "A: at 4, honours don’t count." in page
    client.post(table, {"act": "mark", "spell": "1", "hand": "2", "made": "B7"})
    page = read_text(client.get(table))
    assert "B: 1 point for tricks" in page
    assert "Sits out:" not in page
    assert "Sit out:" not in page
