"""Disable the search for best play in these tests; the solver has its own tests."""

import pytest

from tests.solving import replace_solver


@pytest.fixture(autouse=True)
def disable_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_solver(monkeypatch)
