"""The pages of all movements: public, complete, and with a message for an impossible size."""

import html
import re

import pytest
from django.test import Client

from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.movements import SYSTEMS_BY_NAME, build_named_movement, compute_balance
from tournaments.sheets import heatmaps
from tournaments.sheets.schedule import build_schedule

pytestmark = pytest.mark.django_db


def test_library_lists_every_system_with_its_source(client: Client) -> None:
    page = client.get("/movements/").content.decode()
    for system in SYSTEMS_BY_NAME.values():
        assert f"/movements/{system.name}/?{system.unit}=" in page
    assert collapse_spaces(page).count('<li><a class="list__title"') == len(SYSTEMS_BY_NAME)
    assert "<table" not in page  # four columns do not fit on a phone


def test_every_system_is_shown_completely_without_login(client: Client) -> None:
    for name in SYSTEMS_BY_NAME:
        response = client.get(f"/movements/{name}/")
        assert response.status_code == 200, name
        assert "Round by round" in response.content.decode(), name
        assert not response.cookies


def test_board_numbers_are_shown_if_boards_per_round_are_given(client: Client) -> None:
    page = client.get("/movements/compass/?tables=7&boards=4").content.decode()
    assert "25–28" in page
    assert "group 7" not in page


def test_unsupported_size_in_library_is_refused_with_message(client: Client) -> None:
    response = client.get("/movements/compass/?tables=6")
    assert response.status_code == 400
    assert "an odd number of tables" in response.content.decode()


@pytest.mark.parametrize(
    "query", ["tables=99999", "tables=x", "tables=-1", "absent=9", "rounds=120"]
)
def test_invalid_query_parameters_never_cause_server_error(client: Client, query: str) -> None:
    assert client.get(f"/movements/compass/?{query}").status_code in (200, 400)


def test_unknown_movement_gives_404(client: Client) -> None:
    assert client.get("/movements/nothing/").status_code == 404


def measure_darkness(picture: heatmaps.Heatmap) -> dict[tuple[int, int], int]:
    """Return the darkness of every square of a picture, by row and column."""
    darkness_by_square = {}
    for shade in picture.shades:
        for stroke in shade.path.removeprefix("M").split("M"):
            start, _h, run = stroke.partition("h")
            column, row_text = start.split()
            for column_number in range(int(column), int(column) + int(run)):
                darkness_by_square[int(row_text.removesuffix(".5")), column_number] = (
                    shade.level
                )
    return darkness_by_square


@pytest.mark.parametrize(
    ("name", "size_options"),
    [("compass", {"tables": 5}), ("howell", {"pairs": 10}), ("howell-teams", {"teams": 5})],
)
def test_heatmap_is_dark_exactly_for_compared_or_met_pairs(
    name: str, size_options: dict[str, int]
) -> None:
    movement = build_named_movement(name, **size_options)
    balance = compute_balance(movement)
    for picture, expected_counts in (
        (heatmaps.build_comparison_heatmap(movement, balance), balance.same_side_counts),
        (
            heatmaps.build_meeting_heatmap(movement, balance),
            heatmaps.count_meetings(movement, balance),
        ),
    ):
        darkness_by_square = measure_darkness(picture)
        side = len(expected_counts)
        assert len(darkness_by_square) == side * side - side
        assert all(
            (level > 0) == (expected_counts[position[0]][position[1]] > 0)
            for position, level in darkness_by_square.items()
        )


def test_schedule_marks_sit_outs_switched_seats_and_sharing() -> None:
    half_table_schedule = build_schedule(build_named_movement("compass", pairs=9))
    assert any(
        s and s.is_idle and s.note == "sit-out" for r in half_table_schedule.rounds for s in r
    )
    schedule = build_schedule(build_named_movement("compass", tables=7, one_winner=True))
    assert "arrow switch" in {s.note for r in schedule.rounds for s in r if s}
    relay_schedule = build_schedule(build_named_movement("compass-relay", tables=6))
    assert "shares with table 6" in {s.note for r in relay_schedule.rounds for s in r if s}


def test_movement_list_uses_common_names_of_systems(client: Client) -> None:
    page = client.get("/movements/").content.decode()
    text = re.sub(r"<[^>]*>", " ", page)
    assert "other sizes: Skip Mitchell or Share-and-relay Mitchell" in text
    for name in SYSTEMS_BY_NAME:
        assert name not in text.split() or "-" not in name


def test_missing_pair_is_described_in_plain_words() -> None:
    titles = [
        build_named_movement("howell", pairs=15).title,
        build_named_movement("compass", pairs=13).title,
        build_named_movement("new-england-relay", teams=6, absent=["6NS", "6EW"]).title,
    ]
    assert titles == [
        "Howell, 16 pairs, one pair sits out each round",
        "Mitchell, 7 tables, half table: no pair 7 E-W",
        "New England relay, 6 teams, team 6 missing",
    ]


@pytest.mark.slow
def test_director_can_choose_movement_from_schedule_page(client: Client) -> None:
    event, user = evenings.create_event(10)
    client.force_login(user)
    movement_url = f"/director/events/{event.slug}/movement/"
    match = re.search(
        r'href="(/movements/howell/[^"]*)"', client.get(movement_url).content.decode()
    )
    assert match is not None
    page = client.get(html.unescape(match[1])).content.decode()
    assert f'href="{movement_url}"' in page
    form = dict(re.findall(r'<input type="\w+"[^>]*name="(\w+)" value="([^"]*)"', page))
    fields = {key: html.unescape(form[key]) for key in ("name", "options", "boards_a_round")}
    assert client.post(movement_url, fields).status_code == 302
    section = event.sessions.get().sections.get()
    assert (section.movement, section.tables, section.rounds) == ("howell", 5, 9)
    repeated_html = client.get(html.unescape(match[1])).content.decode()
    assert "Play this" in repeated_html


def test_other_users_see_schedule_without_event(client: Client) -> None:
    event, _user = evenings.create_event(10)
    _other, stranger = evenings.create_club_with_director("Another Club", "stranger")
    address = f"/movements/howell/?pairs=10&event={event.slug}"
    for login in (None, stranger):
        if login:
            client.force_login(login)
        page = client.get(address).content.decode()
        assert "Play this" not in page
        assert event.name not in page
    assert client.get("/movements/howell/?pairs=10&event=nothing").status_code == 200


def test_schedule_is_read_only_after_play_has_begun(client: Client) -> None:
    session, user = evenings.open_session(10)
    client.force_login(user)
    address = f"/movements/howell/?pairs=10&event={session.event.slug}"
    page = client.get(address).content.decode()
    assert "Play this" not in page
    assert session.event.name in page
