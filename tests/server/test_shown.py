"""One number for each thing that public pages show: it only grows, and every process hears."""

import threading
import time
from collections.abc import Callable, Iterator
from unittest import mock

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from clubs import audit
from server import listening, shown
from server.listening import Listener, Numbers, read, written
from server.models import Shown
from server.shown import numbers, raise_number
from tests import factories


@pytest.mark.django_db
def test_a_number_only_grows_even_when_the_clock_is_put_back() -> None:
    found = []
    for now in (100.0, 100.0, 50.0, 200.5):
        with mock.patch.object(shown.time, "time", return_value=now):
            raise_number("event:a")
        found.append(numbers(["event:a"])["event:a"])
    assert found == [100_000, 100_001, 100_002, 200_500]
    assert numbers(["event:a", "event:b"]) == {"event:a": 200_500, "event:b": 0}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("action", "grows"), [("event.edited", True), ("result.agreed", False)]
)
def test_an_act_raises_the_number_of_what_it_was_done_to(action: str, grows: bool) -> None:
    event = factories.EventFactory.create()
    keys = (event.audit_key, event.club.audit_key)
    before = numbers(keys)
    audit.record(None, action, subject=event)
    after = numbers(keys)
    assert (after[keys[0]] > before[keys[0]]) is grows
    assert after[keys[1]] == before[keys[1]]


@pytest.mark.django_db
def test_many_acts_raise_the_number_of_one_thing_once() -> None:
    with CaptureQueriesContext(connection) as asked, shown.together():
        for about in ("event:a", "event:b", "event:a", "event:a"):
            raise_number(about)
        assert not asked.captured_queries
    tells = connection.vendor == "postgresql"
    assert len(asked) == (4 if tells else 2)
    assert all(numbers(["event:a", "event:b"]).values())


@pytest.mark.django_db(transaction=True)
def test_an_act_that_is_taken_back_has_raised_nothing() -> None:
    def fail() -> None:
        with transaction.atomic():
            raise_number("event:a")
            raise OSError("away")

    with pytest.raises(OSError, match="away"):
        fail()
    assert not Shown.objects.exists()


def test_numbers_are_written_for_the_head_of_an_answer_and_read_again() -> None:
    at = {"event:tuesday-17": 4, "club:ours": 0}
    assert dict(read(written(at))) == at
    assert read("") == ()


def test_a_process_that_hears_nothing_takes_nothing_for_known() -> None:
    known = Numbers()
    at = (("event:a", 3),)
    assert not known.holds(at)
    known.heard_at = time.monotonic()
    assert known.holds(at)
    known.learn("event:a", 4)
    known.learn("event:a", 2)  # told late
    assert not known.holds(at)
    assert known.holds((("event:a", 4), ("club:b", 0)))
    known.heard_at -= listening.SILENT
    assert not known.holds((("event:a", 4),))


@pytest.fixture
def known(transactional_db: None) -> Iterator[Numbers]:
    """The numbers of a process that listens on a line of its own."""
    found = Numbers()
    listener = Listener(found)
    thread = threading.Thread(target=listener.run, daemon=True)
    thread.start()
    wait_for(found.hears)
    yield found
    listener.is_over.set()
    connection.cursor().execute("SELECT pg_notify(%s, '')", [listening.CHANNEL])
    thread.join(10)
    assert not thread.is_alive()


def wait_for(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.services
def test_every_process_hears_of_an_act_once_it_is_committed(known: Numbers) -> None:
    with transaction.atomic():
        raise_number("event:a")
        time.sleep(0.1)
        assert "event:a" not in known.known
    no = numbers(["event:a"])["event:a"]
    wait_for(lambda: known.known.get("event:a") == no)


@pytest.mark.services
def test_what_was_told_while_the_line_was_broken_is_read_when_it_is_open_again(
    known: Numbers,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE %s",
            ["LISTEN%"],
        )
        if not cursor.fetchall():
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    wait_for(lambda: not known.hears())
    raise_number("event:a")
    wait_for(known.hears)
    assert known.known["event:a"] == numbers(["event:a"])["event:a"]
