"""The recap on the screen: every number opens, and no board in play is revealed."""

import html
import re
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import scoring.services
from scoring.models import Result
from scoring.secrecy import can_see_results
from scoring.services import close_session
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.papers import build_recap
from scoring.sheets.recaps import build_public_recap
from scoring.sheets.short_names import shorten_to_surnames
from scoring.standings_engine import standings
from tests import evenings
from tests.exchange.eventfile.documents import build_event_file
from tests.page_text import collapse_spaces
from tests.scoring.standings.test_terms import import_document
from tournaments.models import Event
from tournaments.services import set_standings_visibility

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def read_recap(client: Client, event: Event) -> str:
    response = client.get(f"/events/{event.slug}/recap/")
    assert response.status_code == 200
    return response.content.decode()


def list_links(page: str) -> set[str]:
    return set(re.findall(r'<a class="why"[^>]*href="([^"#]*)', page))


def test_every_recap_value_links_to_its_explanation(client: Client) -> None:
    session, _ = evenings.play_session()
    standings.update_standings(session.event)
    page = read_recap(client, session.event)
    links = list_links(page)
    for number in range(1, 7):
        root_url = f"/events/{session.event.slug}/entries/{number}/explained/"
        for figure in ("rank", "score", "tricks", "score&amp;board=1"):
            assert f"{root_url}?figure={figure}" in links
    board = client.get(
        f"/events/{session.event.slug}/entries/1/explained/?figure=score&board=1",
        headers={"HX-Request": "true"},
    )
    assert "Board 1, N-S" in board.content.decode()


def test_board_that_a_table_may_still_play_is_empty(client: Client) -> None:
    session, user = evenings.play_session(but=3)
    standings.update_standings(session.event)
    snapshot = load_session_snapshot(session)
    hidden_boards = [board for board in snapshot.boards if not can_see_results(snapshot, board)]
    assert hidden_boards
    assert Result.objects.filter(board__in=hidden_boards).exists()
    page = read_recap(client, session.event)
    assert not any(f"board={board}#" in page for board in hidden_boards)
    close_session(session=session, by=user)
    assert f"board={hidden_boards[0]}#" in read_recap(client, session.event)


def test_hidden_standings_also_hide_the_recap(client: Client) -> None:
    session, user = evenings.play_session()
    standings.update_standings(session.event)
    set_standings_visibility(event=session.event, shown="never", by=user)
    page = read_recap(client, session.event)
    assert "<table" not in page
    assert "shown together with the standings" in page


def test_revoke_is_marked_on_both_sides_with_the_counted_score(client: Client) -> None:
    session, user = evenings.play_session()
    result = Result.objects.filter(board=1).order_by("-ns_tricks")[0]
    assert result.ns_tricks == 4  # the others made 2 and 3
    scoring.services.make_ruling(
        kind="revoke", result=result, side="NS", revokes=1, won_before=0, by=user
    )
    standings.update_standings(session.event)
    page = read_recap(client, session.event)
    arrow = '<span aria-hidden="true">→</span><span class="visually-hidden">counts</span>'
    assert f">4{arrow}2 −R</a>" in collapse_spaces(page)
    assert f">9{arrow}11 +R</a>" in collapse_spaces(page)
    assert "6→5: made 6, counts as 5." in page
    assert f"Board 1, table {result.sitting.table}: Revoke by N-S." in page


def test_recap_row_sums_to_its_tricks_for_every_ruling() -> None:
    session, user = evenings.play_session()
    first_result, second, third_result = Result.objects.order_by("board", "-ns_tricks")[:7:3]
    scoring.services.make_ruling(
        kind="revoke", result=first_result, side="NS", revokes=1, won_before=0, by=user
    )
    scoring.services.make_ruling(kind="average", result=second, by=user)
    scoring.services.make_ruling(
        kind="adjusted",
        result=third_result,
        ns_tricks="13/2",
        ew_tricks="13/2",
        reason="x",
        by=user,
    )
    standings.update_standings(session.event)
    sheet = build_recap(load_session_snapshot(session))
    cells = [cell for field in sheet.fields for row in field.rows for cell in row.cells]
    assert sum(len(cell) > 2 for cell in cells) == 6
    for field in sheet.fields:
        for row in field.rows:
            assert sum(map(read_counted_value, row.cells)) == row.rank.tricks


def test_fractional_scores_of_a_ruling_are_shown_as_decimals(client: Client) -> None:
    session, user = evenings.play_session()
    entry = session.event.entries.all()[0]
    scoring.services.make_ruling(
        kind="penalty", entry=entry, session=session, amount="3/2", reason="late", by=user
    )
    scoring.services.make_ruling(
        kind="adjusted",
        result=Result.objects.filter(board=1)[0],
        ns_tricks="13/2",
        ew_tricks="7",
        reason="noise",
        by=user,
    )
    standings.update_standings(session.event)
    page = read_recap(client, session.event)
    assert "Adjusted score: N-S 6.50, E-W 7: noise." in page
    assert "penalty 1.50" in page


def read_counted_value(cell: str) -> Fraction:
    return Fraction(cell.split()[0].rpartition("→")[2])


@pytest.mark.parametrize(
    ("movement", "method"),
    [
        ({"name": "whist-individual", "players": 9}, "plus_minus"),
        ({"name": "howell-teams", "tables": 3}, "matches"),
        ({"name": "howell-teams", "tables": 3}, "plus_minus"),
        ({"name": "memory", "tables": 1}, "plus_minus"),
        ({"name": "compass", "tables": 3}, "matches"),
    ],
    ids=str,
)
def test_every_contest_has_a_recap_without_broken_links(
    client: Client, movement: dict[str, object], method: str
) -> None:
    event = import_document(build_event_file(movement, method=method, outcomes=(5, 8, 2, 11)))
    standings.update_standings(event)
    links = list_links(read_recap(client, event))
    assert links
    for address in sorted(links):
        response = client.get(address.replace("&amp;", "&"), headers={"HX-Request": "true"})
        assert response.status_code == 200
        assert '<div class="told">' in response.content.decode(), address


def test_recap_executes_a_fixed_number_of_queries(client: Client) -> None:
    query_counts = []
    for pairs in (6, 10):
        session, _ = evenings.play_session(pairs)
        standings.update_standings(session.event)
        with CaptureQueriesContext(connection) as queries:
            read_recap(client, session.event)
        query_counts.append(len(queries))
        Event.objects.update(name="another")
    assert query_counts[0] == query_counts[1]


@pytest.mark.parametrize("missing_count", [0, 4])
def test_cell_is_marked_if_it_differs_from_the_average_by_a_trick_or_more(
    missing_count: int,
) -> None:
    session, _user = evenings.play_session(but=missing_count)
    standings.update_standings(session.event)
    snapshot = load_session_snapshot(session)
    sheet = build_public_recap(snapshot)
    marked_count = 0
    for field in sheet.fields:
        for row in field.rows:
            for board, cell, side in zip(
                sheet.boards, row.cells, row.average_comparisons, strict=True
            ):
                if not cell.isdigit():
                    assert side == 0
                    continue
                ns_tricks = [
                    snapshot.results_by_play[item.sitting_id, board].ns_tricks
                    for item in snapshot.tables_by_board[board]
                ]
                own_table = next(
                    item
                    for item in snapshot.tables_by_board[board]
                    if row.rank.entry in (*item.ns.entries, *item.ew.entries)
                )
                average = Fraction(sum(ns_tricks), len(ns_tricks))
                if row.rank.entry in own_table.ew.entries:
                    average = 13 - average
                gap = int(cell) - average
                assert side == (gap >= 1) - (gap <= -1)
                marked_count += bool(side)
    assert marked_count > 3


def test_long_recap_links_to_fields_and_shows_surnames_on_a_phone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    page = read_recap(client, session.event)
    assert "part-links" not in page
    row = build_public_recap(load_session_snapshot(session)).fields[0].rows[0]
    assert f'name-short"><span aria-hidden="true">{html.escape(row.short_name)}</span>' in page
    assert (
        row.short_name == shorten_to_surnames([row.rank.name])[row.rank.name] != row.rank.name
    )
    monkeypatch.setattr("scoring.sheets.values.MAX_LINES_WITHOUT_LINKS", 5)
    section_links = re.findall(r'<a href="(#recap-\d)">', read_recap(client, session.event))
    assert section_links == ["#recap-1", "#recap-2"]
