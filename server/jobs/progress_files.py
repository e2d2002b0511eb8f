"""The progress of a running job, in a file: rows are only visible after its commit."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of items done and the total."""


def ignore_progress(_done: int, _of: int) -> None:
    """Do nothing; the default callback."""


def build_progress_writer(note: Path) -> ProgressCallback:
    """Return a callback that writes the progress to a file."""

    def write(done: int, of: int) -> None:
        with suppress(OSError):
            note.write_text(json.dumps([done, of]), "ascii")

    return write


def read_percentage(note: Path) -> int:
    """Return the percentage done, at most 99; 0 if the file cannot be read."""
    try:
        done, of = json.loads(note.read_text("ascii"))
        return min(99, 100 * int(done) // max(int(of), 1))
    except (OSError, ValueError, TypeError):
        return 0
