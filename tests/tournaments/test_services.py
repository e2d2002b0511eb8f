"""Entries, seatings and sessions change as a director expects, and the history records it."""

import sys
from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

import scoring.services
from boards.models import BoardSet
from clubs import audit
from clubs.models import Player
from tests import evenings
from tournaments import services
from tournaments.errors import ActionUnavailable, InvalidEntry, InvalidRoster, InvalidSeating
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement
from tournaments.sheets.movement_names import format_movement_size

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_event_is_created_with_first_session_and_history_entry() -> None:
    event, _ = evenings.create_event(pairs=0)
    assert event.slug == "tuesday-2026-03-10"
    assert event.sessions.get().state == Session.State.PLANNED
    assert audit.list_acts(event).get().action == "event.created"


@pytest.mark.slow
def test_repeated_form_submission_creates_one_event() -> None:
    club, user = evenings.create_club_with_director()
    events = [
        scoring.services.create_event(
            club=club, name="Tuesday", date=date(2026, 3, 10), form_key="abc", by=user
        )
        for _ in range(2)
    ]
    assert events[0] == events[1]
    assert Event.objects.count() == 1


@pytest.mark.slow
def test_events_with_same_name_and_day_have_different_slugs() -> None:
    first_event, _ = evenings.create_event(pairs=0)
    second_event, _ = evenings.create_event(pairs=0)
    assert (first_event.slug, second_event.slug) == (
        "tuesday-2026-03-10",
        "tuesday-2026-03-10-2",
    )


@pytest.mark.slow
def test_event_requires_name() -> None:
    with pytest.raises(ValidationError):
        evenings.create_event(pairs=0, name="")


@pytest.mark.slow
def test_new_pair_gets_next_number_and_players_join_club() -> None:
    event, user = evenings.create_event(pairs=1)
    entry = services.create_entry(event=event, names=["  Ada   Pole ", "Łucja Nowak"], by=user)
    assert (entry.number, entry.name) == (2, "Ada Pole & Łucja Nowak")
    assert event.club.players.filter(name="Ada Pole").exists()


@pytest.mark.slow
def test_existing_player_is_not_added_again_ignoring_case() -> None:
    event, user = evenings.create_event(pairs=0)
    Player.objects.create(club=event.club, name="Ada Pole")
    services.create_entry(event=event, names=["ada pole", "Łucja Nowak"], by=user)
    assert Player.objects.filter(name__iexact="ada pole").count() == 1


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Ada Pole"], "A pair needs two names. Enter the partner of “Ada Pole”."),
        (["", " "], "Enter two names."),
        (["Ada Pole", "ada pole"], "Ada Pole is in this pair twice."),
        (["A", "B", "C"], "A pair has two names. Found 3: A, B, C."),
        (["A" * 81, "B"], "Use 80 characters or fewer"),
    ],
)
def test_invalid_pair_is_refused_with_message(names: list[str], message: str) -> None:
    event, user = evenings.create_event(pairs=0)
    with pytest.raises(InvalidEntry) as exc_info:
        services.create_entry(event=event, names=names, by=user)
    assert message in str(exc_info.value)
    assert not event.entries.exists()


@pytest.mark.slow
def test_player_in_another_pair_is_refused_with_its_number() -> None:
    event, user = evenings.create_event(pairs=0)
    services.create_entry(event=event, names=["Ada Pole", "Łucja Nowak"], by=user)
    with pytest.raises(InvalidEntry, match="already entered, in number 1"):
        services.create_entry(event=event, names=["Ada Pole", "Henry Jones"], by=user)


@pytest.mark.slow
def test_double_click_enters_one_pair() -> None:
    event, user = evenings.create_event(pairs=0)
    first_entry = services.create_entry(event=event, names=["Ada Pole", "Łucja Nowak"], by=user)
    assert (
        services.create_entry(event=event, names=["Łucja Nowak", "Ada Pole"], by=user)
        == first_entry
    )
    assert event.entries.count() == 1


def test_list_with_one_invalid_row_is_refused_completely() -> None:
    event, user = evenings.create_event(pairs=0)
    rows = [("Line 1", ("A", "B")), ("Line 2", ("A", "C")), ("Line 3", ("D", "D"))]
    with pytest.raises(InvalidRoster) as exc_info:
        services.create_entries(event=event, rows=rows, by=user)
    assert [problem.split(":")[0] for problem in exc_info.value.problems] == [
        "Line 2",
        "Line 3",
    ]
    assert not event.entries.exists()


@pytest.mark.slow
def test_deleting_pair_renumbers_later_pairs() -> None:
    event, user = evenings.create_event(pairs=3)
    services.remove_entry(entry=event.entries.get(number=1), by=user)
    assert list(event.entries.values_list("number", flat=True)) == [1, 2]


@pytest.mark.slow
def test_history_contains_both_names_of_renamed_pair() -> None:
    event, user = evenings.create_event(pairs=1)
    entry = event.entries.get()
    name_before = entry.name
    services.rename_entry(entry=entry, names=["Ada Pole", "Łucja Nowak"], by=user)
    change = audit.list_acts(event).first()
    assert change is not None
    assert (change.before, change.after) == (
        {"name": name_before},
        {"name": "Ada Pole & Łucja Nowak"},
    )


def test_corrected_player_name_applies_to_every_pair() -> None:
    event, user = evenings.create_event(pairs=0)
    entry = services.create_entry(event=event, names=["Ada Pool", "Łucja Nowak"], by=user)
    services.rename_player(player=Player.objects.get(name="Ada Pool"), name="Ada Pole", by=user)
    entry.refresh_from_db()
    assert entry.name == "Ada Pole & Łucja Nowak"


@pytest.mark.slow
def test_seating_creates_every_place_and_sitting_of_movement() -> None:
    session, _ = evenings.seat_session(pairs=6)
    section = session.sections.get()
    assert [place.label for place in section.places.all()] == [
        "1NS", "2NS", "3NS", "1EW", "2EW", "3EW",
    ]  # fmt: skip
    assert [place.entry.number for place in section.places.all() if place.entry] == list(
        range(1, 7)
    )
    assert section.sittings.count() == 9


@pytest.mark.slow
def test_reseating_replaces_earlier_seating() -> None:
    session, user = evenings.seat_session(pairs=6)
    services.seat_section(
        session=session,
        movement=build_named_movement("howell", pairs=6),
        boards_a_round=3,
        by=user,
    )
    assert session.sections.get().movement == "howell"
    change = audit.list_acts(session.event).first()
    assert change is not None
    assert format_movement_size(change.before["seated"][0]) == "Mitchell, 3 tables, 3 rounds"


@pytest.mark.slow
def test_half_table_leaves_position_empty() -> None:
    session, _ = evenings.seat_session(pairs=5)
    places = session.sections.get().places.filter(entry=None)
    assert [place.label for place in places] == ["3EW"]


def test_too_few_pairs_for_movement_are_refused() -> None:
    event, user = evenings.create_event(pairs=5)
    with pytest.raises(InvalidSeating, match="has 6 places, but 5 are entered"):
        services.seat_section(
            session=event.sessions.get(),
            movement=build_named_movement("compass", tables=3),
            boards_a_round=2,
            by=user,
        )


def test_session_without_movement_cannot_be_opened() -> None:
    event, user = evenings.create_event()
    with pytest.raises(ActionUnavailable, match="Choose the movement first"):
        scoring.services.open_session(session=event.sessions.get(), by=user)


def test_pairs_and_seats_of_open_session_cannot_change() -> None:
    session, user = evenings.open_session()
    with pytest.raises(ActionUnavailable):
        services.create_entry(event=session.event, names=["A", "B"], by=user)
    with pytest.raises(ActionUnavailable):
        services.seat_section(
            session=session,
            movement=build_named_movement("howell", pairs=6),
            boards_a_round=2,
            by=user,
        )


@pytest.mark.slow
def test_repeated_deal_request_creates_one_board_set(
    django_capture_on_commit_callbacks,
) -> None:
    session, user = evenings.seat_session()
    with django_capture_on_commit_callbacks(execute=True):
        board_sets = [services.request_dealing(session=session, by=user) for _ in range(2)]
    assert board_sets[0] == board_sets[1]
    board_set = BoardSet.objects.get()
    assert (board_set.state, board_set.boards.count()) == (BoardSet.State.READY, 6)


def test_history_never_contains_cards(django_capture_on_commit_callbacks) -> None:
    session, user = evenings.seat_session()
    with django_capture_on_commit_callbacks(execute=True):
        board_set = services.request_dealing(session=session, by=user)
    deals = board_set.load_deals()
    services.correct_deal(session=session, board_number=1, deal=deals[5], by=user)
    history_text = " ".join(
        f"{act.where} {act.before} {act.after}" for act in audit.list_acts(session.event)
    )
    assert not any(deal.turn_up.code in history_text.split() for deal in deals.values())


def test_closing_and_reopening_are_both_in_history() -> None:
    session, user = evenings.open_session()
    scoring.services.close_session(session=session, by=user)
    scoring.services.reopen_session(session=session, by=user)
    session.refresh_from_db()
    assert (session.state, session.closed_at) == (Session.State.OPEN, None)
    acts = list(audit.list_acts(session.event).values_list("action", flat=True)[:2])
    assert acts == ["session.reopened", "session.closed"]


@pytest.mark.slow
def test_entry_can_be_deleted_after_seating_is_removed() -> None:
    session, user = evenings.seat_session()
    services.remove_seating(session=session, by=user)
    services.remove_entry(entry=session.event.entries.get(number=2), by=user)
    assert session.event.entries.count() == 5
    change = audit.list_acts(session.event).filter(action="section.unseated").get()
    assert format_movement_size(change.before["seated"][0]) == "Mitchell, 3 tables, 3 rounds"


@pytest.mark.slow
def test_session_with_too_few_boards_for_movement_cannot_be_opened(
    django_capture_on_commit_callbacks,
) -> None:
    session, user = evenings.seat_session(boards_a_round=2)
    with django_capture_on_commit_callbacks(execute=True):
        services.request_dealing(session=session, by=user)
    services.seat_section(
        session=session,
        movement=build_named_movement("howell", pairs=6),
        boards_a_round=3,
        by=user,
    )
    with pytest.raises(ActionUnavailable, match="9 more boards needed"):
        scoring.services.open_session(session=session, by=user)


@pytest.mark.slow
def test_custom_team_name_is_kept_after_player_correction() -> None:
    event, user = evenings.create_event(pairs=0, contest="teams", method="matches")
    names = ["Ada Pool", "Bo Else", "Cy Who", "Di Gale"]
    team = services.create_entry(event=event, names=names, name="The Owls", by=user)
    renamings_before = event.renamings
    services.rename_player(player=Player.objects.get(name="Ada Pool"), name="Ada Pole", by=user)
    team.refresh_from_db()
    event.refresh_from_db()
    assert team.name == "The Owls"
    assert event.renamings == renamings_before


def test_checking_a_list_takes_time_in_proportion_to_its_length() -> None:
    event, _user = evenings.create_event(pairs=0)

    def count_calls(row_count: int) -> int:
        rows = [
            (f"Line {n}", (f"Ann {row_count} {n}", f"Bo {row_count} {n}"))
            for n in range(row_count)
        ]
        calls: list[str] = []
        sys.setprofile(lambda _frame, kind, _argument: calls.append(kind))
        try:
            assert services.check_entries(event=event, rows=rows) == {}
        finally:
            sys.setprofile(None)
        return calls.count("call") + calls.count("c_call")

    count_calls(10)  # fills the caches
    assert count_calls(400) < 2.5 * count_calls(200)


def test_names_with_commas_are_checked_with_few_queries() -> None:
    event, _user = evenings.create_event(pairs=0)
    rows = [(f"Line {n}", (f"Ash {n}, Ann", f"Bell {n}, Bo")) for n in range(30)]
    with CaptureQueriesContext(connection) as queries:
        assert services.check_entries(event=event, rows=rows) == {}
    assert len(queries) < 6


def test_error_names_first_entry_that_has_a_player_of_the_row() -> None:
    event, user = evenings.create_event(pairs=0)
    evenings.enter_everybody(event, [("Ann", "Bo"), ("Cy", "Di")], user)
    rows = [
        ("Line 1", ("Eve", "Fay")),
        ("Line 2", ("Fay", "Di")),
        ("Line 3", ("Di", "Cy")),
        ("Line 4", ("Eve", "Gil")),
    ]
    assert services.check_entries(event=event, rows=rows) == {
        "Line 2": "Line 2: Di is already entered, in number 2 (Cy & Di). "
        "If this is another person, add a mark, such as “Di jun.”.",
        "Line 3": "Line 3: Cy & Di is already entered, as number 2.",
        "Line 4": "Line 4: Eve is already entered, in number 3 (Eve & Fay). "
        "If this is another person, add a mark, such as “Eve jun.”.",
    }


@pytest.mark.slow
def test_each_pair_of_pasted_list_adds_one_query() -> None:
    """The history entry; 200 pairs are entered before a hall is full."""

    def count_queries(pairs: int) -> int:
        event, user = evenings.create_event(0, name=f"{pairs} pairs")
        rows = [(str(n), (f"Ann {pairs} {n}", f"Bo {pairs} {n}")) for n in range(pairs)]
        with CaptureQueriesContext(connection) as queries:
            services.create_entries(event=event, rows=rows, by=user)
        assert event.entries.count() == pairs
        return len(queries)

    assert count_queries(40) - count_queries(10) == 30
