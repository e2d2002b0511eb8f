"""Bodies for everybody: kept by their size, drawn once, shared in a Redis that may be away."""

import threading
import time

import pytest
from django.conf import settings

from server import bodies
from server.bodies import BySize, SharedBodies, body, packed, unpacked


def test_what_was_used_longest_ago_goes_first() -> None:
    kept: BySize[str] = BySize(lambda: 3 * (bodies.OVERHEAD + 10))
    for name in "abc":
        kept.set(name, name.upper(), 10)
    assert kept.get("a") == "A"
    kept.set("d", "D", 10)
    assert [kept.get(name) for name in "abcd"] == ["A", None, "C", "D"]
    assert kept.held == 3 * (bodies.OVERHEAD + 10)
    kept.set("d", "D again", 5)
    assert kept.held == 3 * (bodies.OVERHEAD + 10) - 5
    kept.set("too large", "E", 10_000)
    assert kept.get("too large") is None
    assert kept.held == 0


def test_one_draws_while_the_others_of_a_process_wait() -> None:
    drawn: list[int] = []
    begun = threading.Barrier(4)

    def draw() -> bodies.Body:
        time.sleep(0.05)
        drawn.append(1)
        return packed(200, b"standings")

    def ask() -> None:
        begun.wait(5)
        answers.append(unpacked(body("one", draw)))

    answers: list[bytes] = []
    threads = [threading.Thread(target=ask) for _each in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert answers == [b"standings"] * 4
    assert len(drawn) == 1


def test_a_drawing_that_fails_is_tried_again_by_the_next() -> None:
    def fail() -> bodies.Body:
        raise OSError("away")

    with pytest.raises(OSError, match="away"):
        body("two", fail)
    assert body("two", lambda: packed(204, b"")) == (204, b"")


@pytest.mark.services
def test_what_one_process_drew_the_next_one_has() -> None:
    key = f"test/{time.time_ns()}"
    one, other = SharedBodies(), SharedBodies()
    assert one.get(key) is None
    assert one.begin(key)
    assert not other.begin(key)
    one.set(key, packed(200, b"standings"))
    one.end(key)
    found = other.get(key)
    assert found is not None
    assert (found[0], unpacked(found)) == (200, b"standings")
    one._ask("set", key, b"\x00\xc8\x00\x00\x00\x09half", ex=5)
    assert other.get(key) is None  # a body cut short is none


def test_a_redis_that_is_away_is_asked_once_in_a_while(settings: settings) -> None:
    pytest.importorskip("redis")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    shared = SharedBodies()
    began = time.monotonic()
    assert all(shared.get(f"{number}") is None for number in range(50))
    assert shared.begin("one")  # whoever asks draws
    assert time.monotonic() - began < 5
    assert shared.away_until > time.monotonic()
