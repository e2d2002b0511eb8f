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
from scoring.methods import METHODS_BY_NAME
from scoring.models import Result
from scoring.papers import paper_files
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from scoring.standings_engine.scores import score_event
from tests import evenings
from tests.copies import build_once
from tests.scoring.papers import reading
from tournaments.models import Session

pytestmark = pytest.mark.django_db
CONTESTS = ("pairs", "individual", "memory")
TRICKS_PATTERN = re.compile(r"\btricks?\b", re.IGNORECASE)


@pytest.fixture(params=CONTESTS)
def session(request: Any) -> Session:
    return play_points_event(request.param)


@build_once
def play_points_event(contest: str) -> Session:
    """Return a finished event in points with a ruling of every kind that points allow."""
    session, user = evenings.play_points_event(contest)
    plays = [
        (table, board)
        for table in load_session_snapshot(session).tables
        for board in table.boards
    ]
    adjusted_terms = {"ns_tricks": "50", "ew_tricks": "-120", "reason": "agreed"}
    for (table, board), (ruling_kind, terms) in zip(
        plays,
        [("average", {}), ("adjusted", adjusted_terms), ("noted", {}), ("fouled", {})],
        strict=False,
    ):
        scoring.services.make_ruling(
            kind=ruling_kind,
            result=Result.objects.get(sitting=table.sitting_id, board=board),
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


def list_page_urls(session: Session) -> Iterator[str]:
    """Yield the URLs that show results, of the public and of directors."""
    event_url, result = f"/events/{session.event.slug}/", Result.objects.order_by("pk")[3]
    play = f"sitting={result.sitting_id}&board={result.board}"
    link = session.event.entries.all()[0].links.get()
    yield from (
        event_url,
        f"{event_url}screen/",
        f"{event_url}recap/",
        f"{event_url}boards/",
        f"{event_url}boards/1/",
        f"{event_url}boards/2/",
        f"{event_url}entries/1/?rounds=all",
        f"{event_url}entries/1/explained/",
        link.path,
        f"/director{event_url}",
        f"/director{event_url}scores/?by=board",
        f"/director{event_url}scores/?by=round",
        f"/director{event_url}scoring/",
        f"/director{event_url}standings/",
        f"/director{event_url}closing/",
        f"/director{event_url}history/",
        f"/director{event_url}rulings/",
        f"/director{event_url}rulings/play/?{play}",
        f"/director{event_url}rulings/play/?{play}&kind=adjusted&ns_tricks=9&ew_tricks=-9&reason=x",
    )


REVOKE_LAW_TEXT = "The law’s revoke penalty is in tricks, but this event is scored in points"


def read_page_text(page: str) -> str:
    text = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split()).replace(
        REVOKE_LAW_TEXT, ""
    )


@pytest.mark.slow
def test_no_page_of_an_event_in_points_mentions_tricks(
    client: Client, session: Session
) -> None:
    client.force_login(evenings.create_club_with_director()[1])
    data: dict[str, str] = {}
    for page_url in list_page_urls(session):
        response = client.get(page_url)
        text = read_page_text(response.content.decode())
        if response.status_code != 200:
            data[page_url] = str(response.status_code)
        elif match := TRICKS_PATTERN.search(text):
            data[page_url] = text[max(0, match.start() - 60) : match.end() + 30]
    assert not data, "\n".join(f"{at}: {text}" for at, text in data.items())


def test_no_paper_of_an_event_in_points_mentions_tricks(session: Session) -> None:
    kinds = ("travellers", "score_slips", "announcement", "ranking", "recap", "explanations")
    for kind in kinds:
        text = " ".join(reading.read_texts(paper_files.draw_session_paper(session, kind, "A4")))
        assert not TRICKS_PATTERN.search(text), (kind, TRICKS_PATTERN.search(text))
    travellers_text = " ".join(
        reading.read_texts(paper_files.draw_session_paper(session, "travellers", "A4"))
    )
    assert "N-S won" in travellers_text


def test_event_in_points_is_imported_unchanged_from_its_file(session: Session) -> None:
    document = export_event(session.event, should_include_deals=True)
    _club, user = evenings.create_club_with_director()
    repeated_event = import_event(document=encode_event_file(document), by=user)
    assert repeated_event.most_points == session.event.most_points
    assert export_event(repeated_event, should_include_deals=True) == document
    ranking_before, ranking_after = score_event(session.event), score_event(repeated_event)
    assert (ranking_after.method.name, ranking_after.scores_by_entry) == (
        ranking_before.method.name,
        ranking_before.scores_by_entry,
    )


def test_exported_tables_are_in_points(session: Session) -> None:
    found_results = load_results(session.event, has_full_names=True)
    sheets = build_tables(found_results)
    assert not [
        column_key
        for sheet in sheets.values()
        for column_key in sheet.column_keys
        if "tricks" in column_key
    ]
    results = sheets["results"]
    column_indexes = (
        results.column_keys.index("ns_points"),
        results.column_keys.index("ew_points"),
    )
    texts_by_key = {(row[column_indexes[0]], row[column_indexes[1]]) for row in results.rows}
    stored_results = Result.objects.values_list("ns_points", "ew_points")
    assert texts_by_key == set(stored_results)
    net_points = {str(ns - ew) for ns, ew in stored_results}
    xml = build_usebio_file(found_results).decode()
    scores = set(re.findall(r"<SCORE>(-?[0-9]+)</SCORE>", xml))
    assert scores
    assert scores <= net_points
    assert "<CONTRACT>" not in xml
    lines = [
        line.split(",")
        for line in build_bridgewebs_file(found_results).decode("utf-8-sig").splitlines()
    ]
    scores = {line[5] for line in lines if len(line) == 8 and line[5]} - {"SCORE"}
    assert scores
    assert scores <= net_points


def test_api_reads_and_writes_points(client: Client, session: Session) -> None:
    address = f"/api/events/{session.event.slug}/"
    data = client.get(address).json()
    assert data["most_points"] == 2000
    board = client.get(f"{address}sessions/1/travellers/1/").json()
    assert {(line["ns_tricks"], line["ew_tricks"]) for line in board["lines"]} == {(None, None)}
    assert all(
        line["ns_points"] is not None for line in board["lines"] if line["outcome"] == "played"
    )
    method = client.get(f"{address}scoring/").json()
    assert method["title"] == METHODS_BY_NAME[score_event(session.event).method.name].title


def test_points_won_and_lost_are_shown_when_the_boards_are_finished(client: Client) -> None:
    """With two boards the two sums would reveal more than their difference."""
    session, user = evenings.play_points_event(empty=True)
    first_tables = [
        table for table in load_session_snapshot(session).tables if table.round == 1
    ]
    evenings.enter_all_results(
        [(item.sitting_id, board, "120-40") for item in first_tables for board in item.boards],
        user,
    )
    address = f"/events/{session.event.slug}/entries/1/explained/"
    page_text = read_page_text(client.get(address).content.decode())
    assert "Total: +160 points." in page_text
    assert "were won" not in page_text
    client.force_login(user)
    page_text = read_page_text(client.get(f"/director{address}").content.decode())
    assert "240 points won." in page_text
