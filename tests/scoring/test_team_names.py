"""A team's row names the two players who sit there, and not all four."""

import re

import pytest
from django.test import Client

from scoring.services import apply_seating_change, open_session
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.trays import build_curtain_cards, build_memory_cards
from tests import evenings
from tests.copies import build_once
from tournaments.entry_words import format_team_pair
from tournaments.models import Session
from tournaments.movements import build_named_movement
from tournaments.movements.changes import ExchangedPlaces, TurnedTable, WrongBoards
from tournaments.services import create_entry, rename_entry, request_dealing, seat_section

pytestmark = pytest.mark.django_db
TEAM_COUNTS_BY_SYSTEM = {
    "howell-teams": 5,
    "gilman": 5,
    "new-england-relay": 4,
    "league-fours": 2,
    "two-packs": 2,
}


@build_once
def play_teams(name: str) -> Session:
    """Return teams of Ann, Ben, Cleo and Dan with the team's number, seated by a system."""
    teams = TEAM_COUNTS_BY_SYSTEM[name]
    event, user = evenings.create_event(0, contest="teams")
    entries = {}
    for number in range(1, teams + 1):
        names = [f"{first_name} {number}" for first_name in ("Ann", "Ben", "Cleo", "Dan")]
        entries[number] = create_entry(event=event, names=names, by=user)
    session = event.sessions.get()
    movement = build_named_movement(name, teams=teams)
    seating = {
        place: entries[movement.get_team_number(place)] for place in movement.occupied_places
    }
    seat_section(
        session=session, movement=movement, entries_by_place=seating, boards_a_round=2, by=user
    )
    return open_session(session=session, by=user)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEAM_COUNTS_BY_SYSTEM)
def test_each_row_names_two_players_and_each_round_names_everyone_once(name):
    room = load_session_snapshot(play_teams(name))
    rounds = {table.round for table in room.tables}
    for number in rounds:
        tables = [table for table in room.tables if table.round == number and table.is_played]
        sides = [side for table in tables for side in (table.ns, table.ew)]
        for side in sides:
            player_names = side.name.split(" & ")
            assert len(player_names) == 2
            assert {player_name.split()[1] for player_name in player_names} == {
                str(side.entries[0])
            }
        people = [player_name for side in sides for player_name in side.name.split(" & ")]
        assert len(people) == len(set(people)) == 2 * len(sides)


def test_four_players_of_match_change_partners_in_each_set():
    room = load_session_snapshot(play_teams("league-fours"))
    partners = {side.name for table in room.tables for side in (table.ns, table.ew)}
    assert len(partners) == 2 * 6  # each two of each team
    first_table = room.tables[0]
    assert (first_table.ns.name, first_table.ew.name) == ("Ann 1 & Ben 1", "Ann 2 & Ben 2")


@pytest.mark.parametrize(
    ("change", "continuation_key", "second", "third_round_sides"),
    [
        (TurnedTable(1, 2, 2), "planned", ("C2 D2", "A1 B1"), ("A1 C1", "A2 C2")),
        (ExchangedPlaces(1, 3, 2, 2), "stay", ("C1 D1", "C2 D2"), ("B1 D1", "A2 C2")),
        (WrongBoards(2, 1, 1), "made-up", ("A1 B1", "C2 D2"), ("A1 C1", "A2 C2")),
    ],
)
def test_players_keep_their_match_positions_after_any_change(
    change, continuation_key, second, third_round_sides
):
    """Letters are those of the players' names: Ann is A, and her team's number follows."""
    session = play_teams("league-fours")
    section = session.sections.get()
    incident_data = {"kind": "turned", "table": 1, "first": 1, "last": 1}
    apply_seating_change(
        section=section,
        rounds_played=2,
        incident=change,
        continuation_key=continuation_key,
        incident_data=incident_data,
        by=None,
    )
    room = load_session_snapshot(Session.objects.get(pk=session.pk))
    tables = room.rounds_by_table["A", 1]
    for table, sides in ((tables[1], second), (tables[2], third_round_sides)):
        names = tuple(
            re.sub(r"(\w)\w* (\d)( & )?", r"\1\2 ", item.name) for item in (table.ns, table.ew)
        )
        assert tuple(name.strip() for name in names) == sides
    if continuation_key == "made-up":
        last = tables[-1]
        assert (last.round, last.ns.name, last.ew.name) == (
            7,
            tables[1].ns.name,
            tables[1].ew.name,
        )


def test_substitute_takes_one_chair_of_match_and_moves_nobody_else():
    session = play_teams("league-fours")

    def list_seated_names():
        room = load_session_snapshot(Session.objects.get(pk=session.pk))
        return [
            side.name.split(" & ") for table in room.tables for side in (table.ns, table.ew)
        ]

    seated_names_before = list_seated_names()
    names = ["Ann 1", "Eve 1", "Cleo 1", "Dan 1"]
    rename_entry(entry=session.event.entries.get(number=1), names=names, by=None)
    assert list_seated_names() == [
        ["Eve 1" if name == "Ben 1" else name for name in player_names]
        for player_names in seated_names_before
    ]


@pytest.mark.parametrize(
    ("name", "label", "line_up", "message"),
    [
        ("A & B & C & D", "1NS", "", "A & B"),
        ("A & B & C & D", "1EW", "", "C & D"),
        ("A & B & C & D", "2NS", "YZ", "C & D"),
        ("A & B & C & D", "2NS", "AC", "A & C"),
        ("Riverside", "1NS", "", "Riverside"),
        ("A & B & C & D & E & F", "1NS", "", "A & B & C & D & E & F"),
    ],
)
def test_team_with_other_name_or_size_keeps_usual_name(name, label, line_up, message):
    assert format_team_pair(name, label, line_up) == message


def test_pages_name_both_players():
    session = play_teams("gilman")
    client = Client()
    client.force_login(evenings.User.objects.get(username="director"))
    page = client.get(f"/director/events/{session.event.slug}/scores/").content.decode()
    page = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Ann 1 &amp; Ben 1" in page
    assert "Cleo 1 &amp; Dan 1" in page
    assert "Ann 1 &amp; Ben 1 &amp; Cleo 1" not in page
    board = Client().get(f"/events/{session.event.slug}/boards/1/")
    assert {line.ns_name.count(" & ") for line in board.context["traveller"].lines} == {1}


def test_pairs_keep_usual_names():
    room = load_session_snapshot(evenings.open_session(6)[0])
    assert all(table.ns.name.count(" & ") == 1 for table in room.tables)


def test_hand_cards_name_both_players(django_capture_on_commit_callbacks):
    session = play_teams("gilman")
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=session, by=None)
    room = load_session_snapshot(Session.objects.get(pk=session.pk))
    cards = build_memory_cards(room)
    table = next(table for table in room.tables if table.is_played)
    players = {card.player_name for card in cards[:4]}
    assert players == set(table.ns.name.split(" & ")) | set(table.ew.name.split(" & "))
    assert build_curtain_cards(room)
