"""The log, which tells everything but the cards."""

import logging

import pytest

from server.logs import Discreet, hide_hands

HAND = "AKQ2.T98.7654.32"


@pytest.mark.parametrize(
    "text", [HAND, f"N:{HAND} J3.AKQ.AKQJT.987 ...", "AKQJT98765432...", "...AKQJT98765432"]
)
def test_no_hand_comes_through(text: str) -> None:
    assert "AKQ" not in hide_hands(text)


@pytest.mark.parametrize(
    "text", ["127.0.0.1", "version 5.2.19.3", "10.255.255.254", "GET /boards/12/", "wait ..."]
)
def test_what_is_no_hand_stays(text: str) -> None:
    assert hide_hands(text) == text


def test_a_traceback_shows_no_hand() -> None:
    try:
        raise ValueError(f"Failing row contains (1, N:{HAND} {HAND} {HAND} {HAND}, C9)")
    except ValueError as error:
        record = logging.LogRecord(
            "x", 40, "f", 1, "It broke", None, (type(error), error, None)
        )
    line = Discreet().format(record)
    assert "It broke" in line
    assert "Failing row contains (1, N:* * * *, C9)" in line
