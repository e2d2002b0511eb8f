"""The interval at which Python switches threads in page processes."""

import sys

SWITCH_INTERVAL_SECONDS = 0.000_5
"""The interval at which Python switches threads, a tenth of its default.

A thread releases the GIL with every query, and must get it again to read the result. Recording
a score takes some 12 queries. With the default interval, it waited 5 ms for each while another
thread rendered a page (docs/performance.md).
"""


def shorten_switch_interval() -> None:
    """Set a short switch interval, for programs that serve requests."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
