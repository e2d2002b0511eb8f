"""Events of pairs, single players, teams and memory duplicate are created from the pages."""

import json
import re
from datetime import date
from typing import Any

import pytest
from django.test import Client

import scoring.services
from scoring.services import record_result
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments import rosters, services
from tournaments.errors import InvalidEntry, InvalidRoster
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db
FOUR_NAMES = ["Ada Pole", "Łucja Nowak", "Henry Jones", "Fiona Ó Briain"]


def post_new_event(client: Client, **changes: str) -> Any:
    """Send the form of a new event, as the club's director."""
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    fields = {
        "name": "Friday",
        "date": "2026-03-13",
        "contest": "pairs",
        "method": "plus_minus",
        "standings_shown": "always",
        "paper_size": "A4",
    }
    return client.post("/director/events/new/", fields | changes)


def type_entries(client: Client, entries: list[list[str]], expected_text: str) -> str:
    """Type entries one by one; return the event's root URL."""
    event = Event.objects.get()
    event_url = f"/director/events/{event.slug}/"
    assert expected_text in client.get(f"{event_url}entries/").content.decode()
    for names in entries:
        fields = {f"player{number}": name for number, name in enumerate(names, start=1)}
        response = client.post(f"{event_url}entries/", fields | {"how": "typed"})
        assert response.status_code == 302, response.content.decode()
    return event_url


def _start_first_movement(client: Client, root: str, contest: str) -> Session:
    """Choose the first movement offered, shuffle at the table, start the session."""
    options = client.get(f"{root}movement/").context["options"]
    assert options
    best_option = options[0]
    assert (
        str(build_named_movement(best_option.name, **json.loads(best_option.options)).contest)
        == contest
    )
    fields = {"name": best_option.name, "options": best_option.options, "boards_a_round": "2"}
    assert client.post(f"{root}movement/", fields).status_code == 302
    session = Session.objects.get()
    services.set_table_shuffling(session=session, by=None)
    assert client.post(f"{root}session/open/").status_code == 302
    session.refresh_from_db()
    assert session.state == Session.State.OPEN
    return session


def enter_one_result(client: Client, session: Session, root: str) -> None:
    """Enter one score, and fetch the pages that show it."""
    section = session.sections.get()
    sitting = section.sittings.order_by("round", "table").first()
    assert sitting is not None
    board = session.get_group_boards(sitting.board_group)[0]
    record_result(sitting=sitting, board_number=board, mark="8", seen_score=None, by=None)
    for page in ("", "entries/", "entries/1/", "movement/", "seats/", "scores/", "papers/"):
        assert client.get(root + page).status_code == 200, page
    for page in ("", f"boards/{board}/", "entries/1/"):
        public = root.replace("/director", "") + page
        assert client.get(public).status_code == 200, page


@pytest.mark.slow
def test_event_for_eight_players_is_created_using_pages(client: Client) -> None:
    assert post_new_event(client, contest="individual").status_code == 302
    root = type_entries(client, [[f"Player {name}"] for name in "ABCDEFGH"], "Add a player")
    assert "8 players entered." in client.get(f"{root}entries/").content.decode()
    session = _start_first_movement(client, root, "individual")
    assert session.sections.get().places.exclude(entry=None).count() == 8
    enter_one_result(client, session, root)


@pytest.mark.slow
def test_event_for_three_teams_is_created_using_pages(client: Client) -> None:
    assert post_new_event(client, contest="teams", method="matches").status_code == 302
    teams = [[f"{name} {team}" for name in ("Ada", "Bea", "Cy", "Dov")] for team in "XYZ"]
    root = type_entries(client, teams, "Fourth player")
    assert "3 teams entered." in client.get(f"{root}entries/").content.decode()
    session = _start_first_movement(client, root, "teams")
    places = session.sections.get().places.exclude(entry=None)
    assert sorted(places.values_list("entry__number", flat=True)) == [1, 1, 2, 2, 3, 3]
    seats = collapse_spaces(client.get(f"{root}seats/").content.decode())
    assert seats.count("one pair stays, one moves") == 3
    assert not re.search(r"<span class=\"small quiet\">\s*stays\s", seats)
    enter_one_result(client, session, root)


@pytest.mark.slow
def test_memory_duplicate_for_two_pairs_is_created_using_pages(client: Client) -> None:
    assert post_new_event(client, contest="memory").status_code == 302
    root = type_entries(client, [FOUR_NAMES[:2], FOUR_NAMES[2:]], "Add a pair")
    desk = client.get(root).content.decode()
    assert "2 pairs" in desk
    assert "Choose movement" in desk
    session = _start_first_movement(client, root, "memory")
    assert session.sections.get().movement == "memory"
    enter_one_result(client, session, root)


def test_memory_duplicate_for_three_pairs_is_refused_with_message(client: Client) -> None:
    post_new_event(client, contest="memory")
    root = type_entries(client, [["A", "B"], ["C", "D"], ["E", "F"]], "Add a pair")
    page = client.get(f"{root}movement/")
    assert page.context["options"] == []
    assert "two pairs at one table, but 3 pairs are entered" in page.content.decode()


@pytest.mark.slow
def test_memory_duplicate_is_never_offered_to_pairs(client: Client) -> None:
    post_new_event(client)
    pairs = [[f"{k}{side}" for side in "ab"] for k in range(4)]
    root = type_entries(client, pairs, "Add a pair")
    options = client.get(f"{root}movement/").context["options"]
    assert options
    assert all("Memory" not in item.title for item in options)


@pytest.mark.parametrize(
    ("contest", "expected_text"),
    [
        ("pairs", "Enter at least four pairs."),
        ("individual", "Enter at least four players."),
        ("teams", "Enter at least two teams."),
        ("memory", "Enter both first"),
    ],
)
def test_event_without_entries_shows_required_number(
    client: Client, contest: str, expected_text: str
) -> None:
    method = "matches" if contest == "teams" else "plus_minus"
    post_new_event(client, contest=contest, method=method)
    page = client.get(f"/director/events/{Event.objects.get().slug}/movement/")
    assert expected_text in page.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contest", "method"),
    [("pairs", "plus_minus"), ("teams", "matches"), ("individual", "plus_minus")],
)
def test_event_uses_default_scoring(client: Client, contest: str, method: str) -> None:
    assert post_new_event(client, contest=contest, method="").status_code == 302
    assert Event.objects.get().terms.method == method
    page = client.get("/director/events/new/").content.decode()
    assert "Matchpoints: on each board 2 points" in page
    assert '<option value="" selected>standard' in page


def test_unsupported_method_is_refused_with_methods_of_contest(
    client: Client,
) -> None:
    response = post_new_event(client, contest="memory", method="matchpoints")
    assert response.status_code == 200
    assert response.context["form"].errors["method"] == [
        "“matchpoints” doesn’t work for “memory duplicate”. Choose "
        "one of: plus and minus, total tricks."
    ]
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("contest", "names", "message"),
    [
        ("memory", ["Ada Pole"], "Enter the partner of “Ada Pole”."),
        ("individual", [" "], "Enter the player’s name."),
        (
            "individual",
            FOUR_NAMES[:2],
            "one player at a time. Found 2 names: Ada Pole, Łucja Nowak.",
        ),
        ("teams", ["", "", "", ""], "Enter four names."),
        ("teams", FOUR_NAMES[:3], "Found 3: Ada Pole, Łucja Nowak, Henry Jones. Add the"),
        ("teams", [*FOUR_NAMES, "Kate Wheelock"], "A team has four names. Found 5: Ada Pole"),
        ("teams", [*FOUR_NAMES[:3], "henry jones"], "Henry Jones is in this team twice."),
    ],
)
def test_entry_with_wrong_number_of_names_is_refused_with_message(
    contest: str, names: list[str], message: str
) -> None:
    event = create_event(contest)
    with pytest.raises(InvalidEntry) as exc_info:
        services.create_entry(event=event, names=names, by=None)
    assert message in str(exc_info.value)
    assert not event.entries.exists()


def test_generated_team_name_is_shortened_to_fit() -> None:
    event = create_event("teams")
    entry = services.create_entry(
        event=event, names=[letter * 80 for letter in "ABCD"], by=None
    )
    assert len(entry.name) == 170
    assert entry.name.endswith("…")


def test_imported_team_of_five_keeps_players_after_name_correction(
    client: Client,
) -> None:
    post_new_event(client, contest="teams", method="matches")
    root = type_entries(client, [FOUR_NAMES], "Add a team")
    event = Event.objects.get()
    entry = event.entries.get()
    entry.memberships.create(player=event.club.players.create(name="Kate Weelock"), order=5)
    page = client.get(f"{root}entries/1/")
    assert page.context["form"].fields["player5"].initial == "Kate Weelock"
    fields = {
        f"player{k}": name for k, name in enumerate([*FOUR_NAMES, "Kate Wheelock"], start=1)
    }
    assert client.post(f"{root}entries/1/", fields).status_code == 302
    assert entry.players.filter(name="Kate Wheelock").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contest", "text", "says"),
    [
        ("individual", "Ada Pole\nAdam West\n", "2 players added."),
        ("teams", "A, B, C, D\nE & F, G & H\n", "2 teams added."),
        ("memory", "A & B\nC & D\n", "2 pairs added."),
    ],
)
def test_pasted_list_requires_number_of_names_of_contest(
    client: Client, contest: str, text: str, says: str
) -> None:
    method = "matches" if contest == "teams" else "plus_minus"
    post_new_event(client, contest=contest, method=method)
    address = f"/director/events/{Event.objects.get().slug}/entries/"
    response = client.post(address, {"how": "pasted", "text": text}, follow=True)
    assert says in response.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contest", "word"), [("pairs", "Pairs"), ("teams", "Teams"), ("individual", "Players")]
)
def test_entries_tab_is_labelled_pairs_teams_or_players(
    client: Client, contest: str, word: str
) -> None:
    post_new_event(
        client, contest=contest, method="matches" if contest == "teams" else "tricks"
    )
    address = f"/director/events/{Event.objects.get().slug}/entries/"
    html = client.get(address).content.decode()
    tab_match = re.search(rf'<a href="{address}"[^>]*>(.*?)</a>', html, re.DOTALL)
    assert tab_match is not None
    assert re.sub(r"<[^>]+>|\s", "", tab_match[1]) == word


@pytest.mark.parametrize(
    ("text", "names_per_entry", "message"),
    [
        ("", 1, "The list is empty. Enter one player on each line."),
        ("Player\n", 1, "The list has a heading but no players."),
        ("A & B", 1, "Line 1: enter one player on each line. Found 2: A, B."),
        ("", 4, "The list is empty. Enter one team on each line: four names."),
        ("A,B,C", 4, "Line 1: a team needs four names. Found 3: A, B, C."),
        ("A,B,C,D,E", 4, "Line 1: a team has four names. Found 5: A, B, C, D, E."),
    ],
)
def test_row_with_wrong_number_of_names_is_refused_with_position(
    text: str, names_per_entry: int, message: str
) -> None:
    try:
        problems = rosters.read_text(text, names_per_entry).problems
    except InvalidRoster as error:
        problems = error.problems
    assert problems == [message]


def test_spreadsheet_of_teams_may_include_team_names() -> None:
    text = "Team name;Player 1;Player 2;Player 3;Player 4\nReds;A;B;C;D\n"
    assert [row.names for row in rosters.read_text(text, 4).rows] == [("A", "B", "C", "D")]


def create_event(contest: str) -> Event:
    club, user = evenings.create_club_with_director()
    return scoring.services.create_event(
        club=club,
        name="Friday",
        date=date(2026, 3, 13),
        contest=contest,
        by=user,
    )


def test_movements_with_identical_seating_are_offered_once(client: Client) -> None:
    event = create_event("individual")
    _club, user = evenings.create_club_with_director()
    evenings.enter_everybody(event, ([f"Player {number}"] for number in range(8)), user)
    client.force_login(user)
    options = client.get(f"/director/events/{event.slug}/movement/").context["options"]
    titles = {item.title for item in options}
    assert len(titles & {"8 players at two tables", "Whist tournament, 8 players"}) == 1


@pytest.mark.parametrize(
    ("typed_value", "empty_field"), [("player1", "player2"), ("player2", "player1")]
)
def test_pair_with_one_name_asks_for_partner_and_focuses_field(
    client: Client, typed_value: str, empty_field: str
) -> None:
    event, user = evenings.create_event(0)
    client.force_login(user)
    address = f"/director/events/{event.slug}/entries/"
    page = client.post(address, {"how": "typed", typed_value: "Ada Pole"}).content.decode()
    assert page.count("The partner’s name is missing.") == 1
    assert "This field is required" not in page
    inputs = re.findall(r'<input type="text" name="(player.)"[^>]*?( autofocus)?>', page)
    assert [name for name, cursor in inputs if cursor] == [empty_field]


def test_team_can_have_own_name(client: Client) -> None:
    post_new_event(client, contest="teams", method="")
    event = Event.objects.get()
    address = f"/director/events/{event.slug}/entries/"
    typed = {"player1": "A", "player2": "B", "player3": "C", "player4": "D", "team": "The Aces"}
    client.post(address, typed | {"how": "typed"})
    client.post(address, {"how": "pasted", "text": "The Kings: E, F, G, H\nI, J, K, L"})
    names = list(event.entries.order_by("number").values_list("name", flat=True))
    assert names == ["The Aces", "The Kings", "I & J & K & L"]
    assert event.club.players.count() == 12
    assert 'name="team" id="id_team" value="The Kings"' in collapse_spaces(
        client.get(f"{address}2/").content.decode()
    )
    client.post(
        f"{address}2/",
        typed | {"player1": "E", "player2": "F"} | {"player3": "G", "player4": "H", "team": ""},
    )
    assert event.entries.get(number=2).name == "E & F & G & H"


def test_error_in_pasted_list_is_shown_in_its_form() -> None:
    event, user = evenings.create_event()
    client = Client()
    client.force_login(user)
    form_data = {"how": "pasted", "text": "only one name"}
    page = client.post(f"/director/events/{event.slug}/entries/", form_data).content.decode()
    form = next(part for part in page.split("<form") if "<textarea" in part)
    assert "data-refusal" in form.partition("<textarea")[0]
