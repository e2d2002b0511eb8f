"""The daily check for a newer version of the program; disabled unless NEW_VERSION_URL is set.

The request reveals only the program's own version, in its User-Agent. The response is plain
text: the newest version on the first line, and the URL of a page about it on the second.
"""

import re
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_lazy

from server.jobs.kinds import JobKind, Lane
from server.numbers import parse_number_or_zero
from server.outgoing import RemoteRequestFailed, send_request
from server.version import VERSION

CHECK_JOB_KEY = 0
"""The key of the job that checks for a new version; there is only one such job."""
CHECK_INTERVAL_SECONDS = 24 * 60 * 60
DEADLINE_SECONDS = 20.0
STATE_FILE_NAME = "newest_version"
"""The file in the data folder with the last response. Its modification time is the last check.
"""
RESPONSE_PATTERN = re.compile(
    r"(?P<version>[0-9]{1,4}(?:\.[0-9]{1,4}){1,3})\r?\n(?P<page_url>https://[!-~]{1,200})\s*"
)


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A newer version, and the URL of the page that explains how to get it."""

    version: str
    page_url: str


def check_for_new_version(_job_key: int) -> None:
    """Request the newest version and store the response; a failure is retried after a day."""
    if not settings.NEW_VERSION_URL:
        return
    state_file = _get_state_file()
    state_file.touch()  # recorded before the request, so that a failure counts too
    headers = {"User-Agent": f"Overplay/{VERSION}"}
    try:
        response = send_request(
            settings.NEW_VERSION_URL,
            method="GET",
            headers=headers,
            body=None,
            timeout_seconds=DEADLINE_SECONDS,
        )
    except RemoteRequestFailed:
        return  # this computer or the server is offline
    response_text = response.content[:300].decode("ascii", "replace")
    if response.status == 200 and RESPONSE_PATTERN.fullmatch(response_text):
        state_file.write_text(response_text, "ascii")


def list_due_check_keys() -> list[int]:
    """Return `[CHECK_JOB_KEY]` if the check is enabled and was not made for a day, else []."""
    if not settings.NEW_VERSION_URL:
        return []
    try:
        age_seconds = time.time() - _get_state_file().stat().st_mtime
    except OSError:
        return [CHECK_JOB_KEY]
    return [CHECK_JOB_KEY] if age_seconds >= CHECK_INTERVAL_SECONDS else []


def find_new_version() -> NewVersion | None:
    """Return the version found by the last check if it is newer than this program."""
    if not settings.NEW_VERSION_URL:
        return None
    try:
        response_match = RESPONSE_PATTERN.fullmatch(_get_state_file().read_text("ascii"))
    except (OSError, ValueError):
        return None
    if response_match is None or _split_version(response_match["version"]) <= _split_version(
        VERSION
    ):
        return None
    return NewVersion(response_match["version"], response_match["page_url"])


def _split_version(version: str) -> list[int]:
    """Return the numbers of a version, without zeros at the end: 1.0 equals 1.0.0."""
    version_numbers = [parse_number_or_zero(number_text) for number_text in version.split(".")]
    while version_numbers and version_numbers[-1] == 0:
        version_numbers.pop()
    return version_numbers


def _get_state_file() -> Path:
    return Path(settings.DATA_DIR, STATE_FILE_NAME)


VERSION_JOB = JobKind(
    "new_version",
    title=gettext_lazy("checking for a new version"),
    lane=Lane.LATER,
    time_limit=120,
    run=check_for_new_version,
    find_missing_job_keys=list_due_check_keys,
    retry_failed_after=timedelta(days=1),
)
KINDS = (VERSION_JOB,)
