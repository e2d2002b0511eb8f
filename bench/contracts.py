"""80 tables of a drive with contracts enter 16 hands each by phone, also with kills.

Run manually: `python -m bench.contracts` starts `serve` on SQLite in a new folder. With
`--server` it starts PostgreSQL, Redis, pages and a worker. Each table's phone enters a hand,
confirms it for the other side, and polls its page. Each player's phone polls the player's page.
A phone repeats an entry with the same key until it is acknowledged. With `--kills` the pages
are killed (SIGKILL) and restarted that many times.

It prints the response times, the CPU time for each response, and that of a plain page. It exits
with 1 if an acknowledged hand is lost, changed or stored twice, or if its points are not those
of its contract. The phones run on the same machine.
"""

import argparse
import asyncio
import gzip
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from bench.chaos_parts import Installation, Service
from bench.cpu_meter import CpuMeter
from bench.load import is_responding, print_step
from bench.phones import HTMX_HEADER, JSON_HEADER, Connection, compute_percentiles

POLL_SECONDS, PLAYER_POLL_SECONDS, RETRY_SECONDS = 5, 15, 0.5
RATIO_REQUESTS = 300
GAME = "wiezen"
VERSION_PATTERN = re.compile(rb"seen=([\w.]+)")
HandKey = tuple[int, int]
"""A table and the number of a hand."""


@dataclass
class Observations:
    """What the phones observed: response times, and the points of each acknowledged hand."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    acknowledged: dict[HandKey, tuple[dict[str, Any], list[int]]] = field(default_factory=dict)
    repeats: int = 0


def main() -> int:
    """Print the measurements, and return 0 if no hand was lost, stored twice or wrong."""
    options = _parse_options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that everything is stopped
    with tempfile.TemporaryDirectory(prefix="overplay-contracts-") as folder_name:
        installation = Installation(Path(folder_name), is_laptop=not options.server)
        try:
            return _run_measurement(installation, options)
        finally:
            installation.stop()


def _run_measurement(parts: Installation, options: argparse.Namespace) -> int:
    parts.set_up()
    print_step(f"a drive of {4 * options.tables} is being made")
    tables, cards = _create_drive(parts, options.tables, options.hands)
    cpu_meter = CpuMeter()
    pages = parts.parts["serve" if parts.laptop else "web"]
    for service in parts.parts.values():
        if not service.is_running:
            service.start()
    while not is_responding(parts.port):
        time.sleep(0.2)
    plain_page_ms = asyncio.run(_measure_plain_page(parts.port, pages))
    if pages.process is not None:
        cpu_meter.add("pages", pages.process)
    print_step(f"{options.tables} tables enter {options.hands} hands")
    observations = Observations()
    cpu_meter.start()
    started_at = time.monotonic()
    asyncio.run(_run_evening(parts, pages, tables, cards, options, observations))
    seconds = time.monotonic() - started_at
    _print_times(observations, seconds, cpu_meter.show()["pages"], plain_page_ms, options)
    print(f"  load {', '.join(f'{load_average:.1f}' for load_average in os.getloadavg())}")
    return _check_rows(observations, options)


def _create_drive(
    parts: Installation, tables: int, hand_count: int
) -> tuple[list[str], list[str]]:
    """Create the drive in this process, and return the paths of its tables and players."""
    os.environ.clear()
    os.environ.update(parts.environ)
    import django

    django.setup()
    import clubs.services
    from drives.models import CardLink
    from drives.play_forms.rounds import MEETINGS_TERM, MEETINGS_TERM_TABLE_VALUE
    from drives.services import NewPlayer, create_card_links, create_drive, create_table_links
    from server.models import User

    user = User.objects.create(username="director")
    club = clubs.services.create_club(name="Bench", owner=user, by=user)
    drive = create_drive(
        club=club, name="Bench", date=date(2026, 11, 27), form="lot", rounds=3,
        hands=hand_count,
        players=[NewPlayer(name=f"Player {n}") for n in range(4 * tables)],
        score={"kind": "player", "sum": 0, "game": GAME},
        terms={MEETINGS_TERM: MEETINGS_TERM_TABLE_VALUE},
        by=user,
    )  # fmt: skip
    create_table_links(drive=drive, by=user)
    create_card_links(drive=drive, by=user)
    links = drive.evening.table_links.order_by("table")
    cards = CardLink.objects.filter(holder__drive=drive)
    return [link.path for link in links], [card.path for card in cards]


async def _measure_plain_page(port: int, pages: Service) -> float:
    """Return the CPU milliseconds of the pages for a response without any query."""
    connection = Connection(port)
    await connection.request("/robots.txt", "Accept: text/plain")
    cpu_meter = CpuMeter()
    if pages.process is not None:
        cpu_meter.add("pages", pages.process)
    cpu_meter.start()
    started_at = time.monotonic()
    for _each in range(RATIO_REQUESTS):
        await connection.request("/robots.txt", "Accept: text/plain")
    seconds = time.monotonic() - started_at
    connection.close()
    return 1000 * cpu_meter.compute_shares()["pages"] * seconds / RATIO_REQUESTS


async def _run_evening(
    parts: Installation,
    pages: Service,
    tables: list[str],
    cards: list[str],
    options: argparse.Namespace,
    observations: Observations,
) -> None:
    background_tasks = [
        asyncio.create_task(_poll(parts.port, path, PLAYER_POLL_SECONDS, observations))
        for path in cards[: options.followers]
    ]
    background_tasks.append(asyncio.create_task(_kill_pages(parts, pages, options)))
    await asyncio.gather(
        *(
            _play_table(parts.port, number, path, options, observations)
            for number, path in enumerate(tables, start=1)
        )
    )
    for task in background_tasks:
        task.cancel()


async def _kill_pages(parts: Installation, pages: Service, options: argparse.Namespace) -> None:
    """Kill the pages several times, evenly over the evening, and restart them."""
    random_source = random.Random(options.seed)
    pause_seconds = options.seconds / (options.kills + 1)
    for _kill in range(options.kills):
        await asyncio.sleep(pause_seconds * random_source.uniform(0.6, 1.4))
        print_step("pages killed")
        await asyncio.to_thread(pages.kill)
        while not restart_and_check_programs(parts):
            await asyncio.sleep(0.2)


def restart_and_check_programs(parts: Installation) -> bool:
    """Restart the programs that have ended; return whether all are running."""
    parts.restart_ended_parts()
    return all(part.is_running for part in parts.parts.values())


async def _play_table(
    port: int,
    table: int,
    path: str,
    options: argparse.Namespace,
    observations: Observations,
) -> None:
    """Enter and confirm the hands of a table at an even pace, and poll between them."""
    random_source = random.Random(f"{options.seed} {table}")
    connection = Connection(port)
    seconds_per_hand = options.seconds / options.hands
    await asyncio.sleep(seconds_per_hand * random_source.random())
    poller = asyncio.create_task(_poll(port, path, POLL_SECONDS, observations))
    page = (await _send(connection, "poll", observations, path))["page"]
    for hand in range(1, options.hands + 1):
        started_at = time.monotonic()
        hand_fields = {"round": 1, "hand": hand, "seats": page["seats"]}
        contract = _create_random_hand(random_source)
        idempotency_key = f"{table}-{hand}-{random_source.getrandbits(48):x}"
        entry = {"act": "enter", "side": "A", "seen": "", "contract": json.dumps(contract)}
        form = hand_fields | entry | {"key": idempotency_key}
        data = await _send(connection, "entry", observations, path, form)
        score = next(each["score"] for each in data["page"]["hands"] if each["hand"] == hand)
        observations.acknowledged[table, hand] = contract, score
        form = hand_fields | {
            "act": "confirm",
            "seen": ",".join(map(str, [*score, 0, 0, 0, 0])),
        }
        await _send(connection, "confirmation", observations, path, form)
        await asyncio.sleep(max(0.0, seconds_per_hand - (time.monotonic() - started_at)))
    poller.cancel()
    connection.close()


def _create_random_hand(chance: random.Random) -> dict[str, Any]:
    """Return a random hand of the game, in the format of a phone."""
    from drives.games import find_game
    from drives.games.contracts import DeclaringSide

    contract = chance.choice(find_game(GAME).points_table.playable_contracts)
    declarer_count = chance.choice([each for each in contract.rule.player_counts if each < 4])
    tricks = [chance.randint(0, 13 // declarer_count) for _player in range(declarer_count)]
    return {
        "contract": contract.code,
        "by": sorted(chance.sample((1, 2, 3, 4), declarer_count)),
        "tricks": tricks if contract.rule.side is DeclaringSide.EACH else chance.randint(0, 13),
    }


async def _send(
    connection: Connection,
    request_kind: str,
    observations: Observations,
    path: str,
    form: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Repeat a request until it succeeds; return the data. Only the last try is timed."""
    while True:
        started_at = time.monotonic()
        try:
            status, body = await connection.request(path, JSON_HEADER, form)
        except OSError:
            status, body = 0, b""
        if status == 200:
            observations.times[request_kind].append(time.monotonic() - started_at)
            data: dict[str, Any] = json.loads(body)
            return data
        if 400 <= status < 500:
            raise SystemExit(f"{path}: {status} {body[:300]!r}")
        observations.repeats += 1
        await asyncio.sleep(RETRY_SECONDS)


async def _poll(port: int, path: str, seconds: float, observations: Observations) -> None:
    """Poll a table's page as data, or a player's page, until the task is cancelled."""
    connection, version = Connection(port), ""
    is_player = seconds == PLAYER_POLL_SECONDS
    await asyncio.sleep(random.random() * seconds)
    while True:
        started_at = time.monotonic()
        with suppress(OSError):
            if is_player:
                header = HTMX_HEADER if version else "Accept: text/html"
                status, body = await connection.request(f"{path}?seen={version}", header)
                version_match = VERSION_PATTERN.search(_decompress(body))
                version = version_match[1].decode() if version_match else version
            else:
                status, _body = await connection.request(path, JSON_HEADER)
            if status < 400:
                kind = "player's page" if is_player else "poll"
                observations.times[kind].append(time.monotonic() - started_at)
        await asyncio.sleep(seconds)


def _decompress(body: bytes) -> bytes:
    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body


def _print_times(
    observations: Observations,
    seconds: float,
    cpu_share: float,
    plain_ms: float,
    options: argparse.Namespace,
) -> None:
    for kind, times in sorted(observations.times.items()):
        row = compute_percentiles(times)
        numbers = ", ".join(f"{name} {row[name]:.0f}" for name in ("p50", "p95", "p99", "max"))
        print(f"  {kind:14} {row['n']:6.0f}: {numbers} ms")
    print(f"  {seconds:.0f} s, {observations.repeats} requests repeated")
    count = sum(map(len, observations.times.values()))
    if not options.kills:  # the meter follows the first process only
        each = 1000 * cpu_share * seconds / count
        words = f"{each:.1f} ms a response, {plain_ms:.2f} ms for a plain page"
        print(f"  CPU time of the pages: {words}, ratio {each / plain_ms:.0f}")


def _check_rows(observations: Observations, options: argparse.Namespace) -> int:
    """Compare the stored hands with the acknowledged ones, and settle them again."""
    from drives.games import find_game
    from drives.hand_points import settle_contract
    from drives.models import Sheet, SheetVersion

    table = find_game(GAME).points_table
    lost_count = wrong_count = 0
    rows = {(row.table, row.hand): row for row in Sheet.objects.all()}
    for hand_key, (contract, score) in observations.acknowledged.items():
        row = rows.get(hand_key)
        lost_count += row is None or row.score != score or row.agreement != "given"
        wrong_count += list(settle_contract(table, contract).points) != score
    keys = Counter(SheetVersion.objects.values_list("key", flat=True))
    places = Counter(SheetVersion.objects.values_list("sheet__table", "sheet__hand"))
    duplicate_count = sum(count > 1 for count in (*keys.values(), *places.values()))
    missing_count = options.tables * options.hands - len(rows)
    acknowledged_count = len(observations.acknowledged)
    print(f"  {acknowledged_count} hands acknowledged, {lost_count} lost")
    print(f"  {duplicate_count} stored twice")
    print(f"  {wrong_count} with other points, {missing_count} missing")
    return int(bool(lost_count or duplicate_count or wrong_count or missing_count))


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=80)
    parser.add_argument("--hands", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=60, help="for all hands of a table")
    parser.add_argument("--followers", type=int, default=320, help="players who poll a page")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--server", action="store_true", help="PostgreSQL and the pages' server"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
