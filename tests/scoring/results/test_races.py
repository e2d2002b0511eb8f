"""Closing and recording are serialised: of two concurrent writers the later is refused."""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

import scoring.services
from clubs.models import Club
from scoring.models import Agreement, Doubt, Result, ResultVersion, Ruling
from scoring.services.doubts import restore_result_query
from scoring.services.results import NewScore, undo_confirmation
from scoring.services.rulings import repeat_ruling
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
Act = Callable[[Session, User], object]
WAIT_TIMEOUT_SECONDS = 30  # seconds


def find_first_play(session: Session) -> tuple[Sitting, int]:
    table = next(table for table in load_session_snapshot(session).tables if table.is_played)
    return Sitting.objects.get(pk=table.sitting_id), table.boards[0]


def find_first_result(session: Session) -> Result:
    sitting, board = find_first_play(session)
    return Result.objects.get(sitting=sitting, board=board)


def record_nine_tricks(session: Session, by: User) -> object:
    sitting, board = find_first_play(session)
    return scoring.services.record_result(
        sitting=sitting, board_number=board, mark="9", seen_score=None, by=by
    )


def _record_in_bulk(session: Session, by: User) -> object:
    sitting, board = find_first_play(session)
    results = scoring.services.record_results(scores=[NewScore(sitting, board, "9")], by=by)
    if results.errors:
        raise results.errors[0]
    return results


def _confirm_result(session: Session, by: User) -> object:
    sitting, board = find_first_play(session)
    return scoring.services.confirm_result(
        sitting=sitting, board_number=board, seen_score="5", by=by
    )


def _undo_confirmation(session: Session, by: User) -> object:
    return undo_confirmation(result=find_first_result(session), by=by)


def accept_first_result(session: Session, by: User) -> object:
    sitting, board = find_first_play(session)
    return scoring.services.accept_result(sitting=sitting, board_number=board, by=by)


def _restore_query(session: Session, by: User) -> object:
    return restore_result_query(result=find_first_result(session), by=by)


def undo_newest(session: Session, by: User) -> object:
    version = find_first_result(session).versions.latest("number")
    return scoring.services.undo_result(version=version, by=by)


def make_noted_correction(session: Session, by: User) -> object:
    return scoring.services.make_ruling(
        kind=Ruling.Kind.NOTED_CORRECTION,
        result=find_first_result(session),
        reason="seen",
        by=by,
    )


def add_penalty(session: Session, by: User) -> object:
    return scoring.services.make_ruling(
        kind=Ruling.Kind.PENALTY,
        entry=session.event.entries.get(number=1),
        session=session,
        amount="2",
        reason="late",
        by=by,
    )


def withdraw_first_ruling(session: Session, by: User) -> object:
    ruling = Ruling.objects.exclude_withdrawn().get()
    return scoring.services.withdraw_ruling(ruling=ruling, by=by)


def _repeat_ruling(session: Session, by: User) -> object:
    return repeat_ruling(ruling=Ruling.objects.get(), by=by)


def prepare_result(session: Session, by: User, agreement: str, doubt: str) -> None:
    """Enter the first result as 5 with an agreement state of its own."""
    sitting, board = find_first_play(session)
    evenings.enter_result(session, sitting.pk, board, "5", by)
    Result.objects.filter(sitting=sitting, board=board).update(agreement=agreement, doubt=doubt)


def build_result_preparation(
    agreement: str = Agreement.NONE, doubt: str = Doubt.NONE
) -> Callable[[Session, User], None]:
    return lambda session, by: prepare_result(session, by, agreement, doubt)


def prepare_active_ruling(session: Session, by: User) -> None:
    Ruling.objects.all().delete()
    add_penalty(session, by)


def prepare_withdrawn_ruling(session: Session, by: User) -> None:
    prepare_active_ruling(session, by)
    withdraw_first_ruling(session, by)


WRITE_CASES: dict[str, tuple[Act, Act]] = {
    "a result": (build_result_preparation(), record_nine_tricks),
    "a first result": (lambda _session, _by: None, record_nine_tricks),
    "many results": (build_result_preparation(), _record_in_bulk),
    "the other side's yes": (build_result_preparation(Agreement.AWAITED), _confirm_result),
    "a yes taken back": (build_result_preparation(Agreement.CONFIRMED), _undo_confirmation),
    "a result kept": (build_result_preparation(doubt=Doubt.QUERIED), accept_first_result),
    "a result asked again": (build_result_preparation(doubt=Doubt.KEPT), _restore_query),
    "a result undone": (build_result_preparation(), undo_newest),
    "a ruling": (build_result_preparation(), make_noted_correction),
    "a penalty": (build_result_preparation(), add_penalty),
    "a ruling withdrawn": (prepare_active_ruling, withdraw_first_ruling),
    "a ruling made again": (prepare_withdrawn_ruling, _repeat_ruling),
}


class OtherConnectionThread(threading.Thread):
    """A thread with its own database connection that does one act, and its outcome."""

    def __init__(self, act: Callable[[], object]) -> None:
        """Start immediately."""
        super().__init__(daemon=True)
        self.act, self.error, self.pid = act, None, 0
        self.error: BaseException | None
        self.start()

    def run(self) -> None:
        """Run the act, and return the connection as the pool had it."""
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                self.pid = cursor.fetchone()[0]
            self.act()
        except BaseException as error:
            self.error = error
        finally:
            connections.close_all()

    def wait_until_blocked(self) -> None:
        """Return when the thread waits for a lock, or has ended without one."""
        end = time.monotonic() + WAIT_TIMEOUT_SECONDS
        while self.is_alive() and not self._is_blocked():
            assert time.monotonic() < end, "Neither done nor waiting."
            time.sleep(0.01)

    def _is_blocked(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT cardinality(pg_blocking_pids(%s))", [self.pid])
            return bool(cursor.fetchone()[0])

    def wait_for_error(self) -> BaseException | None:
        """Wait for the end, and return the exception that it raised."""
        self.join(WAIT_TIMEOUT_SECONDS)
        assert not self.is_alive(), "The two wait for each other."
        return self.error


def run_interleaved(
    first: Callable[[], object], second: Callable[[], object]
) -> BaseException | None:
    """Run the first act, start the second before the commit; return the second's exception."""
    with transaction.atomic():
        first()
        other_thread = OtherConnectionThread(second)
        other_thread.wait_until_blocked()
    return other_thread.wait_for_error()


def read_writable_state(session: Session) -> list[Any]:
    """Return everything that a writer could have changed."""
    versions = ResultVersion.objects.filter(result__sitting__section__session=session)
    results = Result.objects.filter(sitting__section__session=session).order_by("pk")
    rulings = Ruling.objects.filter(session=session).order_by("pk")
    return [
        list(versions.order_by("pk").values_list("pk", flat=True)),
        list(results.values_list("outcome", "ns_tricks", "agreement", "doubt")),
        list(rulings.values_list("pk", "withdrawn_at")),
    ]


def test_no_result_is_written_after_close_commits() -> None:
    session, director = evenings.open_session(4, movement="howell")
    evenings.end_correction_period(session)
    for name, (prepare, write) in WRITE_CASES.items():
        prepare(session, director)
        state_before = read_writable_state(session)
        error = run_interleaved(
            lambda: scoring.services.close_session(session=session, by=director),
            partial(write, session, director),
        )
        assert isinstance(error, ActionUnavailable), (name, error)
        assert read_writable_state(session) == state_before, name
        scoring.services.reopen_session(session=session, reason="the next one", by=director)


def test_scorer_cannot_write_result_after_close_commits() -> None:
    session, director = evenings.open_session(4, movement="howell")
    assert Club.objects.get().correction_hours > 0
    scorer = evenings.create_scorer(session.event.club)
    error = run_interleaved(
        lambda: scoring.services.close_session(session=session, by=director),
        lambda: record_nine_tricks(session, scorer),
    )
    assert isinstance(error, ActionUnavailable), error
    assert not Result.objects.exists()


def test_return_to_setup_is_refused_while_score_is_being_entered() -> None:
    session, director = evenings.open_session(4, movement="howell")
    error = run_interleaved(
        lambda: record_nine_tricks(session, director),
        lambda: scoring.services.return_session_to_setup(session=session, by=director),
    )
    session.refresh_from_db()
    assert isinstance(error, ActionUnavailable), error
    assert (session.state, Result.objects.count()) == (Session.State.OPEN, 1)


def test_no_result_is_written_after_session_returns_to_setup() -> None:
    session, director = evenings.open_session(4, movement="howell")
    for name in ("a first result", "a penalty"):
        error = run_interleaved(
            lambda: scoring.services.return_session_to_setup(session=session, by=director),
            partial(WRITE_CASES[name][1], session, director),
        )
        session.refresh_from_db()
        assert isinstance(error, ActionUnavailable), (name, error)
        assert (session.state, read_writable_state(session)) == (
            Session.State.PLANNED,
            [[], [], []],
        ), name
        scoring.services.open_session(session=session, by=director)


def test_each_write_locks_session_before_other_rows() -> None:
    """Locks taken in one order by all writers cannot deadlock."""
    session, director = evenings.open_session(4, movement="howell")
    for name, (prepare, write) in WRITE_CASES.items():
        prepare(session, director)
        with CaptureQueriesContext(connection) as queries:
            write(session, director)
        locks = [query["sql"] for query in queries if " FOR " in query["sql"]]
        first_locked_table = locks[0].partition(" FOR ")[2].partition(" OF ")[2]
        assert first_locked_table.startswith(f'"{Session._meta.db_table}"'), name
