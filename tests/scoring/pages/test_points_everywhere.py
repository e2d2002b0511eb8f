"""An event in points on every page and paper: in each contest, with every ruling it allows."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

import hall.challenges.services
import scoring.services
from exchange.eventfile.exporter import encode_event_file, export_event
from exchange.eventfile.importer import import_event
from exchange.results.bridgewebs import build_bridgewebs_file
from exchange.results.event_results import load_results
from exchange.results.tables import build_tables
from exchange.results.usebio import build_usebio_file
from scoring.methods import METHODS
from scoring.models import Result
from scoring.papers import paper_files
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from scoring.standings_engine.scores import score_event
from tests import evenings
from tests.copies import built_once
from tests.scoring.papers import reading
from tournaments.models import Session

pytestmark = pytest.mark.django_db
CONTESTS = ("pairs", "individual", "memory")
TRICKS = re.compile(r"\btricks?\b", re.IGNORECASE)


@pytest.fixture(params=CONTESTS)
def session(request: Any) -> Session:
    return over(request.param)


@built_once
def over(contest: str) -> Session:
    """Return a finished event in points with a ruling of every kind that points allow."""
    session, user = evenings.in_points(contest)
    plays = [(it, board) for it in load_session_snapshot(session).tables for board in it.boards]
    adjusted = {"ns_tricks": "50", "ew_tricks": "-120", "reason": "agreed"}
    for (table, board), (kind, terms) in zip(
        plays,
        [("average", {}), ("adjusted", adjusted), ("noted", {}), ("fouled", {})],
        strict=False,
    ):
        scoring.services.make_ruling(
            kind=kind,
            result=Result.objects.get(sitting=table.sitting, board=board),
            by=user,
            **terms,
        )
    scoring.services.make_ruling(
        kind="penalty",
        entry=session.event.entries.all()[1],
        session=session,
        amount="5/2",
        reason="late",
        by=user,
    )
    hall.challenges.services.create_entry_links(event=session.event, by=user)
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    session.refresh_from_db()
    return session


def pages(session: Session) -> Iterator[str]:
    """Yield the URLs that show results, of the public and of directors."""
    home, result = f"/events/{session.event.slug}/", Result.objects.order_by("pk")[3]
    play = f"sitting={result.sitting_id}&board={result.board}"
    link = session.event.entries.all()[0].links.get()
    yield from (
        home,
        f"{home}screen/",
        f"{home}recap/",
        f"{home}boards/",
        f"{home}boards/1/",
        f"{home}boards/2/",
        f"{home}entries/1/?rounds=all",
        f"{home}entries/1/explained/",
        link.path,
        f"/director{home}",
        f"/director{home}scores/?by=board",
        f"/director{home}scores/?by=round",
        f"/director{home}scoring/",
        f"/director{home}standings/",
        f"/director{home}closing/",
        f"/director{home}history/",
        f"/director{home}rulings/",
        f"/director{home}rulings/play/?{play}",
        f"/director{home}rulings/play/?{play}&kind=adjusted&ns_tricks=9&ew_tricks=-9&reason=x",
    )


LAW = "The law’s revoke penalty is in tricks, but this event counts points"


def text_of_page(page: str) -> str:
    bare = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", bare)).split()).replace(LAW, "")


@pytest.mark.slow
def test_no_page_of_an_event_in_points_speaks_of_tricks(
    client: Client, session: Session
) -> None:
    client.force_login(evenings.club()[1])
    data: dict[str, str] = {}
    for address in pages(session):
        answer = client.get(address)
        text = text_of_page(answer.content.decode())
        if answer.status_code != 200:
            data[address] = str(answer.status_code)
        elif match := TRICKS.search(text):
            data[address] = text[max(0, match.start() - 60) : match.end() + 30]
    assert not data, "\n".join(f"{at}: {words}" for at, words in data.items())


def test_no_paper_of_an_event_in_points_speaks_of_tricks(session: Session) -> None:
    kinds = ("travellers", "score_slips", "announcement", "ranking", "recap", "explanations")
    for kind in kinds:
        words = " ".join(reading.words(paper_files.draw_session_paper(session, kind, "A4")))
        assert not TRICKS.search(words), (kind, TRICKS.search(words))
    travellers = " ".join(
        reading.words(paper_files.draw_session_paper(session, "travellers", "A4"))
    )
    assert "N-S won" in travellers


def test_an_event_in_points_read_back_from_its_file_is_the_same_event(session: Session) -> None:
    document = export_event(session.event, with_deals=True)
    _club, user = evenings.club()
    again = import_event(document=encode_event_file(document), by=user)
    assert again.most_points == session.event.most_points
    assert export_event(again, with_deals=True) == document
    before, after = score_event(session.event), score_event(again)
    assert (after.method.name, after.scores) == (before.method.name, before.scores)


def test_tables_for_other_programs_are_in_points(session: Session) -> None:
    found = load_results(session.event, in_full=True)
    sheets = build_tables(found)
    assert not [key for sheet in sheets.values() for key in sheet.keys if "tricks" in key]
    results = sheets["results"]
    made = results.keys.index("ns_points"), results.keys.index("ew_points")
    texts_by_key = {(row[made[0]], row[made[1]]) for row in results.rows}
    stored = Result.objects.values_list("ns_points", "ew_points")
    assert texts_by_key == set(stored)
    nets = {str(ns - ew) for ns, ew in stored}
    xml = build_usebio_file(found).decode()
    scores = set(re.findall(r"<SCORE>(-?[0-9]+)</SCORE>", xml))
    assert scores
    assert scores <= nets
    assert "<CONTRACT>" not in xml
    lines = [
        line.split(",")
        for line in build_bridgewebs_file(found).decode("utf-8-sig").splitlines()
    ]
    scores = {line[5] for line in lines if len(line) == 8 and line[5]} - {"SCORE"}
    assert scores
    assert scores <= nets


def test_programs_read_and_write_points(client: Client, session: Session) -> None:
    address = f"/api/events/{session.event.slug}/"
    data = client.get(address).json()
    assert data["most_points"] == 2000
    board = client.get(f"{address}sessions/1/travellers/1/").json()
    assert {(it["ns_tricks"], it["ew_tricks"]) for it in board["lines"]} == {(None, None)}
    assert all(
        it["ns_points"] is not None for it in board["lines"] if it["outcome"] == "played"
    )
    method = client.get(f"{address}scoring/").json()
    assert method["title"] == METHODS[score_event(session.event).method.name].title


def test_what_was_won_and_lost_is_told_when_the_boards_are_through(client: Client) -> None:
    """With two boards the two sums would reveal more than their difference."""
    session, user = evenings.in_points(empty=True)
    first = [it for it in load_session_snapshot(session).tables if it.round == 1]
    evenings.enter_all(
        [(it.sitting, board, "120-40") for it in first for board in it.boards], user
    )
    address = f"/events/{session.event.slug}/entries/1/explained/"
    page_text = text_of_page(client.get(address).content.decode())
    assert "Total: +160 points." in page_text
    assert "were won" not in page_text
    client.force_login(user)
    page_text = text_of_page(client.get(f"/director{address}").content.decode())
    assert "240 points won." in page_text
