"""The progress of a job in a file: rows show nothing before the end of its transaction."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

Progress = Callable[[int, int], None]
"""Called with the number of pieces done and of all pieces."""


def no_progress(_done: int, _of: int) -> None:
    """Report nothing."""


def noting(note: Path) -> Progress:
    """Return a function that writes the progress into a file."""

    def write(done: int, of: int) -> None:
        with suppress(OSError):
            note.write_text(json.dumps([done, of]), "ascii")

    return write


def per_cent(note: Path) -> int:
    """Return the percentage done, at most 99; 0 without a readable file."""
    try:
        done, of = json.loads(note.read_text("ascii"))
        return min(99, 100 * int(done) // max(int(of), 1))
    except (OSError, ValueError, TypeError):
        return 0
