"""The interval at which Python switches threads in page processes."""

import sys

SWITCH_INTERVAL_SECONDS = 0.000_5
"""The interval at which Python switches threads, a tenth of the default.

A thread releases the GIL with every query, and needs it again to read the result. With the
default interval it waits up to 5 ms each time, if another thread is rendering a page. Recording
a score takes 12 queries (docs/performance.md).
"""


def shorten_switch_interval() -> None:
    """Set a short switch interval, for programs that serve requests."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
