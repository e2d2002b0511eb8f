"""In every contest and method, numbers have one format on pages and papers."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

import scoring.services
from scoring.methods import METHODS_BY_NAME
from scoring.models import Result
from scoring.papers import explanations, ranking, recap
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import papers
from scoring.standings_engine import standings
from tests import evenings
from tests.exchange.eventfile.documents import build_event_file, score_in_points
from tests.scoring.papers import reading, structure_reading
from tests.scoring.standings.test_terms import import_document
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MARKS = (5, 8, 2, 11, 7)
VULGAR_FRACTION = re.compile("[¼-¾⅐-⅞]")
SIGNED_ZERO_PATTERN = re.compile(r"[+−]0(?:\.00)?(?![\d.])")
NUMBER_PATTERN = re.compile(r"[+−]?\d+(?P<part>\.\d+)?(?: %)?")
MOVEMENTS: dict[str, dict[str, Any]] = {
    "pairs": {"name": "compass", "tables": 3},
    "individual": {"name": "whist-individual", "players": 8},
    "teams": {"name": "howell-teams", "tables": 3},
    "memory": {"name": "memory", "tables": 1},
}
EVENT_CASES = sorted(
    (contest, method.code, method.is_in_points)
    for contest in MOVEMENTS
    for method in METHODS_BY_NAME.values()
    if contest in method.contests
)
Columns = dict[tuple[int, int], list[str]]


def create_scored_event(contest: str, method: str, is_in_points: bool) -> Event:
    """Return an event with every result in, some of its tricks and penalties fractional."""
    _club, user = evenings.create_club_with_director()
    file = build_event_file(MOVEMENTS[contest], method=method, boards_a_round=2, outcomes=MARKS)
    event = import_document(score_in_points(file) if is_in_points else file)
    results = list(Result.objects.order_by("board", "pk"))
    entry, session = event.entries.all()[0], event.sessions.get()
    halves = {"ns_tricks": "13/2", "ew_tricks": "13/2", "reason": "noise"}
    late_penalty = {"amount": "3/2", "reason": "late"}
    make_ruling = scoring.services.make_ruling
    make_ruling(kind="adjusted", result=results[0], by=user, **halves)
    make_ruling(kind="average", result=results[-1], by=user)
    make_ruling(kind="penalty", entry=entry, session=session, by=user, **late_penalty)
    standings.update_standings(event)
    return event


def list_pages(event: Event, client: Client) -> Iterator[str]:
    """Return the pages of an event with numbers, the director's included."""
    event_url, result = f"/events/{event.slug}/", Result.objects.order_by("board", "pk")[1]
    play = f"sitting={result.sitting_id}&board={result.board}"
    halves = "kind=adjusted&ns_tricks=13/2&ew_tricks=13/2&reason=noise"
    entries = [entry.number for entry in event.entries.all()]
    for address in (
        event_url,
        f"{event_url}screen/",
        f"{event_url}recap/",
        f"{event_url}boards/",
        f"{event_url}boards/1/",
        *(f"{event_url}entries/{number}/?rounds=all" for number in entries[:2]),
        *(f"{event_url}entries/{number}/explained/" for number in entries[:1]),
        f"/players/{event.entries.all()[0].players.all()[0].pk}/",
        f"/director{event_url}rulings/",
        f"/director{event_url}rulings/play/?{play}",
        f"/director{event_url}rulings/play/?{play}&{halves}",
    ):
        response = client.get(address)
        assert response.status_code == 200, address
        yield response.content.decode()


def read_page_columns(page: str) -> Columns:
    """Return the cells of each column, in every table of a page."""
    cells_by_column: Columns = defaultdict(list)
    for number, table in enumerate(re.findall(r"<table.*?</table>", page, re.DOTALL)):
        body = re.sub(r"<thead.*?</thead>", "", table, flags=re.DOTALL)
        for row in re.findall(r"<tr\b.*?</tr>", body, re.DOTALL):
            cells = re.findall(r"<(?:td|th)\b([^>]*)>(.*?)</(?:td|th)>", row, re.DOTALL)
            for place, (attributes, cell) in enumerate(cells):
                if "traveller__where" not in attributes:  # a round and its table: 1.12
                    text = unescape(re.sub(r"<[^>]*>", "", cell))
                    cells_by_column[number, place].append(" ".join(text.split()))
    return cells_by_column


def read_paper_columns(pdf: bytes) -> Columns:
    """Return the cells of each column, in every table of a paper."""
    cells_by_column: Columns = defaultdict(list)
    for number, table in enumerate(
        structure_reading.read_structure_tree(pdf).find_by_tags("Table")
    ):
        for row in table.find_by_tags("TR"):
            for place, cell in enumerate(row.find_by_tags("TD", "TH")):
                cells_by_column[number, place].append(cell.words)
    return cells_by_column


def find_decimal_flags(columns: Columns) -> set[bool]:
    """Check that no column mixes two formats; return which occur: with or without decimals."""
    found_parts = set()
    for place, cells in columns.items():
        assert "=" not in cells, (place, cells)
        numbers = [match for match in map(NUMBER_PATTERN.fullmatch, cells) if match]
        decimal_flags = {match["part"] is not None for match in numbers}
        assert len(decimal_flags) <= 1, (place, cells)
        assert all(len(match["part"] or ".00") == 3 for match in numbers), (place, cells)
        found_parts |= decimal_flags
    return found_parts


def check_texts(texts: Iterable[str]) -> None:
    for text in texts:
        assert not VULGAR_FRACTION.search(text)
        assert not SIGNED_ZERO_PATTERN.search(text)


@pytest.mark.parametrize(("contest", "method", "is_in_points"), EVENT_CASES)
def test_no_page_or_paper_mixes_two_number_formats(
    client: Client, contest: str, method: str, is_in_points: bool
) -> None:
    event = create_scored_event(contest, method, is_in_points)
    client.force_login(evenings.create_club_with_director()[1])
    pages = list(list_pages(event, client))
    check_texts(re.sub(r"<[^>]*>", "", page) for page in pages)
    decimal_flag_sets = [find_decimal_flags(read_page_columns(page)) for page in pages]
    snapshot = load_session_snapshot(event.sessions.get())
    pdfs = [
        ranking.draw_pdf(papers.build_ranking(snapshot)),
        recap.draw_pdf(papers.build_recap(snapshot)),
        explanations.draw_pdf(papers.build_explanations(snapshot)),
    ]
    for pdf in pdfs:
        check_texts(reading.read_texts(pdf))
    decimal_flag_sets += [find_decimal_flags(read_paper_columns(pdf)) for pdf in pdfs]
    assert set().union(*decimal_flag_sets) == {True, False}
