"""Kill programs at random while many clients enter scores, and check the stored scores.

Run manually: `python -m bench.chaos --seconds 180 --seed 1` creates a PostgreSQL cluster, a
Redis without persistence, pages and a worker in a separate folder. `--laptop` runs `serve` on
SQLite. With `--pgbouncer` pages use a pooler in transaction mode, and with `--rabbitmq` the
queue is a RabbitMQ node of the run. It prints each kill, makes no kill after `--seconds`, and
removes all processes and folders. `--history FILE` keeps the record of all calls.

It exits with 2 unless all of these are true. A serial order of the calls explains every
response and the final state (`bench.history_checker`). The standings equal a new computation.
No page showed a traceback, no log a secret, and no client failed. It exits with 1 if only a
time limit is exceeded, as on a busy machine. Thirty seconds after the last restart every job is
done or has failed with a reason. After every kill an entry was acknowledged within fifteen
seconds of its end.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.chaos_clients import Client, Director, History, Phone
from bench.chaos_parts import ROOT, Installation, Service

EVENT_COUNT, TABLES = 4, 3
SIDES = ("NS", "EW")  # each side of a table has a phone
MAX_RECOVERY_SECONDS = 30.0  # seconds after the last restart
MAX_ENTRY_SECONDS = 15.0  # seconds to the first acknowledged entry
KILL_PAUSE_SECONDS = (2.0, 8.0)  # seconds between two kills


def main() -> None:
    """Run the chaos, check the conditions and print them."""
    options = _parse_options()
    # SIGTERM raises KeyboardInterrupt, so that all programs and folders are removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    random_source = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="overplay-chaos-") as folder_name:
        installation = Installation(
            Path(folder_name),
            is_laptop=options.laptop,
            is_pooled=options.pgbouncer,
            has_rabbitmq=options.rabbitmq,
        )
        history = History(options.history or Path(folder_name) / "history.jsonl")
        try:
            conditions = _run_chaos(installation, options, random_source, history)
        finally:
            installation.stop()
    for description, value in conditions.items():
        print(f"  {description:<58} {value}")
    print(json.dumps(conditions))
    sys.exit(0 if conditions["holds"] else 1 if conditions["is safe"] else 2)


def _run_chaos(
    parts: Installation,
    options: argparse.Namespace,
    random_source: random.Random,
    history: History,
) -> dict[str, Any]:
    parts.set_up()
    clients = _stage_events(parts, options.seed, history)
    for service in parts.parts.values():
        if not service.is_running:
            service.start()
    _wait_until(lambda: _is_responding(parts), 60)
    threads = [threading.Thread(target=client.run, daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    kills = _kill_at_random(parts, options, random_source, history)
    failed_count = sum(not thread.is_alive() for thread in threads)
    history.is_over = True
    for thread in threads:
        thread.join(60)
    last_restarted_at = max(restarted_at for _kill_name, _started_at, restarted_at in kills)
    recovery_seconds = _measure_recovery(parts, last_restarted_at)
    for client in clients:
        client.read("")
    record_final_state(history)
    return _check_conditions(parts, history, kills, recovery_seconds, failed_count)


def _stage_events(parts: Installation, seed: int, history: History) -> list[Client]:
    """Create the events in this process, and return their phones and directors."""
    os.environ.clear()
    os.environ.update(parts.environ)
    import django

    django.setup()
    from django.core.management import call_command

    import hall.phones.services
    from server.logins.tokens import create_token
    from server.models import User
    from tournaments.models import Event

    user = User.objects.create(username="director")
    for number in range(EVENT_COUNT):
        arguments = ("--tables", str(TABLES), "--played", "0", "--seed", str(number))
        club = ("--club", f"Club {number}", "--owner", user.username)
        call_command("stage", *arguments, *club, verbosity=0)
    token = create_token(user, name="chaos")[1]
    parts.secrets["token"] = token
    clients: list[Client] = []
    for event in Event.objects.all():
        links = hall.phones.services.create_table_links(session=event.sessions.get(), by=None)
        for link in links:
            parts.secrets[link.path] = link.path.strip("/").split("/")[-1]
            for side in SIDES:
                name, number = f"{event.slug} {link.table} {side}", seed + len(clients)
                clients.append(Phone(link.path, side, name, parts.port, history, number))
        number = seed + len(clients)
        clients.append(Director(event.slug, token, event.slug, parts.port, history, number))
    return clients


def _is_responding(parts: Installation) -> bool:
    try:
        url = f"http://127.0.0.1:{parts.port}/robots.txt"
        with urllib.request.urlopen(url, timeout=25) as response:
            return bool(response.status == 200)
    except OSError:
        return False


Kill = tuple[str, float, float]
"""The name of a kill, its start, and the time when every part was running again."""


def _kill_at_random(
    parts: Installation,
    options: argparse.Namespace,
    random_source: random.Random,
    history: History,
) -> list[Kill]:
    acts = _list_kills(parts, random_source)
    deadline = time.monotonic() + options.seconds
    kills: list[Kill] = []
    while time.monotonic() < deadline:
        _wait_for_entry(history, parts)
        _wait_seconds(parts, random_source.uniform(*KILL_PAUSE_SECONDS))
        act = random_source.choice(sorted(acts))
        started_at = time.monotonic()
        acts[act]()
        _wait_until(lambda: _are_all_running(parts), 120)
        kills.append((act, started_at, time.monotonic()))
        print(f"  {act}", flush=True)
    _wait_for_entry(history, parts)
    return kills


def _wait_for_entry(history: History, parts: Installation) -> None:
    """Wait until one more entry is acknowledged, at most twice the allowed time."""
    count_before = len(history.entered_at)
    _wait_until(lambda: len(history.entered_at) > count_before, 2 * MAX_ENTRY_SECONDS, parts)


def _list_kills(
    parts: Installation, random_source: random.Random
) -> dict[str, Callable[[], object]]:
    """Return the possible kills of this installation by name."""
    if parts.laptop:
        laptop_service = parts.parts["serve"]
        return {
            "serve killed": laptop_service.kill,
            "serve frozen 10 s": lambda: _suspend_parts(parts, [laptop_service], 10),
        }
    web, worker = parts.parts["web"], parts.parts["worker"]
    database, redis = parts.parts["database"], parts.parts["redis"]
    queue = parts.parts.get("rabbitmq", redis)
    kills: dict[str, Callable[[], object]] = {}
    if "pgbouncer" in parts.parts:
        kills["pooler killed"] = parts.parts["pgbouncer"].kill
    if queue is not redis:
        kills["cache killed"] = redis.kill
        kills["cache frozen 20 s"] = lambda: _suspend_parts(parts, [redis], 20)
    return kills | {
        "pages killed": web.kill,
        "one process of the pages killed": lambda: web.kill_child(random_source.random()),
        "worker killed": worker.kill,
        "one process of the worker killed": lambda: worker.kill_child(random_source.random()),
        "queue killed": queue.kill,
        "queue away 12 s": lambda: queue.kill(down_seconds=12),
        "cache emptied": lambda: _flush_redis(parts),
        "database killed": database.kill,
        "database away 8 s": lambda: database.kill(down_seconds=8),
        "one line of the database killed": lambda: database.kill_child(random_source.random()),
        "worker and queue killed": lambda: (worker.kill(), queue.kill()),
        "pages and database killed": lambda: (web.kill(), database.kill()),
        "queue frozen 20 s": lambda: _suspend_parts(parts, [queue], 20),
        "worker frozen 20 s": lambda: _suspend_parts(parts, [worker], 20),
        "all killed, database last by 15 s": lambda: _restart_in_wrong_order(parts),
    }


def _suspend_parts(
    parts: Installation, suspended_services: list[Service], seconds: float
) -> None:
    for part in suspended_services:
        part.suspend()
    _wait_seconds(parts, seconds)
    for part in suspended_services:
        part.resume()


def _flush_redis(parts: Installation) -> None:
    import redis

    redis.Redis(port=parts.redis_port).flushall()


def _restart_in_wrong_order(parts: Installation) -> None:
    for name, down_seconds in (
        ("web", 5.0),
        ("worker", 2.0),
        ("redis", 4.0),
        ("rabbitmq", 6.0),
        ("database", 15.0),
    ):
        if name in parts.parts:
            parts.parts[name].kill(down_seconds=down_seconds)


def _wait_seconds(parts: Installation, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        parts.restart_ended_parts()
        time.sleep(0.1)


def _are_all_running(parts: Installation) -> bool:
    parts.restart_ended_parts()
    return all(part.is_running for part in parts.parts.values())


def _wait_until(
    condition: Callable[[], bool], seconds: float, parts: Installation | None = None
) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not condition():
        if parts is not None:
            parts.restart_ended_parts()
        time.sleep(0.1)


def _measure_recovery(parts: Installation, restarted_at: float) -> float | None:
    """Return the seconds from the last restart until no work is left; None after a minute."""
    from django.db import connection
    from django.db.utils import Error

    from config.jobs import KINDS
    from server.models import Job

    while time.monotonic() < restarted_at + 2 * MAX_RECOVERY_SECONDS:
        parts.restart_ended_parts()
        try:
            if not Job.objects.filter_unfinished().exists() and not any(
                list(job_kind.find_missing_job_keys()) for job_kind in KINDS.values()
            ):
                return time.monotonic() - restarted_at
        except Error:
            connection.close()
        time.sleep(0.25)
    return None


def record_final_state(history: History) -> None:
    """Record every line with its versions, and the tricks of each pair in the standings."""
    from scoring.models import Agreement, Result, Standing

    lines = {}
    for result in Result.objects.select_related("sitting").prefetch_related("versions"):
        versions = sorted(result.versions.all(), key=lambda version: int(version.number))
        lines[f"{result.sitting_id}/{result.board}"] = {
            "mark": result.mark,
            "awaits": result.agreement == Agreement.AWAITED,
            "versions": [[row.pk, row.mark, row.key, row.via] for row in versions],
            "north": str(result.sitting.north_id),
            "east": str(result.sitting.east_id),
        }
    tricks = {str(row.entry_id): int(row.tricks) for row in Standing.objects.all()}
    history.record({"op": "final", "lines": lines, "tricks": tricks})


def _check_conditions(
    parts: Installation,
    history: History,
    kills: list[Kill],
    recovery_seconds: float | None,
    failed_count: int,
) -> dict[str, Any]:
    checker_command = [
        sys.executable,
        "-I",
        str(ROOT / "bench/history_checker.py"),
        str(history.path),
    ]
    checker_process = subprocess.run(
        checker_command, capture_output=True, text=True, check=False
    )
    print(checker_process.stdout, checker_process.stderr, flush=True)
    delays = [
        _measure_entry_delay(history, killed_at) for _words, killed_at, _restarted_at in kills
    ]
    response_delays = [
        _measure_entry_delay(history, restarted_at) for _words, _began, restarted_at in kills
    ]
    logs = [part.log.read_text("utf-8", "replace") for part in parts.parts.values()]
    problem_counts = {
        "events whose standings differ from a recount": _count_wrong_standings(),
        "clients that failed": failed_count,
        "tracebacks in pages": len(history.tracebacks),
        "secrets in logs": sum(
            text.count(secret) for text in logs for secret in parts.secrets.values()
        ),
    }
    verdict: dict[str, Any] = {
        "kills": len(kills),
        "entries acknowledged": len(history.entered_at),
        "answers by status (0: none)": dict(sorted(history.statuses.items())),
        "a serial order explains all": checker_process.returncode == 0,
        **problem_counts,
        "healed, seconds after the last restart": None
        if recovery_seconds is None
        else round(recovery_seconds, 1),
        "longest wait for an entry after a kill, s": round(max(delays), 1),
        "the same, after the restart, s": round(max(response_delays), 1),
        "tracebacks in logs": sum(text.count("Traceback (") for text in logs),
        "is safe": checker_process.returncode == 0 and not any(problem_counts.values()),
    }
    verdict["holds"] = (
        verdict["is safe"]
        and recovery_seconds is not None
        and recovery_seconds <= MAX_RECOVERY_SECONDS
        and max(response_delays) <= MAX_ENTRY_SECONDS
    )
    return verdict


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


def _measure_entry_delay(history: History, after_time: float) -> float:
    """Return the seconds from a time to the next acknowledged entry."""
    return min(
        (
            acknowledged_at - after_time
            for acknowledged_at in history.entered_at
            if acknowledged_at > after_time
        ),
        default=999.0,
    )


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--laptop", action="store_true", help="SQLite and `serve`, no service")
    parser.add_argument("--pgbouncer", action="store_true", help="pages ask through a pooler")
    parser.add_argument("--rabbitmq", action="store_true", help="RabbitMQ as the queue")
    parser.add_argument("--history", type=Path, help="a new file for the record of all calls")
    return parser.parse_args()


if __name__ == "__main__":
    main()
