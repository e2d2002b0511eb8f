"""How far a job has come, in a file: no row can tell before the end of its transaction."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

Progress = Callable[[int, int], None]
"""Told how many pieces are done, and how many there are."""


def no_progress(_done: int, _of: int) -> None:
    """Tell nobody."""


def noting(note: Path) -> Progress:
    """Return a function that writes the progress into a file."""

    def write(done: int, of: int) -> None:
        with suppress(OSError):
            note.write_text(json.dumps([done, of]), "ascii")

    return write


def per_cent(note: Path) -> int:
    """How many per cent are done, at most 99; 0 without a readable file."""
    try:
        done, of = json.loads(note.read_text("ascii"))
        return min(99, 100 * int(done) // max(int(of), 1))
    except (OSError, ValueError, TypeError):
        return 0
