"""The clients of a chaos run: phones and directors that enter scores and record every call.

Each record is a line of JSON: the client, the start and end (monotonic seconds), the operation
with its arguments, the status, the answer, and the scores that the response showed. The answer
is "ok", "conflict" (someone else has entered another score), "error" (a rejected request, which
changes nothing), or "unknown" (without a response, or with a server error).
"""

import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from abc import ABC, abstractmethod
from collections import Counter
from http.client import HTTPException
from pathlib import Path
from typing import Any

REQUEST_TIMEOUT_SECONDS = 25
RETRY_SECONDS = (0.5, 3.0)  # seconds before a call is repeated
PAUSE_SECONDS = (0.4, 2.0)  # seconds between two actions of a client
RETRYING_SHARE = 0.6  # share of the clients that repeat a call until the answer is known
PHONE_ACTIONS = {"enter": 10, "confirm": 3, "read": 4, "repeat": 1}
DIRECTOR_ACTIONS = {"correct": 6, "overwrite": 2, "clear": 2, "undo": 4, "read": 4}


class History:
    """The record of all calls, which is written to a file at once."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.entered_at: list[float] = []  # the end of each acknowledged entry
        self.tracebacks: list[str] = []
        self.is_over = False

    def record(self, call: dict[str, Any]) -> None:
        """Append a record to the file."""
        with self.lock, self.path.open("a") as file:
            file.write(json.dumps(call) + "\n")
        if "status" in call:
            self.statuses[call["status"]] += 1
        if call["op"] == "enter" and call["answer"] == "ok":
            self.entered_at.append(call["end"])


class Client(ABC):
    """A client with its own random actions, and the scores that it has seen last."""

    actions: dict[str, int]

    def __init__(self, name: str, port: int, history: History, seed: int) -> None:
        self.name, self.url, self.history = name, f"http://127.0.0.1:{port}", history
        self.random = random.Random(seed)
        self.should_retry = self.random.random() < RETRYING_SHARE
        self.headers = {"Accept": "application/json"}
        self.marks: dict[str, str] = {}  # the score of each line

    def run(self) -> None:
        """Act at random until the run is over."""
        names, weights = list(self.actions), list(self.actions.values())
        while not self.history.is_over:
            if self.marks:
                action = self.random.choices(names, weights)[0]
                getattr(self, action)(self.random.choice(sorted(self.marks)))
            else:
                self.read("")
            time.sleep(self.random.uniform(*PAUSE_SECONDS))

    @abstractmethod
    def read(self, _line: str) -> None:
        """Read all scores that this client may see."""

    def choose_mark(self) -> str:
        """Return a random score."""
        return str(self.random.randrange(14))

    def send(
        self, call: dict[str, Any], path: str, data: bytes | None = None, method: str = "GET"
    ) -> dict[str, Any]:
        """Send a request and record the call; repeat it until the answer is known."""
        while True:
            times = {"client": self.name, "start": time.monotonic()}
            status, body = self._send_request(path, data, method)
            record = times | {"end": time.monotonic()} | call | {"status": status}
            record["answer"] = classify_response(status, body)
            if record["answer"] in ("ok", "conflict"):
                record["shown"] = self.list_shown(call, body, record["answer"])
                self.marks |= {
                    result_key: mark
                    for result_key, (mark, _missing_confirmation) in record["shown"].items()
                }
            self.history.record(record)
            should_repeat = record["answer"] == "unknown" and self.should_retry
            if not should_repeat or self.history.is_over:
                return body
            time.sleep(self.random.uniform(*RETRY_SECONDS))

    @abstractmethod
    def list_shown(
        self, call: dict[str, Any], body: dict[str, Any], answer: str
    ) -> dict[str, list[Any]]:
        """Return the score and the missing confirmation of each line in a response."""

    def _send_request(
        self, path: str, data: bytes | None, method: str
    ) -> tuple[int, dict[str, Any]]:
        """Return the status (0 without a complete response) and the data of a response."""
        request = urllib.request.Request(self.url + path, data, self.headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=REQUEST_TIMEOUT_SECONDS) as response:
                status, body = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, b""
            try:
                body = error.read()
            except (OSError, HTTPException):
                status = 0
        except (OSError, HTTPException):
            return 0, {}
        text = body.decode("utf-8", "replace")
        if "Traceback" in text:
            self.history.tracebacks.append(text[:400])
        try:
            return status, json.loads(text or "{}")
        except ValueError:
            return status, {"text": text}


def classify_response(status: int, body: dict[str, Any]) -> str:
    """Return the answer in a response."""
    if 200 <= status < 300:
        return "ok"
    if status == 409 and body.get("code") == "entered_meanwhile":
        return "conflict"
    # The request may have taken effect before the server failed.
    return "error" if 400 <= status < 500 else "unknown"


class Phone(Client):
    """A phone with the page of a table; several phones share a table."""

    actions = PHONE_ACTIONS

    def __init__(self, path: str, side: str, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.path, self.side = path, side
        self.last_entry: dict[str, str] = {}

    def read(self, _line: str) -> None:
        """Load the page."""
        self.send({"op": "read"}, self.path)

    def enter(self, line: str) -> None:
        """Enter a score, with the score that the page showed."""
        idempotency_key = f"{self.random.getrandbits(64):x}"
        self.last_entry = {"line": line, "value": self.choose_mark(), "key": idempotency_key}
        self.last_entry["seen"] = self.marks[line]
        self.repeat(line)

    def repeat(self, _line: str) -> None:
        """Send the last entry, perhaps again with the same key, as after a lost response."""
        if self.last_entry:
            self._post("enter", **self.last_entry)

    def confirm(self, line: str) -> None:
        """Confirm the score that the page showed."""
        if self.marks[line]:
            self._post("confirm", line=line, seen=self.marks[line])

    def _post(self, act: str, **fields: str) -> None:
        sitting, board = fields["line"].split("/")
        form = {"act": act, "sitting": sitting, "board": board, "side": self.side} | fields
        call = {"op": act, "via": "phone"} | fields
        self.send(call, self.path, urllib.parse.urlencode(form).encode(), "POST")

    def list_shown(
        self, call: dict[str, Any], body: dict[str, Any], answer: str
    ) -> dict[str, list[Any]]:
        """Return the lines of the current round; only the rejected one after a conflict.

        The last board is left out. No one enters it, so that the round does not end.
        """
        if answer == "conflict":
            return {call["line"]: [body["seen"], None]}
        current_round = body["page"]["rounds"][0]
        return {
            f"{current_round['sitting']}/{board['board']}": [board["mark"], board["awaits"]]
            for board in current_round["boards"][:-1]
        }


class Director(Client):
    """A program of a director, which uses the API of an event."""

    actions = DIRECTOR_ACTIONS

    def __init__(self, slug: str, token: str, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.path = f"/api/events/{slug}/"
        self.headers |= {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def read(self, _line: str) -> None:
        """Load the results of the session, and first the lines of its first round."""
        if not self.marks:
            sittings = self.send({"op": "read"}, f"{self.path}sessions/1/sittings/")
            self.marks = {
                f"{row['id']}/{board}": ""
                for row in sittings.get("results", ())
                for board in row["boards"][:-1]
                if row["round"] == 1
            }
        self.send({"op": "read", "page": "results"}, f"{self.path}sessions/1/results/")

    def correct(self, line: str) -> None:
        """Enter a score instead of the one seen last."""
        self._put(line, self.choose_mark(), self.marks[line])

    def overwrite(self, line: str) -> None:
        """Enter a score whatever the current one is."""
        self._put(line, self.choose_mark(), None)

    def clear(self, line: str) -> None:
        """Clear the score seen last."""
        self._put(line, "", self.marks[line])

    def undo(self, _line: str) -> None:
        """Undo one of the newest entries in the history of the event."""
        history = self.send({"op": "read"}, f"{self.path}history/")
        entries = [row["id"] for row in history.get("results", ()) if row["kind"] == "entry"]
        if entries:
            version_id = self.random.choice(entries[:4])
            call = {"op": "undo", "version": version_id, "key": "", "via": "undo"}
            self.send(call, f"{self.path}history/entries/{version_id}/undo/", b"{}", "POST")

    def _put(self, line: str, mark: str, seen_mark: str | None) -> None:
        sitting, board = line.split("/")
        data: dict[str, Any] = {"outcome": "played", "ns_tricks": int(mark)} if mark else {}
        data = data or {"outcome": "cleared"}
        if seen_mark is not None:
            data["seen"] = int(seen_mark) if seen_mark else None
        call = {
            "op": "enter",
            "line": line,
            "value": mark,
            "seen": seen_mark,
            "key": "",
            "via": "api",
        }
        path = f"/api/sittings/{sitting}/results/{board}/"
        self.send(call, path, json.dumps(data).encode(), "PUT")

    def list_shown(
        self, call: dict[str, Any], body: dict[str, Any], answer: str
    ) -> dict[str, list[Any]]:
        """Return the line of an entry, or all lines with the list of results."""
        if "seen" in body:
            return {call["line"]: [_format_mark(body["seen"]), None]}
        if call.get("page") != "results":
            return {}
        marks = dict.fromkeys(self.marks, "") | {
            f"{row['sitting']}/{row['board']}": _format_mark(row["seen"])
            for row in body["results"]
        }
        return {line: [mark, None] for line, mark in marks.items()}


def _format_mark(seen: int | str | None) -> str:
    return "" if seen is None else str(seen)
