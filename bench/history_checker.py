"""Check that a serial order of calls explains every response and the final state.

Run manually: `python -m bench.history_checker FILE` with a file from `bench.chaos --history`.
It prints the first line without such an order and its calls, and exits with 1 if there is one.
It imports nothing of the product: `compute_expected_answer` states the rules again.

A line is a board at a sitting, such as "12/3": a list of versions with compare-and-set. A
history is linearizable if that of each line is (Herlihy and Wing, 1990). The search follows all
orders at once (Lowe, 2017). A call without a known response takes effect after its start or
never. Versions are never deleted, so each order must add exactly the final versions.
"""

import json
import sys
from collections import Counter, defaultdict
from itertools import takewhile
from pathlib import Path
from typing import Any

Call = dict[str, Any]
Versions = list[list[Any]]  # the id, score, idempotency key and source of each
State = tuple[int, bool]  # the number of versions so far, and whether a confirmation is missing
Orders = set[tuple[State, frozenset[int]]]  # the state, and the unfinished calls in the order
READ_CALL = {"op": "read", "answer": "ok"}


def main() -> None:
    """Check the history in a file, and print the verdict."""
    *calls, final = map(json.loads, Path(sys.argv[1]).read_text("utf-8").splitlines())
    problem = find_problem(calls, final)
    answer_counts = Counter(call["answer"] for call in calls)
    print(json.dumps({"calls": len(calls), "lines": len(final["lines"]), **answer_counts}))
    print(problem or "A serial order explains every response and the final state.")
    sys.exit(1 if problem else 0)


def find_problem(calls: list[Call], final: Call) -> str:
    """Return the first line that no order explains, or the wrong totals; "" if all is well."""
    lines: dict[str, Call] = final["lines"]
    calls_by_line = split_calls_by_line(calls, lines)
    for line in sorted(calls_by_line.keys() | lines.keys()):
        row = lines.get(line, {"mark": "", "awaits": False, "versions": []})
        if problem := find_unexplained_response(calls_by_line[line], row):
            title = f"No order explains line {line}. The first response without one: {problem}"
            return "\n".join([title, *map(json.dumps, [*calls_by_line[line], row])])
    totals = Counter(dict.fromkeys(final["tricks"], 0))
    for row in lines.values():
        if row["mark"].isdigit():
            totals.update({row["north"]: int(row["mark"]), row["east"]: 13 - int(row["mark"])})
    wrong_totals = totals.items() - final["tricks"].items()
    return f"The standings have other tricks: {wrong_totals}" if wrong_totals else ""


def split_calls_by_line(calls: list[Call], lines: dict[str, Call]) -> dict[str, list[Call]]:
    """Return the calls of each line; a response that shows other lines is a read of each."""
    line_by_version_id = {
        version[0]: line for line, row in lines.items() for version in row["versions"]
    }
    calls_by_line: dict[str, list[Call]] = defaultdict(list)
    for call in sorted(calls, key=lambda call: float(call["start"])):
        call_line, shown_scores = call.get("line", ""), call.get("shown", {})
        if call["op"] == "undo":
            call_line = line_by_version_id.get(call["version"], "of a missing version")
        if call_line and call["answer"] != "error":  # an error has changed nothing
            calls_by_line[call_line].append(call | {"shown": shown_scores.get(call_line)})
        for line in shown_scores.keys() - {call_line}:
            calls_by_line[line].append(call | READ_CALL | {"shown": shown_scores[line]})
    return calls_by_line


def find_unexplained_response(calls: list[Call], row: Call) -> str:
    """Return the first response of a line that no order explains; "" if all are explained."""
    versions: Versions = row["versions"]
    call_boundaries = [(call["start"], False, number) for number, call in enumerate(calls)]
    call_boundaries += [
        (c["end"], True, n) for n, c in enumerate(calls) if c["answer"] != "unknown"
    ]
    equal_call_numbers: dict[str, int] = {}
    for number, call in enumerate(calls):
        if call["answer"] == "unknown":  # of equal calls, the first takes effect first
            fields = str(call | dict.fromkeys(("start", "end", "status")))
            call["twin"], equal_call_numbers[fields] = (
                equal_call_numbers.get(fields, number),
                number,
            )
    orders: Orders = {((0, False), frozenset())}
    unfinished_calls: dict[int, Call] = {}
    for _moment, is_end, number in sorted(call_boundaries):
        unfinished_calls[number] = calls[number]
        if is_end:
            orders = extend_orders(orders, unfinished_calls, versions, number)
            del unfinished_calls[number]
        if not orders:
            return json.dumps(calls[number])
    ends = {
        state for state, _used_numbers in extend_orders(orders, unfinished_calls, versions, -1)
    }
    is_final_state_reached = (len(versions), row["awaits"]) in ends and row["mark"] == get_mark(
        versions
    )
    return "" if is_final_state_reached else "the final state"


def extend_orders(
    orders: Orders, calls: dict[int, Call], versions: Versions, last_call_number: int
) -> Orders:
    """Return all extensions of the orders by unfinished calls that contain the last call."""
    reachable_orders = list(orders)  # grows in the loop
    for state, used_numbers in reachable_orders:
        for number in (
            calls.keys() - used_numbers if last_call_number not in used_numbers else ()
        ):
            call, new_used_numbers = calls[number], used_numbers | {number}
            new_state = apply_call(call, state, versions)
            if new_state is None or call.get("twin", number) not in new_used_numbers:
                continue
            if (new_state, new_used_numbers) not in reachable_orders:
                reachable_orders.append((new_state, new_used_numbers))
    completed_orders = {
        (state, used_numbers - {last_call_number})
        for state, used_numbers in reachable_orders
        if last_call_number in {-1, *used_numbers}
    }
    # Another order that leads to the same state with fewer unknown calls makes one redundant.
    twins = {number for number, call in calls.items() if "twin" in call}
    return completed_orders - {
        (s, u)
        for s, u in completed_orders
        for t, v in completed_orders
        if s == t and v < u <= v | twins
    }


def apply_call(call: Call, state: State, versions: Versions) -> State | None:
    """Return the state after a call; None if its response or the next version is another."""
    version_count = state[0]
    answer, new_mark = compute_expected_answer(call, versions[:version_count])
    new_state = (version_count, False) if [call["op"], answer] == ["confirm", "ok"] else state
    if new_mark is not None:
        new_state = (version_count + 1, call["via"] == "phone")
        new_version = [new_mark, call["key"], call["via"]]
        if version_count == len(versions) or versions[version_count][1:] != new_version:
            return None
    if call["answer"] == "unknown":
        return None if new_state == state else new_state
    mark = get_mark(versions[: new_state[0]])
    is_response_consistent = call["shown"] in (None, [mark, None], [mark, new_state[1]])
    return new_state if is_response_consistent and answer == call["answer"] else None


def compute_expected_answer(call: Call, versions: Versions) -> tuple[str, str | None]:
    """Return the answer to a call, and the score of the version that it adds, if any."""
    mark, keys = get_mark(versions), {version[2] for version in versions} - {""}
    if call["op"] in ("read", "confirm"):
        return "ok" if call["op"] == "read" or call["seen"] == mark != "" else "conflict", None
    if call["op"] == "enter":
        new_mark, is_current = call["value"], call["seen"] in (None, mark)
        is_repeated = new_mark == mark or call["key"] in keys
    else:  # undo the newest version
        earlier_versions = list(
            takewhile(lambda version: version[0] != call["version"], versions)
        )
        new_mark, later_versions = (
            get_mark(earlier_versions),
            versions[len(earlier_versions) + 1 :],
        )
        is_current = len(earlier_versions) == len(versions) - 1
        is_repeated = [version[1::2] for version in later_versions] == [[new_mark, "undo"]]
    if is_current or is_repeated:
        return "ok", None if is_repeated else new_mark
    return "conflict", None


def get_mark(versions: Versions) -> str:
    return str(versions[-1][1]) if versions else ""


if __name__ == "__main__":
    main()
