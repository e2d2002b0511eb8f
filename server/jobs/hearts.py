"""Whether a worker is alive: each says so in the rows every few seconds.

On a laptop pages and worker are one program, which keeps it in mind and writes nothing.
"""

import time
from datetime import timedelta

from django.utils import timezone

from server.jobs import bell
from server.models import Worker

LATE = 30.0
"""Seconds without a heartbeat after which people are told."""
FORGOTTEN = timedelta(days=1)


class Own:
    """This program's last heartbeat, and since when it has been listening for one."""

    began = time.monotonic()
    beat: float | None = None


def beat(name: str) -> None:
    """Say that a worker is alive."""
    if bell.lives_here():
        Own.beat = time.monotonic()
        return
    now = timezone.now()
    if not Worker.objects.filter(name=name).update(seen_at=now):
        Worker.objects.update_or_create(name=name, defaults={"seen_at": now})
        Worker.objects.filter(seen_at__lt=now - FORGOTTEN).delete()


def names(own: str) -> set[str]:
    """The workers that have been heard of lately, and this one."""
    late = timezone.now() - timedelta(seconds=LATE)
    return {own, *Worker.objects.filter(seen_at__gt=late).values_list("name", flat=True)}


def is_missing() -> bool:
    """Whether no worker has been heard from for half a minute."""
    if bell.is_answered_at_once():
        return False
    if bell.lives_here():
        since = Own.began if Own.beat is None else Own.beat
        return time.monotonic() - since > LATE
    late = timezone.now() - timedelta(seconds=LATE)
    return not Worker.objects.filter(seen_at__gt=late).exists()
