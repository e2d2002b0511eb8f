"""Tests that a copied evening has the rows that the services would have created."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import serializers
from django.db import connection, transaction
from django.utils import timezone

from clubs.models import Act
from tests import evenings
from tests.copies import build_once, list_models
from tournaments.models import Session


@build_once
def play_uncached(boards_a_round: int = 1) -> Session:
    return evenings.play_session.__wrapped__(boards_a_round=boards_a_round)[0]


def read_all_rows() -> list[str]:
    """Return all rows as text."""
    return [
        serializers.serialize("json", model._base_manager.order_by("pk"))
        for model in list_models()
    ]


@pytest.fixture
def frozen_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


@pytest.mark.django_db
@pytest.mark.usefixtures("frozen_clock")
def test_copied_fixture_has_every_built_row() -> None:
    copies = []
    for _time in range(2):
        with transaction.atomic():
            session = play_uncached()
            copies.append((session, read_all_rows()))
            transaction.set_rollback(True)
    (first, built_rows), (second, copied_rows) = copies
    assert first == second
    assert first is not second
    assert copied_rows == built_rows
    assert len(built_rows) > 20


@pytest.mark.django_db
def test_copied_fixture_has_current_timestamps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = timezone.now()
    with transaction.atomic():
        play_uncached()
        act_time_before = Act.objects.latest("at").at
        transaction.set_rollback(True)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=2))
    play_uncached()
    time_difference = Act.objects.latest("at").at - act_time_before
    assert timedelta(days=1, hours=23) < time_difference < timedelta(days=2, hours=1)


@pytest.mark.django_db
def test_fixture_is_not_copied_over_existing_rows() -> None:
    session, other_session = play_uncached(), play_uncached()
    assert session != other_session
    assert list(Session.objects.order_by("pk")) == [session, other_session]
    assert session.event.club == other_session.event.club


@pytest.mark.django_db
def test_copied_fixture_registers_on_commit_callbacks_again(
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    callback_counts = []
    for _time in range(2):
        with transaction.atomic():
            with django_capture_on_commit_callbacks() as callbacks:
                play_uncached(boards_a_round=2)
            callback_counts.append(len(callbacks))
            transaction.set_rollback(True)
    assert callback_counts[0] == callback_counts[1] > 0
    assert connection.in_atomic_block
