"""A board's page sorts its results, marks the reader's row and reveals nothing early."""

import re
from fractions import Fraction
from itertools import product

import pytest
from django.test import Client

import scoring.services
from scoring.models import Result
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.board_page import build_board_page
from scoring.sheets.travellers import load_traveller
from scoring.standings_engine import standings
from tests import evenings
from tests.scoring.pages.test_standings_page import METHODS_BY_CONTEST, open_contest
from tournaments.models import Event, Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def read_board_page(session: Session, board: int, **query: object) -> str:
    """Return a board's page as an anonymous visitor sees it."""
    return Client().get(f"/events/{session.event.slug}/boards/{board}/", query).content.decode()


@pytest.mark.parametrize(
    ("contest_name", "is_closed", "standings_visibility"),
    list(product(METHODS_BY_CONTEST, (False, True), ("always", "never"))),
)
def test_dots_are_drawn_after_the_board_can_no_longer_be_played(
    contest_name: str, is_closed: bool, standings_visibility: str
) -> None:
    session = open_contest(contest_name)
    Event.objects.update(standings_shown=standings_visibility)
    if is_closed:
        scoring.services.close_session(
            session=session, by=evenings.create_club_with_director()[1]
        )
    standings.update_standings(session.event)
    snapshot = load_session_snapshot(Session.objects.get(pk=session.pk))
    drawn_count = 0
    for board in (snapshot.boards[0], snapshot.boards[-1]):
        is_finished = is_closed or snapshot.is_board_group_finished(board)
        tables = [
            item
            for item in snapshot.tables_by_board[board]
            if snapshot.find_result(item, board)
        ]
        page = read_board_page(session, board)
        assert ('class="drawing dots"' in page) is (is_finished and bool(tables))
        assert page.count('class="dot"') == (len(tables) if is_finished else 0)
        drawn_count += is_finished
    assert drawn_count or not is_closed


def test_highest_score_comes_first_and_unplayed_results_last() -> None:
    session, user = evenings.play_session()
    last_result = Result.objects.filter(board=1).order_by("pk").last()
    assert last_result is not None
    evenings.enter_result(session, last_result.sitting_id, 1, "-", user)
    scoring.services.close_session(session=session, by=user)
    sheet = load_traveller(load_session_snapshot(session), 1)
    assert sheet is not None
    ns_tricks = [row.line.ns_tricks for row in build_board_page(sheet).rows]
    tricks = [tricks for tricks in ns_tricks if tricks is not None]
    assert tricks == sorted(tricks, reverse=True)
    assert ns_tricks[-1] is None


@pytest.mark.parametrize("name", METHODS_BY_CONTEST)
def test_own_row_is_marked_and_page_links_keep_the_mark(name: str) -> None:
    session = open_contest(name)
    scoring.services.close_session(session=session, by=evenings.create_club_with_director()[1])
    standings.update_standings(session.event)
    snapshot = load_session_snapshot(Session.objects.get(pk=session.pk))
    for board, tables in snapshot.tables_by_board.items():
        own_tables = [table for table in tables if 1 in (*table.ns.entries, *table.ew.entries)]
        page = read_board_page(session, board, mine=1)
        assert page.count('<tr class="is-mine">') == len(own_tables)
        page_links = re.findall(r'rel="(?:prev|next)" href="([^"]*)"', page)
        assert page_links
        assert all(link.endswith("?mine=1") for link in page_links)
    assert "is-mine" not in read_board_page(session, snapshot.boards[0], mine="x")


def test_ruling_is_explained_in_words_below_its_row() -> None:
    session, user = evenings.play_session()
    result = Result.objects.filter(board=1).order_by("ns_tricks").first()
    assert result is not None
    scoring.services.make_ruling(
        kind="revoke", result=result, side="NS", revokes=1, won_before=0, by=user
    )
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    page = read_board_page(session, 1)
    rows = re.findall(r"<tr[^>]*>", page.partition("<tbody>")[2])
    assert [row for row in rows if "in-words" in row] == ['<tr class="in-words">']
    sheet = load_traveller(load_session_snapshot(session), 1)
    assert sheet is not None
    (ruled_row,) = [row for row in build_board_page(sheet).rows if row.line.notes]
    assert ruled_row.line.sitting_id == result.sitting_id


def test_bar_shows_the_counted_score_against_the_average() -> None:
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    sheet = load_traveller(load_session_snapshot(session), 1)
    assert sheet is not None
    assert sheet.ns_average is not None
    for row in build_board_page(sheet).rows:
        gap = Fraction(row.line.ns_tricks or 0) - sheet.ns_average
        assert row.bar is not None
        assert row.bar.is_positive is (gap > 0)
