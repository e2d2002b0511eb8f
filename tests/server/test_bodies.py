"""Bodies for everybody: kept by their size, drawn once, shared in a Redis that may be away."""

import threading
import time

import pytest
from django.conf import settings

from server import bodies
from server.bodies import BySize, body
from server.packing import Body, Form, packed, unpacked
from server.shared_bodies import InRedis


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

    def draw() -> Body:
        time.sleep(0.05)
        drawn.append(1)
        return packed(200, b"standings")

    def ask() -> None:
        begun.wait(5)
        answers.append(unpacked(body("one", Form.GZIP, draw)))

    answers: list[bytes] = []
    threads = [threading.Thread(target=ask) for _each in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert answers == [b"standings"] * 4
    assert len(drawn) == 1


@pytest.mark.parametrize("second", [None, *Form])
@pytest.mark.parametrize("first", [None, *Form])
def test_a_second_form_is_packed_when_it_is_asked_for_and_never_drawn(
    first: Form | None, second: Form | None
) -> None:
    bodies.HERE.clear()
    drawn: list[int] = []

    def draw() -> Body:
        drawn.append(1)
        return packed(200, b"standings " * 50, first)

    held = []
    for form in (first, second, first, second):
        found = body("forms", form, draw)
        assert found.form is (form or first or Form.GZIP)
        assert unpacked(found) == b"standings " * 50
        held.append(bodies.HERE.held)
    kept = {first or Form.GZIP, second or first or Form.GZIP}
    sizes = [len(packed(200, b"standings " * 50, form).packed) for form in kept]
    assert len(drawn) == 1
    assert held[-1] == sum(sizes) + len(sizes) * bodies.OVERHEAD
    assert held[0] < held[1] if len(kept) == 2 else held[0] == held[1]


def test_a_drawing_that_fails_is_tried_again_by_the_next() -> None:
    def fail() -> Body:
        raise OSError("away")

    with pytest.raises(OSError, match="away"):
        body("two", None, fail)
    assert body("two", None, lambda: packed(204, b"")) == Body(204, b"")


@pytest.mark.services
def test_what_one_process_drew_the_next_one_has() -> None:
    key = f"test/{time.time_ns()}"
    one, other = InRedis(), InRedis()
    assert one.get(key) is None
    assert one.begin(key)
    assert not other.begin(key)
    for form in Form:
        one.set(key, packed(200, b"standings", form))
        assert other.get(key) == packed(200, b"standings", form)
    one.end(key)
    assert other.begin(key)
    other.end(key)
    for torn in (b"", b"\x00\xc8\x00\x00\x00\x00\x09half", b"\x00\xc8\x07\x00\x00\x00\x04half"):
        one._ask("set", key, torn, ex=5)
        assert other.get(key) is None  # cut short, or in a form that is not known


def test_a_redis_that_is_away_is_asked_once_in_a_while(settings: settings) -> None:
    pytest.importorskip("redis")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    shared = InRedis()
    began = time.monotonic()
    assert all(shared.get(f"{number}") is None for number in range(50))
    assert shared.begin("one")  # whoever asks draws
    assert time.monotonic() - began < 5
    assert shared.away_until > time.monotonic()
