"""The recap on the screen: every figure opens, and nothing is told of a board in play."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import scoring.services
from scoring import standings
from scoring.models import Result
from scoring.sheets.room import room
from scoring.sheets.secrecy import results_may_be_seen
from tests import evenings
from tests.scoring.eventfile.documents import document
from tests.scoring.test_terms import imported
from tournaments.models import Event
from tournaments.services import close_session, show_standings

pytestmark = pytest.mark.django_db


def page_of(client: Client, event: Event) -> str:
    answer = client.get(f"/events/{event.slug}/recap/")
    assert answer.status_code == 200
    return answer.content.decode()


def links(page: str) -> set[str]:
    return set(re.findall(r'<a class="why"[^>]*href="([^"#]*)', page))


def test_every_figure_leads_to_what_made_it(client: Client) -> None:
    session, _ = evenings.played()
    standings.recompute(session.event)
    page = page_of(client, session.event)
    found = links(page)
    for number in range(1, 7):
        home = f"/events/{session.event.slug}/entries/{number}/explained/"
        for what in ("rank", "score", "tricks", "score&amp;board=1"):
            assert f"{home}?figure={what}" in found
    board = client.get(
        f"/events/{session.event.slug}/entries/1/explained/?figure=score&board=1",
        headers={"HX-Request": "true"},
    )
    assert "Board 1, N-S" in board.content.decode()


def test_a_board_that_some_table_may_still_play_is_empty(client: Client) -> None:
    session, user = evenings.played(but=3)
    standings.recompute(session.event)
    seated = room(session)
    hidden = [board for board in seated.boards if not results_may_be_seen(seated, board)]
    assert hidden
    assert Result.objects.filter(board__in=hidden).exists()
    page = page_of(client, session.event)
    assert not any(f"board={board}#" in page for board in hidden)
    close_session(session=session, by=user)
    assert f"board={hidden[0]}#" in page_of(client, session.event)


def test_hidden_standings_hide_the_recap_too(client: Client) -> None:
    session, user = evenings.played()
    standings.recompute(session.event)
    show_standings(event=session.event, shown="never", by=user)
    page = page_of(client, session.event)
    assert "<table" not in page
    assert "shown together with the standings" in page


def test_a_revoke_is_marked_on_both_sides(client: Client) -> None:
    session, user = evenings.played()
    result = Result.objects.filter(board=1).order_by("pk")[0]
    scoring.services.make_ruling(
        kind="revoke", result=result, side="NS", revokes=1, won_before=0, by=user
    )
    standings.recompute(session.event)
    page = page_of(client, session.event)
    assert f">{result.ns_tricks} −R</a>" in page
    assert f">{13 - (result.ns_tricks or 0)} +R</a>" in page
    assert f"Board 1, table {result.sitting.table}: Revoke by N-S." in page


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
def test_every_contest_has_its_recap_and_no_link_leads_nowhere(
    client: Client, movement: dict[str, object], method: str
) -> None:
    event = imported(document(movement, method=method, outcomes=(5, 8, 2, 11)))
    standings.recompute(event)
    found = links(page_of(client, event))
    assert found
    for address in sorted(found):
        part = client.get(address.replace("&amp;", "&"), headers={"HX-Request": "true"})
        assert part.status_code == 200
        assert '<div class="told">' in part.content.decode(), address


def test_the_recap_asks_a_fixed_number_of_queries(client: Client) -> None:
    counts = []
    for pairs in (6, 10):
        session, _ = evenings.played(pairs)
        standings.recompute(session.event)
        with CaptureQueriesContext(connection) as asked:
            page_of(client, session.event)
        counts.append(len(asked))
        Event.objects.update(name="another")
    assert counts[0] == counts[1]
