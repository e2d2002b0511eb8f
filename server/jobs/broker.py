"""Messages through Celery's broker that wake a worker; the jobs themselves are rows.

A lost message delays a job until the next sweep, and an extra one has no effect. If the broker
cannot be reached, the caller runs an urgent job itself.
"""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from celery import current_app
from django.conf import settings
from kombu import Connection, Producer
from kombu.exceptions import KombuError, OperationalError
from kombu.pools import producers

from server.models import Job

log = logging.getLogger(__name__)

TASK_NAME = "overplay.run_jobs"
"""The name of the Celery task in `config.tasks`."""
QUEUES_BY_LANE = {Job.Lane.NOW: "now", Job.Lane.LATER: "later"}
RETRY_AFTER_SECONDS = 5.0
"""The seconds for which this process does not call the broker after a failure."""
BROKER_TIMEOUT_SECONDS = 0.3
"""The maximum time that a page waits for the broker, in seconds."""
NO_RETRY = {"max_retries": 0, "interval_start": 0, "interval_step": 0}
CONNECTION_ERRORS: tuple[type[BaseException], ...] = (OperationalError, KombuError, OSError)


class CircuitBreaker:
    """A circuit breaker that stops calls to an unreachable broker from this process."""

    open_until = 0.0

    def is_open(self) -> bool:
        """Return True while the broker must not be called."""
        return time.monotonic() < self.open_until

    def open(self, error: BaseException) -> None:
        """Stop calls for some seconds after a failure, and log the first failure."""
        if not self.is_open():
            log.warning("The queue does not answer: %s", type(error).__name__)
        self.open_until = time.monotonic() + RETRY_AFTER_SECONDS

    def close(self) -> None:
        """Allow calls again after a success."""
        self.open_until = 0.0


BROKER_CIRCUIT_BREAKER = CircuitBreaker()


def is_celery_eager() -> bool:
    """Return True if tasks run in the caller (Celery's task_always_eager), as in tests."""
    return bool(current_app.conf.task_always_eager)


def is_broker_in_memory() -> bool:
    """Return True if the broker is in the memory of this process, as on a laptop."""
    return str(current_app.conf.broker_url).startswith("memory:")


def wake_worker(lane: int, kind_code: str, subject_key: int) -> None:
    """Send a message to wake a worker; if that fails, run an urgent job in this process."""
    if is_celery_eager():
        current_app.tasks[TASK_NAME].apply(args=(lane, kind_code, subject_key), throw=True)
    elif not send_messages(lane) and lane == Job.Lane.NOW:
        run_inline(lane, kind_code, subject_key)


def run_inline(lane: int, kind_code: str, subject_key: int) -> None:
    """Run a job in this process, unless a worker has claimed it."""
    current_app.tasks[TASK_NAME].run(lane, kind_code, subject_key)


def send_messages(lane: int, message_count: int = 1) -> bool:
    """Send messages to the queue of a lane, and return True if the broker accepted them."""
    if BROKER_CIRCUIT_BREAKER.is_open():
        return False
    connection = _create_connection()
    try:
        with _acquire_producer(connection) as producer:
            for _each in range(message_count):
                current_app.tasks[TASK_NAME].apply_async(
                    args=(lane,),
                    producer=producer,
                    queue=QUEUES_BY_LANE[Job.Lane(lane)],
                    retry=False,
                )
    except list_connection_errors(connection) as error:
        BROKER_CIRCUIT_BREAKER.open(error)
        return False
    BROKER_CIRCUIT_BREAKER.close()
    return True


def is_broker_unreachable() -> bool:
    """Return whether the broker does not respond; False for a broker in this process."""
    return not (is_celery_eager() or is_broker_in_memory()) and read_queue_lengths() is None


def read_queue_lengths() -> Mapping[int, int] | None:
    """Return the number of messages waiting in each lane; None if the broker is unreachable."""
    if BROKER_CIRCUIT_BREAKER.is_open():
        return None
    connection = _create_connection()
    try:
        with _acquire_producer(connection) as producer:
            return {
                lane: _read_queue_length(producer.channel, queue_name)
                for lane, queue_name in QUEUES_BY_LANE.items()
            }
    except list_connection_errors(connection) as error:
        BROKER_CIRCUIT_BREAKER.open(error)
        return None


def list_connection_errors(connection: Connection) -> tuple[type[BaseException], ...]:
    """Return the exceptions for an unreachable broker, including those of its client
    library.
    """
    return CONNECTION_ERRORS + tuple(connection.connection_errors)


@contextmanager
def _acquire_producer(connection: Connection) -> Iterator[Producer]:
    """Acquire a producer from the pool; after an error, discard its connection.

    Otherwise a late response could be read as the response to a later request.
    """
    with producers[connection].acquire(block=True, timeout=BROKER_TIMEOUT_SECONDS) as producer:
        try:
            yield producer
        except list_connection_errors(connection):
            producer.connection.collect(BROKER_TIMEOUT_SECONDS)
            raise


def _read_queue_length(channel: Any, queue_name: str) -> int:
    """Return the number of messages in a queue; 0 if no worker has declared the queue yet."""
    try:
        return int(channel.queue_declare(queue=queue_name, passive=True).message_count)
    except channel.connection.client.channel_errors:
        return 0


def _create_connection() -> Connection:
    """Create a connection with short timeouts for pages. Celery's workers use other
    connections.
    """
    url = current_app.conf.broker_url
    options: dict[str, Any] = {**settings.CELERY_BROKER_TRANSPORT_OPTIONS, **NO_RETRY}
    if url.startswith("redis"):
        timeout_options = ("socket_connect_timeout", "socket_timeout")
        options |= dict.fromkeys(timeout_options, BROKER_TIMEOUT_SECONDS) | {
            "retry_on_timeout": False
        }
    elif url.startswith("amqp"):  # without these, a frozen RabbitMQ blocks the caller
        options |= dict.fromkeys(("read_timeout", "write_timeout"), BROKER_TIMEOUT_SECONDS)
    return Connection(url, transport_options=options, connect_timeout=BROKER_TIMEOUT_SECONDS)
