"""The page that closes a session shows the missing results in a map of the boards."""

import html

import pytest
from django.test import Client

from hall.closing.board_map import build_board_map
from scoring.session_snapshot import load_session_snapshot
from tests import evenings

pytestmark = pytest.mark.django_db


def test_board_map_marks_boards_that_lack_results() -> None:
    session, _user = evenings.play_session(but=1)
    snapshot = load_session_snapshot(session)
    tiles = build_board_map(snapshot, session.event.slug)
    assert [tile.board_number for tile in tiles] == list(snapshot.tables_by_board)
    (gap,) = [tile for tile in tiles if tile.missing_count]
    assert (gap.state, gap.missing_count, gap.expected_count) == ("part", 1, 3)
    assert gap.url.endswith(
        f"/scores/?by=board&at=board-{gap.board_number}#board-{gap.board_number}"
    )
    assert {tile.state for tile in tiles if tile is not gap} == {"full"}


def test_board_without_results_is_empty_on_map_and_complete_session_has_no_map() -> None:
    session, _user = evenings.open_session()
    tiles = build_board_map(load_session_snapshot(session), session.event.slug)
    assert {tile.state for tile in tiles} == {"none"}
    full, _user = evenings.play_session()
    assert build_board_map(load_session_snapshot(full), full.event.slug) == []


def test_closing_page_counts_missing_results_and_links_each_board(client: Client) -> None:
    session, user = evenings.play_session(but=1)
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/closing/").content.decode()
    text = " ".join(html.unescape(page).split())
    assert "1 of 18 results missing" in text
    assert text.count("missing</span>") == 1
    assert "Close anyway" in text
