"""The rows of the score grid and of the recap, with names that need escaping."""

import re
from html import unescape

import pytest
from django.test import Client

import scoring.services
from scoring.models import Doubt, Result, Terms
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from tests import evenings
from tests.house import markup
from tournaments.models import Entry, Event, Session

pytestmark = pytest.mark.django_db

AWKWARD_NAMES = ['100 % "Ann" & Bo', "<b>Cy</b> & %(board)s", "{{ block.key }} & O'Dee"]


def create_awkward_session(client: Client) -> Session:
    """Return six pairs in play, some with names special to templates, HTML or Python."""
    session, user = evenings.play_session(6, but=3)
    for entry, name in zip(
        session.event.entries.order_by("number"), AWKWARD_NAMES, strict=False
    ):
        Entry.objects.filter(pk=entry.pk).update(name=name)
    client.force_login(user)
    return session


@pytest.mark.parametrize("by", ["board", "round"])
def test_each_grid_row_shows_its_players_and_entered_results(client: Client, by: str) -> None:
    session = create_awkward_session(client)
    queried_result = Result.objects.filter(sitting__section__session=session).first()
    assert queried_result is not None
    Result.objects.filter(sitting__section__session=session).update(doubt=Doubt.NONE)
    Result.objects.filter(pk=queried_result.pk).update(doubt=Doubt.QUERIED)
    page = client.get(f"/director/events/{session.event.slug}/scores/?by={by}").content.decode()
    assert markup.find_faults(page) == []
    rows = {
        match[1]: row
        for row in page.split("<tr")[1:]
        if (match := re.search(r'id="r-(\d+-\d+)"', row))
    }
    snapshot = load_session_snapshot(session)
    plays = [(table, board) for table in snapshot.tables for board in table.boards]
    assert len(rows) == len(plays)
    for table, board in plays:
        row, result = rows[f"{table.sitting_id}-{board}"], snapshot.find_result(table, board)
        text = re.sub(r'<span\s+class="block__short"[^>]*>.*?</span>', "", "<tr" + row)
        words = " ".join(re.sub(r"<[^>]+>", " ", text).split())
        assert unescape(words).count(table.ns.name) == 1
        assert unescape(words).count(table.ew.name) == 1
        assert f'value="{result.mark if result else ""}"' in row
        assert ('data-state="queried"' in row) == (
            result is not None and result.pk == queried_result.pk
        )
        ew_match = re.search(r'<output class="ew">(.*?)</output>', row)
        assert ew_match is not None
        assert ew_match[1] == (str(result.ew_tricks) if result else "")


def test_each_recap_cell_links_to_the_explanation_of_its_score(client: Client) -> None:
    session = create_awkward_session(client)
    user = evenings.create_club_with_director()[1]
    table = load_session_snapshot(session).tables[0]
    scoring.services.set_scoring_terms(
        event=session.event,
        method="matchpoints",
        totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT,
        by=None,
    )
    scoring.services.make_ruling(
        kind="revoke",
        sitting=session.sections.get().sittings.get(pk=table.sitting_id),
        board_number=table.boards[0],
        side="NS",
        revokes=1,
        won_before=0,
        by=user,
    )
    standings.update_standings(Event.objects.get(pk=session.event_id))
    page = client.get(f"/events/{session.event.slug}/recap/").content.decode()
    assert markup.find_faults(page) == []
    cells = re.findall(r"entries/(\d+)/explained/\?figure=score&amp;board=(\d+)#score", page)
    linked_cells = {(int(entry), int(board)) for entry, board in cells}
    assert len(linked_cells) == len(cells) > 10
