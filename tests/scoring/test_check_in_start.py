"""An event starts with the people who have checked in, and no one moves without need."""

from collections.abc import Sequence
from datetime import date

import pytest

import scoring.services
import tournaments.services
from clubs.audit import list_acts
from clubs.errors import CheckInRefused
from clubs.evenings import services
from clubs.evenings.first_seats import SIDE_BY_SEAT, Chair
from clubs.evenings.services import NewCheckIn
from clubs.models import Act, BookedPerson, Booking, CheckIn, Fixture, Player
from hall.history.undo import undo_event_act
from scoring.services.check_in import ChosenMovement, start_session_from_check_in
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.check_in_units import build_first_round_plan, load_check_in_units
from tournaments.errors import ActionUnavailable
from tournaments.models import Entry, Session, Sitting

pytestmark = pytest.mark.django_db

Chairs = Sequence[tuple[int, int]]


@build_once
def create_open_check_in(tables: int = 4, contest: str = "pairs") -> tuple[Session, User]:
    """A session without entries, with check-in open at its tables."""
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Tuesday", date=date(2026, 3, 10), contest=contest, by=user
    )
    session = event.sessions.get()
    services.open_check_in(evening=session.evening, table_count=tables, subject=event, by=user)
    return session, user


def list_all_chairs(*tables: int) -> Chairs:
    return [(table, seat) for table in tables for seat in (1, 2, 3, 4)]


def list_side_chairs(*places: tuple[int, str]) -> Chairs:
    return [
        (table, seat)
        for table, side in places
        for seat, chair_side in SIDE_BY_SEAT.items()
        if chair_side == side
    ]


def check_in_chairs(
    session: Session, chairs: Sequence[tuple[int, int] | None], start_index: int = 0
) -> list[CheckIn]:
    people = [
        NewCheckIn(
            name=f"{evenings.SURNAMES[index % 24]} {index}",
            chair=Chair(*chair) if chair else None,
        )
        for index, chair in enumerate(chairs, start=start_index)
    ]
    return services.check_in_people(
        evening=session.evening, people=people, subject=session.event, by=None
    )


def choose_movement(session: Session) -> str:
    """A Mitchell that suits the number of pairs, or Howell's for two tables."""
    tables = (len(load_check_in_units(session).units) + 1) // 2
    return "howell" if tables == 2 else "compass" if tables % 2 else "compass-skip"


def start_play(
    session: Session, movement: str = "", *, boards: int = 2, **options: object
) -> Session:
    units = load_check_in_units(session)
    movement = movement or choose_movement(session)
    options = options or {"pairs": len(units.units)}
    return start_session_from_check_in(
        session=session,
        chosen_movement=ChosenMovement(name=movement, options=options, boards_a_round=boards),
        seen_version=units.version,
        by=None,
    )


def list_first_places(session: Session) -> dict[str, tuple[int, str]]:
    """The table and side of every pair's people in round 1."""
    actual = {}
    for sitting in Sitting.objects.filter(section__session=session, round=1):
        for side, place in (("NS", sitting.north), ("EW", sitting.east)):
            for player in place.entry.players.all() if place.entry else ():
                actual[player.name] = (sitting.table, side)
    return actual


def list_moved_people(session: Session) -> list[str]:
    """The people whose table or side in round 1 is not the one at which they checked in."""
    now = list_first_places(session)
    return [
        row.name
        for row in session.evening.check_ins.exclude(table=None)
        if now.get(row.name) != (row.table, SIDE_BY_SEAT[row.seat])
    ]


@pytest.mark.parametrize("movement", ["compass-skip", "howell", "reduced-howell"])
def test_nobody_moves_with_full_tables(movement: str) -> None:
    session, _user = create_open_check_in()
    check_in_chairs(session, list_all_chairs(1, 2, 3, 4))
    options = {"rounds": 6} if movement.startswith("reduced") else {}
    session = start_play(session, movement, pairs=8, **options)
    assert session.state == Session.State.OPEN
    assert list_moved_people(session) == []
    assert session.event.entries.count() == 8


def test_pairs_are_numbered_by_position_and_phones_show_numbers() -> None:
    session, _user = create_open_check_in()
    check_in_chairs(session, list_all_chairs(4, 3, 2, 1))
    session = start_play(session)
    for row in session.evening.check_ins.all():
        entry = session.event.entries.get(players__name=row.name)
        assert row.number == entry.number
    first_entry = session.event.entries.get(number=1)
    assert {
        list_first_places(session)[player.name] for player in first_entry.players.all()
    } == {(1, "NS")}


@pytest.mark.parametrize("movement", ["compass-skip", "howell"])
@pytest.mark.parametrize("side", ["NS", "EW"])
@pytest.mark.parametrize("table", [1, 2, 4])
def test_missing_pair_is_at_half_table(table: int, side: str, movement: str) -> None:
    session, _user = create_open_check_in()
    whole = [other_table for other_table in (1, 2, 3, 4) if other_table != table]
    check_in_chairs(session, [*list_all_chairs(*whole), *list_side_chairs((table, side))])
    assert list_moved_people(start_play(session, movement, pairs=7)) == []


def test_only_one_pair_moves_for_two_half_tables() -> None:
    session, _user = create_open_check_in(5)
    check_in_chairs(
        session, [*list_all_chairs(1, 2, 3), *list_side_chairs((4, "NS"), (5, "NS"))]
    )
    session = start_play(session)
    assert len(list_moved_people(session)) == 2
    assert {list_first_places(session)[name] for name in list_moved_people(session)} == {
        (4, "EW")
    }


def test_empty_table_is_filled_from_last_table() -> None:
    session, _user = create_open_check_in(5)
    check_in_chairs(session, list_all_chairs(1, 2, 4, 5))
    session = start_play(session)
    assert sorted(list_moved_people(session)) == sorted(
        session.evening.check_ins.filter(table=5).values_list("name", flat=True)
    )


def test_start_plan_names_moving_players() -> None:
    session, _user = create_open_check_in(5)
    check_in_chairs(session, list_all_chairs(1, 2, 4, 5))
    plan = build_first_round_plan(
        load_check_in_units(session), choose_movement(session), {"pairs": 8}
    )
    names = [person.name for person, _place in plan.moving_people]
    assert names
    assert sorted(names) == sorted(list_moved_people(start_play(session)))


def test_players_without_chair_fill_free_positions() -> None:
    session, _user = create_open_check_in()
    check_in_chairs(session, [*list_all_chairs(1, 2, 3), (4, 1), (4, 2), None, None])
    assert [unit.name for unit in load_check_in_units(session).new_pairs]
    session = start_play(session)
    assert len(list_first_places(session)) == 16
    assert len(list_moved_people(session)) <= 1


def test_booked_pair_is_kept_together_from_any_chairs() -> None:
    session, _user = create_open_check_in()
    rows = check_in_chairs(session, [*list_all_chairs(1, 2, 3), (4, 1), (4, 2), (4, 3), None])
    fixture = Fixture.objects.create(evening=session.evening, changed_at="2026-01-01T00:00Z")
    booking = Booking.objects.create(
        uid="0" * 32, fixture=fixture, order=1, made_at="2026-01-01T00:00Z"
    )
    for order, row in enumerate((rows[13], rows[15])):
        BookedPerson.objects.create(
            fixture=fixture, booking=booking, order=order, name=row.name
        )
    units = load_check_in_units(session)
    assert not units.new_pairs
    assert {rows[13].name, rows[15].name} in [set(unit.names) for unit in units.units]


def test_player_without_partner_blocks_start() -> None:
    session, _user = create_open_check_in()
    check_in_chairs(session, [*list_all_chairs(1, 2), (3, 1)])
    with pytest.raises(CheckInRefused, match="has no partner"):
        start_play(session)
    assert session.event.entries.count() == 0


def test_list_changed_since_page_load_blocks_start() -> None:
    session, _user = create_open_check_in()
    check_in_chairs(session, list_all_chairs(1, 2))
    version = load_check_in_units(session).version
    check_in_chairs(session, list_all_chairs(3), start_index=8)
    chosen_movement = ChosenMovement(name="howell", options={"pairs": 4}, boards_a_round=2)
    with pytest.raises(CheckInRefused, match="has changed"):
        start_session_from_check_in(
            session=session, chosen_movement=chosen_movement, seen_version=version, by=None
        )


def enter_pairs(session: Session, *names: Sequence[str]) -> list[Entry]:
    return evenings.enter_everybody(session.event, names, None)


def test_entered_pairs_are_seated_and_keep_their_numbers() -> None:
    session, _user = create_open_check_in()
    pairs = enter_pairs(session, ["Typed One", "Typed Two"], ["Typed Three", "Typed Four"])
    people = check_in_chairs(session, [*list_all_chairs(1, 2), *list_side_chairs((3, "NS"))])
    services.check_in_people(
        evening=session.evening, subject=session.event, by=None,
        people=[NewCheckIn(name="Typed One", chair=Chair(3, 2))],
    )  # fmt: skip
    session = start_play(session)
    assert session.event.entries.count() == 7
    assert [entry.number for entry in pairs] == [1, 2]
    places = list_first_places(session)
    assert places["Typed One"] == places["Typed Two"] == (3, "EW")
    assert places["Typed Three"] == (4, "NS")
    assert {row.name for row in people}.isdisjoint(list_moved_people(session))


def test_player_opposite_a_stranger_blocks_start() -> None:
    session, _user = create_open_check_in()
    enter_pairs(session, ["Pole 0", "Typed Two"])
    check_in_chairs(session, list_all_chairs(1, 2))
    with pytest.raises(CheckInRefused, match=r"Pole 0 sits opposite Jones 2, but is in pair 1"):
        start_play(session)


def test_pair_that_needs_stationary_position_gets_one() -> None:
    session, _user = create_open_check_in()
    [pair] = enter_pairs(session, ["Wheelock 4", "Trist 6"])
    tournaments.services.set_stationary_wishes(entries=[pair], stationary_numbers=[1], by=None)
    rows = check_in_chairs(session, [*list_all_chairs(1, 2, 3, 4)])
    services.move_check_in(
        evening=session.evening,
        check_in_pk=rows[4].pk,
        chair=Chair(2, 2),
        subject=session.event,
        by=None,
    )
    services.move_check_in(
        evening=session.evening,
        check_in_pk=rows[6].pk,
        chair=Chair(2, 4),
        subject=session.event,
        by=None,
    )
    session = start_play(session)
    assert list_first_places(session)["Wheelock 4"][1] == "NS"


def test_single_players_keep_their_chairs() -> None:
    session, _user = create_open_check_in(contest="individual")
    check_in_chairs(session, list_all_chairs(1, 2))
    session = start_play(session, "eight-individuals", players=8)
    for sitting in Sitting.objects.filter(section__session=session, round=1):
        for seat, side in enumerate(("north", "east", "south", "west"), start=1):
            name = getattr(sitting, side).entry.name
            row = session.evening.check_ins.get(name=name)
            assert (row.table, row.seat) == (sitting.table, seat)


def test_teams_do_not_check_in() -> None:
    session, _user = create_open_check_in(contest="teams")
    check_in_chairs(session, list_all_chairs(1, 2))
    with pytest.raises(CheckInRefused, match="not for teams"):
        start_play(session, "teams", teams=2)


def test_repeated_start_is_idempotent() -> None:
    session, _user = create_open_check_in()
    check_in_chairs(session, list_all_chairs(1, 2))
    first_play, acts = start_play(session), list_acts(session.event).count()
    assert start_play(session).pk == first_play.pk
    assert (session.event.entries.count(), list_acts(session.event).count()) == (4, acts)


def find_start_act(session: Session) -> Act:
    return list_acts(session.event).get(action="check_in.started")


def test_undo_of_start_reopens_check_in_with_everyone_seated() -> None:
    session, user = create_open_check_in()
    enter_pairs(session, ["Typed One", "Typed Two"])
    rows = check_in_chairs(session, list_all_chairs(1, 2, 3))
    players = set(Player.objects.values_list("name", flat=True))
    links = set(session.evening.table_links.values_list("token_hash", flat=True))
    start_play(session)
    undo_event_act(event=session.event, act=find_start_act(session), by=user)
    session.refresh_from_db()
    session.evening.refresh_from_db()
    assert (session.state, session.evening.check_in_state) == ("planned", "open")
    assert [entry.name for entry in session.event.entries.all()] == ["Typed One & Typed Two"]
    assert session.evening.check_ins.count() == len(rows)
    assert set(Player.objects.values_list("name", flat=True)) == players
    assert set(session.evening.table_links.values_list("token_hash", flat=True)) == links
    assert list_moved_people(start_play(session)) == []


def test_start_with_scores_cannot_be_undone() -> None:
    session, user = create_open_check_in()
    check_in_chairs(session, list_all_chairs(1, 2))
    session = start_play(session)
    sitting = Sitting.objects.filter(section__session=session, round=1).first()
    assert sitting is not None
    scoring.services.record_result(
        sitting=sitting, board_number=sitting.boards[0], mark="7", seen_score="", by=user
    )
    with pytest.raises(ActionUnavailable, match="Scores have been entered"):
        undo_event_act(event=session.event, act=find_start_act(session), by=user)
    session.evening.refresh_from_db()
    assert session.evening.check_in_state == "started"


def test_session_cannot_open_while_check_in_is_open() -> None:
    session, user = evenings.seat_session()
    services.open_check_in(
        evening=session.evening, table_count=3, subject=session.event, by=user
    )
    with pytest.raises(ActionUnavailable, match="Check-in is open"):
        scoring.services.open_session(session=session, by=user)
