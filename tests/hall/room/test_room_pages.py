"""The room overview, the clock and the big screen."""

import html
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import hall.history.undo
import hall.phones.services
import scoring.services
import tournaments.services
from clubs.evenings.services import call_director, pause_clock, reset_clock, set_clock
from clubs.models import Act, RoundClock, TableLink
from hall.phones.services import build_guest, create_table_links
from hall.room import services as clocks
from hall.room.clock import MOVE_TEXTS_CACHE as kept_words
from hall.room.clock import (
    build_clock_face,
    build_timetable,
    compute_playing_time,
    describe_section_moves,
)
from hall.room.table_status import build_table_statuses, list_late_table_names
from hall.room.tiles import SessionInPlay, build_tiles
from scoring.models import Result
from scoring.services import confirm_result, open_session, record_result
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.papers import build_score_slips
from tests import evenings
from tests.hall.phones.test_links import finish_round, post_act
from tests.page_text import collapse_spaces
from tournaments.errors import ActionUnavailable
from tournaments.models import Event, Session, Sitting
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db
START_TIME = datetime(2026, 3, 10, 19, 30, tzinfo=UTC)


class FakeClock:
    """A time of day that a test sets."""

    def __init__(self) -> None:
        self.time = START_TIME

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **span: float) -> None:
        self.time += timedelta(**span)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    now = FakeClock()
    monkeypatch.setattr(timezone, "now", now)
    return now


@pytest.fixture
def session() -> Session:
    return evenings.open_session()[0]


def start_round_clock(session: Session) -> None:
    set_clock(**evenings.build_service_arguments(session), minutes=20, moving=2, by=None)
    clocks.start_clock(session=session, by=None)


@pytest.mark.parametrize(
    ("marks", "words", "absent_text"),
    [
        ([], "Play starts soon", "In play"),
        (["7"], "In play", "Play starts soon"),
        (["-"], "In play", "Play starts soon"),
        (["7", ""], "Play starts soon", "In play"),
    ],
    ids=["no result", "a result", "not played", "undone"],
)
@pytest.mark.parametrize("page", ["screen", "clock"])
def test_unstarted_clock_does_not_say_play_will_begin(
    client: Client, marks: list[str], words: str, absent_text: str, page: str
) -> None:
    session, user = evenings.open_session()
    first_table = next(
        table for table in load_session_snapshot(session).tables if table.is_played
    )
    for mark in marks:
        evenings.enter_result(
            session, first_table.sitting_id, first_table.boards[0], mark, user
        )
    text = client.get(f"/events/{session.event.slug}/{page}/").content.decode()
    lines = [line.strip() for line in text.splitlines()]
    assert words in lines
    assert absent_text not in lines


def test_clock_depends_only_on_time(session: Session, now: FakeClock) -> None:
    assert build_clock_face(session).state == "off"
    start_round_clock(session)
    now.advance(minutes=5)
    face = build_clock_face(session)
    assert (face.state, face.round, face.phase, face.left) == ("running", 1, "playing", 900)
    now.advance(minutes=16)
    assert (build_clock_face(session).phase, build_clock_face(session).left) == ("moving", 60)
    now.advance(hours=2)
    assert build_clock_face(session).state == "over"


@pytest.mark.slow
def test_adding_a_minute_delays_timetable_and_removing_one_advances_it(
    session: Session, now: FakeClock
) -> None:
    start_round_clock(session)
    timetable_before = build_timetable(session)
    clocks.add_minutes_to_clock(session=session, minutes=1, by=None)
    timetable_after = build_timetable(session)
    assert [item.ends_at for item in timetable_after] == [
        item.ends_at + timedelta(minutes=1) for item in timetable_before
    ]
    clocks.add_minutes_to_clock(session=session, minutes=-1, by=None)
    assert build_timetable(session) == timetable_before


@pytest.mark.slow
def test_round_cannot_be_shortened_to_end_in_the_past(session: Session, now: FakeClock) -> None:
    start_round_clock(session)
    now.advance(minutes=19, seconds=30)
    clocks.add_minutes_to_clock(session=session, minutes=-1, by=None)
    face = build_clock_face(session)
    assert (face.phase, face.left) == ("moving", 120)


@pytest.mark.slow
def test_pause_delays_everything_after_it(session: Session, now: FakeClock) -> None:
    start_round_clock(session)
    now.advance(minutes=5)
    pause_clock(**evenings.build_service_arguments(session), by=None)
    now.advance(minutes=30)
    paused_face = build_clock_face(session)
    assert (paused_face.state, paused_face.left, paused_face.until) == ("paused", 900, None)
    assert build_timetable(session) == []
    clocks.start_clock(session=session, by=None)
    assert (build_clock_face(session).state, build_clock_face(session).left) == ("running", 900)


def test_next_round_can_start_immediately(session: Session, now: FakeClock) -> None:
    start_round_clock(session)
    now.advance(minutes=18)
    clocks.end_phase(session=session, by=None)
    assert (build_clock_face(session).phase, build_clock_face(session).left) == ("moving", 120)
    clocks.end_phase(session=session, by=None)
    face = build_clock_face(session)
    assert (face.round, face.phase, face.left) == (2, "playing", 1200)
    reset_clock(**evenings.build_service_arguments(session), by=None)
    assert build_clock_face(session).state == "off"


@pytest.mark.slow
def test_clock_started_late_begins_with_current_round(session: Session, now: FakeClock) -> None:
    set_clock(**evenings.build_service_arguments(session), minutes=20, moving=2, by=None)
    clocks.start_clock(session=session, round_number=3, by=None)
    face = build_clock_face(session)
    assert (face.round, face.phase, face.left) == (3, "playing", 20 * 60)
    reset_clock(**evenings.build_service_arguments(session), by=None)
    clocks.start_clock(
        session=session, round_number=99, by=None
    )  # no such round: the first one
    assert build_clock_face(session).round == 1


@pytest.mark.slow
def test_clock_page_contains_all_following_rounds(session: Session, now: FakeClock) -> None:
    start_round_clock(session)
    now.advance(minutes=21)
    face = build_clock_face(session)
    assert [(item.round, item.phase) for item in face.following] == [
        (2, "playing"),
        (2, "moving"),
        (3, "playing"),
    ]
    assert face.until == START_TIME + timedelta(minutes=22)
    assert face.following[-1].until == START_TIME + timedelta(minutes=64)
    pause_clock(**evenings.build_service_arguments(session), by=None)
    assert build_clock_face(session).following == ()


def test_invalid_clock_settings_are_refused() -> None:
    session, _user = evenings.seat_session()
    with pytest.raises(ActionUnavailable):
        clocks.start_clock(session=session, by=None)
    with pytest.raises(ActionUnavailable):
        clocks.add_minutes_to_clock(session=session, minutes=1, by=None)
    with pytest.raises(ActionUnavailable):
        set_clock(**evenings.build_service_arguments(session), minutes=0, moving=2, by=None)
    assert RoundClock.objects.filter(started_at__isnull=False).count() == 0


@pytest.mark.slow
def test_clock_shows_next_move_and_tables_still_playing(
    session: Session, now: FakeClock
) -> None:
    links = hall.phones.services.create_table_links(session=session, by=None)
    start_round_clock(session)
    finish_round(links[0])
    finish_round(links[2])
    assert build_clock_face(session).late == ()
    now.advance(minutes=22)
    session.refresh_from_db()
    face = build_clock_face(session)
    assert face.moves == (
        "North-South stay.",
        "East-West move up one table.",
        "Boards move down one table.",
    )
    assert face.late == ("table 2",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("movement", "pairs", "text"),
    [
        ("compass-relay", 12, "Boards: follow the guide card."),
        ("compass", 14, "Boards move down one table."),
    ],
)
def test_clock_always_says_where_boards_move(movement: str, pairs: int, text: str) -> None:
    session, _user = evenings.open_session(pairs, movement=movement)
    snapshot = load_session_snapshot(session)
    assert describe_section_moves(snapshot, snapshot.sections[0], 1)[-1] == text


@pytest.mark.parametrize(
    ("system_names", "texts"),
    [
        (
            ("compass", "compass"),
            (
                "North-South stay.",
                "East-West move up one table.",
                "Boards move down one table.",
            ),
        ),
        (
            ("compass", "howell"),
            (
                "Section A: North-South stay. East-West move up one table. "
                "Boards move down one table.",
                "Section B: Follow the guide card on the table.",
            ),
        ),
        (
            ("compass", "howell", "compass"),
            (
                "Sections A and C: North-South stay. East-West move up one "
                "table. Boards move down one table.",
                "Section B: Follow the guide card on the table.",
            ),
        ),
    ],
)
def test_clock_names_section_where_moves_differ(
    system_names: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    event, user = evenings.create_event(6 * len(system_names))
    entries = list(event.entries.order_by("number"))
    groups = tournaments.services.divide_entries(entries, len(system_names))
    plans = [
        tournaments.services.PlannedSection(
            build_named_movement(system, pairs=6), {"pairs": 6}, group
        )
        for system, group in zip(system_names, groups, strict=True)
    ]
    session = event.sessions.get()
    tournaments.services.seat_sections(
        session=session, planned_sections=plans, boards_a_round=2, by=user
    )
    session = scoring.services.open_session(session=session, by=user)
    clocks.start_clock(session=session, by=user)
    kept_words.clear()  # another test's session had this key
    face = build_clock_face(session)
    assert face.moves == texts
    assert face.late == ()


@pytest.mark.slow
def test_table_status_counts_entered_queried_and_unconfirmed_results(session: Session) -> None:
    links: list[TableLink] = hall.phones.services.create_table_links(session=session, by=None)
    post_act(links[0], value="8")
    Result.objects.update(doubt="queried")
    finish_round(links[1])
    first_status, second, third_status = build_table_statuses(load_session_snapshot(session), 1)
    assert (first_status.round_number, first_status.pace) == (1, "with")
    assert (first_status.entered_count, first_status.expected_count) == (1, 2)
    assert (first_status.queried_result_count, first_status.unconfirmed_result_count) == (1, 1)
    assert (second.round_number, second.entered_count, second.pace) == (2, 0, "ahead")
    assert (third_status.entered_count, third_status.pace) == (0, "with")
    assert list_late_table_names(load_session_snapshot(session), 2) == ["table 1", "table 3"]


def test_table_without_opponents_names_pair_that_sits_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, user = evenings.create_event(5)
    session = event.sessions.get()
    movement = build_named_movement("compass", tables=3, absent=["3NS"])
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=2, by=user
    )
    third_table_status = build_table_statuses(load_session_snapshot(session), 1)[2]
    assert (
        third_table_status.expected_count,
        third_table_status.pace,
        third_table_status.sit_out_round_number,
    ) == (0, "out", 1)
    chair = next(
        table for table in load_session_snapshot(session).tables if not table.is_played
    ).ew
    assert third_table_status.sit_out_text == f"{chair.label} {chair.name}"
    assert chair.name
    session_in_play = SessionInPlay(
        snapshot=load_session_snapshot(session), clock_face=build_clock_face(session)
    )
    tile = build_tiles(session_in_play)[2]
    assert (tile.state_label, tile.notes) == (
        "Sits out",
        (third_table_status.sit_out_text,),
    )  # shown once
    monkeypatch.setattr("hall.room.tiles.MAX_TABLES_WITH_NAMES", 2)  # without names on any tile
    assert build_tiles(session_in_play)[2].notes == (chair.label,)


def test_clock_stops_when_session_is_closed(client: Client, session: Session) -> None:
    start_round_clock(session)
    assert build_clock_face(session).state == "running"
    user = session.event.club.memberships.get(role="owner").user
    client.force_login(user)
    root_url = f"/director/events/{session.event.slug}/"
    closing_link = f'href="{root_url}closing/"'
    assert closing_link in client.get(f"{root_url}room/").content.decode()
    session = scoring.services.close_session(session=session, by=user)
    assert build_clock_face(session).state == "over"
    page = client.get(f"{root_url}room/").content.decode()
    main_html = page[page.index("<main") :]
    assert ">Close session<" not in main_html
    assert "The session is closed." in page
    assert "Round 1 of 3" not in page


@pytest.mark.slow
def test_table_status_of_a_complete_session_is_done() -> None:
    session, _user = evenings.play_session()
    assert {
        table_status.pace
        for table_status in build_table_statuses(load_session_snapshot(session), 3)
    } == {"done"}


def test_director_controls_the_clock_and_scorer_cannot(
    client: Client, session: Session
) -> None:
    url = f"/director/events/{session.event.slug}/room/"
    scorer = evenings.create_scorer(session.event.club)
    client.force_login(scorer)
    assert client.get(url).status_code == 200
    assert client.post(f"{url}clock/act/", {"act": "start"}).status_code == 403
    director = session.event.club.memberships.get(role="owner").user
    client.force_login(director)
    client.post(f"{url}clock/act/", {"act": "set", "minutes": "15", "moving": "1"})
    client.post(f"{url}clock/act/", {"act": "start"})
    client.post(f"{url}clock/act/", {"act": "more"})
    clock = RoundClock.objects.get()
    assert (clock.minutes, clock.moving, clock.added) == (15, 1, {"1": 60})
    text = html.unescape(client.get(f"{url}clock/").content.decode())
    assert "Round 1 of 3" in text
    assert "1 minute less" in text
    response = client.post(f"{url}clock/act/", {"act": "set", "minutes": "x"}, follow=True)
    assert "Enter 1–240 minutes per round" in response.content.decode()


@pytest.mark.parametrize(("boards", "minutes"), [(1, 7), (2, 14), (4, 28), (60, 240)])
def test_suggested_round_length_depends_on_its_boards(
    client: Client, session: Session, boards: int, minutes: int
) -> None:
    Session.objects.update(boards_a_round=boards)
    session.refresh_from_db()
    client.force_login(session.event.club.memberships.get(role="owner").user)
    page = client.get(f"/director/events/{session.event.slug}/room/clock/").content.decode()
    assert f'name="minutes" value="{minutes}"' in page
    assert 'name="moving" value="2"' in page
    clock = clocks.start_clock(session=session, by=None)
    assert (clock.minutes, clock.moving) == (minutes, 2)


@pytest.mark.slow
def test_clock_shows_end_of_play_and_warns_about_time_limit(
    client: Client, session: Session
) -> None:
    client.force_login(session.event.club.memberships.get(role="owner").user)
    event_url = f"/director/events/{session.event.slug}/"
    rounds = session.sections.get().rounds
    set_clock(**evenings.build_service_arguments(session), minutes=25, moving=2, by=None)
    whole = rounds * 25 + (rounds - 1) * 2
    page = client.get(f"{event_url}room/clock/").content.decode()
    assert f"{whole} minutes with moves" in page
    assert "Planned time" not in page
    client.get(f"{event_url}movement/?minutes={whole}")
    assert "Planned time" not in client.get(f"{event_url}room/clock/").content.decode()
    client.get(f"{event_url}movement/?minutes={whole - 1}")
    page = client.get(f"{event_url}room/clock/").content.decode()
    assert f"Planned time: {whole - 1} minutes" in page
    assert "24 minutes per round" in page


@pytest.mark.slow
def test_clock_started_late_ends_after_remaining_rounds(session: Session) -> None:
    clock = set_clock(
        **evenings.build_service_arguments(session), minutes=20, moving=2, by=None
    )
    playing_time, late_playing_time = (
        compute_playing_time(session, clock, 0),
        compute_playing_time(session, clock, 0, first_round_number=2),
    )
    assert playing_time is not None
    assert late_playing_time is not None
    assert (late_playing_time.first_round_number, late_playing_time.remaining_round_count) == (
        2,
        playing_time.remaining_round_count - 1,
    )
    assert late_playing_time.minutes == playing_time.minutes - 22
    assert (
        timedelta(minutes=21)
        < playing_time.ends_at - late_playing_time.ends_at
        < timedelta(minutes=23)
    )


@pytest.mark.parametrize("first", [1, 2, 3])
@pytest.mark.parametrize("spare_minutes", [-1, 0])
def test_playing_time_covers_remaining_rounds_from_now(
    session: Session, first: int, spare_minutes: int
) -> None:
    clock = set_clock(
        **evenings.build_service_arguments(session), minutes=20, moving=2, by=None
    )
    rounds = session.sections.get().rounds
    whole = rounds * 20 + (rounds - 1) * 2
    playing_time = compute_playing_time(
        session, clock, whole + spare_minutes, first_round_number=first
    )
    assert playing_time is not None
    remaining_rounds = rounds - first + 1
    assert playing_time.minutes == remaining_rounds * 20 + (remaining_rounds - 1) * 2
    ends = timezone.now() + timedelta(minutes=playing_time.minutes)
    assert abs(playing_time.ends_at - ends) < timedelta(seconds=30)
    assert bool(playing_time.exceeded_limit_minutes) is (spare_minutes < 0)
    assert playing_time.max_round_minutes == (19 if spare_minutes < 0 else 0)


@pytest.mark.slow
def test_clock_page_in_second_round_shows_only_remaining_time(
    client: Client, session: Session
) -> None:
    set_clock(**evenings.build_service_arguments(session), minutes=20, moving=2, by=None)
    user = evenings.create_club_with_director()[1]
    client.force_login(user)
    for table in load_session_snapshot(session).tables:
        if table.round == 1:
            for board in table.boards:
                evenings.enter_result(session, table.sitting_id, board, "7", user)
    page = collapse_spaces(
        client.get(f"/director/events/{session.event.slug}/room/clock/").content.decode()
    )
    rounds = session.sections.get().rounds
    remaining_minutes = (rounds - 1) * 20 + (rounds - 2) * 2
    assert f"Rounds 2–{rounds} left: {remaining_minutes} minutes with moves" in page
    assert "if play starts now" not in page


@pytest.mark.slow
def test_default_round_length_follows_number_of_boards(session: Session) -> None:
    set_clock(**evenings.build_service_arguments(session), minutes=20, moving=1, by=None)
    act = Act.objects.order_by("-pk")[0]
    hall.history.undo.undo_event_act(event=session.event, act=act, by=None)
    assert not RoundClock.objects.exists()
    Session.objects.update(boards_a_round=3)
    clock = clocks.start_clock(session=Session.objects.get(pk=session.pk), by=None)
    assert clock.minutes == 21


def test_display_pages_are_public_and_set_no_cookie(client: Client, session: Session) -> None:
    clocks.start_clock(session=session, by=None)
    root_url = f"/events/{session.event.slug}/"
    for page in ("clock/", "clock/state/", "screen/"):
        response = client.get(root_url + page)
        assert (response.status_code, bool(response.cookies)) == (200, False)
    state = client.get(f"{root_url}clock/state/").json()
    assert (state["state"], state["round"], state["rounds"]) == ("running", 1, 3)


@pytest.mark.slow
def test_display_page_respects_visibility_of_standings(client: Client) -> None:
    session, user = evenings.open_session()
    evenings.enter_result(session, *find_first_board(session), "7", user)
    Event.objects.update(standings_shown=Event.StandingsVisibility.NEVER)
    text = html.unescape(client.get(f"/events/{session.event.slug}/screen/").content.decode())
    assert "The director isn’t showing the standings for this event." in text
    assert "<table" not in text


@pytest.mark.slow
@pytest.mark.parametrize("standings_visibility", Event.StandingsVisibility.values)
def test_display_page_shows_seats_until_there_is_a_result(
    client: Client, standings_visibility: str
) -> None:
    """Before play and during it, whatever is shown, and again if the result is undone."""
    session, user = evenings.seat_session()
    Event.objects.update(standings_shown=standings_visibility)
    url = f"/events/{session.event.slug}/screen/"
    slips = build_score_slips(load_session_snapshot(session))
    first = slips[0].name.partition(" & ")[0]

    def is_seating_shown() -> bool:
        text = html.unescape(client.get(url).content.decode())
        return "Who sits where" in text and first in text and slips[0].start_text in text

    assert is_seating_shown()
    open_session(session=session, by=user)
    assert is_seating_shown()
    evenings.enter_result(session, *find_first_board(session), "7", user)
    assert not is_seating_shown()
    evenings.enter_result(session, *find_first_board(session), "", user)
    assert is_seating_shown()


def find_first_board(session: Session) -> tuple[int, int]:
    first_table = next(
        table for table in load_session_snapshot(session).tables if table.is_played
    )
    return first_table.sitting_id, first_table.boards[0]


@pytest.mark.slow
def test_table_without_players_sits_out_and_is_not_ahead() -> None:
    session, _user = evenings.seat_session()
    seated_snapshot = load_session_snapshot(session)
    remaining_tables = [
        table
        for table in seated_snapshot.tables
        if not (table.round == 1 and table.table_number == 2)
    ]
    snapshot_without_table = replace(seated_snapshot, tables=remaining_tables)
    for clock_round in (0, 1):
        paces_by_table = {
            table_status.table_label: (table_status.pace, table_status.sit_out_round_number)
            for table_status in build_table_statuses(snapshot_without_table, clock_round)
        }
        assert paces_by_table["2"] == ("out", 1)
        assert paces_by_table["1"][1] == 0
    assert {
        table_status.table_label: table_status.pace
        for table_status in build_table_statuses(snapshot_without_table, 2)
    }["2"] == "with"


@pytest.mark.parametrize("is_confirmed", [False, True])
@pytest.mark.parametrize("by", ["board", "round"])
def test_phone_entry_is_marked_in_grid_until_confirmed(
    client: Client, by: str, is_confirmed: bool
) -> None:
    session, user = evenings.open_session()
    guest = build_guest(create_table_links(session=session, by=user)[0])
    table = next(
        round_
        for round_ in load_session_snapshot(session).rounds_by_table["A", 1]
        if round_.is_played
    )
    sitting, board = Sitting.objects.get(pk=table.sitting_id), table.boards[0]
    form = {"sitting": sitting, "board_number": board, "by": guest}
    record_result(**form, mark="8", seen_score=None, channel="phone", request_key="1")
    if is_confirmed:
        confirm_result(**form, seen_score="8")
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/scores/?by={by}").content.decode()
    assert page.count('<span class="cell-state">not confirmed yet</span>') == (not is_confirmed)
    assert page.count('<tr data-state="awaited">') == (not is_confirmed)
    if not is_confirmed and by == "round":
        check_dispute_in_grid(client, session, form)
    room = client.get(f"/director/events/{session.event.slug}/room/").content.decode()
    assert ("1 not confirmed" in room) is not is_confirmed


def check_dispute_in_grid(
    client: Client, session: Session, result_arguments: dict[str, Any]
) -> None:
    """Check that a side correcting its own slip is no dispute, but a differing score is."""
    link = session.evening.table_links.get(table=1)
    for side, mark, word in (
        ("NS", "7", "not confirmed yet"),
        ("NS", "6", "not confirmed yet"),
        ("EW", "9", "scores don’t agree"),
        ("EW", "6", "not confirmed yet"),
        ("NS", "5", "scores don’t agree"),
    ):
        record_result(
            **result_arguments | {"by": build_guest(link, side)},
            mark=mark,
            seen_score=None,
            channel="phone",
        )
        page = client.get(f"/director/events/{session.event.slug}/scores/").content.decode()
        state = f'<span class="cell-state">{html.escape(word)}</span>'
        assert page.count(state) == 1, (side, mark)
        room = client.get(f"/director/events/{session.event.slug}/room/").content.decode()
        text = f"entered {mark} – {13 - int(mark)}."
        assert ("Scores don’t agree." in room) is (text in room) is ("agree" in word)
    assert '<span class="cell-state">no score yet</span>' in page
    call_director(link=link)
    calls = client.get(f"/director/events/{session.event.slug}/calls/").content.decode()
    board = result_arguments["board_number"]
    assert "Round 1: 1 of 2 results in." in calls
    assert f"Scores don’t agree: board {board}." in calls
    record_result(
        **result_arguments | {"by": build_guest(link, "NS")},
        mark="6",
        seen_score=None,
        channel="phone",
    )
    calls = client.get(f"/director/events/{session.event.slug}/calls/").content.decode()
    assert f"Not confirmed yet: board {board}." in calls


@pytest.mark.slow
def test_table_with_missing_results_links_to_its_slip(client: Client) -> None:
    session, user = evenings.open_session()
    tables = [
        round_
        for round_ in load_session_snapshot(session).rounds_by_table["A", 1]
        if round_.is_played
    ]
    for one_table in tables[:2]:
        evenings.enter_result(session, one_table.sitting_id, one_table.boards[0], "7", user)
    Result.objects.filter(sitting=tables[1].sitting_id).update(doubt="queried")
    client.force_login(user)
    room = client.get(f"/director/events/{session.event.slug}/room/").content.decode()
    assert f'href="/director/events/{session.event.slug}/room/tables/1/?section=A"' in room
    response = client.get(f"/director/events/{session.event.slug}/room/tables/1/")
    table = collapse_spaces(response.content.decode())
    slips = client.get(f"/director/events/{session.event.slug}/scores/?by=round")
    grid_html = slips.content.decode()
    slip_link_pattern = r'href="[^"]*/scores/\?by=round&amp;at=[\w-]+#([\w-]+)">(.*?)</a>'
    links = dict(re.findall(slip_link_pattern, table))
    assert links["round-1-A1"] == "Enter 1 missing score"
    assert "Enter scores" in links["round-2-A1"]
    assert "▲" not in table
    assert ">check<" in table.replace(" ", "")
    assert "1 missing from earlier rounds" in room
    assert all(f'id="{fragment_id}"' in grid_html for fragment_id in links)
