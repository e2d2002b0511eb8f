"""The kinds of failures of jobs, and the rules for retries."""

import errno
import random
import socket

from celery.utils.time import get_exponential_backoff_interval
from django.db import DatabaseError, InterfaceError, OperationalError

from server.models import Job

FailureCause = Job.FailureCause
DISK_ERROR_NUMBERS = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.EIO,
}
NETWORK_ERRORS = (ConnectionError, TimeoutError, socket.gaierror)
TRANSIENT_FAILURE_CAUSES = {FailureCause.DATABASE, FailureCause.NETWORK, FailureCause.DISK}
"""Temporary failures; a job with such a failure is retried without limit."""
MAX_TRIES = 3
"""The number of failed runs after which a job is not retried, unless the failure is
temporary.
"""
MAX_CRASHES = 5
"""The number of crashes and exceeded time limits after which a job is not retried."""
MAX_BACKOFF_SECONDS = 60


def classify_error(error: BaseException) -> Job.FailureCause:
    """Return the kind of failure of an exception."""
    if isinstance(error, OperationalError | InterfaceError):
        is_full = "disk is full" in str(error) or "readonly" in str(error)
        return FailureCause.DISK if is_full or _is_disk_full(error) else FailureCause.DATABASE
    if isinstance(error, DatabaseError):
        return FailureCause.DISK if _is_disk_full(error) else FailureCause.PROGRAM_ERROR
    if isinstance(error, OSError) and error.errno in DISK_ERROR_NUMBERS:
        return FailureCause.DISK
    return (
        FailureCause.NETWORK
        if isinstance(error, NETWORK_ERRORS)
        else FailureCause.PROGRAM_ERROR
    )


def _is_disk_full(error: BaseException) -> bool:
    """Return whether PostgreSQL reported a full disk (SQLSTATE 53100)."""
    return getattr(error.__cause__, "sqlstate", None) == "53100"


def is_permanent_failure(
    failure_cause: Job.FailureCause, try_count: int, crash_count: int
) -> bool:
    """Return True if a job has failed permanently and is not retried automatically."""
    if failure_cause in (FailureCause.CRASHED, FailureCause.TIMED_OUT):
        return crash_count >= MAX_CRASHES
    return failure_cause not in TRANSIENT_FAILURE_CAUSES and try_count >= MAX_TRIES


def compute_backoff_seconds(try_count: int) -> float:
    """Return the delay before the next try: 1, 2, 4 … 60 seconds, with 20 % random jitter."""
    delay_seconds = get_exponential_backoff_interval(
        1, max(try_count - 1, 0), MAX_BACKOFF_SECONDS
    )
    return delay_seconds * random.uniform(0.8, 1.2)
