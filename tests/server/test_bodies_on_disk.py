"""Without Redis drawn bodies lie in a folder: for all processes of a machine, and the next."""

import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from server import bodies, shared_bodies
from server.bodies import body
from server.packing import Body, Form, packed, unpacked
from server.shared_bodies import SHARED_FOR, InFolder

STANDINGS = packed(200, b"standings")
EARLY = 1_000 * SHARED_FOR  # the beginning of an hour


def _files(folder: Any) -> list[Path]:
    return [each for each in Path(folder).rglob("*") if each.is_file()]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the time that the folder goes by; it moves when a test moves it."""
    at = [float(EARLY)]
    monkeypatch.setattr(shared_bodies.time, "time", lambda: at[0])
    return at


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("status", [200, 204, 410])
def test_what_one_process_drew_the_next_one_has(status: int, form: Form) -> None:
    drawn = packed(status, b"" if status == 204 else b"standings", form)
    InFolder().set("key", drawn)
    assert InFolder().get("key") == drawn
    assert InFolder().get("key/another") is None


@pytest.mark.parametrize(
    ("later", "is_there"),
    [
        (0, True),
        (SHARED_FOR - 1, True),
        (SHARED_FOR, True),
        (2 * SHARED_FOR - 1, True),
        (2 * SHARED_FOR, False),
    ],
)
def test_a_body_is_there_for_an_hour_or_two(
    clock: list[float], settings: Any, later: float, is_there: bool
) -> None:
    InFolder().set("old", STANDINGS)
    clock[0] += later
    assert (InFolder().get("old") is not None) is is_there
    InFolder().set("new", STANDINGS)
    assert len(_files(settings.BODIES_DIR)) == 1 + is_there  # what is read no more is gone


@pytest.mark.parametrize(
    "torn", [b"", b"\x00\xc8\x00\x00\x00\x00\x09half", b"\x00\xc8\x07\x00\x00\x00\x04half"]
)
def test_what_is_cut_short_or_of_another_kind_is_drawn_anew(settings: Any, torn: bytes) -> None:
    InFolder().set("key", STANDINGS)
    [file] = _files(settings.BODIES_DIR)
    file.write_bytes(torn)
    assert InFolder().get("key") is None
    InFolder().set("key", STANDINGS)
    assert InFolder().get("key") == STANDINGS


def test_one_process_draws_while_it_lives(settings: Any) -> None:
    one, other = InFolder(), InFolder()
    assert one.begin("key")
    assert not other.begin("key")
    assert other.begin("key/another")
    one.end("key")
    assert other.begin("key")
    [mark] = [each for each in _files(settings.BODIES_DIR) if not one.begin("key")][:1]
    for each in _files(settings.BODIES_DIR):
        os.utime(each, (0, 0))  # its drawer died long ago
    assert one.begin("key")
    assert not other.begin("key")  # which has taken it over
    assert mark.suffix == ".drawing"


def test_a_clock_that_was_put_back_keeps_nobody_from_drawing(
    settings: Any, clock: list[float]
) -> None:
    assert InFolder().begin("key")  # by who dies at it
    [mark] = _files(settings.BODIES_DIR)
    os.utime(mark, (clock[0] + 600, clock[0] + 600))
    assert InFolder().begin("key")


@pytest.mark.parametrize("place", ["a file lies there", "nobody may write", "it goes away"])
def test_a_disk_that_takes_nothing_is_asked_once_in_a_while_and_pages_are_drawn(
    settings: Any, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    folder = InFolder()
    monkeypatch.setattr(bodies, "ON_DISK", folder)
    if place == "it goes away":
        folder.set("before", STANDINGS)
        monkeypatch.setattr(Path, "write_bytes", _refused)
        monkeypatch.setattr(Path, "open", _refused)
    elif place == "nobody may write":
        monkeypatch.setattr(Path, "mkdir", _refused)
    else:
        settings.BODIES_DIR.parent.mkdir(parents=True, exist_ok=True)
        settings.BODIES_DIR.write_text("in the way")
    drawn = []

    def draw() -> Body:
        drawn.append(1)
        return STANDINGS

    assert unpacked(body("key", None, draw)) == b"standings"
    assert folder.is_away
    assert folder.begin("other")  # whoever asks draws
    bodies.HERE.clear()
    assert unpacked(body("key", None, draw)) == b"standings"
    assert len(drawn) == 2


def _refused(*_args: Any, **_options: Any) -> Any:
    raise OSError(28, "No space left on device")


def test_a_process_writes_no_more_in_an_hour_than_it_keeps(
    clock: list[float], settings: Any
) -> None:
    folder, size = InFolder(), shared_bodies.HEAD.size + len(STANDINGS.packed)
    settings.CACHE_BYTES = 3 * size
    for number in range(5):
        folder.set(f"{number}", STANDINGS)
    assert [folder.get(f"{number}") is not None for number in range(5)] == [
        *(True, True, True),
        *(False, False),
    ]
    clock[0] += SHARED_FOR
    folder.set("4", STANDINGS)
    assert folder.get("4") == STANDINGS


def test_nobody_else_on_the_machine_reads_the_folder(settings: Any) -> None:
    if os.name == "nt":
        pytest.skip("Windows has no such marks: its folders are the user's own.")
    InFolder().set("key", STANDINGS)
    [file] = _files(settings.BODIES_DIR)
    assert file.parent.stat().st_mode & 0o077 == 0


def test_many_who_ask_at_once_have_it_drawn_once() -> None:
    drawn, answers = [], []

    def draw() -> Body:
        drawn.append(1)
        time.sleep(0.05)
        return STANDINGS

    def ask() -> None:
        answers.append(unpacked(body("at once", None, draw)))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert answers == [b"standings"] * 6
    assert len(drawn) == 1


def test_a_process_that_is_started_later_draws_nothing() -> None:
    body("later", None, lambda: STANDINGS)
    bodies.HERE.clear()  # as a new process has it
    assert unpacked(body("later", None, _refused)) == b"standings"
