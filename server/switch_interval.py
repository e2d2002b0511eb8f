"""How long one thread of a process may compute while another waits for its turn."""

import sys

TURN = 0.000_5
"""Seconds; Python's own are ten times as many. A thread gives its turn away with every question
to the database, and asks for it back with the answer. An entry asks some 27: beside a page that
is being drawn it waited five milliseconds each time (docs/performance.md)."""


def take_short_turns() -> None:
    """Let threads that wait for their turn have it soon; for programs that answer pages."""
    sys.setswitchinterval(TURN)
