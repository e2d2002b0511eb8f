"""Versions of public content only increase, and every process is notified of them."""

import threading
import time
from collections.abc import Callable, Iterator
from unittest import mock

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from clubs import audit
from server import invalidation, public_versions
from server.invalidation import KNOWN_VERSIONS, KnownVersions, Listener
from server.models import PublicVersion
from server.public_versions import (
    are_versions_current,
    batch_version_bumps,
    bump_version,
    read_versions,
)
from tests import factories


@pytest.mark.django_db
def test_version_increases_even_after_clock_is_set_back() -> None:
    actual = []
    for now in (100.0, 100.0, 50.0, 200.5):
        with mock.patch.object(public_versions.time, "time", return_value=now):
            bump_version("event:a")
        actual.append(read_versions(["event:a"])["event:a"])
    assert actual == [100_000, 100_001, 100_002, 200_500]
    assert read_versions(["event:a", "event:b"]) == {"event:a": 200_500, "event:b": 0}
    assert read_versions([]) == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("action", "is_increased"), [("event.edited", True), ("result.agreed", False)]
)
def test_action_increases_version_of_its_subject(action: str, is_increased: bool) -> None:
    event = factories.EventFactory.create()
    keys = (event.audit_key, event.club.audit_key)
    versions_before = read_versions(keys)
    audit.record(None, action, subject=event)
    versions_after = read_versions(keys)
    assert (versions_after[keys[0]] > versions_before[keys[0]]) is is_increased
    assert versions_after[keys[1]] == versions_before[keys[1]]


@pytest.mark.django_db
def test_version_is_increased_and_notified_in_one_query() -> None:
    with CaptureQueriesContext(connection) as queries:
        bump_version("event:a")
    assert len(queries) == 1


@pytest.mark.django_db
def test_multiple_changes_increase_each_version_once() -> None:
    with CaptureQueriesContext(connection) as queries, batch_version_bumps():
        for subject in ("event:a", "event:b", "event:a", "event:a"):
            bump_version(subject)
        assert not queries.captured_queries
    assert len(queries) == 2
    assert all(read_versions(["event:a", "event:b"]).values())


@pytest.mark.django_db(transaction=True)
def test_rollback_restores_version() -> None:
    def bump_and_fail() -> None:
        with transaction.atomic():
            bump_version("event:a")
            raise OSError("away")

    with pytest.raises(OSError, match="away"):
        bump_and_fail()
    assert not PublicVersion.objects.exists()
    assert "event:a" not in KNOWN_VERSIONS.newest_versions_by_subject


@pytest.mark.django_db
def test_versions_are_read_from_database_without_listener() -> None:
    versions = read_versions(["event:a"])
    assert are_versions_current(versions)
    PublicVersion.objects.create(about="event:a", number=7)  # as another process does
    assert not are_versions_current(versions)
    assert are_versions_current({"event:a": 7})


@pytest.mark.django_db
def test_listener_allows_version_comparison_without_query(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Callable[..., mock.Mock]
) -> None:
    known_versions = KnownVersions()
    monkeypatch.setattr(public_versions, "KNOWN_VERSIONS", known_versions)
    known_versions.is_connected = True
    known_versions.record("event:a", 4)
    known_versions.record("event:a", 2)  # arrived late
    with django_assert_num_queries(0):
        assert not are_versions_current({"event:a": 3})
        assert are_versions_current({"event:a": 4, "club:b": 0})


@pytest.fixture
def known_versions(transactional_db: None) -> Iterator[KnownVersions]:
    """Return the versions of a process that listens on a connection of its own."""
    known_versions = KnownVersions()
    listener = Listener(known_versions)
    thread = threading.Thread(target=listener.run, daemon=True)
    thread.start()
    wait_until(lambda: known_versions.is_connected)
    yield known_versions
    listener.stop_event.set()
    thread.join(invalidation.POLL_SECONDS + 5)
    assert not thread.is_alive()


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.services
def test_each_process_learns_of_committed_change(
    known_versions: KnownVersions,
) -> None:
    with transaction.atomic():
        bump_version("event:a")
        time.sleep(0.1)
        assert "event:a" not in known_versions.newest_versions_by_subject
    version = read_versions(["event:a"])["event:a"]
    wait_until(lambda: known_versions.newest_versions_by_subject.get("event:a") == version)


@pytest.mark.services
def test_changes_during_lost_connection_are_read_afterwards(
    known_versions: KnownVersions,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    wait_until(lambda: not known_versions.is_connected)
    bump_version("event:a")
    wait_until(lambda: known_versions.is_connected)
    assert (
        known_versions.newest_versions_by_subject["event:a"]
        == read_versions(["event:a"])["event:a"]
    )
