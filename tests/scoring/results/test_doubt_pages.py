"""A doubtful result is queried next to the grid: swapped, kept or corrected, never refused."""

import pytest
from django.test import Client

import scoring.services
from boards import batches
from clubs.audit import GuestAuthor
from clubs.models import Act
from hall.closing.checks import list_open_issues
from scoring.doubts.open_doubts import load_best_play
from scoring.models import Doubt, Result, ResultVersion
from scoring.services import open_session
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from scoring.sheets.doubts import list_session_doubts
from scoring.standings_engine.result_lines import load_tally
from server.models import User
from tests import evenings
from tests.copies import build_once
from tests.page_text import collapse_spaces
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting
from tournaments.services import request_dealing

pytestmark = pytest.mark.django_db
JSON_HEADERS = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
@build_once
def evening() -> tuple[Session, User]:
    """Return five tables with 4 to 6 on board 1, and 9 to 11 on board 2 at all but the last."""
    session, user = evenings.open_session(pairs=10)
    for table in list_other_tables(session):
        evenings.enter_result(
            session, table.sitting_id, 1, str(4 + table.table_number % 3), user
        )
        other_text = str(9 + table.table_number % 3)
        evenings.enter_result(session, table.sitting_id, 2, other_text, user)
    return session, user


def list_tables(session: Session) -> list[SeatedTable]:
    return sorted(
        load_session_snapshot(session).tables_by_board[1], key=lambda table: table.round
    )


def list_other_tables(session: Session) -> list[SeatedTable]:
    return list_tables(session)[:-1]


def post_result(
    client: Client,
    session: Session,
    board: int,
    value: str,
    *,
    table: SeatedTable | None = None,
    seen_score: str = "",
) -> dict[str, object]:
    sitting = (table or list_tables(session)[-1]).sitting_id
    fields = {"sitting": sitting, "board": board, "value": value, "seen": seen_score}
    response = client.post(f"/director/events/{session.event.slug}/result/", fields)
    assert response.status_code == 200
    data: dict[str, object] = response.json()
    return data


def post_act(client: Client, session: Session, board: int, act: str, **headers: str) -> int:
    fields = {"sitting": list_tables(session)[-1].sitting_id, "board": board, "act": act}
    doubt_url = f"/director/events/{session.event.slug}/result/doubt/"
    return client.post(doubt_url, fields, **headers).status_code


def find_result_at_last_table(session: Session, board: int) -> Result:
    return Result.objects.get(sitting=list_tables(session)[-1].sitting_id, board=board)


@pytest.mark.slow
def test_implausible_result_is_stored_and_queried(
    client: Client, evening: tuple[Session, User]
) -> None:
    session, user = evening
    client.force_login(user)
    response = post_result(client, session, 1, "11")
    assert response["seen"] == "11"
    assert response["query"] == {
        "text": "N-S 11? 4 other tables made 4–6.",
        "swap": "2",
    }
    assert find_result_at_last_table(session, 1).doubt == Doubt.QUERIED


@pytest.mark.slow
def test_result_similar_to_the_others_is_not_queried(
    client: Client, evening: tuple[Session, User]
) -> None:
    session, user = evening
    client.force_login(user)
    assert "query" not in post_result(client, session, 1, "5")
    assert find_result_at_last_table(session, 1).doubt == Doubt.NONE


@pytest.mark.slow
def test_queried_result_is_no_longer_queried_after_correction(
    client: Client, evening: tuple[Session, User]
) -> None:
    session, user = evening
    client.force_login(user)
    post_result(client, session, 1, "11")
    response = resend_result(client, session, "5", seen="11")
    assert "query" not in response
    assert find_result_at_last_table(session, 1).doubt == Doubt.NONE


def resend_result(client: Client, session: Session, value: str, seen: str) -> dict[str, object]:
    fields = {
        "sitting": list_tables(session)[-1].sitting_id,
        "board": 1,
        "value": value,
        "seen": seen,
    }
    response = client.post(f"/director/events/{session.event.slug}/result/", fields)
    data: dict[str, object] = response.json()
    return data


def test_keeping_a_queried_result_records_who_kept_it(
    client: Client, evening: tuple[Session, User]
) -> None:
    session, user = evening
    client.force_login(user)
    post_result(client, session, 1, "11")
    assert post_act(client, session, 1, "keep", **JSON_HEADERS) == 200
    result = find_result_at_last_table(session, 1)
    assert (result.doubt, result.ns_tricks) == (Doubt.KEPT, 11)
    assert Act.objects.get(action="result.kept").by == "director"
    assert post_act(client, session, 1, "keep", **JSON_HEADERS) == 200
    assert Act.objects.filter(action="result.kept").count() == 1


@pytest.mark.slow
def test_sides_are_swapped_by_a_button_without_javascript(
    client: Client, evening: tuple[Session, User]
) -> None:
    session, user = evening
    client.force_login(user)
    post_result(client, session, 1, "9")
    page = client.get(f"/director/events/{session.event.slug}/scores/").content.decode()
    place = f"{list_tables(session)[-1].sitting_id}-1"
    assert f'<tr class="query" id="doubt-{place}"' in page
    button = f'form="doubt-form" name="answer" value="swap-{place}">Swap sides: 4</button>'
    assert button in collapse_spaces(page)
    address = f"/director/events/{session.event.slug}/result/doubt/"
    assert client.post(address, {"answer": f"swap-{place}"}).status_code == 302
    result = find_result_at_last_table(session, 1)
    assert (result.doubt, result.ns_tricks) == (Doubt.NONE, 4)
    values = ResultVersion.objects.filter(result=result).values_list("ns_tricks", flat=True)
    assert list(values) == [9, 4]
    page = client.get(f"/director/events/{session.event.slug}/scores/").content.decode()
    assert '<tr class="query"' not in page


def test_swapped_round_is_offered_as_one_correction(
    client: Client, evening: tuple[Session, User]
) -> None:
    session, user = evening
    client.force_login(user)
    post_result(client, session, 1, "8")
    response = post_result(client, session, 2, "3")
    query = response["query"]
    assert isinstance(query, dict)
    assert query["round"]["marks"] == {"1": "5", "2": "10"}
    assert "look swapped for the whole round" in query["round"]["text"]
    assert post_act(client, session, 2, "round") == 302
    assert [find_result_at_last_table(session, board).ns_tricks for board in (1, 2)] == [5, 10]
    assert list_session_doubts(load_session_snapshot(session), {}).queried_results == ()
    assert post_act(client, session, 2, "round", **JSON_HEADERS) == 200


@pytest.mark.slow
def test_results_saved_as_a_block_without_javascript_are_also_queried(
    client: Client, evening: tuple[Session, User]
) -> None:
    session, user = evening
    client.force_login(user)
    sitting = list_tables(session)[-1].sitting_id
    client.post(f"/director/events/{session.event.slug}/scores/", {f"r-{sitting}-1": "11"})
    assert find_result_at_last_table(session, 1).doubt == Doubt.QUERIED


@pytest.mark.slow
def test_result_that_contradicts_best_play_is_queried_only_for_directors(
    client: Client,
) -> None:
    session, user = evenings.seat_session()
    batches.deal_missing_boards(request_dealing(session=session, by=user))
    session.refresh_from_db()
    assert session.board_set is not None
    session.board_set.boards.filter(number=1).update(best_tricks=3)
    session = open_session(session=session, by=user)
    assert load_best_play(session)[1, ""] == 3
    client.force_login(evenings.create_scorer(session.event.club))
    assert "query" not in post_result(client, session, 1, "10")
    client.force_login(user)
    query = resend_result(client, session, "9", seen="10")["query"]
    assert query == {
        "text": "N-S 9? The cards make it unlikely.",
        "swap": "4",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"sitting": "x", "board": "1", "act": "keep"},
        {"sitting": "999999", "board": "1", "act": "swap"},
        {"act": "dance"},
    ],
)
def test_answer_to_a_resolved_query_gets_a_message(
    client: Client, evening: tuple[Session, User], fields: dict[str, str]
) -> None:
    session, user = evening
    client.force_login(user)
    address = f"/director/events/{session.event.slug}/result/doubt/"
    response = client.post(address, fields, **JSON_HEADERS)
    assert response.json() == {"text": "This query has already been answered."}


@pytest.mark.slow
def test_queried_result_is_no_evidence_against_another(client: Client) -> None:
    session, user = evenings.open_session(pairs=10)
    client.force_login(user)
    first, second, *rest = list_tables(session)
    for table in (second, *rest):
        evenings.enter_result(session, table.sitting_id, 1, "5", user)
    evenings.enter_result(session, first.sitting_id, 1, "13", user)
    assert Result.objects.get(sitting=first.sitting_id, board=1).doubt == Doubt.QUERIED
    response = post_result(client, session, 1, "9", table=second, seen_score="5")["query"]
    assert isinstance(response, dict)
    assert response["text"].startswith(
        "N-S 9? 3 other tables made 5. 1 other score on this board needs checking too."
    )


def test_result_repeated_at_a_third_table_is_no_longer_queried() -> None:
    session, user = evenings.open_session(pairs=10)
    *earlier_tables, last_table = list_tables(session)
    for table, mark in zip(earlier_tables, ("5", "5", "10", "10"), strict=True):
        evenings.enter_result(session, table.sitting_id, 1, mark, user)
    for table in earlier_tables[2:]:
        Result.objects.filter(sitting=table.sitting_id, board=1).update(doubt=Doubt.QUERIED)
    assert len(list_session_doubts(load_session_snapshot(session), {}).queried_results) == 2
    evenings.enter_result(session, last_table.sitting_id, 1, "10", user)
    assert not Result.objects.filter(board=1, doubt=Doubt.QUERIED).exists()
    assert list_session_doubts(load_session_snapshot(session), {}).queried_results == ()


@pytest.mark.slow
def test_early_result_is_queried_once_other_tables_contradict_it(
    client: Client,
) -> None:
    session, user = evenings.open_session(pairs=10)
    client.force_login(user)
    post_result(client, session, 1, "11")  # no other table has played it yet
    assert find_result_at_last_table(session, 1).doubt == Doubt.NONE
    for table, tricks in zip(list_other_tables(session)[:3], ("4", "5", "6"), strict=True):
        enter_result_as_director(client, session, table, tricks)
    assert find_result_at_last_table(session, 1).doubt == Doubt.QUERIED
    (queried_result,) = list_session_doubts(load_session_snapshot(session), {}).queried_results
    assert queried_result.text.startswith("N-S 11? 3 other tables made 4–6.")


@pytest.mark.slow
def test_kept_result_is_not_queried_again(client: Client) -> None:
    session, user = evenings.open_session(pairs=10)
    client.force_login(user)
    post_result(client, session, 1, "11")
    assert post_act(client, session, 1, "keep", **JSON_HEADERS) == 200
    for table in list_other_tables(session):
        enter_result_as_director(client, session, table, "5")
    assert find_result_at_last_table(session, 1).doubt == Doubt.KEPT
    assert list_session_doubts(load_session_snapshot(session), {}).queried_results == ()


def enter_result_as_director(
    client: Client, session: Session, table: SeatedTable, tricks: str
) -> None:
    fields = {"sitting": table.sitting_id, "board": 1, "value": tricks}
    client.post(f"/director/events/{session.event.slug}/result/", fields)


@pytest.mark.slow
def test_phone_result_that_contradicts_best_play_is_shown_only_to_directors(
    client: Client,
) -> None:
    session, user = evenings.seat_session()
    batches.deal_missing_boards(request_dealing(session=session, by=user))
    session.refresh_from_db()
    assert session.board_set is not None
    session.board_set.boards.filter(number=1).update(best_tricks=3)
    session = open_session(session=session, by=user)
    sitting = Sitting.objects.get(pk=list_tables(session)[-1].sitting_id)
    phone = GuestAuthor(GuestAuthor.Kind.TABLE, "3")
    result = scoring.services.record_result(
        sitting=sitting, board_number=1, mark="10", seen_score=None, by=phone, channel="phone"
    )
    assert result.doubtful_result is None
    assert result.result.doubt == Doubt.NONE
    address = f"/director/events/{session.event.slug}/scores/"
    client.force_login(evenings.create_scorer(session.event.club))
    assert "N-S 10? The cards make it unlikely" not in client.get(address).content.decode()
    client.force_login(user)
    assert "N-S 10? The cards make it unlikely" in client.get(address).content.decode()
    kinds = {
        check.issue_kind
        for check in list_open_issues(load_session_snapshot(session), load_tally(session.event))
    }
    assert "queried" in kinds
    assert post_act(client, session, 1, "keep", **JSON_HEADERS) == 200
    assert "Is N-S 10 right?" not in client.get(address).content.decode()


@pytest.mark.slow
def test_query_page_says_if_best_play_was_unavailable(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = "Best play needs the solver, which isn’t installed on this computer."
    session, user = evenings.seat_session(pairs=10)
    batches.deal_missing_boards(request_dealing(session=session, by=user))
    session = open_session(session=session, by=user)
    for table in list_other_tables(session):
        evenings.enter_result(session, table.sitting_id, 1, "5", user)
    client.force_login(user)
    post_result(client, session, 1, "12")
    url = f"/director/events/{session.event.slug}/scores/"
    assert message not in client.get(url).content.decode()
    monkeypatch.setattr("boards.solver.is_available", lambda: False)
    assert client.get(url).content.decode().count(message) == 1
    session.board_set.boards.update(best_tricks=7)
    assert message not in client.get(url).content.decode()


@pytest.mark.slow
def test_queries_of_unknown_deals_do_not_mention_best_play(
    client: Client, evening: tuple[Session, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    session, user = evening
    client.force_login(user)
    post_result(client, session, 1, "11")
    monkeypatch.setattr("boards.solver.is_available", lambda: False)
    page = client.get(f"/director/events/{session.event.slug}/scores/")
    assert "solver" not in page.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("marks_before", "marks_after"),
    [
        (("8", "5"), ("5", "8")),
        (("8", ""), ("", "8")),
        (("", "5"), ("5", "")),
        (("8", "-"), ("-", "8")),
    ],
)
def test_results_of_two_swapped_boards_are_exchanged_in_one_act(
    client: Client,
    evening: tuple[Session, User],
    marks_before: tuple[str, str],
    marks_after: tuple[str, str],
) -> None:
    session, user = evening
    sitting = Sitting.objects.get(pk=list_tables(session)[-1].sitting_id)
    for board, mark in zip((1, 2), marks_before, strict=True):
        evenings.enter_result(session, sitting.pk, board, mark, user)
    client.force_login(user)
    root_url = f"/director/events/{session.event.slug}"
    panel = client.get(
        f"{root_url}/rulings/play/?sitting={sitting.pk}&board=1"
    ).content.decode()
    assert "Swap with board 2" in panel
    fields = {"act": "exchange", "sitting": sitting.pk, "board": 1, "other": 2}
    response = client.post(f"{root_url}/result/doubt/", fields, **JSON_HEADERS)
    assert "boards 1 and 2 swapped" in response.json()["text"]
    assert (
        tuple(Result.find_or_create_current_result(sitting, board).mark for board in (1, 2))
        == marks_after
    )


@pytest.mark.parametrize("other_board", [1, 3, 99, ""])
def test_results_can_be_exchanged_only_within_a_round(
    client: Client, evening: tuple[Session, User], other_board: object
) -> None:
    session, user = evening
    sitting = Sitting.objects.get(pk=list_tables(session)[-1].sitting_id)
    evenings.enter_result(session, sitting.pk, 1, "8", user)
    client.force_login(user)
    fields = {"act": "exchange", "sitting": sitting.pk, "board": 1, "other": other_board}
    response = client.post(
        f"/director/events/{session.event.slug}/result/doubt/", fields, **JSON_HEADERS
    )
    assert response.status_code in (200, 400)
    assert Result.find_or_create_current_result(sitting, 1).mark == "8"
    assert not Result.objects.filter(sitting=sitting).exclude(board=1).exists()


def test_ruled_result_cannot_be_exchanged(evening: tuple[Session, User]) -> None:
    session, user = evening
    sitting = Sitting.objects.get(pk=list_tables(session)[-1].sitting_id)
    evenings.enter_result(session, sitting.pk, 1, "8", user)
    scoring.services.make_ruling(
        kind="average",
        result=Result.find_or_create_current_result(sitting, 1),
        reason="fouled",
        by=user,
    )
    with pytest.raises(ActionUnavailable, match="Withdraw it"):
        scoring.services.exchange_results(
            sitting=sitting, board_number=2, other_board_number=1, by=user
        )
