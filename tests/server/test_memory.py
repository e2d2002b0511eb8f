"""Objects that live as long as the process are excluded from garbage collection."""

import gc
import sys
from collections.abc import Iterator
from io import StringIO

import pytest
from celery.signals import worker_process_init, worker_ready
from celery.utils.dispatch import Signal

import manage
from server.memory import GC_THRESHOLD, freeze_loaded_objects


@pytest.fixture(autouse=True)
def restore_gc_settings() -> Iterator[None]:
    threshold_before, freeze_count = gc.get_threshold(), gc.get_freeze_count()
    gc.unfreeze()
    yield
    gc.set_threshold(*threshold_before)
    gc.unfreeze()
    if freeze_count:  # as the test runner had it
        gc.freeze()


@pytest.mark.slow
def test_loaded_objects_are_frozen_and_new_garbage_is_collected() -> None:
    freeze_loaded_objects()
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[0] == GC_THRESHOLD
    ring: list[object] = []
    ring.append(ring)
    del ring
    assert gc.collect() >= 1


def test_command_raises_gc_threshold_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.set_threshold(700, 10, 10)
    monkeypatch.setattr(sys, "argv", ["manage.py", "version"])
    monkeypatch.setattr(sys, "stdout", StringIO())
    manage.main()
    assert gc.get_threshold()[0] == GC_THRESHOLD


@pytest.mark.parametrize("signal", [worker_ready, worker_process_init])
def test_each_worker_freezes_loaded_objects_at_start(signal: Signal) -> None:
    assert any("overplay.settle" in key for key, _receiver in signal.receivers)
