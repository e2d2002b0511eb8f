"""The progress of a running job, in a file: rows would be invisible until the job's commit."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of items done and the total."""


def ignore_progress(_done_count: int, _total_count: int) -> None:
    """Do nothing; the default callback."""


def build_progress_writer(progress_file: Path) -> ProgressCallback:
    """Return a callback that writes the progress to a file."""

    def write_progress(completed_count: int, total_count: int) -> None:
        with suppress(OSError):
            progress_file.write_text(json.dumps([completed_count, total_count]), "ascii")

    return write_progress


def read_percentage(progress_file: Path) -> int:
    """Return the percentage done, at most 99; 0 if the file cannot be read."""
    try:
        completed_count, total_count = json.loads(progress_file.read_text("ascii"))
        return min(99, 100 * int(completed_count) // max(int(total_count), 1))
    except (OSError, ValueError, TypeError):
        return 0
