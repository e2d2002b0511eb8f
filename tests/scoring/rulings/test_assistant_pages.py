"""The ruling assistant leads from the incident to a ruling, on a page without scripts."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from laws.book import FREQUENT_SITUATIONS, SITUATIONS_BY_CODE
from scoring.models import Result, Ruling
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.assistant import find_play
from scoring.sheets.rulings import describe_ruling
from scoring.standings_engine.scores import score_event
from tests import evenings
from tournaments.models import Session

pytestmark = pytest.mark.django_db
REVOKE_ANSWERS = {"established": "yes", "in_time": "yes", "side": "NS", "revokes": "1"}


def read_page(client: Client, session: Session, **said: object) -> str:
    response = client.get(f"/director/events/{session.event.slug}/ruling/", said)
    assert response.status_code == 200
    return response.content.decode()


def post_ruling(client: Client, session: Session, **said: object) -> int:
    ruling_url = f"/director/events/{session.event.slug}/ruling/record/"
    return client.post(ruling_url, said).status_code


def build_play_fields(
    session: Session, board: int = 1, play_index: int = 1
) -> dict[str, object]:
    """Return a board and the table that plays it in the given turn: 0 is the original play."""
    tables = sorted(
        load_session_snapshot(session).tables_by_board[board], key=lambda item: item.round
    )
    return {"board": board, "table": f"A-{tables[play_index].table_number}"}


@pytest.fixture
def session(client: Client) -> Session:
    session, user = evenings.play_session()
    client.force_login(user)
    return session


@pytest.mark.slow
def test_assistant_reports_that_no_score_counts_yet(client: Client, session: Session) -> None:
    form = {"code": "I11", "asked": "1", **build_play_fields(session)}
    table = form["table"]
    Result.objects.filter(
        board=1, sitting__table=int(str(table)[2:]), sitting__section__letter="A"
    ).delete()
    page = read_page(client, session, **form)
    assert "nothing yet" in page
    assert "–––" not in re.sub(r"<[^>]+>|\s", "", page)
    message = {
        "established": "yes",
        "in_time": "yes",
        "side": "NS",
        "revokes": "1",
        "won_before": "2",
    }
    revoke = read_page(client, session, **form | message | {"code": "I26"})
    assert revoke.count("nothing yet") == revoke.count("as soon as the score is in") == 1


@pytest.mark.slow
def test_situation_list_is_complete_and_searchable(client: Client, session: Session) -> None:
    page = read_page(client, session)
    listed_codes = re.findall(r"\?code=(I\d+)", page)
    assert set(listed_codes) == set(SITUATIONS_BY_CODE)
    assert listed_codes[: len(FREQUENT_SITUATIONS)] == [
        frequent_situation.code for frequent_situation in FREQUENT_SITUATIONS
    ]
    assert "Board 3, table 1." in read_page(client, session, board="3", table="A-1")
    search_page = read_page(client, session, q="revoke", board="3", table="A-1")
    assert "?code=I26&amp;board=3&amp;table=A-1" in search_page
    assert "?code=I1&" not in search_page


@pytest.mark.slow
def test_assistant_detects_number_of_tables_and_order_of_plays(
    client: Client, session: Session
) -> None:
    overplay_page = read_page(client, session, code="I11", **build_play_fields(session))
    assert "Overplay." in overplay_page
    assert "3 tables play this deal." in overplay_page
    assert "Original play." in read_page(
        client, session, code="I11", **build_play_fields(session, 1, 0)
    )


@pytest.mark.slow
def test_fouled_overplay_is_averaged_by_one_tap(client: Client, session: Session) -> None:
    message = {"code": "I11", "asked": "1", **build_play_fields(session)}
    assert "takes the average" in read_page(client, session, **message)
    result_count_before = Result.objects.count()
    assert post_ruling(client, session, **message) == 302
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.law, ruling.situation) == ("average", "V.1", "I11")
    assert ruling.reason == SITUATIONS_BY_CODE["I11"].offence
    assert Result.objects.count() == result_count_before
    assert post_ruling(client, session, **message) == 302
    assert Ruling.objects.count() == 1


@pytest.mark.slow
def test_revoke_summary_is_shown_before_recording(client: Client, session: Session) -> None:
    message = {"code": "I26", "asked": "1", **build_play_fields(session), **REVOKE_ANSWERS}
    assert "Please answer this." in read_page(client, session, **message)
    message["won_before"] = "2"
    page = read_page(client, session, **message)
    assert "Tricks that count" in page
    summary_lines = ["N-S made", "N-S revoked once", "So N-S score"]  # the incident comes first
    places = [page.index(text) for text in summary_lines]
    assert places == sorted(places)
    assert re.search(r"N-S\s+\S+, E-W", re.sub(r"<[^>]+>", "", page))
    assert not Ruling.objects.exists()
    assert post_ruling(client, session, **message, reason="claimed at once") == 302
    ruling = Ruling.objects.get()
    assert (ruling.side, ruling.revokes, ruling.won_before) == ("NS", 1, 2)
    assert ruling.reason == "claimed at once"


def test_time_of_claim_is_stored_and_shown(client: Client, session: Session) -> None:
    message = {
        "code": "I26",
        "asked": "1",
        "won_before": "2",
        **build_play_fields(session),
        **REVOKE_ANSWERS,
    }
    assert 'name="claimed" type="time"' in read_page(client, session, **message)
    assert post_ruling(client, session, claimed="21:05", **message) == 302
    ruling = Ruling.objects.get()
    assert ruling.claimed_at is not None
    assert ruling.claimed_at <= timezone.now()
    timezone.activate(session.event.club.zone)
    assert "claimed at 21:05" in describe_ruling(ruling)
    assert post_ruling(client, session, claimed="later", **message) == 302
    assert Ruling.objects.count() == 1


@pytest.mark.slow
def test_recording_is_refused_with_open_question_or_other_applicable_law(
    client: Client, session: Session
) -> None:
    assert post_ruling(client, session, code="I26", **build_play_fields(session)) == 302
    assert post_ruling(client, session, code="I9", **build_play_fields(session, 1, 0)) == 302
    assert not Ruling.objects.exists()


@pytest.mark.slow
def test_wrong_recorded_trump_averages_original_table(client: Client, session: Session) -> None:
    message = {
        "code": "I10",
        "asked": "1",
        "overplayed": "yes",
        **build_play_fields(session, 1, 2),
    }
    assert post_ruling(client, session, **message) == 302
    ruling = Ruling.objects.get()
    assert ruling.result is not None
    first_table = min(
        load_session_snapshot(session).tables_by_board[1], key=lambda item: item.round
    )
    assert ruling.result.sitting_id == first_table.sitting_id


@pytest.mark.slow
def test_ruling_without_score_change_is_recorded(client: Client, session: Session) -> None:
    message = {"code": "I15", "asked": "1", "demand": "no", **build_play_fields(session)}
    scores_before = score_event(session.event).scores_by_entry
    assert "Record (no score changes)" in read_page(client, session, **message)
    assert post_ruling(client, session, **message) == 302
    assert Ruling.objects.get().kind == Ruling.Kind.NOTED_CORRECTION
    assert score_event(session.event).scores_by_entry == scores_before
    traveller = client.get(f"/events/{session.event.slug}/boards/1/").content.decode()
    assert SITUATIONS_BY_CODE["I15"].offence in traveller


def test_table_that_does_not_play_board_is_named(client: Client, session: Session) -> None:
    page = read_page(client, session, code="I26", board="1", table="A-9")
    assert "That table doesn’t play board 1." in page


@pytest.mark.parametrize(
    "message",
    [
        {"code": "I99"},
        {"code": "I26", "board": "9" * 40, "table": "A-1"},
        {"code": "I26", "board": "1", "table": "<b>-x"},
        {"code": "I26", "board": "1", "table": "A-1", "side": "up", "asked": "1"},
    ],
)
def test_invalid_address_parameters_return_a_page(
    client: Client, session: Session, message: dict[str, str]
) -> None:
    assert "<b>-x" not in read_page(client, session, **message)


@pytest.mark.slow
def test_first_play_of_board_is_original_play() -> None:
    session, _ = evenings.open_session()
    snapshot = load_session_snapshot(session)
    table = min(snapshot.tables_by_board[1], key=lambda item: item.round)
    play = find_play(snapshot, 1, "A", table.table_number)
    assert play is not None
    assert play.facts.is_original_play
    assert not play.facts.is_overplayed
    assert find_play(snapshot, 99, "A", 1) is None


@pytest.mark.slow
def test_assistant_runs_constant_number_of_queries(client: Client) -> None:
    query_counts = []
    for pairs in (6, 10):
        session, user = evenings.play_session(pairs=pairs)
        client.force_login(user)
        message = {
            "code": "I26",
            "asked": "1",
            "won_before": "2",
            **build_play_fields(session),
            **REVOKE_ANSWERS,
        }
        read_page(client, session, **message)
        with CaptureQueriesContext(connection) as captured_queries:
            read_page(client, session, **message)
        query_counts.append(len(captured_queries))
    assert query_counts[0] == query_counts[1]


@pytest.mark.slow
def test_assistant_asks_about_board_not_yet_reached_by_table(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    seated = load_session_snapshot(session)
    first, last_board = (
        seated.rounds_by_table["A", 2][round_index].boards[0] for round_index in (0, -1)
    )
    text = "Right board?"
    assert text not in read_page(client, session, code="I26", table="A-2", board=first)
    assert text in read_page(client, session, code="I26", table="A-2", board=last_board)


def test_boards_of_named_table_are_listed_first(client: Client) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    room = client.get(f"/director/events/{session.event.slug}/room/tables/2/").content.decode()
    assert "?code=I26&amp;table=A-2" in room
    page = read_page(client, session, code="I26", table="A-2")
    offered_boards = re.findall(r'<option value="(\d+)"', page.partition('name="board"')[2])
    assert (
        int(offered_boards[0])
        == load_session_snapshot(session).rounds_by_table["A", 2][0].boards[0]
    )
    assert len(set(offered_boards)) == len(load_session_snapshot(session).boards)


def test_missing_card_voids_result_only_if_missing_when_dealt(
    client: Client, session: Session
) -> None:
    message = {"code": "I36", "asked": "1", **build_play_fields(session)}
    unanswered_page = read_page(client, session, **message)
    assert "Was it like this when the board was dealt?" in unanswered_page
    assert "Please answer this." in unanswered_page
    assert "Record ruling" not in unanswered_page
    post_ruling(client, session, **message)
    assert not Ruling.objects.exists()
    page = read_page(client, session, **message, when_dealt="lost")
    assert "?code=I12&amp;" in page
    assert "Record ruling" not in page
    first = min(load_session_snapshot(session).tables_by_board[1], key=lambda item: item.round)
    misdealt_page = read_page(client, session, **message, when_dealt="yes")
    assert f"This also voids the scores at other tables: {first.label}." in " ".join(
        misdealt_page.split()
    )


def test_boards_of_table_are_listed_in_order_of_rounds(
    client: Client, session: Session
) -> None:
    page = read_page(client, session, code="I26", table="A-1")
    rounds = sorted(
        (table.round, list(table.boards))
        for table in load_session_snapshot(session).tables
        if table.table_number == 1
    )
    groups = re.findall(r'<optgroup label="Round (\d+)">(.*?)</optgroup>', page, re.DOTALL)
    listed = [
        (int(name), [int(n) for n in re.findall(r'value="(\d+)"', options_html)])
        for name, options_html in groups
    ]
    assert listed == rounds[::-1]


def test_average_form_shows_reason_before_trump_fields(
    client: Client, session: Session
) -> None:
    table = load_session_snapshot(session).tables_by_board[1][0]
    address = f"/director/events/{session.event.slug}/rulings/play/"
    response = client.get(
        address, {"sitting": table.sitting_id, "board": "1", "kind": "average"}
    )
    html = response.content.decode()
    fields = [html.index(f'name="{name}"') for name in ("reason", "trump_recorded")]
    assert fields == sorted(fields)
    assert re.search(r'<details class="for-trump">', html)
