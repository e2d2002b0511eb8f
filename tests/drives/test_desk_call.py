"""The call on the desk: the round and its trumps, then the moves after it, and who sits out."""

import pytest

from clubs.activities.secrecy import format_full_name
from drives.services import NewPlayer
from drives.sheets.desk import build_desk
from tests.drives.test_pages import OWN, organiser, signed_in, text
from tests.drives.test_services import begun, held

pytestmark = pytest.mark.django_db


def ladies_and_gents(count: int) -> list[NewPlayer]:
    return [NewPlayer(name=f"P{at}", role=("first", "second")[at % 2]) for at in range(count)]


def test_the_heading_has_the_round_and_its_trumps_and_the_next_line_the_moves() -> None:
    words = {"first_word": "lady", "second_word": "gent"}
    drive = begun("progressive", players=ladies_and_gents(12), rounds=24, trumps="H", **words)
    desk = build_desk(held(drive), format_full_name)
    assert desk.heading == "Round 1 of 24: Hearts"
    assert desk.now_text == ""
    assert desk.after_text.startswith("Losers move: ladies 1 table up, gents 1 table down.")
    assert "The winning gent crosses over." in desk.after_text


def test_without_words_for_the_roles_they_are_first_and_second() -> None:
    desk = build_desk(held(begun("progressive", rounds=24, trumps="H")), format_full_name)
    assert desk.after_text.startswith("Losers move: 1st players 1 table up, 2nd players")


def test_no_one_moves_after_the_last_round_and_the_rule_of_the_bell_stays() -> None:
    drive = begun("progressive", rounds=1, trumps="H", terms={"bell": "head"})
    desk = build_desk(held(drive), format_full_name)
    assert desk.heading == "Round 1 of 1: Hearts"
    assert desk.after_text == ""
    assert desk.now_text.startswith("Table 1 rings")


def test_a_drawn_round_has_its_call_at_once() -> None:
    desk = build_desk(held(begun("social", rounds=2, trumps="declared")), format_full_name)
    assert desk.heading == "Round 1 of 2: declare trumps"
    assert desk.now_text.startswith("New partners")
    assert desk.after_text == ""


def test_the_desk_shows_who_sits_out_of_a_moving_drive() -> None:
    user = organiser()
    club = user.memberships.get().club
    drive = begun("progressive", players=ladies_and_gents(14), rounds=2, trumps="H", club=club)
    page = text(signed_in(user).get(f"{OWN}{drive.slug}/"))
    assert "Sit out this round:" in page
    assert "alf table" not in page
    assert "<strong>After the round:</strong> Losers move" in page
