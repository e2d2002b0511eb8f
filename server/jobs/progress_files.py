"""Stores the progress of a running job in a file, since its transaction hides its rows."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of items done and the total."""


def ignore_progress(_done: int, _of: int) -> None:
    """Do nothing; the default callback."""


def build_progress_writer(progress_file: Path) -> ProgressCallback:
    """Return a callback that writes the progress to a file."""

    def write(done: int, total: int) -> None:
        with suppress(OSError):
            progress_file.write_text(json.dumps([done, total]), "ascii")

    return write


def read_percentage(progress_file: Path) -> int:
    """Return the percentage done, at most 99; 0 if the file cannot be read."""
    try:
        done, total = json.loads(progress_file.read_text("ascii"))
        return min(99, 100 * int(done) // max(int(total), 1))
    except (OSError, ValueError, TypeError):
        return 0
