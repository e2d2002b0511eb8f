"""A new drive shows its tables, its sit-outs and the usual rounds before it is created."""

import pytest

from tests.drives.test_pages import OWN, organiser, signed_in, text

pytestmark = pytest.mark.django_db


def test_the_new_drive_page_has_tables_sit_outs_and_usual_rounds_at_once() -> None:
    client = signed_in(organiser())
    page = text(client.get(f"{OWN}new/?count=26"))
    assert "26 players: 6 tables, 2 sit out each round" in page
    assert 'value="" placeholder="24"' in page
    sent = {"count": "27", "house": "Ann", "form": "social", "rounds": "9"}
    part = text(client.post(f"{OWN}new/costs/", sent, headers={"HX-Request": "true"}))
    assert "28 players: 7 tables, no one sits out" in part
    assert 'value="progressive" data-usual="24"' in part
    assert 'value="social" data-usual="6"' in part


def test_choosing_a_game_chooses_its_form_and_notes_unequal_deals() -> None:
    client = signed_in(organiser())
    sent = {"count": "16", "form": "social", "preset": "wiezen-evening", "hands": "10"}
    headers = {"HX-Request": "true", "HX-Trigger-Name": "preset"}
    part = text(client.post(f"{OWN}new/costs/", sent, headers=headers))
    assert 'value="lot" data-usual="5" required checked' in " ".join(part.split())
    assert "With 10 hands a round, not everyone deals equally often." in part
    later = text(client.post(f"{OWN}new/costs/", sent | {"hands": "12"}, headers=headers))
    assert "deals equally often" not in later
    own = text(client.post(f"{OWN}new/costs/", sent, headers={"HX-Request": "true"}))
    assert 'value="social" data-usual="5" required checked' in " ".join(own.split())
