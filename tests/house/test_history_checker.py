"""The history checker accepts what a serial order explains, and rejects everything else.

The expected verdicts come from reading the short histories here, and from a second program that
tries all orders of a few calls.
"""

import json
import random
from itertools import count, permutations
from pathlib import Path
from typing import Any

import pytest

from bench.history_checker import find_problem

RESULT_LINE = "12/3"
Call = dict[str, Any]
RECORDED_HISTORY_PATH = Path(__file__).parents[1] / "golden" / "chaos_history.jsonl"


def build_call(start: float, end: float, op: str, answer: str, **fields: Any) -> Call:
    """Return the record of a call."""
    defaults: Call = {"client": "phone", "line": RESULT_LINE, "key": "", "via": "phone"}
    return defaults | {"start": start, "end": end, "op": op, "answer": answer} | fields


def build_entry_call(
    start: float, end: float, value: str, seen: str | None, answer: str = "ok", **fields: Any
) -> Call:
    """Return the record of an entered score."""
    return build_call(start, end, "enter", answer, value=value, seen=seen, **fields)


def build_read_call(start: float, end: float, mark: str, awaits: bool | None = None) -> Call:
    """Return the record of a page that shows the line."""
    return build_call(start, end, "read", "ok", line="", shown={RESULT_LINE: [mark, awaits]})


def build_final_state(
    *versions: tuple[str, str, str], awaits: bool = True, tricks: tuple[int, int] | None = None
) -> Call:
    """Return the final state with the given versions: score, idempotency key and source."""
    mark = versions[-1][0] if versions else ""
    rows = [
        [version_number, *version] for version_number, version in enumerate(versions, start=1)
    ]
    line_state = {"mark": mark, "awaits": awaits, "versions": rows, "north": "1", "east": "2"}
    ns, ew = tricks or ((int(mark), 13 - int(mark)) if mark else (0, 0))
    return {"op": "final", "lines": {RESULT_LINE: line_state}, "tricks": {"1": ns, "2": ew}}


EXPLAINED_HISTORIES: dict[str, list[Call]] = {
    "a score is entered, refused, corrected and read": [
        build_read_call(0, 1, ""),
        build_entry_call(2, 3, "7", "", shown={RESULT_LINE: ["7", True]}),
        build_entry_call(4, 5, "8", "", "conflict", shown={RESULT_LINE: ["7", None]}),
        build_entry_call(6, 7, "8", "7"),
        build_read_call(8, 9, "8", awaits=True),
        build_final_state(("7", "", "phone"), ("8", "", "phone")),
    ],
    "two entries at the same time have one winner": [
        build_entry_call(0, 5, "7", "", "conflict"),
        build_entry_call(1, 4, "8", ""),
        build_final_state(("8", "", "phone")),
    ],
    "a read during an entry shows either score": [
        build_entry_call(0, 5, "7", ""),
        build_read_call(1, 2, ""),
        build_read_call(3, 4, "7"),
        build_final_state(("7", "", "phone")),
    ],
    "an entry without a response takes effect later": [
        build_entry_call(0, 1, "7", "", "unknown"),
        build_read_call(2, 3, ""),
        build_read_call(4, 5, "7"),
        build_final_state(("7", "", "phone")),
    ],
    "an entry without a response never takes effect": [
        build_entry_call(0, 1, "7", "", "unknown"),
        build_read_call(2, 3, ""),
        build_final_state(awaits=False),
    ],
    "a repeated key is one entry": [
        build_entry_call(0, 1, "7", "", "unknown", key="a"),
        build_entry_call(2, 3, "7", "", "unknown", key="a"),
        build_entry_call(4, 5, "8", "7", key="b"),
        build_entry_call(6, 7, "7", "", key="a", shown={RESULT_LINE: ["8", True]}),
        build_final_state(("7", "a", "phone"), ("8", "b", "phone")),
    ],
    "the same score twice is one entry": [
        build_entry_call(0, 1, "7", ""),
        build_entry_call(2, 3, "7", ""),
        build_final_state(("7", "", "phone")),
    ],
    "a director overwrites, clears and undoes": [
        build_entry_call(0, 1, "7", None, via="api"),
        build_entry_call(2, 3, "", "7", via="api"),
        build_call(4, 5, "undo", "ok", version=2, via="undo"),
        build_call(6, 7, "undo", "ok", version=2, via="undo"),
        build_call(8, 9, "undo", "conflict", version=1, via="undo"),
        build_final_state(("7", "", "api"), ("", "", "api"), ("7", "", "undo"), awaits=False),
    ],
    "a confirmed score awaits nothing": [
        build_entry_call(0, 1, "7", ""),
        build_call(2, 3, "confirm", "ok", seen="7"),
        build_read_call(4, 5, "7", awaits=False),
        build_final_state(("7", "", "phone"), awaits=False),
    ],
}
UNEXPLAINED_HISTORIES: dict[str, list[Call]] = {
    "lost update: two entries replace the same score": [
        build_entry_call(0, 1, "7", "", key="a"),
        build_entry_call(2, 5, "8", "7", key="b"),
        build_entry_call(3, 6, "9", "7", key="c"),
        build_final_state(("7", "a", "phone"), ("9", "c", "phone")),
    ],
    "lost update that is in the list of versions": [
        build_entry_call(0, 1, "7", "", key="a"),
        build_entry_call(2, 5, "8", "7", key="b"),
        build_entry_call(3, 6, "9", "7", key="c"),
        build_final_state(("7", "a", "phone"), ("8", "b", "phone"), ("9", "c", "phone")),
    ],
    "stale read after an acknowledged entry": [
        build_entry_call(0, 1, "7", ""),
        build_read_call(2, 3, ""),
        build_final_state(("7", "", "phone")),
    ],
    "two reads in the wrong order": [
        build_entry_call(0, 9, "7", ""),
        build_read_call(1, 2, "7"),
        build_read_call(3, 4, ""),
        build_final_state(("7", "", "phone")),
    ],
    "entry stored twice": [
        build_entry_call(0, 1, "7", "", key="a"),
        build_final_state(("7", "a", "phone"), ("7", "a", "phone")),
    ],
    "acknowledged entry missing at the end": [
        build_entry_call(0, 1, "7", ""),
        build_final_state(awaits=False),
    ],
    "acknowledged entry of a line without any row": [
        build_entry_call(0, 1, "7", "", line="12/4"),
        build_final_state(awaits=False),
    ],
    "repeated key applied twice": [
        build_entry_call(0, 1, "7", "5", "unknown", key="b"),
        build_entry_call(2, 3, "5", "", key="a"),
        build_entry_call(4, 5, "5", "7", key="c"),
        build_entry_call(6, 7, "7", "5", key="b"),
        build_final_state(*((mark, key, "phone") for mark, key in ("5a", "7b", "5c", "7b"))),
    ],
    "conflict without another entry": [
        build_entry_call(0, 1, "7", ""),
        build_entry_call(2, 3, "8", "7", "conflict"),
        build_final_state(("7", "", "phone")),
    ],
    "score that a conflict showed was never entered": [
        build_entry_call(0, 1, "7", ""),
        build_entry_call(2, 3, "8", "", "conflict", shown={RESULT_LINE: ["9", None]}),
        build_final_state(("7", "", "phone")),
    ],
    "rejected entry that is stored": [
        build_entry_call(0, 1, "7", "", "error"),
        build_final_state(("7", "", "phone")),
    ],
    "score that no one entered": [
        build_entry_call(0, 1, "7", ""),
        build_final_state(("7", "", "phone"), ("8", "", "phone")),
    ],
    "entry that takes effect before it is sent": [
        build_read_call(0, 1, "7"),
        build_entry_call(2, 3, "7", ""),
        build_final_state(("7", "", "phone")),
    ],
    "lost confirmation": [
        build_entry_call(0, 1, "7", ""),
        build_call(2, 3, "confirm", "ok", seen="7"),
        build_final_state(("7", "", "phone")),
    ],
    "confirmation of another score": [
        build_entry_call(0, 1, "7", ""),
        build_call(2, 3, "confirm", "ok", seen="8"),
        build_final_state(("7", "", "phone"), awaits=False),
    ],
    "undo of an entry that someone has replaced": [
        build_entry_call(0, 1, "7", ""),
        build_entry_call(2, 3, "8", "7"),
        build_call(4, 5, "undo", "ok", version=1, via="undo"),
        build_final_state(
            ("7", "", "phone"), ("8", "", "phone"), ("", "", "undo"), awaits=False
        ),
    ],
    "undone version that is missing at the end": [
        build_entry_call(0, 1, "7", ""),
        build_call(2, 3, "undo", "ok", version=9, via="undo"),
        build_final_state(("7", "", "phone")),
    ],
    "wrong tricks in the standings": [
        build_entry_call(0, 1, "7", ""),
        build_final_state(("7", "", "phone"), tricks=(7, 5)),
    ],
}


@pytest.mark.parametrize("history_name", EXPLAINED_HISTORIES)
def test_history_with_a_serial_order_is_accepted(history_name: str) -> None:
    *calls, final = EXPLAINED_HISTORIES[history_name]
    assert find_problem(calls, final) == ""


@pytest.mark.parametrize("name", UNEXPLAINED_HISTORIES)
def test_history_without_a_serial_order_is_rejected(name: str) -> None:
    *calls, final = UNEXPLAINED_HISTORIES[name]
    assert find_problem(calls, final) != ""


def test_problem_shows_the_line_and_its_calls() -> None:
    calls = [build_entry_call(0, 1, "7", ""), build_read_call(2, 3, "", awaits=False)]
    problem = find_problem(calls, build_final_state(("7", "", "phone")))
    title, *shown_calls = problem.splitlines()
    assert title.startswith(f"No order explains line {RESULT_LINE}.")
    assert [json.loads(text)["op"] for text in shown_calls[:2]] == ["enter", "read"]


def load_recorded_history() -> list[Call]:
    return [json.loads(text) for text in RECORDED_HISTORY_PATH.read_text("utf-8").splitlines()]


def test_recorded_history_is_accepted_with_unknown_calls_and_conflicts() -> None:
    *calls, final = load_recorded_history()
    assert {call["answer"] for call in calls} >= {"ok", "conflict", "unknown"}
    assert {call["op"] for call in calls} == {"read", "enter", "confirm", "undo"}
    assert find_problem(calls, final) == ""


def test_recorded_history_without_an_acknowledged_entry_is_rejected() -> None:
    """No other call can have added the version of the entry."""
    *calls, final = load_recorded_history()
    keys = [call.get("key") for call in calls if call["answer"] in ("ok", "unknown")]
    dropped_indexes = [
        number
        for number, call in enumerate(calls)
        if call["answer"] == "ok" and call.get("key") and keys.count(call["key"]) == 1
    ]
    stored_keys = {row[2] for line in final["lines"].values() for row in line["versions"]}
    dropped_indexes = [
        number for number in dropped_indexes if calls[number]["key"] in stored_keys
    ]
    assert len(dropped_indexes) > 5
    for number in dropped_indexes:
        assert find_problem(calls[:number] + calls[number + 1 :], final), calls[number]


def test_recorded_history_with_an_altered_response_is_rejected() -> None:
    *calls, final = load_recorded_history()
    altered_indexes = [number for number, call in enumerate(calls) if call.get("shown")]
    assert len(altered_indexes) > 20
    for number in altered_indexes:
        line = min(calls[number]["shown"])
        changed_call = calls[number] | {"shown": {line: ["no one entered this", None]}}
        problem = find_problem([*calls[:number], changed_call, *calls[number + 1 :]], final)
        assert problem.startswith(f"No order explains line {line}."), calls[number]


def test_recorded_history_without_a_final_version_is_rejected() -> None:
    *calls, final = load_recorded_history()
    for line, row in final["lines"].items():
        *versions, last_version = row["versions"]
        mark = versions[-1][1] if versions else ""
        rows = final["lines"] | {line: row | {"versions": versions, "mark": mark}}
        assert find_problem(calls, final | {"lines": rows}), (line, last_version)


def test_checker_agrees_with_a_program_that_tries_every_order() -> None:
    random_source = random.Random(20)
    verdict_counts = [0, 0]
    for _number in range(1500):
        calls, final = simulate_history(random_source)
        is_explained = try_every_order(calls, final)
        verdict_counts[is_explained] += 1
        assert (find_problem(calls, final) == "") == is_explained, (calls, final)
    assert min(verdict_counts) > 200, verdict_counts


class SimulatedLine:
    """A line that applies calls one after the other, as a second statement of the rules."""

    def __init__(self) -> None:
        self.versions: list[tuple[str, str, str]] = []
        self.awaits = False

    @property
    def mark(self) -> str:
        return self.versions[-1][0] if self.versions else ""

    def apply(self, call: Call) -> str:
        """Apply a call, and return its answer."""
        if call["op"] == "confirm":
            if call["seen"] != self.mark or not self.mark:
                return "conflict"
            self.awaits = False
        if call["op"] == "enter":
            is_key_stored = call["key"] and any(
                call["key"] == key for _mark, key, _channel in self.versions
            )
            if self.mark != call["value"] and not is_key_stored:
                if call["seen"] is not None and call["seen"] != self.mark:
                    return "conflict"
                self.add(call["value"], call["key"], call["via"])
        if call["op"] == "undo":
            return self.undo(call["version"])
        return "ok"

    def undo(self, number: int) -> str:
        """Undo a version, which is identified by its number."""
        former_mark = self.versions[number - 2][0] if number > 1 else ""
        if number == len(self.versions):
            self.add(former_mark, "", "undo")
        elif number != len(self.versions) - 1 or self.versions[-1][::2] != (
            former_mark,
            "undo",
        ):
            return "conflict"
        return "ok"

    def add(self, mark: str, key: str, via: str) -> None:
        self.versions.append((mark, key, via))
        self.awaits = via == "phone"


def simulate_history(random_source: random.Random) -> tuple[list[Call], Call]:
    """Return a short history of overlapping calls; about half have one wrong detail."""
    register, calls = SimulatedLine(), []
    for moment in range(random_source.randint(1, 5)):
        call = simulate_call(random_source, register, moment)
        if call["answer"] != "unknown" or random_source.random() < 0.5:
            answer = register.apply(call)
            if call["answer"] != "unknown":
                call["answer"] = answer
                is_shown = answer == "ok" and random_source.random() < 0.7
                call["shown"] = (
                    {RESULT_LINE: [register.mark, register.awaits]} if is_shown else {}
                )
        calls.append(call)
    if random_source.random() < 0.5:
        spoil_history(random_source, calls, register)
    return calls, build_final_state(*register.versions, awaits=register.awaits)


def simulate_call(random_source: random.Random, register: SimulatedLine, moment: int) -> Call:
    operations = ["read", "enter", "enter", "enter", "confirm"]
    operations += ["undo", "undo"] if register.versions else []
    start, end = moment - 2 * random_source.random(), moment + 2 * random_source.random()
    via, answer = (
        random_source.choice(["phone", "api"]),
        random_source.choice(["ok", "unknown"]),
    )
    call = build_call(start, end, random_source.choice(operations), answer, via=via)
    call |= {"seen": random_source.choice([register.mark, "5", ""]), "value": "5"}
    if call["op"] == "enter":
        call |= {"value": random_source.choice("567"), "key": random_source.choice(["", "a"])}
    if call["op"] == "undo":
        number = random_source.randint(1, len(register.versions))
        call |= {"via": "undo", "version": number}
    return call


def spoil_history(
    random_source: random.Random, calls: list[Call], register: SimulatedLine
) -> None:
    call = random_source.choice(calls)
    match random_source.randrange(4):
        case 0:
            call["answer"] = random_source.choice(["ok", "conflict", "unknown"])
        case 1:
            call["shown"] = {RESULT_LINE: [random_source.choice(["", "5", "6"]), None]}
        case 2:
            register.awaits = not register.awaits
        case 3:
            call["start"], call["end"] = call["start"] + 3, call["end"] + 3


def try_every_order(calls: list[Call], final: Call) -> bool:
    """Return whether a permutation of the calls, some unknown ones left out, explains them."""
    row = final["lines"][RESULT_LINE]
    answered_calls = [call for call in calls if call["answer"] != "unknown"]
    unanswered_calls = [call for call in calls if call["answer"] == "unknown"]
    for subset_mask in count():
        if subset_mask == 1 << len(unanswered_calls):
            return False
        chosen_calls = [
            call for number, call in enumerate(unanswered_calls) if subset_mask >> number & 1
        ]
        for ordered_calls in permutations(answered_calls + chosen_calls):
            register = SimulatedLine()
            if (
                respects_call_times(ordered_calls)
                and all(is_explained(register, call) for call in ordered_calls)
                and [list(version) for version in register.versions]
                == [version[1:] for version in row["versions"]]
                and register.awaits == row["awaits"]
            ):
                return True
    raise AssertionError


def respects_call_times(order: tuple[Call, ...]) -> bool:
    """Return whether no call is before another one that had ended before its start."""
    return not any(
        later_call["answer"] != "unknown" and later_call["end"] < earlier_call["start"]
        for number, earlier_call in enumerate(order)
        for later_call in order[number + 1 :]
    )


def is_explained(register: SimulatedLine, call: Call) -> bool:
    """Apply a call; return whether its recorded response is right."""
    if call["op"] == "undo" and call["version"] > len(register.versions):
        return False  # the client cannot have seen it
    answer = register.apply(call)
    if call["answer"] == "unknown":
        return True
    mark, awaits = call.get("shown", {}).get(RESULT_LINE, (register.mark, None))
    return (
        answer == call["answer"] and mark == register.mark and awaits in (None, register.awaits)
    )
