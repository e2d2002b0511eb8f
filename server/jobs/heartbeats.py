"""Heartbeats of workers, stored in rows so that pages can check them without the broker.

On a laptop, pages and worker are one process, and the heartbeat is stored in memory.
"""

import time
from datetime import timedelta

from django.utils import timezone

from server.jobs import broker
from server.models import Worker

HEARTBEAT_TIMEOUT_SECONDS = 30.0
"""The time without a heartbeat after which a worker counts as lost."""
WORKER_RETENTION = timedelta(days=1)


class OwnHeartbeat:
    """The monotonic times of this process's last heartbeat, and since when it is expected."""

    expected_since = time.monotonic()
    seen_at: float | None = None


def record_heartbeat(name: str) -> None:
    """Record that a worker is alive."""
    if broker.is_broker_in_memory():
        OwnHeartbeat.seen_at = time.monotonic()
        return
    now = timezone.now()
    if not Worker.objects.filter(name=name).update(seen_at=now):
        Worker.objects.update_or_create(name=name, defaults={"seen_at": now})
        Worker.objects.filter(seen_at__lt=now - WORKER_RETENTION).delete()


def list_live_workers(own_name: str) -> set[str]:
    """Return the names of the workers with a recent heartbeat, including `own_name`."""
    heartbeat_cutoff = timezone.now() - timedelta(seconds=HEARTBEAT_TIMEOUT_SECONDS)
    return {
        own_name,
        *Worker.objects.filter(seen_at__gt=heartbeat_cutoff).values_list("name", flat=True),
    }


def has_no_worker() -> bool:
    """Return True if no worker has sent a heartbeat within the timeout."""
    if broker.is_celery_eager():
        return False
    if broker.is_broker_in_memory():
        last_seen_at = OwnHeartbeat.seen_at
        waiting_since = OwnHeartbeat.expected_since if last_seen_at is None else last_seen_at
        return time.monotonic() - waiting_since > HEARTBEAT_TIMEOUT_SECONDS
    heartbeat_cutoff = timezone.now() - timedelta(seconds=HEARTBEAT_TIMEOUT_SECONDS)
    return not Worker.objects.filter(seen_at__gt=heartbeat_cutoff).exists()
