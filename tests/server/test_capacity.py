"""As many phones as the machine allows, and never more connections than it can serve."""

import sys

import pytest

from server import capacity

resource = pytest.importorskip("resource", reason="Windows has no such limits")
UNLIMITED = resource.RLIM_INFINITY


class FakeFileLimits:
    """A system's limits of open files; some allow no change."""

    def __init__(self, soft: int, hard: int, *, is_fixed: bool = False) -> None:
        self.now, self.is_fixed = (soft, hard), is_fixed

    def get(self, _what: int) -> tuple[int, int]:
        return self.now

    def set(self, _what: int, limits: tuple[int, int]) -> None:
        if self.is_fixed:
            raise OSError
        self.now = limits


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (FakeFileLimits(256, UNLIMITED), 2000),  # the default of macOS
        (FakeFileLimits(1024, 524288), 2000),  # the default of Linux
        (FakeFileLimits(256, 1024), 924),
        (FakeFileLimits(256, UNLIMITED, is_fixed=True), 156),
        (FakeFileLimits(UNLIMITED, UNLIMITED), 2000),
        (FakeFileLimits(64, 64), 100),
    ],
)
def test_connection_limit_is_raised_as_far_as_system_allows(
    monkeypatch: pytest.MonkeyPatch, limits: FakeFileLimits, expected: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    assert capacity.raise_connection_limit() == expected


def test_connection_limits_are_never_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = FakeFileLimits(50_000, 60_000)
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    assert capacity.raise_connection_limit() == 2000
    assert limits.now == (50_000, 60_000)


def test_windows_connection_limit_fits_select_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert capacity.raise_connection_limit() == 500
