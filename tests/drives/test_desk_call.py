"""The desk shows the call: the round and its trumps, the moves, and who sits out."""

import pytest

from clubs.activities.secrecy import format_full_name
from drives.services import NewPlayer, enter_sheet
from drives.sheets.desk import build_desk_page_data
from tests.drives.test_pages import DRIVES_URL, create_organiser, read_text, sign_in
from tests.drives.test_services import begin_drive, load_snapshot

pytestmark = pytest.mark.django_db


def create_players(count: int) -> list[NewPlayer]:
    return [
        NewPlayer(name=f"P{number}", role=("first", "second")[number % 2])
        for number in range(count)
    ]


def test_call_has_the_round_and_its_trumps_and_then_the_moves() -> None:
    role_words = {"first_word": "lady", "second_word": "gent"}
    drive = begin_drive(
        "progressive", players=create_players(12), rounds=24, trumps="H", **role_words
    )
    desk = build_desk_page_data(load_snapshot(drive), format_full_name)
    assert desk.heading == "Round 1 of 24: Hearts"
    assert desk.round_text == ""
    assert desk.moves_text.startswith("Losers move: ladies 1 table up, gents 1 table down.")
    assert "The winning gent crosses over." in desk.moves_text


def test_roles_without_names_are_called_first_and_second() -> None:
    desk = build_desk_page_data(
        load_snapshot(begin_drive("progressive", rounds=24, trumps="H")), format_full_name
    )
    assert desk.moves_text.startswith("Losers move: 1st players 1 table up, 2nd players")


def test_no_one_moves_after_the_last_round_and_the_bell_rule_stays() -> None:
    drive = begin_drive("progressive", rounds=1, trumps="H", terms={"bell": "head"})
    desk = build_desk_page_data(load_snapshot(drive), format_full_name)
    assert desk.heading == "Round 1 of 1: Hearts"
    assert desk.moves_text == ""
    assert desk.round_text.startswith("Table 1 rings")


def test_drawn_round_has_its_call_at_once() -> None:
    desk = build_desk_page_data(
        load_snapshot(begin_drive("social", rounds=2, trumps="declared")), format_full_name
    )
    assert desk.heading == "Round 1 of 2: declare trumps"
    assert desk.round_text.startswith("New partners")
    assert desk.moves_text == ""


def test_desk_shows_who_sits_out_of_a_drive_moved_by_results() -> None:
    user = create_organiser()
    club = user.memberships.get().club
    drive = begin_drive(
        "progressive", players=create_players(14), rounds=2, trumps="H", club=club
    )
    page = read_text(sign_in(user).get(f"{DRIVES_URL}{drive.slug}/"))
    assert "Sit out this round:" in page
    assert "alf table" not in page
    assert "<strong>After the round:</strong> Losers move" in page


def test_last_score_of_a_round_shows_the_next_round_on_the_same_page() -> None:
    user = create_organiser()
    club = user.memberships.get().club
    drive = begin_drive("social", 8, rounds=2, club=club)
    client, desk_url = sign_in(user), f"{DRIVES_URL}{drive.slug}/"
    enter_sheet(drive=drive, round_number=1, table=1, score=[8], by=None)
    assert "All scores in" not in read_text(client.get(f"{desk_url}sheets/"))
    form = {"round": "1", "hand": "0", "s1": "8,5", "t1-0": "8", "t1-1": "5"}
    form |= {"s2": "", "t2-0": "7", "t2-1": ""}
    page = read_text(client.post(f"{desk_url}sheets/", form, follow=True))
    assert "All scores in" in page
    assert f'action="{desk_url}next/"' in page
    client.post(f"{desk_url}next/", {"at": "1"})
    drive.refresh_from_db()
    assert drive.at_round == 2
    assert "All scores in" not in read_text(client.get(f"{desk_url}sheets/"))
    assert "All scores in" not in read_text(client.get(f"{desk_url}sheets/?round=1"))


def test_prizes_are_the_next_step_after_the_last_round() -> None:
    user = create_organiser()
    drive = begin_drive("social", 8, rounds=1, club=user.memberships.get().club)
    for table in (1, 2):
        enter_sheet(drive=drive, round_number=1, table=table, score=[8], by=None)
    page = read_text(sign_in(user).get(f"{DRIVES_URL}{drive.slug}/sheets/"))
    assert "All scores in" in page
    assert ">Prizes</a>" in page
    assert "Next round" not in page


def test_drive_moved_by_players_offers_rounds_without_scores() -> None:
    user = create_organiser()
    drive = begin_drive("progressive", rounds=2, club=user.memberships.get().club)
    page = read_text(sign_in(user).get(f"{DRIVES_URL}{drive.slug}/"))
    assert "Next round without scores" in page
    assert "call sheet with every round’s trumps" in page
