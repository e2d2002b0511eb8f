"""The bell: a message that there is work, and nothing else.

What the work is stands in the rows, so a bell that is lost costs seconds and one too many
costs nothing. Where no bell can be rung, a page does what is short itself.
"""

import logging
import time
from collections.abc import Mapping
from typing import Any

from celery import current_app
from django.conf import settings
from kombu import Connection
from kombu.exceptions import KombuError, OperationalError
from kombu.pools import producers

from server.models import Job

log = logging.getLogger(__name__)

TASK = "overplay.bell"
"""The task that a worker does when the bell rings; `config` hands it the kinds."""
QUEUES = {Job.Lane.NOW: "now", Job.Lane.LATER: "later"}
AWAY = 5.0
"""Seconds for which a queue that did not answer is not asked again."""
AT_MOST = 0.3
"""Seconds that a page waits for a line to the queue to be free."""
AT_ONCE = {"max_retries": 0, "interval_start": 0, "interval_step": 0}
UNHEARD: tuple[type[BaseException], ...] = (OperationalError, KombuError, OSError)


class Silence:
    """Remembers for this process that the queue did not answer."""

    until = 0.0

    def lasts(self) -> bool:
        """Whether it is too early to ask again."""
        return time.monotonic() < self.until

    def begin(self, error: BaseException) -> None:
        """Note that the queue did not answer, and say so once."""
        if not self.lasts():
            log.warning("The queue does not answer: %s", type(error).__name__)
        self.until = time.monotonic() + AWAY

    def end(self) -> None:
        """Note that the queue has answered."""
        self.until = 0.0


SILENCE = Silence()


def is_answered_at_once() -> bool:
    """Whether jobs are done in place, as in tests."""
    return bool(current_app.conf.task_always_eager)


def lives_here() -> bool:
    """Whether the queue is in the memory of this process, as on a laptop."""
    return str(current_app.conf.broker_url).startswith("memory:")


def ring(lane: int, kind: str, about: int) -> None:
    """Tell a worker that there is work; where none can be told, do what is short here."""
    if is_answered_at_once():
        current_app.tasks[TASK].apply(args=(lane, kind, about), throw=True)
    elif not rung(lane) and lane == Job.Lane.NOW:
        do_here(lane, kind, about)


def do_here(lane: int, kind: str, about: int) -> None:
    """Do a job in this program, if nobody is at it."""
    current_app.tasks[TASK].run(lane, kind, about)


def rung(lane: int, times: int = 1) -> bool:
    """Ring the bell of a lane, and say whether the queue took it."""
    if SILENCE.lasts():
        return False
    line = _line()
    try:
        with producers[line].acquire(block=True, timeout=AT_MOST) as producer:
            for _each in range(times):
                current_app.tasks[TASK].apply_async(
                    args=(lane,), producer=producer, queue=QUEUES[Job.Lane(lane)], retry=False
                )
    except unheard(line) as error:
        SILENCE.begin(error)
        return False
    SILENCE.end()
    return True


def is_away() -> bool:
    """Whether the queue does not answer; one in this process always does."""
    return not (is_answered_at_once() or lives_here()) and waiting() is None


def waiting() -> Mapping[int, int] | None:
    """How many bells nobody has heard yet, by lane; None where the queue does not answer."""
    if SILENCE.lasts():
        return None
    line = _line()
    try:
        with producers[line].acquire(block=True, timeout=AT_MOST) as producer:
            return {lane: _length(producer.channel, name) for lane, name in QUEUES.items()}
    except unheard(line) as error:
        SILENCE.begin(error)
        return None


def unheard(line: Connection) -> tuple[type[BaseException], ...]:
    """What a queue that is away raises; on a line that was open its library's own errors."""
    return UNHEARD + tuple(line.connection_errors)


def _length(channel: Any, name: str) -> int:
    """The messages in a queue; one that no worker has made yet has none."""
    try:
        return int(channel.queue_declare(queue=name, passive=True).message_count)
    except channel.connection.client.channel_errors:
        return 0


def _line() -> Connection:
    """A line to the queue that gives up soon; a worker's own line waits patiently."""
    url = current_app.conf.broker_url
    options: dict[str, Any] = {**settings.CELERY_BROKER_TRANSPORT_OPTIONS, **AT_ONCE}
    if url.startswith("redis"):
        options |= {"socket_connect_timeout": AT_MOST, "socket_timeout": AT_MOST}
        options |= {"retry_on_timeout": False}
    return Connection(url, transport_options=options, connect_timeout=AT_MOST)
