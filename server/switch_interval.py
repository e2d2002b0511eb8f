"""The thread switch interval of the page processes."""

import sys

SWITCH_INTERVAL_SECONDS = 0.000_5
"""Seconds; Python's default is ten times as much. A thread releases the GIL with every query
and requests it again with the result. An entry makes some 12 queries: beside a page being
rendered it waited five milliseconds each time (docs/performance.md).
"""


def shorten_switch_interval() -> None:
    """Set a short switch interval, for programs that answer requests."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
