"""Tonight: the bar, the tiles and the live parts, from the first table to the last."""

import html
import re
from typing import Any

import pytest
from django.test import Client

import hall.phones.services
from clubs.evenings.services import answer_call, call_director
from clubs.models import Act, DirectorCall, Membership, TableLink
from hall.history.undo import undo_club_act
from hall.rehearsal.staged_events import create_staged_session
from hall.room import services as clocks
from hall.room.next_task import NextTask
from hall.room.tiles import MAX_TABLES_WITH_NAMES
from hall.room.tonight import RoomPage, build_room_page, load_current_version_stamp
from scoring.models import Doubt, Result
from scoring.services import accept_result, confirm_result
from scoring.session_snapshot import load_session_snapshot
from server.fragments import HTMX_HEADER
from server.models import User
from tests import evenings
from tests.hall.phones.test_links import post_act
from tests.page_text import collapse_spaces
from tournaments.event_access import EventAccess
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


class OpenPage:
    """A page of the room that polls its fragments."""

    def __init__(self, client: Client, address: str) -> None:
        self.client, self.address, self.stamp = client, address, ""

    def poll(self) -> int:
        """Poll once and store the stamp; return the status code."""
        response = self.client.get(
            self.address, {"seen": self.stamp}, headers={HTMX_HEADER: "true"}
        )
        match = re.search(r'data-stamp="([^"]*)"', response.content.decode())
        self.stamp = match[1] if match else self.stamp
        return response.status_code


def load_room_page(session: Session) -> RoomPage:
    """Return Tonight as its director sees it."""
    fresh_session = Session.objects.select_related("event", "evening").get(pk=session.pk)
    return build_room_page(
        EventAccess(fresh_session.event, Membership.Role.DIRECTOR, fresh_session.number),
        fresh_session,
    )


def enter_round(
    session: Session, round_: int, user: User, skipped_table_count: int = 0
) -> None:
    """Enter a round at every table but the last few."""
    tables = [table for table in load_session_snapshot(session).tables if table.round == round_]
    evenings.enter_all_results(
        [
            (table.sitting_id, board, "7")
            for table in tables[: len(tables) - skipped_table_count]
            for board in table.boards
            if table.is_played
        ],
        user,
    )


def test_action_bar_follows_results_without_a_clock() -> None:
    session, user = evenings.open_session()
    now = load_room_page(session)
    assert (now.bar.task, now.session_in_play.round, now.next_round) == (NextTask.BEGIN, 1, 2)
    assert now.bar.title == "Round 1 can begin"
    assert {tile.state for tile in now.tiles} == {"play"}
    enter_round(session, 1, user, skipped_table_count=1)
    now = load_room_page(session)
    assert (now.bar.task, now.session_in_play.round, now.playing_table_names) == (
        NextTask.ROUND_IN_PLAY,
        1,
        "3",
    )
    assert [tile.state for tile in now.tiles] == ["done", "done", "play"]
    enter_round(session, 1, user)
    now = load_room_page(session)
    assert (now.bar.task, now.bar.title, now.session_in_play.round) == (
        NextTask.CALL_NEXT_ROUND,
        "Call round 2",
        1,
    )
    assert now.bar.text == (
        "North-South stay. East-West move up one table. Boards move down one table."
    )
    assert now.bar.buttons[0].fields == (("act", "start"), ("round", "2"), ("back", "room"))
    assert {tile.state for tile in now.tiles} == {"done"}
    enter_round(
        session, 3, user, skipped_table_count=2
    )  # table 1 has moved on, and its slip of round 2 is missing
    now = load_room_page(session)
    assert now.bar.task == NextTask.ENTER_EARLIER_RESULT
    assert now.bar.title == "Slip missing: table 1"
    assert now.bar.buttons[0].url.endswith("/scores/?by=round&at=round-2-A1#round-2-A1")
    assert now.tiles[0].state == "slip"
    enter_round(session, 2, user)
    enter_round(session, 3, user)
    now = load_room_page(session)
    assert (now.bar.task, now.next_round, now.announcements) == (NextTask.CLOSE, 0, [])
    assert now.bar.buttons[0].url.endswith("/closing/")


def test_clock_determines_the_called_round() -> None:
    session, user = evenings.open_session()
    clocks.start_clock(session=session, by=user)
    assert load_room_page(session).bar.task == NextTask.ROUND_IN_PLAY
    enter_round(session, 1, user)  # earlier than the clock
    now = load_room_page(session)
    assert (now.bar.title, now.bar.buttons[0].label) == ("Call round 2", "End round 1")
    clocks.end_phase(session=session, by=user)
    assert load_room_page(session).bar.buttons[0].label == "Start round 2"
    clocks.end_phase(session=session, by=user)
    assert (
        load_room_page(session).bar.task,
        load_room_page(session).session_in_play.round,
    ) == (
        NextTask.ROUND_IN_PLAY,
        2,
    )
    clocks.end_phase(session=session, by=user)  # all are late
    now = load_room_page(session)
    assert now.bar.title == "Call round 3"
    assert "Still playing: 1, 2, 3." in now.bar.text
    clocks.end_phase(session=session, by=user)
    now = load_room_page(session)
    assert now.bar.task == NextTask.ENTER_EARLIER_RESULT
    assert {tile.state for tile in now.tiles} == {"behind"}


def test_director_call_comes_first_and_answering_returns_to_room_page(client: Client) -> None:
    session, user = evenings.open_session()
    links: list[TableLink] = hall.phones.services.create_table_links(session=session, by=user)
    enter_round(session, 1, user)
    for link in links[1:]:
        call_director(link=link)
    now = load_room_page(session)
    assert (now.bar.task, now.bar.title) == (NextTask.ANSWER_CALL, "Table 2 is calling")
    assert now.bar.text.startswith("Has just called · board ")
    assert now.bar.text.endswith("then table 3")
    assert [tile.state for tile in now.tiles] == ["done", "call", "call"]
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/"
    fields = dict(now.bar.buttons[0].fields)
    assert client.post(now.bar.buttons[0].url, fields)["Location"] == f"{url}room/"
    assert load_room_page(session).bar.title == "Table 3 is calling"
    table = client.get(f"{url}room/tables/3/").content.decode()
    assert "I’m on my way" in table
    answer_call(call=DirectorCall.objects.get(answered_at=None), by=user)
    assert "I’m on my way" not in client.get(f"{url}room/tables/3/").content.decode()


def test_queried_result_is_answered_from_the_action_bar(client: Client) -> None:
    session, user = evenings.open_session(10)
    first_table = load_session_snapshot(session).tables_by_board[1]
    evenings.enter_all_results(
        [(item.sitting_id, 1, str(4 + item.table_number % 3)) for item in first_table[:-1]],
        user,
    )
    evenings.enter_result(session, first_table[-1].sitting_id, 1, "11", user)
    now = load_room_page(session)
    labels = ["Swap sides: 2", "Keep 11", "Correct score"]
    assert [button.label for button in now.bar.buttons] == labels
    tile = next(tile for tile in now.tiles if tile.table_number == first_table[-1].table_number)
    assert (tile.state, tile.state_label, tile.board_states[0]) == ("query", "Check", "asked")
    assert len(now.first_checks) == 1
    client.force_login(user)
    swap_button, _keep_button, correct_button = now.bar.buttons
    html = client.get(correct_button.url).content.decode()
    assert f'id="{correct_button.url.partition("#")[2]}"' in html
    response = client.post(swap_button.url, dict(swap_button.fields), follow=True)
    assert response.redirect_chain[-1][0] == f"/director/events/{session.event.slug}/room/"
    assert Result.objects.get(sitting=first_table[-1].sitting_id, board=1).ns_tricks == 2
    assert load_room_page(session).bar.task != NextTask.CHECK_RESULT


def test_open_room_page_is_notified_of_relevant_changes_only(client: Client) -> None:
    session, user = evenings.open_session()
    links = hall.phones.services.create_table_links(session=session, by=user)
    client.force_login(user)
    page = OpenPage(client, f"/director/events/{session.event.slug}/room/tables/")
    assert (page.poll(), page.poll()) == (200, 204)
    post_act(links[0], value="8")
    Result.objects.update(doubt=Doubt.QUERIED)
    result = Result.objects.get()
    sitting = Sitting.objects.get(pk=result.sitting_id)
    acts = (
        lambda: confirm_result(
            sitting=sitting,
            board_number=result.board,
            seen_score="8",
            by=hall.phones.services.build_guest(links[0]),
        ),
        lambda: accept_result(sitting=sitting, board_number=result.board, by=user),
        lambda: call_director(link=links[1]),
        lambda: clocks.start_clock(session=session, by=user),
        lambda: clocks.end_phase(session=session, by=user),
        lambda: evenings.enter_result(session, sitting.pk, result.board, "9", user),
    )
    assert page.poll() == 200
    for act_index, act in enumerate(acts):
        act()
        assert (page.poll(), page.poll()) == (200, 204), act_index


@pytest.mark.slow
def test_room_page_shows_a_hall_of_any_size(client: Client) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    sizes = ((7, 1, "names"), (MAX_TABLES_WITH_NAMES + 1, 1, "pips"), (44, 2, "pips"))
    for tables, sections, detail in sizes:
        session = create_staged_session(
            club=club,
            table_count=tables,
            section_count=sections,
            played_round_count=1,
            should_deal=False,
            by=user,
        )
        now = load_room_page(session)
        assert now.detail_level == detail
        shown_table_count = tables if sections == 1 else tables // sections
        page = collapse_spaces(
            client.get(f"/director/events/{session.event.slug}/room/").content.decode()
        )
        assert page.count('id="tile-') == len(now.tiles) == shown_table_count
        assert ('class="tile__who"' in page) == (detail == "names")
        assert [section.section_letter for section in now.sections] == (
            ["A", "B"] if sections > 1 else []
        )
        if sections > 1:
            second_section_response = client.get(
                f"/director/events/{session.event.slug}/room/?section=B"
            )
            assert 'id="tile-B1"' in second_section_response.content.decode()
            assert (
                "B1"
                in client.get(
                    f"/director/events/{session.event.slug}/room/tables/1/?section=B"
                ).content.decode()
            )


def test_action_bar_before_and_after_play_links_to_the_next_step(client: Client) -> None:
    session, user = evenings.seat_session()
    assert load_room_page(session).bar.task == NextTask.PREPARE
    client.force_login(user)
    event, _user = evenings.create_event(2, name="Empty")
    page = client.get(f"/director/events/{event.slug}/room/").content.decode()
    assert "Choose a movement first" in page
    assert client.get(f"/director/events/{event.slug}/room/tables/1/").status_code == 404


def test_room_page_executes_few_queries(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    session = create_staged_session(
        club=club,
        table_count=30,
        section_count=1,
        played_round_count=1,
        should_deal=False,
        by=user,
    )
    version_stamp = load_current_version_stamp(
        Session.objects.select_related("evening").get(pk=session.pk)
    )
    address = f"/director/events/{session.event.slug}/room/tables/"
    with django_assert_max_num_queries(16):
        response = client.get(address, {"seen": version_stamp}, headers={HTMX_HEADER: "true"})
    assert response.status_code == 204


def test_tables_keep_the_clubs_layout_until_it_is_reset(
    client: Client,
) -> None:
    session, user = evenings.open_session()
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/room/"
    assert [tile.table_number for tile in load_room_page(session).tiles] == [1, 2, 3]
    assert 'name="column-3" value="3"' in client.get(f"{url}plan/").content.decode()
    expected = {"1": (2, 1), "2": (1, 2), "3": (1, 1)}
    form = {
        f"{axis_name}-{table}": place
        for table, position in expected.items()
        for axis_name, place in zip(("row", "column"), position, strict=True)
    }
    assert client.post(f"{url}plan/", form)["Location"] == url
    now = load_room_page(session)
    assert [(tile.table_number, len(tile.gap)) for tile in now.tiles] == [
        (3, 0),
        (2, 0),
        (1, 0),
    ]
    assert now.column_count == 2
    client.post(f"{url}plan/", form)
    acts = Act.objects.filter(action="club.room_plan")
    assert acts.count() == 1  # a repetition changes nothing
    for wrong_column, message in (
        ("2", "Two tables are in row 1, column 2."),
        ("x", "from 1 to 30"),
    ):
        response = client.post(f"{url}plan/", form | {"column-3": wrong_column}, follow=True)
        assert message in response.content.decode()
    assert [tile.table_number for tile in load_room_page(session).tiles] == [3, 2, 1]
    client.post(f"{url}plan/", form | {"row-1": 3, "column-1": 2})
    gaps = [(tile.table_number, len(tile.gap)) for tile in load_room_page(session).tiles]
    # a free row of two and one free position precede table 1
    assert gaps == [(3, 0), (2, 0), (1, 3)]
    undo_club_act(club=session.event.club, act=acts.latest("pk"), by=user)
    undo_club_act(club=session.event.club, act=acts.earliest("pk"), by=user)
    assert [tile.table_number for tile in load_room_page(session).tiles] == [1, 2, 3]
    client.post(f"{url}plan/", form)
    client.post(f"{url}plan/", {"act": "forget"})
    assert [tile.table_number for tile in load_room_page(session).tiles] == [1, 2, 3]


def test_table_page_names_both_sides_of_every_round(client: Client) -> None:
    session, user = evenings.play_session()
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/room/tables/1/").content.decode()
    text = html.unescape(page)
    assert "SeatedSide(" not in text
    for table in load_session_snapshot(session).rounds_by_table["A", 1]:
        for side in (table.ns, table.ew):
            assert f'<span class="nowrap">{side.label}</span>\xa0{side.name}' in text
