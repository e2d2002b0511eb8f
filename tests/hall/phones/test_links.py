"""The tables' links and what their pages accept: secrets, rights, idempotency."""

import html
from datetime import timedelta

import pytest
from django.test import Client

import clubs.evenings.services
import hall.phones.services
import scoring.services
from clubs.audit import describe_author
from clubs.models import Act, DirectorCall, TableLink
from hall.phones.table_page import load_table_page
from scoring.models import Agreement, Result, ResultVersion
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """Return three tables in play, two boards a round, nothing entered."""
    return evenings.open_session()[0]


@pytest.fixture
def links(session: Session) -> list[TableLink]:
    return hall.phones.services.create_table_links(session=session, by=None)


def find_sitting(link: TableLink, round_: int = 1) -> Sitting:
    return Sitting.objects.get(
        section__session__evening=link.evening,
        section__letter=link.section,
        table=link.table,
        round=round_,
    )


def find_first_board(link: TableLink, round_: int = 1) -> int:
    return link.evening.session.get_group_boards(find_sitting(link, round_).board_group)[0]


def post_act(link: TableLink, **fields: object):
    """Send an act as the page's script does."""
    row = find_sitting(link)
    form = {
        "act": "enter",
        "sitting": row.pk,
        "board": find_first_board(link),
        "seen": "",
    } | fields
    return Client(enforce_csrf_checks=True).post(
        link.path, form, headers={"Accept": "application/json"}
    )


@pytest.mark.slow
def test_every_table_has_one_link_however_often_requested(session: Session) -> None:
    first_table_links = hall.phones.services.create_table_links(session=session, by=None)
    repeated_table_links = hall.phones.services.create_table_links(session=session, by=None)
    assert [link.table for link in first_table_links] == [1, 2, 3]
    assert [link.pk for link in repeated_table_links] == [link.pk for link in first_table_links]


@pytest.mark.slow
def test_database_stores_a_hash_and_token_can_be_derived_again(
    links: list[TableLink],
) -> None:
    tokens = [link.path.split("/")[2] for link in links]
    assert len(set(tokens)) == 3
    assert all(len(token) == 22 for token in tokens)  # 128 bits
    assert [TableLink.find_by_token(token) for token in tokens] == links
    text = str(list(TableLink.objects.values()))
    assert not any(token in text for token in tokens)


@pytest.mark.slow
def test_changed_secret_key_replaces_the_links(
    session: Session, links: list[TableLink], settings
) -> None:
    settings.SECRET_KEY = "another key " * 5
    assert links[0].path == ""
    table_links = hall.phones.services.create_table_links(session=session, by=None)
    assert all(link.path for link in table_links)
    assert TableLink.objects.filter(revoked_at__isnull=False).count() == 3


@pytest.mark.slow
def test_revoked_link_stops_working_and_others_keep_working(links: list[TableLink]) -> None:
    hall.phones.services.revoke_table_link(link=links[0], by=None)
    client = Client()
    assert client.get(links[0].path).status_code == 410
    assert client.get(links[1].path).status_code == 200
    assert post_act(links[0], value="8").status_code == 410
    assert not Result.objects.exists()


@pytest.mark.slow
def test_table_with_revoked_link_gets_a_new_url(
    session: Session, links: list[TableLink]
) -> None:
    hall.phones.services.revoke_table_link(link=links[0], by=None)
    place = (session.sections.get().pk, 1)
    table_links = hall.phones.services.create_table_links(
        session=session, by=None, table_key=place
    )
    assert table_links[0].path not in ("", links[0].path)


def test_links_expire_when_session_closes(session: Session, links: list[TableLink]) -> None:
    scoring.services.close_session(session=session, by=None)
    response = Client().get(links[0].path)
    assert response.status_code == 410
    assert "The session is closed" in response.content.decode()
    with pytest.raises(ActionUnavailable):
        hall.phones.services.create_table_links(session=session, by=None)


def test_guessed_url_is_not_found() -> None:
    assert Client().get("/t/AAAAAAAAAAAAAAAAAAAAAA/").status_code == 404


@pytest.mark.slow
def test_table_page_needs_no_login_and_sets_no_cookie(links: list[TableLink]) -> None:
    response = Client().get(links[0].path)
    assert response.status_code == 200
    assert not response.cookies
    assert "Cookie" not in response.headers.get("Vary", "")
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.slow
def test_table_page_shows_seats_and_boards(links: list[TableLink]) -> None:
    row = find_sitting(links[1])
    text = Client().get(links[1].path).content.decode()
    assert "Round 1 of 3" in text
    assert row.north.entry is not None
    assert row.north.entry.name in html.unescape(text)
    assert f"Board {find_first_board(links[1])}: tricks won by North-South?" in text


def test_entry_counts_immediately_and_awaits_confirmation(links: list[TableLink]) -> None:
    response = post_act(links[0], value="8")
    assert response.status_code == 200
    result = Result.objects.get()
    assert (result.ns_tricks, result.agreement) == (8, Agreement.AWAITED)
    version = ResultVersion.objects.get()
    assert (version.via, version.by) == (ResultVersion.InputChannel.PHONE, "table:1")
    text = Client().get(links[0].path).content.decode()
    assert "East-West, is this right?" in text
    assert "Yes, 8 and 5" in text


def test_opponents_confirm_an_entry(links: list[TableLink]) -> None:
    post_act(links[0], value="8")
    assert post_act(links[0], act="confirm", seen="8").status_code == 200
    assert Result.objects.get().agreement == Agreement.CONFIRMED
    act = Act.objects.get(action="result.agreed")
    assert (act.by, act.way, act.after) == ("table:1", "phone", {"mark": "8"})


@pytest.mark.slow
def test_confirmation_of_a_score_that_was_not_shown_is_refused(links: list[TableLink]) -> None:
    post_act(links[0], value="8")
    post_act(links[0], value="9", seen="8")
    response = post_act(links[0], act="confirm", seen="8")
    assert (response.status_code, response.json()["seen"]) == (409, "9")
    assert Result.objects.get().agreement == Agreement.AWAITED


@pytest.mark.slow
def test_corrected_entry_needs_confirmation_again(links: list[TableLink]) -> None:
    post_act(links[0], value="8")
    post_act(links[0], act="confirm", seen="8")
    assert post_act(links[0], value="7", seen="8").status_code == 200
    result = Result.objects.get()
    assert (result.ns_tricks, result.agreement) == (7, Agreement.AWAITED)


@pytest.mark.slow
def test_entry_sent_twice_by_a_phone_is_recorded_once(links: list[TableLink]) -> None:
    post_act(links[0], value="8", key="a1")
    evenings.enter_result(
        links[0].evening.session,
        find_sitting(links[0]).pk,
        find_first_board(links[0]),
        "9",
        evenings.create_club_with_director("x")[1],
    )
    repeated_response = post_act(links[0], value="8", key="a1")
    assert repeated_response.status_code == 200
    assert Result.objects.get().ns_tricks == 9
    assert ResultVersion.objects.count() == 2


@pytest.mark.slow
def test_directors_entry_needs_no_confirmation(links: list[TableLink]) -> None:
    post_act(links[0], value="8")
    _, user = evenings.create_club_with_director("x")
    evenings.enter_result(
        links[0].evening.session,
        find_sitting(links[0]).pk,
        find_first_board(links[0]),
        "9",
        user,
    )
    assert Result.objects.get().agreement == Agreement.NONE


@pytest.mark.slow
def test_stale_page_receives_the_current_result(links: list[TableLink]) -> None:
    post_act(links[0], value="8")
    response = post_act(links[0], value="6")
    assert (response.status_code, response.json()["seen"]) == (409, "8")
    assert Result.objects.get().ns_tricks == 8


@pytest.mark.slow
@pytest.mark.parametrize("value", ["14", "", "eight", "-1"])
def test_phone_can_enter_only_tricks(links: list[TableLink], value: str) -> None:
    response = post_act(links[0], value=value)
    assert (response.status_code, response.json()["code"]) == (400, "tricks_refused")
    assert not Result.objects.exists()


def test_phone_can_enter_only_results_of_its_own_table(links: list[TableLink]) -> None:
    other_sitting = find_sitting(links[1])
    response = post_act(
        links[0], sitting=other_sitting.pk, board=find_first_board(links[1]), value="8"
    )
    assert (response.status_code, response.json()["code"]) == (400, "no_such_play")
    response = post_act(links[0], board=find_first_board(links[0]) + 2, value="8")
    assert (response.status_code, response.json()["code"]) == (400, "no_such_play")
    assert not Result.objects.exists()


def finish_round(link: TableLink, mark: str = "12") -> None:
    row = find_sitting(link)
    for board in link.evening.session.get_group_boards(row.board_group):
        post_act(link, board=board, value=mark)
        post_act(link, act="confirm", board=board, seen=mark)


def test_finished_round_disappears_from_the_table_page(
    links: list[TableLink],
) -> None:
    finish_round(links[0])
    data = Client().get(links[0].path, headers={"Accept": "application/json"}).json()
    assert [round_["round"] for round_ in data["page"]["rounds"]] == [2, 3]
    assert all(not b["mark"] for round_ in data["page"]["rounds"] for b in round_["boards"])
    response = post_act(links[0], value="11")
    assert response.status_code == 409
    assert "seen" not in response.json()
    assert "12" not in response.json()["detail"]


@pytest.mark.slow
def test_table_page_shows_no_results_of_other_tables(links: list[TableLink]) -> None:
    finish_round(links[1], mark="12")
    data = Client().get(links[0].path, headers={"Accept": "application/json"}).json()
    assert all(not b["mark"] for round_ in data["page"]["rounds"] for b in round_["boards"])


def test_table_page_works_without_javascript(links: list[TableLink]) -> None:
    client = Client(enforce_csrf_checks=True)
    row, board = find_sitting(links[0]), find_first_board(links[0])
    fields = {"sitting": row.pk, "board": board}
    client.post(links[0].path, fields | {"act": "enter", "value": "8", "seen": ""})
    response = client.post(links[0].path, fields | {"act": "confirm", "seen": "8"}, follow=True)
    assert f"Board {board + 1}: tricks won" in response.content.decode()
    assert Result.objects.get().agreement == Agreement.CONFIRMED
    rejected_response = client.post(links[0].path, fields | {"act": "enter", "value": "15"})
    assert rejected_response.status_code == 400
    assert "Enter 0–13" in rejected_response.content.decode()


@pytest.mark.slow
def test_table_page_without_javascript_shows_next_seats(
    links: list[TableLink],
) -> None:
    """The page shows the next round immediately; the players still have to move."""
    expected_heading = 't-left-title">Round 1 is complete.</h2>'
    assert "t-left-title" not in Client().get(links[0].path).content.decode()
    finish_round(links[0])
    page = collapse_spaces(Client().get(links[0].path).content.decode())
    assert expected_heading in page.replace("> ", ">").replace(" <", "<")
    finished_round = load_table_page(links[0]).past
    assert finished_round is not None
    assert finished_round.moves
    assert all(f"<li>{html.escape(move)}</li>" in page for move in finished_round.moves)
    post_act(
        links[0],
        sitting=find_sitting(links[0], 2).pk,
        board=find_first_board(links[0], 2),
        value="8",
    )
    assert "t-left-title" not in Client().get(links[0].path).content.decode()


def test_table_page_labels_the_current_board(links: list[TableLink]) -> None:
    page = Client().get(links[0].path).content.decode()
    boards = page.partition('id="t-boards"')[2].partition("</ol>")[0]
    assert ">Board 1<" in collapse_spaces(boards)
    assert "now" in boards


@pytest.mark.slow
def test_calling_the_director_twice_is_one_call(links: list[TableLink]) -> None:
    assert post_act(links[0], act="call").json()["page"]["called"]
    post_act(links[0], act="call")
    call = DirectorCall.objects.get()
    clubs.evenings.services.answer_call(call=call, by=None)
    assert describe_author(call.answered_by) == "the command line"
    response = Client().get(links[0].path)
    assert "The director is coming." in response.content.decode().partition('id="t-called"')[2]
    assert response.context["page"].coming
    call.answered_at -= timedelta(minutes=6)
    call.save()
    assert not Client().get(links[0].path).context["page"].coming
    post_act(links[0], act="call")
    assert DirectorCall.objects.count() == 2


@pytest.mark.slow
def test_table_page_before_play_says_play_has_not_started(
    django_assert_max_num_queries,
) -> None:
    session, _user = evenings.seat_session()
    link = hall.phones.services.create_table_links(session=session, by=None)[0]
    with django_assert_max_num_queries(14):
        text = Client().get(link.path).content.decode()
    assert "The session hasn’t started." in text
    assert post_act(link, value="8").status_code == 400


@pytest.mark.slow
def test_implausible_result_is_queried_for_director_but_not_on_table_page() -> None:
    session, _user = evenings.open_session(pairs=10, boards_a_round=1)
    links = hall.phones.services.create_table_links(session=session, by=None)
    for row in Sitting.objects.filter(section__session=session, round__lte=4):
        link = next(link for link in links if link.table == row.table)
        board = session.get_group_boards(row.board_group)[0]
        value = 12 if (row.table, row.round) == (1, 4) else 4
        response = post_act(link, sitting=row.pk, board=board, value=value)
        assert response.json().keys() == {"code", "page"}
        assert "doubt" not in response.content.decode()
    assert list(Result.objects.filter(doubt="queried").values_list("ns_tricks")) == [(12,)]
