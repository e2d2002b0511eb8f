"""After every single result of a session no public page reveals a result that is not public.

At each moment the test checks: would any page, file or response differ if the results that are
not public were different? Where a table has finished a round, its boards are exchanged, which
leaves its totals and every comparison unchanged. All other results that are not public are
replaced. Anyone who could see a difference would know a result.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.db.models import F
from django.test import Client

import scoring.services
import tournaments.services
from scoring.models import Result, Terms
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.explanations import build_explanation, load_explanation_data
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.recaps import build_public_recap
from scoring.sheets.standings_page import build_standings_page
from scoring.sheets.travellers import load_scorecard, load_travellers
from scoring.standings_engine import standings
from server import page_cache, public_versions
from server.page_cache import PAGE_CACHE
from tests import evenings
from tests.refusals import short_error_responses
from tests.scoring.secrecy.test_doors import list_addresses
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement
from tournaments.services.seats import arrange_entries

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PUBLIC_PREFIXES = ("/events/", "/players/", "/api/events/", "/clubs/")
VOLATILE_PATTERN = re.compile(
    r'csrf\w+" value="\w+"|"no": ?\d+|"now": ?[\d.]+|"\d{4}-\d\d-\d\dT[^"]*"'
)
MARKS = (8, 5, 13, 6, 0, 9, 7, 4, 11, 3, 10, 2, 12, 1)

PlayKey = tuple[int, int]
"""A sitting and a board."""
EVENT_SETUPS: dict[str, tuple[str, str, list[int], int, dict[str, int]]] = {
    # contest, movement, players of each entry, boards a round, size
    "sit-outs": ("pairs", "compass", [2] * 5, 2, {"pairs": 5}),
    "howell": ("pairs", "howell", [2] * 4, 2, {"pairs": 4}),
    "one board a round": ("pairs", "howell", [2] * 4, 1, {"pairs": 4}),
    "teams": ("teams", "gilman", [4] * 3, 2, {"teams": 3}),
    "individual": ("individual", "whist-individual", [1] * 8, 2, {"players": 8}),
    "memory": ("memory", "memory", [2] * 2, 2, {"pairs": 2}),
    "four players": ("individual", "four-individuals", [1] * 4, 2, {"players": 4}),
}
PAGE_CASES = [("howell", "plus_minus"), ("teams", "matches"), ("memory", "plus_minus")]
SHEET_CASES = [
    ("sit-outs", "field_average"),
    ("howell", "matchpoints"),
    ("howell", "matches"),
    ("one board a round", "plus_minus"),
    ("teams", "tricks"),
    ("four players", "plus_minus"),
    ("individual", "matchpoints"),
]
REPLAYED_EVENT_NAMES = {
    "memory",
    "four players",
}  # later players of a deal play it after others
MAX_CHECKED_RESULTS = 8  # results that are checked in a longer session
MAX_PAGE_RESULTS = 6  # a round of one table, one of the other, and the next one begun


def open_session(name: str, method: str) -> Session:
    contest, movement, entries, boards, size_options = EVENT_SETUPS[name]
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name=name, date=date(2026, 3, 10), contest=contest, method=method, by=user
    )
    for number, players in enumerate(entries):
        names = [f"{evenings.SURNAMES[number]} {letter}" for letter in "abcd"[:players]]
        tournaments.services.create_entry(event=event, names=names, by=user)
    session = event.sessions.get()
    chosen_movement = build_named_movement(movement, **size_options)
    tournaments.services.seat_section(
        session=session,
        movement=chosen_movement,
        entries_by_place=arrange_entries(
            chosen_movement, list(event.entries.order_by("number"))
        ),
        boards_a_round=boards,
        by=user,
    )
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user)


def list_plays_in_order(room: SessionSnapshot) -> Iterator[tuple[SeatedTable, int]]:
    """Yield every play of a session in order: tables in parallel, one ahead of the others."""
    for table in sorted(
        room.tables, key=lambda item: (item.round - (item.table_number == 2), item.table_number)
    ):
        for board in table.boards if table.is_played else ():
            yield table, board


@pytest.fixture(autouse=True)
def _fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the clock of versions and of the page cache: an ETag depends on it."""
    for module in (page_cache, public_versions):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: 1_800_000_000.0))


@contextmanager
def temporary_changes() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def clear_caches(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)
    standings.update_standings(session.event)
    PAGE_CACHE.clear()


def read_public_pages(session: Session, pages: list[str]) -> dict[str, object]:
    """Return status, ETag and body of every public page."""
    clear_caches(session)
    client = Client(raise_request_exception=False, headers={"HX-Request": "true"})  # parts too
    actual: dict[str, object] = {}
    for page in pages:
        response = client.get(page)
        body = VOLATILE_PATTERN.sub("", response.content.decode("utf-8", "replace"))
        actual[page] = response.status_code, response.headers.get("ETag"), body
    return actual


def read_sheet_data(session: Session, _pages: list[str]) -> dict[str, object]:
    """Return the data behind the public pages, for every entry and every board."""
    clear_caches(session)
    event = Event.objects.get(pk=session.event_id)
    room, table, explanation_data = (
        load_session_snapshot(session),
        load_rank_table(event),
        load_explanation_data(event),
    )
    entries = list(event.entries.all())
    return {
        "ranks": table,
        "course": build_standings_page(event, table),
        "recap": build_public_recap(room),
        "boards": load_travellers(room),
        "cards": [load_scorecard(room, entry, table) for entry in entries],
        "figures": [build_explanation(explanation_data, entry) for entry in entries],
    }


PageReader = Callable[[Session, list[str]], dict[str, object]]


def change_hidden_results(session: Session, entered_tricks: dict[PlayKey, int]) -> bool:
    """Change all results that are not public; return False if there are none.

    What is public is decided here independently, from the plays only.
    """
    room = load_session_snapshot(session)
    tables = [table for table in room.tables if table.is_played]
    boards_in_play = {
        board
        for table in tables
        for board in table.boards
        if any((table.sitting_id, board) not in entered_tricks for board in table.boards)
    }
    is_total_hidden = session.boards_a_round < 2 or session.event.name in REPLAYED_EVENT_NAMES
    changed_tricks: dict[PlayKey, int] = {}
    for table in tables:
        tricks_by_board = {
            board: entered_tricks.get((table.sitting_id, board)) for board in table.boards
        }
        if not boards_in_play & set(table.boards):
            continue
        whole = [tricks for tricks in tricks_by_board.values() if tricks is not None]
        if len(whole) == len(tricks_by_board) and not is_total_hidden:
            new_tricks = dict(zip(tricks_by_board, reversed(whole), strict=True))
        else:
            new_tricks = {
                board: (old_tricks + 5) % 14
                for board, old_tricks in tricks_by_board.items()
                if old_tricks is not None
            }
        changed_tricks |= {
            (table.sitting_id, board): tricks for board, tricks in new_tricks.items()
        }
    for (sitting, board), tricks in changed_tricks.items():
        Result.objects.filter(sitting=sitting, board=board).update(ns_tricks=tricks)
    return any(entered_tricks[play] != tricks for play, tricks in changed_tricks.items())


def list_differing_pages(session: Session) -> list[str]:
    """Return the public pages that differ between an empty and a played session."""
    pages = [page for page in list_addresses(session) if page.startswith(PUBLIC_PREFIXES)]
    assert len(pages) > 20
    with temporary_changes():
        public_pages = read_public_pages(session, pages)
        enter_some(session, lambda table, board: "8")
        full = read_public_pages(session, pages)
    return [page for page in pages if public_pages[page] != full[page]]


def enter_results_and_check(
    session: Session,
    read_public_data: PageReader,
    pages: list[str],
    limit: int = MAX_CHECKED_RESULTS,
) -> int:
    """Enter result after result, check what is revealed about others, and count what grew."""
    user = evenings.create_club_with_director()[1]
    entered_tricks: dict[PlayKey, int] = {}
    hidden_change_count = growth_count = 0
    previous_data: dict[str, object] = {}
    for place, (table, board) in enumerate(
        list(list_plays_in_order(load_session_snapshot(session)))[:limit]
    ):
        entered_tricks[table.sitting_id, board] = MARKS[place % len(MARKS)]
        evenings.enter_result(
            session, table.sitting_id, board, str(MARKS[place % len(MARKS)]), user
        )
        with temporary_changes():
            current_data = read_public_data(session, pages)
        with temporary_changes():
            if change_hidden_results(session, entered_tricks):
                hidden_change_count += 1
                changed_data = read_public_data(session, pages)
                assert [
                    data_key
                    for data_key in current_data
                    if changed_data[data_key] != current_data[data_key]
                ] == []
        growth_count += current_data != previous_data
        previous_data = current_data
    assert hidden_change_count >= len(entered_tricks) // 2
    return growth_count


@pytest.mark.parametrize(("name", "method"), PAGE_CASES)
@short_error_responses()
def test_no_public_endpoint_reveals_private_result_after_any_entry(name, method):
    session = open_session(name, method)
    pages = list_differing_pages(session)
    assert len(pages) >= 4
    assert enter_results_and_check(session, read_public_pages, pages, MAX_PAGE_RESULTS) > 2


@pytest.mark.parametrize(("name", "method"), SHEET_CASES)
def test_no_sheet_reveals_private_result_with_any_scoring_method(name, method):
    assert enter_results_and_check(open_session(name, method), read_sheet_data, []) > 1


def count_results(
    session: Session, *, should_include_hidden: bool = False
) -> tuple[int, int, Fraction]:
    """Return the number of boards that count, of missing results, and of all tricks."""
    standings.update_standings(session.event)
    event = Event.objects.get(pk=session.event_id)
    table = load_rank_table(event, should_include_hidden_results=should_include_hidden)
    rows = [row for field in table.fields for row in field.rows]
    tricks = sum((row.tricks for row in rows), Fraction())
    return sum(row.boards for row in rows), table.missing, tricks


def enter_some(session: Session, choose_mark: Callable[[SeatedTable, int], str | None]) -> None:
    for table, board in list(list_plays_in_order(load_session_snapshot(session))):
        mark = choose_mark(table, board)
        if mark is not None:
            evenings.enter_result(
                session, table.sitting_id, board, mark, evenings.create_club_with_director()[1]
            )


def test_public_totals_update_by_round_and_director_totals_by_result():
    session, user = evenings.open_session()
    table = load_session_snapshot(session).tables[0]
    for place, board in enumerate(table.boards, start=1):
        evenings.enter_result(session, table.sitting_id, board, "8", user)
        assert count_results(session, should_include_hidden=True) == (
            2 * place,
            18 - place,
            13 * place,
        )
        assert count_results(session) == ((4, 16, 26) if place == 2 else (0, 18, 0))


@pytest.mark.parametrize(("second", "boards"), [("-", 0), ("5", 4)])
def test_round_with_single_score_stays_private_while_boards_are_in_play(second, boards):
    session, _ = evenings.open_session()
    marks = {1: "8", 2: second}
    enter_some(
        session,
        lambda table, board: marks[board] if board < 3 and is_first_table(table) else None,
    )
    assert count_results(session)[0] == boards
    enter_some(
        session, lambda table, board: "6" if board < 3 and not is_first_table(table) else None
    )
    assert count_results(session)[0] == (10 if second == "-" else 12)


def is_first_table(table: SeatedTable) -> bool:
    return (table.round, table.table_number) == (1, 1)


def test_event_setting_updates_totals_with_every_result():
    for name in ("one board a round", "memory"):
        session = open_session(name, "plus_minus")
        scoring.services.set_scoring_terms(
            event=session.event,
            method="plus_minus",
            totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT,
            by=None,
        )
        table, board = next(list_plays_in_order(load_session_snapshot(session)))
        evenings.enter_result(
            session, table.sitting_id, board, "9", evenings.create_club_with_director()[1]
        )
        session = Session.objects.get(pk=session.pk)
        assert count_results(session) == count_results(session, should_include_hidden=True)
        page = Client().get(f"/events/{session.event.slug}/")
        assert page.context["table"] is not None


def test_corrected_round_still_counts_but_cleared_round_does_not():
    session, user = evenings.open_session()
    table = load_session_snapshot(session).tables[0]
    for board in table.boards:
        evenings.enter_result(session, table.sitting_id, board, "8", user)
    evenings.enter_result(session, table.sitting_id, table.boards[0], "9", user)
    assert count_results(session)[0] == 4
    evenings.enter_result(session, table.sitting_id, table.boards[0], "", user)
    assert count_results(session)[0] == 0


def test_close_publishes_all_results():
    session, user = evenings.play_session(but=1)
    assert count_results(session)[0] < count_results(session, should_include_hidden=True)[0]
    scoring.services.close_session(session=session, by=user)
    assert count_results(session) == count_results(session, should_include_hidden=True)


def test_ruled_average_does_not_use_unpublished_scores():
    """A single score of another table would appear in the total as the average."""
    session, user = evenings.open_session()
    room = load_session_snapshot(session)
    mine, other = room.tables_by_board[1][:2]
    for board, mark in zip(mine.boards, ("8", "5"), strict=True):
        evenings.enter_result(session, mine.sitting_id, board, mark, user)
    scoring.services.make_ruling(
        result=Result.objects.get(sitting=mine.sitting_id, board=1), kind="average", by=user
    )
    evenings.enter_result(session, other.sitting_id, 1, "13", user)
    actual = []
    for tricks in (13, 2):
        Result.objects.filter(sitting=other.sitting_id, board=1).update(ns_tricks=tricks)
        Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)
        actual.append(count_results(session)[2])
    assert actual[0] == actual[1]
