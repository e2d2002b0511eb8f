"""A drive of 400 players under load: 100 tables enter within 20 seconds, 400 phones follow.

Run manually: `python -m bench.drive_hall`, about a minute. It starts `serve` on SQLite in a new
folder. Each table's phone enters its round's score and confirms it for the other side. Each
player's phone polls its page as the page does. It prints the response times, and exits with 1
unless every table is confirmed. The phones run on the same machine.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections import defaultdict
from datetime import date
from typing import Any

from bench.load import LAPTOP_COMMAND, PORT, print_step, run_program
from bench.phones import HTMX_HEADER, JSON_HEADER, Connection, compute_percentiles, find_version
from bench.setup import set_up_folder

POLL_SECONDS = 15
"""The time between two requests of a player's phone, in seconds."""
Times = dict[str, list[float]]


def main() -> int:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20, help="in which the tables enter")
    options = parser.parse_args()
    with set_up_folder():
        print_step(f"a drive of {options.players} is being made")
        drive, table_paths, card_paths = _create_drive(options.players)
        with run_program(LAPTOP_COMMAND, port=PORT):
            print_step("the tables enter")
            times: Times = defaultdict(list)
            asyncio.run(_run_phones(table_paths, card_paths, options.seconds, times))
        return _print_results(drive, len(table_paths), times)


def _create_drive(players: int) -> tuple[Any, list[str], list[str]]:
    import clubs.services
    from drives.models import CardLink
    from drives.services import (
        NewPlayer,
        create_card_links,
        create_drive,
        create_table_links,
    )
    from server.models import User

    user = User.objects.create(username="director")
    club = clubs.services.create_club(name="Bench", owner=user, by=user)
    drive = create_drive(
        club=club, name="Bench", date=date(2026, 11, 27), form="social", rounds=6,
        hands=4,
        players=[NewPlayer(name=f"Player {n}") for n in range(players)], by=user,
    )  # fmt: skip
    create_table_links(drive=drive, by=user)
    create_card_links(drive=drive, by=user)
    links = drive.evening.table_links.order_by("table")
    cards = CardLink.objects.filter(holder__drive=drive)
    return drive, [link.path for link in links], [card.path for card in cards]


async def _run_phones(
    table_paths: list[str], card_paths: list[str], seconds: float, times: Times
) -> None:
    pollers = [asyncio.create_task(_poll_page(path, times)) for path in card_paths]
    start_delays = (seconds * number / len(table_paths) for number in range(len(table_paths)))
    await asyncio.gather(
        *map(_enter_round, table_paths, start_delays, [times] * len(table_paths))
    )
    for poller in pollers:
        poller.cancel()


async def _enter_round(path: str, delay: float, times: Times) -> None:
    """Open a table's page, enter its round, and confirm it for the other side."""
    await asyncio.sleep(delay)
    connection = Connection(PORT)
    page = json.loads(await _request_page(connection, "table looks", times, path, JSON_HEADER))[
        "page"
    ]
    form = {"act": "enter", "round": 1, "hand": 0, "seats": page["seats"], "side": "A"}
    score = form | {"score": "30,22", "key": path[-20:]}
    await _request_page(connection, "table enters", times, path, JSON_HEADER, score)
    confirm_form = form | {"act": "confirm", "seen": "30,22"}
    await _request_page(connection, "table agrees", times, path, JSON_HEADER, confirm_form)
    connection.close()


async def _poll_page(path: str, times: Times) -> None:
    """Open a player's page, and request it repeatedly until the task is cancelled."""
    connection, version = Connection(PORT), ""
    await asyncio.sleep(random.random() * POLL_SECONDS)
    while True:
        request_kind, header = (
            ("player asks", HTMX_HEADER) if version else ("player opens", "Accept: text/html")
        )
        if body := await _request_page(
            connection, request_kind, times, f"{path}?seen={version}", header
        ):
            version = find_version(body)
        await asyncio.sleep(POLL_SECONDS)


async def _request_page(
    connection: Connection, request_kind: str, times: Times, *request: Any
) -> bytes:
    started_at = time.monotonic()
    status, body = await connection.request(*request)
    times[request_kind].append(time.monotonic() - started_at)
    if status >= 400:
        times["failed"].append(0)
    return body


def _print_results(drive: Any, tables: int, times: Times) -> int:
    from drives.models import Sheet

    for request_kind, times_of_kind in sorted(times.items()):
        row = compute_percentiles(times_of_kind)
        print(
            f"{request_kind:14} {row['n']:5} p50 {row['p50']:5.0f} ms, p95 {row['p95']:5.0f} ms"
        )
    rows = Sheet.objects.filter(round__drive=drive, agreement="given").exclude(score=[])
    print(f"{rows.count()} of {tables} tables are confirmed")
    return int(rows.count() < tables or bool(times["failed"]))


if __name__ == "__main__":
    sys.exit(main())
