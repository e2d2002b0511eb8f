"""The thread switch interval is short in processes that serve pages."""

import sys
from collections.abc import Iterator

import pytest

from server.switch_interval import SWITCH_INTERVAL_SECONDS, shorten_switch_interval


@pytest.fixture(autouse=True)
def restored_interval() -> Iterator[None]:
    interval_before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval_before)


def test_switch_interval_is_a_tenth_of_python_default() -> None:
    assert sys.getswitchinterval() == pytest.approx(10 * SWITCH_INTERVAL_SECONDS)
    shorten_switch_interval()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL_SECONDS)
