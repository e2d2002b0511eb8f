"""The score page of a large session: one part at a time, with links to the others."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from hall.rehearsal.staged_events import create_staged_session
from scoring.models import Result
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import score_slips
from scoring.sheets.score_grid import build_score_grid
from scoring.sheets.score_slips import (
    MAX_ROWS_ON_SINGLE_PAGE,
    MAX_ROWS_PER_PART,
    divide_slips,
    list_result_slips,
)
from server.models import User
from tests import evenings
from tournaments.models import Session

pytestmark = pytest.mark.django_db

GRID_ORDERS = pytest.mark.parametrize("by", ["board", "round"])


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide small sessions too, so that a test needs few tables."""
    monkeypatch.setattr(score_slips, "MAX_ROWS_ON_SINGLE_PAGE", 10)
    monkeypatch.setattr(score_slips, "MAX_ROWS_PER_PART", 6)


def open_two_sections() -> Session:
    """Return three tables in each of two sections, three rounds of two boards."""
    club, user = evenings.create_club_with_director()
    return create_staged_session(
        club=club,
        table_count=6,
        section_count=2,
        round_count=3,
        boards_a_round=2,
        played_round_count=0,
        should_deal=False,
        by=user,
    )


@GRID_ORDERS
@pytest.mark.usefixtures("small_parts")
def test_every_result_is_on_exactly_one_part_of_the_grid(by: str) -> None:
    snapshot = load_session_snapshot(open_two_sections())
    grid_parts = divide_slips(list_result_slips(snapshot, by), snapshot.session.boards_a_round)
    rows = [
        (table.sitting_id, board)
        for part in grid_parts
        for slip in part
        for table, board in slip.plays
    ]
    expected = [
        (table.sitting_id, board)
        for table in snapshot.tables
        if table.is_played
        for board in table.boards
    ]
    assert sorted(rows) == sorted(expected)
    assert len(grid_parts) > 2
    for part in grid_parts:
        assert len({(slip.section_letter, slip.round_number) for slip in part}) == 1


@pytest.mark.slow
@GRID_ORDERS
@pytest.mark.usefixtures("small_parts")
def test_link_to_any_cell_opens_the_part_that_contains_it(client: Client, by: str) -> None:
    session = open_two_sections()
    client.force_login(User.objects.get())
    snapshot = load_session_snapshot(session)
    for slip in list_result_slips(snapshot, by):
        table, board = slip.plays[-1]
        for cell_id in (slip.key, f"r-{table.sitting_id}-{board}"):
            page = read_scores_page(client, session, f"by={by}&at={cell_id}")
            assert f'<form class="block sheet" id="{slip.key}"' in page
            assert f'data-at="{slip.key}"' in page
            assert f'id="r-{table.sitting_id}-{board}"' in page


@GRID_ORDERS
@pytest.mark.usefixtures("small_parts")
def test_next_links_lead_through_every_part_of_the_grid(client: Client, by: str) -> None:
    session = open_two_sections()
    client.force_login(User.objects.get())
    snapshot = load_session_snapshot(session)
    query, seen_slip_keys = f"by={by}&at={list_result_slips(snapshot, by)[0].key}", []
    for _part in range(100):
        page = read_scores_page(client, session, query)
        seen_slip_keys += re.findall(r'<form class="block sheet" id="([^"]+)"', page)
        match = re.search(r'rel="next" href="\?([^"#]+)#', page)
        if match is None:
            break
        query = match[1].replace("&amp;", "&")
    assert seen_slip_keys == [slip.key for slip in list_result_slips(snapshot, by)]


@pytest.mark.usefixtures("small_parts")
def test_grid_without_link_opens_at_first_incomplete_part() -> None:
    session = open_two_sections()
    snapshot = load_session_snapshot(session)
    first_slips = divide_slips(list_result_slips(snapshot, "board"), session.boards_a_round)[0]
    for slip in first_slips:
        for table, board in slip.plays:
            evenings.enter_result(session, table.sitting_id, board, "7", User.objects.get())
    score_grid = build_score_grid(load_session_snapshot(session), "board", doubts_by_cell={})
    assert score_grid.blocks[0].key not in [slip.key for slip in first_slips]
    assert not score_grid.is_slip_unknown


@pytest.mark.usefixtures("small_parts")
def test_board_is_found_without_its_section_and_unknown_one_is_reported(
    client: Client,
) -> None:
    session = open_two_sections()
    client.force_login(User.objects.get())
    assert 'data-at="board-A2"' in read_scores_page(client, session, "by=board&at=board-2")
    assert 'data-at="round-2-B1"' in read_scores_page(client, session, "by=round&at=round-2-B")
    scores_page = read_scores_page(client, session, "by=board&at=board-999")
    assert "Number not found. Enter another." in scores_page
    assert '<form class="block sheet"' in scores_page


@pytest.mark.usefixtures("small_parts")
def test_queries_in_other_parts_are_listed_with_links(client: Client) -> None:
    session = open_two_sections()
    director = User.objects.get()
    client.force_login(director)
    snapshot = load_session_snapshot(session)
    table = next(table for table in snapshot.tables if table.section == "B" and table.is_played)
    board = table.boards[0]
    evenings.enter_result(session, table.sitting_id, board, "7", director)
    Result.objects.update(doubt="queried")
    place = f"doubt-{table.sitting_id}-{board}"
    page = read_scores_page(client, session, "by=board&at=board-A1")
    assert f'id="{place}"' not in page
    assert f'href="?by=board&amp;at={place}#{place}"' in page
    assert f'id="{place}"' in read_scores_page(client, session, f"by=board&at={place}")


@pytest.mark.usefixtures("small_parts")
def test_part_submitted_without_javascript_returns_to_its_position(client: Client) -> None:
    session = open_two_sections()
    client.force_login(User.objects.get())
    slip = list_result_slips(load_session_snapshot(session), "board")[-1]
    table, board = slip.plays[0]
    response = client.post(
        f"/director/events/{session.event.slug}/scores/?by=board&at={slip.key}",
        {f"r-{table.sitting_id}-{board}": "8", f"seen-{table.sitting_id}-{board}": ""},
    )
    assert response.status_code == 302
    assert response.headers["Location"].endswith(f"?by=board&at={slip.key}#{slip.key}")
    assert Result.objects.get().ns_tricks == 8


def test_club_session_fits_on_one_page() -> None:
    session, _user = evenings.open_session()
    score_grid = build_score_grid(load_session_snapshot(session), "board", doubts_by_cell={})
    assert not score_grid.has_several_parts
    assert score_grid.previous_slip_link is score_grid.next_slip_link is None
    assert len(score_grid.blocks) == len(load_session_snapshot(session).tables_by_board)


@pytest.mark.parametrize(("tables", "boards"), [(12, 4), (50, 3), (100, 4), (1, 200)])
@GRID_ORDERS
def test_part_has_no_more_rows_than_the_limit(by: str, tables: int, boards: int) -> None:
    result_slips = [
        score_slips.ResultSlip(
            f"{by}-{slip_number}",
            "",
            "A",
            slip_number if by == "round" else 0,
            str(slip_number),
            rows,
        )
        for slip_number, rows in build_slip_rows(by, tables, boards)
    ]
    divided = divide_slips(result_slips, boards)
    assert sum(len(part) for part in divided) == len(result_slips)
    for part in divided:
        row_count = sum(len(slip.plays) for slip in part)
        assert row_count <= max(MAX_ROWS_PER_PART, len(part[0].plays)) or (
            len(divided) == 1 and row_count <= MAX_ROWS_ON_SINGLE_PAGE
        )


def build_slip_rows(
    by: str, tables: int, boards: int
) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Return slips of seven rounds: a traveller for each board, or a slip for each table."""
    if by == "board":
        yield from ((key + 1, tuple(range(7))) for key in range(tables * boards))
    else:
        for round_ in range(1, 8):
            yield from ((round_, tuple(range(boards))) for _table in range(tables))


def read_scores_page(client: Client, session: Session, query: str) -> str:
    response = client.get(f"/director/events/{session.event.slug}/scores/?{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_grid_updates_start_after_the_versions_on_the_page(client: Client) -> None:
    session, user = evenings.play_session(6, but=3)
    client.force_login(user)
    page = read_scores_page(client, session, "by=board")
    newest_version = re.search(r'data-newest="(\d+)"', page)
    assert newest_version is not None
    root_url = f"/director/events/{session.event.slug}"
    updates = client.get(f"{root_url}/scores/changes/?since={newest_version[1]}").json()
    assert updates["cells"] == []
    assert updates["missing"] == load_session_snapshot(session).missing_result_count == 3


@GRID_ORDERS
def test_unseated_session_has_a_page_that_links_to_the_next_step(
    client: Client, by: str
) -> None:
    event, user = evenings.create_event()
    client.force_login(user)
    page = read_scores_page(client, event.sessions.get(), f"by={by}&at=board-1")
    assert "No scores yet" in page
