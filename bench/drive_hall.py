"""A drive of 400 under load: 100 tables that enter within 20 seconds, 400 phones that follow.

Run by hand: `python -m bench.drive_hall`. It starts `serve` on SQLite with a folder of its own;
`--players`, `--seconds` and `--every` (seconds between two looks of a player's phone) change
it. Each table's phone sends its round's score and then the other side's yes, each kept alive;
each player's phone asks whether something of its page has changed, as the page does. Prints
how long answers took, and whether every score stands. The phones run on the same machine.
"""

import argparse
import http.client
import json
import os
import threading
import time
from collections import defaultdict
from datetime import date
from typing import Any
from urllib.parse import urlencode

from bench.load import LAPTOP, PORT, running
from bench.nights import own_folder

WATCHERS = 40
"""Threads, each of which is ten phones in turn."""


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--players", type=int, default=400)
    asked.add_argument("--seconds", type=float, default=20)
    asked.add_argument("--every", type=float, default=15)
    options = asked.parse_args()
    with own_folder():
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        drive, tables, cards = _drive(options.players)
        with running(LAPTOP, port=PORT):
            took = _crowd(tables, cards, options)
        _told(drive, took)


def _drive(players: int) -> tuple[Any, list[str], list[str]]:
    import clubs.services
    from drives.models import CardLink
    from drives.services import (
        NewPlayer,
        begin_drive,
        make_card_links,
        make_table_links,
    )
    from server.models import User

    user = User.objects.create(username="director")
    club = clubs.services.create_club(name="Bench", owner=user, by=user)
    started = time.process_time()
    drive = begin_drive(
        club=club, name="Bench", date=date(2026, 11, 27), form="social", rounds=6, hands=4,
        players=[NewPlayer(name=f"Player {n}") for n in range(players)], by=user,
    )  # fmt: skip
    print(f"begun in {time.process_time() - started:.1f} s of one processor")
    make_table_links(drive=drive, by=user)
    make_card_links(drive=drive, by=user)
    links = drive.evening.table_links.order_by("table")
    cards = CardLink.objects.filter(holder__drive=drive)
    return drive, [each.path for each in links], [each.path for each in cards]


class Phones:
    """Some phones that share a thread, and how long their answers took."""

    def __init__(self, took: dict[str, list[float]]) -> None:
        self.took = took
        self.line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)

    def ask(self, what: str, method: str, path: str, **more: Any) -> tuple[int, bytes]:
        """Ask once and note how long it took."""
        started = time.monotonic()
        self.line.request(method, path, **more)
        answer = self.line.getresponse()
        body = answer.read()
        self.took[what].append(time.monotonic() - started)
        if answer.status >= 400:
            self.took["refused"].append(answer.status)
        return answer.status, body


def _crowd(
    tables: list[str], cards: list[str], options: argparse.Namespace
) -> dict[str, list[float]]:
    took: dict[str, list[float]] = defaultdict(list)
    over = threading.Event()
    began = time.monotonic()
    entering = [
        threading.Thread(
            target=_table, args=(path, began + options.seconds * at / len(tables), took)
        )
        for at, path in enumerate(tables)
    ]
    watching = [
        threading.Thread(target=_watch, args=(cards[at::WATCHERS], options.every, took, over))
        for at in range(WATCHERS)
    ]
    for each in (*watching, *entering):
        each.start()
    for each in entering:
        each.join()
    took["all tables in"].append(time.monotonic() - began)
    over.set()
    for each in watching:
        each.join()
    return took


def _table(path: str, when: float, took: dict[str, list[float]]) -> None:
    """A table's phone: looks, enters its round, and the other side agrees."""
    phone, data = Phones(took), {"Accept": "application/json"}
    form = data | {"Content-Type": "application/x-www-form-urlencoded"}
    time.sleep(max(0.0, when - time.monotonic()))
    page = json.loads(phone.ask("table looks", "GET", path, headers=data)[1])["page"]
    sent = {"act": "enter", "round": 1, "hand": 0, "seats": page["seats"], "side": "A"}
    score = sent | {"score": "30,22", "key": path[-20:]}
    phone.ask("table enters", "POST", path, body=urlencode(score), headers=form)
    agreed = sent | {"act": "confirm", "seen": "30,22"}
    phone.ask("table agrees", "POST", path, body=urlencode(agreed), headers=form)


def _watch(
    paths: list[str], every: float, took: dict[str, list[float]], over: threading.Event
) -> None:
    """Some players' phones: each is opened once and then asks at its pace."""
    phones, part = Phones(took), {"HX-Request": "true"}
    seen = dict.fromkeys(paths, "")
    while not over.is_set():
        for path in paths:
            began = time.monotonic()
            what = "player asks" if seen[path] else "player opens"
            headers = part if seen[path] else {}
            status, body = phones.ask(what, "GET", f"{path}?seen={seen[path]}", headers=headers)
            if status == 200:
                seen[path] = body.partition(b"?seen=")[2].partition(b'"')[0].decode()
            over.wait(max(0.0, every / len(paths) - (time.monotonic() - began)))


def _told(drive: Any, took: dict[str, list[float]]) -> None:
    from drives.models import Sheet

    for what, times in sorted(took.items()):
        times.sort()
        middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(
            f"{what}: {len(times)}, {middle:.2f} s, 95 % {late:.2f} s, most {times[-1]:.2f} s"
        )
    rows = Sheet.objects.filter(round__drive=drive, agreement="given").exclude(score=[])
    print(f"{rows.count()} tables stand confirmed")


if __name__ == "__main__":
    main()
