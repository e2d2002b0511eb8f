"""Kill programs at random while tables enter results, and check the stored results.

Run manually: `python -m bench.chaos --seconds 180 --seed 1` creates a PostgreSQL cluster, a
Redis without persistence, pages and a worker in a separate folder. `--laptop` runs `serve` on
SQLite; with `--pgbouncer` pages use a pooler in transaction mode. It prints each kill, makes no
kill after `--seconds`, and removes all processes and folders.

It exits with 0 if all of these are true. No acknowledged entry was lost, duplicated or changed.
Thirty seconds after the last restart every job is done or has failed with a reason, and the
standings equal a new computation. After every kill an entry was acknowledged within fifteen
seconds of its end. No page showed a traceback and no log a secret.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.chaos_parts import Part, Parts

EVENTS, TABLES = 4, 3
MAX_HEALING_SECONDS = 30.0  # seconds after the last restart
MAX_ENTRY_SECONDS = 15.0  # seconds to the first acknowledged entry
RETRYING_SHARE = 0.6  # share of the tables that repeat an entry until it is acknowledged
KILL_PAUSE_SECONDS = (2.0, 8.0)  # seconds between two kills


@dataclass
class Entry:
    """A sent entry, and whether the server acknowledged it."""

    sitting: int
    board: int
    value: str
    key: str
    acknowledged: bool = False


@dataclass
class Observations:
    """Everything that the tables observed."""

    entries: list[Entry] = field(default_factory=list)
    acknowledged_at: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    tracebacks: list[str] = field(default_factory=list)
    is_over: bool = False


def main() -> None:
    """Run the chaos, check the conditions, print them, and exit with 0 if all are met."""
    options = _parse_options()
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # so that everything is cleaned up
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="overplay-chaos-") as name:
        parts = Parts(Path(name), laptop=options.laptop, pooled=options.pgbouncer)
        try:
            conditions = _run_chaos(parts, options, chance)
        finally:
            parts.stop()
    for text, value in conditions.items():
        print(f"  {text:<58} {value}")
    print(json.dumps(conditions))
    sys.exit(0 if conditions["holds"] else 1)


def _run_chaos(
    parts: Parts, options: argparse.Namespace, chance: random.Random
) -> dict[str, Any]:
    parts.set_up()
    links = _stage_events(parts)
    for part in parts.parts.values():
        if not part.is_running:
            part.start()
    _wait_until(lambda: _request_page(parts, "/robots.txt")[0] == 200, 60)
    observations = Observations()
    tables = [
        threading.Thread(
            target=_enter_results,
            args=(parts, observations, link, options.seed + n),
            daemon=True,
        )
        for n, link in enumerate(links)
    ]
    for table in tables:
        table.start()
    kills = _kill_at_random(parts, options, chance, observations)
    observations.is_over = True
    for table in tables:
        table.join(60)
    last_restart = max(at for _words, _began, at in kills)
    recovery_seconds = _measure_recovery(parts, last_restart)
    return _check_conditions(parts, observations, kills, recovery_seconds, links)


def _stage_events(parts: Parts) -> list[str]:
    """Create the events in this process, and return the paths of the tables' links."""
    os.environ.clear()
    os.environ.update(parts.environ)
    import django

    django.setup()
    from django.core.management import call_command

    import hall.phones.services
    from tournaments.models import Event

    links = []
    for number in range(EVENTS):
        arguments = ("--tables", str(TABLES), "--played", "0", "--seed", str(number))
        call_command("stage", *arguments, "--club", f"Club {number}", verbosity=0)
    for event in Event.objects.all():
        for link in hall.phones.services.create_table_links(
            session=event.sessions.get(), by=None
        ):
            links.append(link.path)
    return links


def _request_page(
    parts: Parts, path: str, form: dict[str, str] | None = None
) -> tuple[int, dict[str, Any]]:
    """Request a page as a phone does; return its status (0 without a response) and its data."""
    data = urllib.parse.urlencode(form).encode() if form else None
    url = f"http://127.0.0.1:{parts.port}{path}"
    request = urllib.request.Request(url, data, {"Accept": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=25) as response:
            status, body = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, body = error.code, error.read()
    except OSError:
        return 0, {}
    text = body.decode("utf-8", "replace")
    try:
        return status, json.loads(text)
    except ValueError:
        return status, {"text": text}


def _enter_results(parts: Parts, observations: Observations, path: str, seed: int) -> None:
    """Enter results at one table, repeatedly for the same boards with different values."""
    chance = random.Random(seed)
    repeats = chance.random() < RETRYING_SHARE
    plays: list[dict[str, Any]] = []
    while not observations.is_over:
        if not plays:
            status, page_data = _request_page(parts, path)
            if status == 200:
                now = page_data["page"]["rounds"][
                    0
                ]  # its last board is never entered, so the round does not end
                plays = [
                    {"sitting": now["sitting"], "board": board["board"]}
                    for board in now["boards"][:-1]
                ]
            time.sleep(0.2)
            continue
        play = chance.choice(plays)
        entry = Entry(
            play["sitting"],
            play["board"],
            str(chance.randrange(14)),
            f"{chance.getrandbits(64):x}",
        )
        observations.entries.append(entry)
        _send_entry(parts, observations, path, entry, repeats)
        time.sleep(chance.uniform(0.1, 0.6))


def _send_entry(
    parts: Parts, observations: Observations, path: str, entry: Entry, repeats: bool
) -> None:
    text = ""
    while True:
        form = {"sitting": str(entry.sitting), "board": str(entry.board), "act": "enter"}
        form |= {"value": entry.value, "seen": text, "key": entry.key}
        status, body = _request_page(parts, path, form)
        observations.statuses[status] = observations.statuses.get(status, 0) + 1
        if "Traceback" in str(body):
            observations.tracebacks.append(str(body)[:400])
        if status == 200:
            entry.acknowledged = True
            observations.acknowledged_at.append(time.monotonic())
            return
        if status == 409 and "seen" in body:  # replace the stored value
            text = str(body["seen"])
        elif not repeats or status not in (0, 500, 502, 503, 504, 507):
            return
        time.sleep(0.5)


Kill = tuple[str, float, float]
"""The name of a kill, its start, and the time when every part was running again."""


def _kill_at_random(
    parts: Parts, options: argparse.Namespace, chance: random.Random, observations: Observations
) -> list[Kill]:
    acts = _list_kills(parts, chance)
    ends = time.monotonic() + options.seconds
    kills: list[Kill] = []
    while time.monotonic() < ends:
        _wait_for_entry(observations, parts)
        _wait_seconds(parts, chance.uniform(*KILL_PAUSE_SECONDS))
        act = chance.choice(sorted(acts))
        started_at = time.monotonic()
        acts[act]()
        _wait_until(lambda: _are_all_running(parts), 120)
        kills.append((act, started_at, time.monotonic()))
        print(f"  {act}", flush=True)
    return kills


def _wait_for_entry(observations: Observations, parts: Parts) -> None:
    """Wait until one more entry is acknowledged, at most twice the allowed time."""
    count_before = len(observations.acknowledged_at)
    _wait_until(
        lambda: len(observations.acknowledged_at) > count_before, 2 * MAX_ENTRY_SECONDS, parts
    )


def _list_kills(parts: Parts, chance: random.Random) -> dict[str, Callable[[], object]]:
    """Return the possible kills of this installation by name."""
    if parts.laptop:
        serve = parts.parts["serve"]
        return {
            "serve killed": serve.kill,
            "serve frozen 10 s": lambda: _suspend_parts(parts, [serve], 10),
        }
    web, worker = parts.parts["web"], parts.parts["worker"]
    database, redis = parts.parts["database"], parts.parts["redis"]
    pooler = parts.parts.get("pgbouncer")
    return ({"pooler killed": pooler.kill} if pooler else {}) | {
        "pages killed": web.kill,
        "one process of the pages killed": lambda: web.kill_child(chance.random()),
        "worker killed": worker.kill,
        "one process of the worker killed": lambda: worker.kill_child(chance.random()),
        "queue killed": redis.kill,
        "queue away 12 s": lambda: redis.kill(down_seconds=12),
        "queue emptied": lambda: _empty_redis(parts),
        "database killed": database.kill,
        "database away 8 s": lambda: database.kill(down_seconds=8),
        "one line of the database killed": lambda: database.kill_child(chance.random()),
        "worker and queue killed": lambda: (worker.kill(), redis.kill()),
        "pages and database killed": lambda: (web.kill(), database.kill()),
        "queue frozen 20 s": lambda: _suspend_parts(parts, [redis], 20),
        "worker frozen 20 s": lambda: _suspend_parts(parts, [worker], 20),
        "all killed, database last by 15 s": lambda: _restart_in_wrong_order(parts),
    }


def _suspend_parts(parts: Parts, suspended: list[Part], seconds: float) -> None:
    for part in suspended:
        part.suspend()
    _wait_seconds(parts, seconds)
    for part in suspended:
        part.resume()


def _empty_redis(parts: Parts) -> None:
    import redis

    redis.Redis(port=parts.queue_port).flushall()


def _restart_in_wrong_order(parts: Parts) -> None:
    for name, down_seconds in (
        ("web", 5.0),
        ("worker", 2.0),
        ("redis", 4.0),
        ("database", 15.0),
    ):
        parts.parts[name].kill(down_seconds=down_seconds)


def _wait_seconds(parts: Parts, seconds: float) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        parts.restart_ended_parts()
        time.sleep(0.1)


def _are_all_running(parts: Parts) -> bool:
    parts.restart_ended_parts()
    return all(part.is_running for part in parts.parts.values())


def _wait_until(
    condition: Callable[[], bool], seconds: float, parts: Parts | None = None
) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends and not condition():
        if parts is not None:
            parts.restart_ended_parts()
        time.sleep(0.1)


def _measure_recovery(parts: Parts, restarted_at: float) -> float | None:
    """Return the seconds from the last restart until no work is left; None after a minute."""
    from django.db import connection
    from django.db.utils import Error

    from config.jobs import KINDS
    from server.models import Job

    while time.monotonic() < restarted_at + 2 * MAX_HEALING_SECONDS:
        parts.restart_ended_parts()
        try:
            if not Job.objects.filter_unfinished().exists() and not any(
                list(kind.find_missing()) for kind in KINDS.values()
            ):
                return time.monotonic() - restarted_at
        except Error:
            connection.close()
        time.sleep(0.25)
    return None


def _check_conditions(
    parts: Parts,
    observations: Observations,
    kills: list[Kill],
    recovery_seconds: float | None,
    links: list[str],
) -> dict[str, Any]:
    lost, doubled = _compare_entries(observations.entries)
    differ = _count_wrong_standings()
    delay = [_find_first_entry(observations, began) for _words, began, _ended in kills]
    response_delays = [
        _find_first_entry(observations, restarted_at) for _words, _began, restarted_at in kills
    ]
    secrets = [*parts.secrets.values(), *(link.strip("/").split("/")[-1] for link in links)]
    logs = [part.log.read_text("utf-8", "replace") for part in parts.parts.values()]
    verdict: dict[str, Any] = {
        "kills": len(kills),
        "entries acknowledged": sum(entry.acknowledged for entry in observations.entries),
        "answers by status (0: none)": dict(sorted(observations.statuses.items())),
        "acknowledged and lost": lost,
        "stored twice": doubled,
        "events whose standings differ from a recount": differ,
        "healed, seconds after the last restart": None
        if recovery_seconds is None
        else round(recovery_seconds, 1),
        "longest wait for an entry after a kill, s": round(max(delay), 1),
        "the same, after the restart, s": round(max(response_delays), 1),
        "tracebacks in pages": len(observations.tracebacks),
        "secrets in logs": sum(text.count(secret) for text in logs for secret in secrets),
        "tracebacks in logs": sum(text.count("Traceback (") for text in logs),
    }
    verdict["holds"] = (
        not (lost or doubled or differ)
        and recovery_seconds is not None
        and recovery_seconds <= MAX_HEALING_SECONDS
        and max(response_delays) <= MAX_ENTRY_SECONDS
        and not (verdict["tracebacks in pages"] or verdict["secrets in logs"])
    )
    return verdict


def _compare_entries(entries: list[Entry]) -> tuple[int, int]:
    """Count the boards whose last acknowledged value was lost, and the entries stored twice.

    A later value without a response may have replaced it.
    """
    from scoring.models import Result, ResultVersion

    allowed_values: dict[tuple[int, int], set[str]] = {}
    for entry in entries:
        play = entry.sitting, entry.board
        if entry.acknowledged:
            allowed_values[play] = {entry.value}
        elif play in allowed_values:
            allowed_values[play].add(entry.value)
    stored_results = {
        (row.sitting_id, row.board): str(row.mark) for row in Result.objects.all()
    }
    total = sum(
        stored_results.get(play) not in values for play, values in allowed_values.items()
    )
    keys = ResultVersion.objects.exclude(key="").values_list("key", flat=True)
    return total, sum(count > 1 for count in Counter(keys).values())


def _count_wrong_standings() -> int:
    """Count the events whose standings change when they are computed again."""
    from scoring.models import Ranking
    from scoring.standings_engine import standings

    wrong_count = 0
    for ranking in Ranking.objects.select_related("event"):
        stored_rows = _list_ranking_rows(ranking)
        Ranking.objects.filter(pk=ranking.pk).update(revision=0)
        standings.update_standings(ranking.event)
        wrong_count += stored_rows != _list_ranking_rows(ranking)
    return wrong_count


def _list_ranking_rows(ranking: Any) -> list[dict[str, Any]]:
    rows = [dict(row, id=0) for row in ranking.standings.values()]
    return sorted(rows, key=lambda row: row["entry_id"])


def _find_first_entry(observations: Observations, moment: float) -> float:
    """Return the seconds from a time to the next acknowledged entry."""
    return min(
        (at - moment for at in observations.acknowledged_at if at > moment), default=999.0
    )


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--laptop", action="store_true", help="SQLite and `serve`, no service")
    parser.add_argument("--pgbouncer", action="store_true", help="pages ask through a pooler")
    return parser.parse_args()


if __name__ == "__main__":
    main()
