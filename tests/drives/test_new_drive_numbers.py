"""A new drive shows its tables, its sit-outs and the usual rounds before it is created."""

import pytest

from tests.drives.test_pages import DRIVES_URL, create_organiser, read_text, sign_in

pytestmark = pytest.mark.django_db


def test_new_drive_page_shows_tables_sit_outs_and_usual_rounds_at_once() -> None:
    client = sign_in(create_organiser())
    page = read_text(client.get(f"{DRIVES_URL}new/?count=26"))
    assert "26 players: 6 tables, 2 sit out each round" in page
    assert 'value="" placeholder="24"' in page
    form = {"count": "27", "house": "Ann", "form": "social", "rounds": "9"}
    text = read_text(
        client.post(f"{DRIVES_URL}new/costs/", form, headers={"HX-Request": "true"})
    )
    assert "28 players: 7 tables, no one sits out" in text
    assert 'value="progressive" data-usual="24"' in text
    assert 'value="social" data-usual="6"' in text


@pytest.mark.parametrize(
    ("count", "words"),
    [
        ("4", "4 spillere: 1 bord, ingen sidder over"),
        ("5", "5 spillere: 1 bord, 1 sidder over"),
        ("6", "6 spillere: 1 bord, 2 sidder over"),
        ("9", "9 spillere: 2 borde, 1 sidder over"),
        ("10", "10 spillere: 2 borde, 2 sidder over"),
    ],
)
def test_one_table_is_written_in_the_singular_with_any_sit_outs(count: str, words: str) -> None:
    client = sign_in(create_organiser())
    headers = {"accept-language": "da"}
    assert words in read_text(client.get(f"{DRIVES_URL}new/?count={count}", headers=headers))


def test_choosing_a_game_chooses_its_form_and_notes_unequal_deals() -> None:
    client = sign_in(create_organiser())
    form = {"count": "16", "form": "social", "preset": "wiezen-evening", "hands": "10"}
    headers = {"HX-Request": "true", "HX-Trigger-Name": "preset"}
    text = read_text(client.post(f"{DRIVES_URL}new/costs/", form, headers=headers))
    assert 'value="lot" data-usual="5" required checked' in " ".join(text.split())
    assert "With 10 hands per round, not everyone deals equally often." in text
    later_text = read_text(
        client.post(f"{DRIVES_URL}new/costs/", form | {"hands": "12"}, headers=headers)
    )
    assert "deals equally often" not in later_text
    own_text = read_text(
        client.post(f"{DRIVES_URL}new/costs/", form, headers={"HX-Request": "true"})
    )
    assert 'value="social" data-usual="5" required checked' in " ".join(own_text.split())
