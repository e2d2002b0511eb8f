"""The thread switch interval of the page processes."""

import sys

SWITCH_INTERVAL_SECONDS = 0.000_5
"""Seconds; Python's default is ten times as much.

A thread releases the GIL with every query and requests it again with the result. An entry makes
some 12 queries. While a page was rendered it waited five milliseconds for each
(docs/performance.md).
"""


def shorten_switch_interval() -> None:
    """Set a short switch interval, for programs that serve requests."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
