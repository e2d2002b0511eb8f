"""These tests never search for best play: the solver has tests of its own."""

import pytest

from tests.solving import replace_solver


@pytest.fixture(autouse=True)
def disable_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_solver(monkeypatch)
