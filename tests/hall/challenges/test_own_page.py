"""A pair's page during play shows its place, next table and scores not agreed."""

import html

import pytest
from django.test import Client

import hall.phones.services
import scoring.services
from hall.challenges import services
from hall.phones.services import build_guest
from scoring.models import ResultVersion
from scoring.standings_engine import standings
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.models import EntryLink, Event, Session, Sitting

pytestmark = pytest.mark.django_db


def read_own_page(session: Session, number: int) -> str:
    link = EntryLink.objects.get(entry__event=session.event, entry__number=number)
    response = Client().get(link.path)
    assert response.status_code == 200
    assert not response.cookies
    return html.unescape(collapse_spaces(response.content.decode()))


def create_entry_links(session: Session) -> Session:
    services.create_entry_links(event=session.event, by=None)
    return session


def find_sitting(session: Session, table: int, round_: int) -> Sitting:
    return Sitting.objects.get(section__session=session, table=table, round=round_)


def test_pair_page_shows_its_first_table_before_play() -> None:
    session = create_entry_links(evenings.seat_session()[0])
    row = find_sitting(session, 2, 1)
    assert row.east.entry is not None
    assert row.north.entry is not None
    text = read_own_page(session, row.east.entry.number)
    assert "Next: table 2, East-West" in text
    assert "Round 1 of 3" in text
    assert f"Against 2 {row.north.entry.name}" in text
    assert "Boards 3–4" in text
    assert "place__figure" not in text  # no board has been played


@pytest.mark.slow
def test_page_of_a_single_player_shows_the_seat_and_the_partner() -> None:
    session = create_entry_links(evenings.player_count(9)[0])
    row = find_sitting(session, 1, 1)
    north, south = row.north.entry, row.south.entry
    assert north is not None
    assert south is not None
    text = read_own_page(session, north.number)
    assert "Next: table 1, North<" in text.replace(" </h2>", "<")
    assert f"With {row.south.label} {south.name}" in text
    assert f"With {row.north.label} {north.name}" in read_own_page(session, south.number)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "played_board", "expected"),
    [(2, 5, "1, 5"), (1, 6, "2, 6"), (2, 3, "1, 3"), (1, 3, "2–3")],
)
def test_pair_page_shows_the_boards_after_a_correction(
    board: int, played_board: int, expected: str
) -> None:
    session, user = evenings.open_session()
    create_entry_links(session)
    row = find_sitting(session, 1, 1)
    scoring.services.record_actual_board(sitting=row, board=board, really=played_board, by=user)
    assert row.north.entry is not None
    assert row.east.entry is not None
    for entry in (row.north.entry, row.east.entry):
        assert f"Boards {expected}<" in read_own_page(session, entry.number)


@pytest.mark.slow
def test_pair_page_in_play_shows_place_and_next_table_but_no_secrets() -> None:
    session, user = evenings.open_session()
    create_entry_links(session)
    for table in (1, 2, 3):
        row = find_sitting(session, table, 1)
        for board in session.get_group_boards(row.board_group):
            evenings.enter_result(session, row.pk, board, str(5 + table), user)
    standings.update_standings(session.event)
    row = find_sitting(session, 3, 2)
    assert row.north.entry is not None
    text = read_own_page(session, row.north.entry.number)
    assert "Next: table 3, North-South" in text
    assert "1st of 3" in text
    assert "All standings" in text
    assert "The session is in play." in text
    evenings.enter_result(
        session, row.pk, session.get_group_boards(row.board_group)[0], "12", user
    )
    own_page = read_own_page(session, row.north.entry.number)
    assert "Now: table 3, North-South" in own_page
    assert "12" not in own_page.partition("<main")[2].partition("</main>")[0]
    Event.objects.update(standings_shown=Event.StandingsVisibility.AFTER)
    assert "1st of 3" not in read_own_page(session, row.north.entry.number)


@pytest.mark.slow
def test_page_of_a_pair_says_that_it_sits_out_first() -> None:
    session = create_entry_links(evenings.seat_session(5, movement="compass")[0])
    idle_sitting = Sitting.objects.filter(
        section__session=session, round=1, east__entry=None
    ).first()
    assert idle_sitting is not None
    assert idle_sitting.north.entry is not None
    assert "You sit out round 1." in read_own_page(session, idle_sitting.north.entry.number)


def test_pages_of_both_sides_show_a_result_they_do_not_agree_on() -> None:
    session, user = evenings.open_session()
    create_entry_links(session)
    link = hall.phones.services.create_table_links(session=session, by=None)[0]
    row = find_sitting(session, 1, 1)
    board = session.get_group_boards(row.board_group)[0]
    play = {"sitting": row, "board_number": board, "channel": ResultVersion.InputChannel.PHONE}
    scoring.services.record_result(**play, mark="9", seen_score="", by=build_guest(link, "NS"))
    for place in (row.north, row.east):
        assert "do not agree" not in read_own_page(session, place.entry.number)
    scoring.services.record_result(**play, mark="8", seen_score="9", by=build_guest(link, "EW"))
    for place in (row.north, row.east):
        text = read_own_page(session, place.entry.number)
        assert f"Board {board}, table 1: the sides don’t agree." in text
        assert (
            "North-South entered 9 – 4. East-West entered 8 – 5. The director sees both."
        ) in text
    director = Client()
    director.force_login(user)
    for table, expected_dispute_count in ((1, 1), (2, 0)):
        room = f"/director/events/{session.event.slug}/room/tables/{table}/"
        page = collapse_spaces(director.get(room).content.decode())
        assert (
            page.count("North-South entered 9 – 4. East-West entered 8 – 5.")
            == expected_dispute_count
        )
    other_entry = find_sitting(session, 2, 1).north.entry
    assert other_entry is not None
    assert "do not agree" not in read_own_page(session, other_entry.number)


def test_pair_page_shows_no_next_table_after_the_last_board() -> None:
    session = create_entry_links(evenings.play_session()[0])
    assert "You have played all your boards." in read_own_page(session, 1)
