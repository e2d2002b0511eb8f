"""Changes during play: applied at once, undone exactly, and no score is lost."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import transaction

from boards.models import BoardSet
from boards.proof import list_differences
from clubs import audit
from scoring.models import Doubt, Outcome, Result
from scoring.services import (
    apply_seating_change,
    close_session,
    find_last_scored_round,
    open_session,
    undo_change,
)
from scoring.services.changes import redo_change
from scoring.services.rulings import make_ruling, withdraw_ruling
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.proofs import get_published_proof, verify_session_deals
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.errors import ActionUnavailable, InvalidEntry
from tournaments.models import SeatingChange, Section, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.changes import (
    ExchangedPlaces,
    Incident,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
    list_continuations,
)
from tournaments.seating_snapshot import (
    build_snapshot,
    compare_tables,
    load_movement,
    load_movement_with_withdrawals,
)
from tournaments.services import (
    arrange_entries,
    rename_entry,
    request_dealing,
    seal_boards,
    seat_section,
)

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NEWCOMERS = ["Zoë Whitfield", "Robert Foster"]


@build_once
def play_first_rounds(
    pairs: int = 13, rounds: int = 2, **options: object
) -> tuple[Section, User]:
    """Create an event of which the first rounds are scored."""
    session, user = evenings.open_session(pairs, **options)
    plays = [
        (table.sitting_id, board, str((board + table.table_number) % 14))
        for table in load_session_snapshot(session).tables
        if table.is_played and table.round <= rounds
        for board in table.boards
    ]
    evenings.enter_all_results(plays, user)
    return session.sections.get(), user


def apply_change(
    section: Section, user: User, what: Incident, continuation_key: str, **more: object
) -> SeatingChange:
    """Apply one option; the texts do not matter here."""
    return apply_seating_change(
        section=section,
        rounds_played=find_last_scored_round(section),
        incident=what,
        continuation_key=continuation_key,
        incident_data={"kind": "late", "names": ["Ada Pole", "Bo Low"], "round": 1},
        by=user,
        **more,
    )


def read_event_rows(section: Section) -> tuple[object, ...]:
    """Return all rows of an event as values, results below their sittings."""
    section.refresh_from_db()
    results = Result.objects.order_by("pk").values_list(
        "pk", "sitting_id", "board", "ns_tricks", "sitting__round", "sitting__table"
    )
    return build_snapshot(section), list(results), section.session.event.entries.count()


TEAM_NAMES = [f"{name} Calthorpe" for name in ("Ada", "Ben", "Cyril", "Dora")]

CHANGE_CASES = [
    (9, "compass", LateArrival(), {"names": NEWCOMERS}),
    (10, "compass", LateArrival(), {"names": NEWCOMERS}),
    (9, "howell", LateArrival(), {"names": NEWCOMERS}),
    (10, "compass", Withdrawal(3), {}),
    (9, "howell", Withdrawal(3), {}),
    (10, "compass", TurnedTable(3, 1, 2), {}),
    (10, "howell", TurnedTable(2, 2, 2), {}),
    (10, "compass", ExchangedPlaces(6, 7, 2, 2), {}),
    (10, "howell", ExchangedPlaces(4, 6, 2, 2), {}),
    (10, "compass", WrongBoards(2, 3, 5), {}),
]


@pytest.mark.parametrize(("pairs", "movement", "what", "change_arguments"), CHANGE_CASES)
def test_every_continuation_keeps_all_results_and_its_undo_is_exact(
    pairs: int, movement: str, what: Incident, change_arguments: dict[str, object]
) -> None:
    section, user = play_first_rounds(pairs, movement=movement)
    event_rows_before = read_event_rows(section)
    keys = [
        continuation.key for continuation in list_continuations(load_movement(section), 2, what)
    ]
    assert keys
    for key in keys:
        change = apply_change(section, user, what, key, **change_arguments)
        event_rows_after = read_event_rows(section)
        assert [row[0] for row in event_rows_after[1]] == [
            row[0] for row in event_rows_before[1]
        ]
        assert event_rows_after[0] != event_rows_before[0]
        standings.update_standings(section.session.event)
        undo_change(change=change, by=user)
        assert read_event_rows(section) == event_rows_before
        start = transaction.savepoint()
        redo_change(change=change, by=user)
        assert read_event_rows(section) == event_rows_after
        transaction.savepoint_rollback(start)


def play_with_first_mark(section: Section, user: User, first_mark: str) -> Sitting:
    """Play four rounds with 7s, and 3 on boards 5 and 6.

    Of boards 1 and 2 only the first table of round 1 has results, namely `first_mark`.
    """
    snapshot = load_session_snapshot(section.session)
    plays = [
        (table.sitting_id, board, "3" if board in (5, 6) else "7")
        for table in snapshot.tables
        if table.round <= 4
        for board in table.boards
        if board not in (1, 2)
    ]
    evenings.enter_all_results(plays, user)
    sitting = section.sittings.get(round=1, table=1)
    for board in (1, 2):
        evenings.enter_result(section.session, sitting.pk, board, first_mark, user)
    return sitting


def list_doubts(sitting: Sitting) -> dict[int, str]:
    rows = Result.objects.filter(sitting=sitting).exclude(outcome=Outcome.CLEARED)
    return {row.board: row.doubt for row in rows}


@pytest.mark.parametrize("first", ["3", "7", "12", "13", "-"])
def test_result_moved_to_another_board_is_checked_like_an_entered_one(
    first: str,
) -> None:
    """Every recording runs the plausibility check: by a change, its undo and redo."""
    session, user = evenings.open_session(14)
    section = session.sections.get()
    sitting = play_with_first_mark(section, user, first)
    doubts_before = list_doubts(sitting)
    wrong_boards = WrongBoards(1, 1, session.find_board_group(5))
    way = list_continuations(load_movement(section), 4, wrong_boards)[0]
    change = apply_change(section, user, wrong_boards, way.key)
    doubts = list_doubts(sitting)
    assert [*doubts] == [5, 6]
    undo_change(change=change, by=user)
    assert list_doubts(sitting) == doubts_before
    redo_change(change=change, by=user)
    assert list_doubts(sitting) == doubts
    for board in (5, 6):  # typed again
        evenings.enter_result(session, sitting.pk, board, "", user)
        evenings.enter_result(session, sitting.pk, board, first, user)
    assert list_doubts(sitting) == doubts
    is_plausible = first in ("3", "-")
    assert {*doubts.values()} == {Doubt.NONE if is_plausible else Doubt.QUERIED}


@build_once
def play_contest(contest: str, count: int, movement: str) -> tuple[Section, User]:
    """Create an event of single players or teams, two rounds of which are scored."""
    event, user = evenings.create_event(0, contest=contest)
    letters = "abcd" if contest == "teams" else "a"
    names = ([f"Player {number}{letter}" for letter in letters] for number in range(count))
    evenings.enter_everybody(event, names, user)
    session = event.sessions.get()
    movement_size = {"teams" if contest == "teams" else "players": count}
    built_movement = build_named_movement(movement, **movement_size)
    seating = arrange_entries(built_movement, list(event.entries.order_by("number")))
    seat_section(
        session=session,
        movement=built_movement,
        entries_by_place=seating,
        boards_a_round=2,
        by=user,
    )
    session = open_session(session=session, by=user)
    plays = [
        (table.sitting_id, board, "6")
        for table in load_session_snapshot(session).tables
        if table.is_played and table.round <= 2
        for board in table.boards
    ]
    evenings.enter_all_results(plays, user)
    return session.sections.get(), user


@pytest.mark.parametrize(
    ("contest", "count", "movement", "what", "names"),
    [
        ("individual", 8, "whist-individual", LateArrival(), TEAM_NAMES[:1]),
        ("individual", 11, "whist-individual", LateArrival(), TEAM_NAMES[:1]),
        ("individual", 13, "whist-individual", Withdrawal(2), ()),
        ("individual", 12, "whist-individual", WrongBoards(2, 1, 4), ()),
        ("teams", 5, "howell-teams", LateArrival(), TEAM_NAMES),
        ("teams", 6, "new-england-relay", LateArrival(), TEAM_NAMES),
        ("teams", 5, "howell-teams", Withdrawal(2), ()),
        ("teams", 5, "howell-teams", WrongBoards(2, 1, 4), ()),
    ],
)
def test_players_and_teams_can_come_late_and_withdraw_like_pairs(
    contest: str, count: int, movement: str, what: Incident, names: Sequence[str]
) -> None:
    section, user = play_contest(contest, count, movement)
    event_rows_before = read_event_rows(section)
    continuations = list_continuations(load_movement(section), 2, what)
    assert len(continuations) >= 2
    for way in continuations:
        change = apply_change(section, user, what, way.key, names=names)
        event_rows_after = read_event_rows(section)
        standings.update_standings(section.session.event)
        if names:
            entry = section.session.event.entries.get(number=count + 1)
            assert [p.number for p in entry.places.order_by("number")] == list(
                way.newcomer_places
            )
        undo_change(change=change, by=user)
        assert read_event_rows(section) == event_rows_before
        start = transaction.savepoint()
        redo_change(change=change, by=user)
        assert read_event_rows(section) == event_rows_after
        transaction.savepoint_rollback(start)


LATER_SCORE_CASES = [
    (9, "compass", LateArrival(), {"names": NEWCOMERS}),
    (11, "compass-rover", LateArrival(), {"names": NEWCOMERS}),
    (8, "howell", LateArrival(), {"names": NEWCOMERS}),
    (9, "howell", Withdrawal(3), {}),
    (10, "compass", TurnedTable(3, 1, 2), {}),
    (10, "compass", ExchangedPlaces(6, 7, 2, 2), {}),
    (10, "compass", WrongBoards(2, 3, 5), {}),
]


@pytest.mark.parametrize(("pairs", "movement", "what", "more"), LATER_SCORE_CASES)
def test_scores_entered_after_a_change_stay_with_the_players_who_made_them(
    pairs: int, movement: str, what: Incident, more: dict[str, object]
) -> None:
    section, user = play_first_rounds(pairs, movement=movement)
    event_rows_before, seats = read_event_rows(section), read_seats(section)
    for way in list_continuations(load_movement(section), 2, what):
        start = transaction.savepoint()
        change = apply_change(section, user, what, way.key, **more)
        now = read_seats(section)
        check_unchanged_table_score(section, user, change, seats, now)
        change = change.session.changes.latest("pk")
        check_refused(section, user, change, seats, now)
        transaction.savepoint_rollback(start)
        assert read_event_rows(section) == event_rows_before


SeatsByTable = dict[
    tuple[int, int], tuple[object, ...]
]  # by round and table: N-S, E-W, the boards


def read_seats(section: Section) -> SeatsByTable:
    """Return the places and boards at each table, read independently of the program."""
    played_tables = [
        table for table in load_session_snapshot(section.session).tables if table.is_played
    ]
    return {
        (t.round, t.table_number): (t.ns.places, t.ew.places, t.boards) for t in played_tables
    }


def have_players_changed(
    first_seats: SeatsByTable, second_seats: SeatsByTable, number: int
) -> bool:
    """Return whether a table of a round has a player who does not sit there in the other."""
    people = [
        {
            table_key: {*seats[0], *seats[1]}
            for table_key, seats in seats_by_table.items()
            if table_key[0] == number
        }
        for seats_by_table in (first_seats, second_seats)
    ]
    return people[0] != people[1]


def check_unchanged_table_score(
    section: Section, user: User, change: SeatingChange, seats: SeatsByTable, now: SeatsByTable
) -> None:
    """Check that a score at a table with unchanged seats does not prevent undo and redo."""
    unchanged_tables = {at for at in now if now[at] == seats.get(at)}
    seated = [
        t for t in load_session_snapshot(section.session).tables if t.is_played and t.round > 2
    ]
    table = next((t for t in seated if (t.round, t.table_number) in unchanged_tables), None)
    if table is not None:
        evenings.enter_result(section.session, table.sitting_id, table.boards[0], "7", user)
    event_rows_after = read_event_rows(section)
    undo_change(change=change, by=user)
    if table is not None:
        assert (
            Result.objects.get(sitting__round=table.round).sitting.table == table.table_number
        )
    if table is None or not have_players_changed(seats, now, table.round):
        redo_change(change=change, by=user)
        assert read_event_rows(section) == event_rows_after
    else:
        with pytest.raises(
            ActionUnavailable, match="has since been played without this change"
        ):
            redo_change(change=change, by=user)
        evenings.enter_result(section.session, table.sitting_id, table.boards[0], "", user)
        redo_change(change=change, by=user)


def check_refused(
    section: Section, user: User, change: SeatingChange, seats: SeatsByTable, now: SeatsByTable
) -> None:
    """Check that a score at a changed table prevents the undo, and nothing changes."""
    seated = load_session_snapshot(section.session).tables
    tables = {at for at in now if now[at] != seats.get(at) and at[0] > 2}
    changed_tables = [t for t in seated if t.is_played and (t.round, t.table_number) in tables]
    for table in changed_tables[:2]:
        evenings.enter_result(section.session, table.sitting_id, table.boards[0], "7", user)
        event_rows_after = read_event_rows(section)
        with pytest.raises(ActionUnavailable, match="Can’t undo"):
            undo_change(change=change, by=user)
        assert read_event_rows(section) == event_rows_after


def test_results_of_wrong_boards_move_to_the_boards_played() -> None:
    section, user = play_first_rounds(14)
    sitting = Sitting.objects.get(section=section, round=2, table=4)
    moved_results = list(sitting.results.order_by("board").values_list("board", "ns_tricks"))
    assert [board for board, _ in moved_results] == [9, 10]
    change = apply_change(section, user, WrongBoards(2, 4, 4), "planned")
    results = list(sitting.results.order_by("board").values_list("board", "ns_tricks"))
    assert results == [(board - 2, tricks) for board, tricks in moved_results]
    undo_change(change=change, by=user)
    assert (
        list(sitting.results.order_by("board").values_list("board", "ns_tricks"))
        == moved_results
    )


def test_late_pair_is_seated_and_counted_only_from_its_first_round() -> None:
    section, user = play_first_rounds(13)
    expected = load_session_snapshot(section.session).expected_result_count
    apply_change(section, user, LateArrival(), "fill", names=NEWCOMERS)
    entry = section.session.event.entries.get(number=14)
    seated = load_session_snapshot(section.session)
    rounds = [t.round for t in seated.tables if 14 in (*t.ns.entries, *t.ew.entries)]
    assert (entry.name, rounds) == ("Zoë Whitfield & Robert Foster", [3, 4, 5, 6, 7])
    assert seated.expected_result_count == expected + 5 * 2


def test_seated_pair_cannot_be_added_as_late() -> None:
    section, user = play_first_rounds(13)
    names = [p.name for p in section.session.event.entries.get(number=1).players.all()]
    with pytest.raises(InvalidEntry, match="is already in this session"):
        apply_change(section, user, LateArrival(), "fill", names=names)


def test_swapped_seats_credit_tricks_to_the_players_who_sat_there() -> None:
    section, user = play_first_rounds(14)
    table = next(
        t
        for t in load_session_snapshot(section.session).tables
        if (t.round, t.table_number) == (1, 3)
    )
    apply_change(section, user, TurnedTable(3, 1, 1), "planned")
    table_after = next(
        t
        for t in load_session_snapshot(section.session).tables
        if (t.round, t.table_number) == (1, 3)
    )
    assert (table_after.ns.entries, table_after.ew.entries) == (
        table.ew.entries,
        table.ns.entries,
    )
    assert Result.objects.filter(sitting=table.sitting_id).count() == 2


def test_change_does_not_affect_rounds_with_scores() -> None:
    section, user = play_first_rounds(13)
    with pytest.raises(ActionUnavailable, match="Round 2 already has scores"):
        apply_seating_change(
            section=section,
            rounds_played=1,
            incident=Withdrawal(3),
            continuation_key="empty",
            incident_data={},
            by=user,
        )


def test_undo_is_refused_until_later_changes_are_undone() -> None:
    section, user = play_first_rounds(14)
    first_change = apply_change(section, user, TurnedTable(3, 1, 1), "planned")
    apply_change(section, user, Withdrawal(3), "empty")
    with pytest.raises(ActionUnavailable, match="Undo the newer change first"):
        undo_change(change=first_change, by=user)


def test_undo_that_would_give_scores_to_other_players_is_refused() -> None:
    section, user = play_first_rounds(13)
    change = apply_change(section, user, LateArrival(), "fill", names=NEWCOMERS)
    seated = load_session_snapshot(section.session)
    table = next(t for t in seated.tables if t.round == 3 and t.ns.entries == (7,))
    evenings.enter_result(section.session, table.sitting_id, table.boards[0], "7", user)
    undo_change(change=change, by=user)
    other_change = apply_change(section, user, Withdrawal(2), "redraw")
    new = {
        (item.round_number, item.table_number)
        for item in compare_tables(other_change.before, other_change.after)
        if item.new_seats and item.old_seats and item.old_seats[:4] != item.new_seats[:4]
    }
    table = next(
        t
        for t in load_session_snapshot(section.session).tables
        if (t.round, t.table_number) in new
    )
    evenings.enter_result(section.session, table.sitting_id, table.boards[0], "7", user)
    with pytest.raises(ActionUnavailable, match="Can’t undo"):
        undo_change(change=other_change, by=user)
    assert Result.objects.filter(sitting=table.sitting_id).get().ns_tricks == 7


def test_continuation_that_is_no_longer_available_is_refused() -> None:
    section, user = play_first_rounds(14)
    with pytest.raises(ActionUnavailable, match="no longer available"):
        apply_change(section, user, Withdrawal(3), "joined-and-more")


def test_change_before_play_refers_to_choosing_a_new_movement() -> None:
    session, user = evenings.seat_session(14)
    with pytest.raises(ActionUnavailable, match="The session hasn’t started"):
        apply_change(session.sections.get(), user, Withdrawal(3), "empty")


def test_change_after_the_close_refers_to_reopening_the_session() -> None:
    section, user = play_first_rounds(14)
    change = apply_change(section, user, Withdrawal(3), "empty")
    close_session(session=section.session, by=user)
    with pytest.raises(ActionUnavailable, match="The session is closed"):
        undo_change(change=change, by=user)


def test_history_shows_a_change_and_its_undo() -> None:
    section, user = play_first_rounds(14)
    undo_change(change=apply_change(section, user, Withdrawal(3), "empty"), by=user)
    actions = {act.action for act in audit.list_acts(section.session.event)}
    assert {"seating.changed", "seating.restored"} <= actions


def test_change_increments_session_revision_to_update_standings() -> None:
    section, user = play_first_rounds(14)
    session = Session.objects.get(pk=section.session_id)
    apply_change(section, user, TurnedTable(3, 1, 1), "planned")
    assert Session.objects.get(pk=session.pk).revision > session.revision
    assert Result.objects.exclude(outcome=Outcome.CLEARED).count() == 28


def test_additional_boards_are_dealt_from_the_secret_sealed_before_play(
    django_capture_on_commit_callbacks: Any,
) -> None:
    session, user = evenings.seat_session(14)
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=session, by=user)
    session = open_session(session=session, by=user)
    board_set = session.board_set
    assert board_set is not None
    board_set.refresh_from_db()
    sealed_deals, commitment = board_set.load_deals(), board_set.commitment
    section = session.sections.get()
    with django_capture_on_commit_callbacks(execute=True):
        change = apply_change(section, user, Withdrawal(3), "redraw")
    board_set.refresh_from_db()
    assert (len(sealed_deals), board_set.size, board_set.is_ready) == (14, 28, True)
    assert {number: board_set.load_deals()[number] for number in sealed_deals} == sealed_deals
    assert board_set.promised_before == [[14, commitment]]
    assert get_published_proof(session) is None
    undo_change(change=change, by=user)
    board_set.refresh_from_db()
    assert board_set.size == 28
    session = close_session(session=session, by=user)
    session = Session.objects.get(pk=session.pk)
    published_proof = get_published_proof(session)
    verification = verify_session_deals(session)
    assert published_proof is not None
    assert verification is not None
    assert list_differences(published_proof) == []
    assert verification.is_verified


def test_no_boards_are_ordered_if_players_shuffle() -> None:
    section, user = play_first_rounds(14)
    apply_change(section, user, Withdrawal(3), "redraw")
    section.session.refresh_from_db()
    assert section.session.board_set is None


def test_tables_shuffle_additional_boards_if_cards_are_sealed(
    django_capture_on_commit_callbacks: Any,
) -> None:
    session, user = evenings.seat_session(14)
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=session, by=user)
    session = open_session(session=session, by=user)
    seal_boards(session=session, by=user)
    board_set = BoardSet.objects.get(sessions=session)
    with django_capture_on_commit_callbacks(execute=True):
        apply_change(session.sections.get(), user, Withdrawal(3), "redraw")
    board_set.refresh_from_db()
    assert (board_set.size, board_set.is_ready) == (14, True)
    assert load_session_snapshot(session).boards[-1] == 28


def test_late_pair_with_a_penalty_cannot_be_removed() -> None:
    section, user = play_first_rounds(13)
    change = apply_change(section, user, LateArrival(), "fill", names=NEWCOMERS)
    entry = section.session.event.entries.get(number=14)
    ruling = make_ruling(
        kind="penalty", entry=entry, session=section.session, amount="1", reason="x", by=user
    )
    withdraw_ruling(ruling=ruling, by=user)
    with pytest.raises(ActionUnavailable, match="has a penalty in the history"):
        undo_change(change=change, by=user)
    assert section.session.event.entries.filter(pk=entry.pk).exists()


def test_ruling_made_after_a_change_blocks_its_undo() -> None:
    section, user = play_first_rounds(14)
    change = apply_change(section, user, TurnedTable(3, 1, 2), "planned")
    result = Result.objects.filter(sitting__round=2, sitting__table=3)[0]
    ruling = make_ruling(kind="average", result=result, reason="noise", by=user)
    with pytest.raises(ActionUnavailable, match="Can’t undo"):
        undo_change(change=change, by=user)
    withdraw_ruling(ruling=ruling, by=user)
    assert undo_change(change=change, by=user).undone_at is not None


def test_undo_is_refused_if_the_withdrawn_pair_now_plays_elsewhere() -> None:
    section, user = play_first_rounds(13)
    change = undo_change(
        change=apply_change(section, user, LateArrival(), "fill", names=NEWCOMERS), by=user
    )
    first_entry = section.session.event.entries.get(number=1)
    rename_entry(entry=first_entry, names=[NEWCOMERS[0], "Somebody Else"], by=user)
    with pytest.raises(InvalidEntry, match="is already entered"):
        redo_change(change=change, by=user)
    continuations = list_continuations(load_movement(section), 2, LateArrival())
    assert {"fill", "fill-later"} <= {way.key for way in continuations}


def test_withdrawn_places_are_read_from_current_and_older_formats() -> None:
    section, user = play_first_rounds(14)
    change = apply_change(section, user, Withdrawal(3), "empty")
    assert load_movement_with_withdrawals(section).withdrawn_places == {3}
    change.after.pop("gone")
    change.what = {"kind": "left", "who": {"place": "3NS", "name": "x"}, "round": 3}
    change.save()
    assert load_movement_with_withdrawals(section).withdrawn_places == {3}
    undo_change(change=change, by=user)
    assert load_movement_with_withdrawals(section).withdrawn_places == set()
