"""A hall under load: 40 tables that enter and 1,000 phones that follow, on this machine.

Run by hand: `python -m bench.load` for PostgreSQL, Redis, a Celery worker and the WSGI server
of docs/server.md; `--laptop` for SQLite and `serve` alone; `--help` for paces and servers.
PGHOST, PGPORT, PGUSER, PGPASSWORD and REDIS say where the services are; the database
`overplay_load` and the Redis database 9 are made for the run and thrown away after it.

Prints how long entries wait for their answers, how far standings are behind at the followers,
what each kind of process took of the processors, and what an answer costs against a file of the
same size that the same server serves. The phones run on the same machine and take their part.
"""

import argparse
import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bench.load_watch import Watch

PORT, BARE_PORT, DATABASE, QUEUE = 8170, 8171, "overplay_load", 9
SECTIONS, TABLES, ROUNDS_IN = 2, 20, 2
WAIT = (0.9, 0.3, 5, 8.0)  # LEAST, SPREAD, SLOWER and MOST of live.js, in seconds
PACES = {"hall": 20.0, "stress": 2.0}  # seconds a board; in a hall it is seven minutes
GRANIAN = (
    "granian --interface wsgi --host 127.0.0.1 --port {port} --http 1 --no-ws {size} "
    "--backpressure 2000 --blocking-threads-idle-timeout 600 {app}"
)
GUNICORN = "gunicorn --bind 127.0.0.1:{port} {size} {app}"
LINES = "--threads 8 --worker-connections 2000 --keep-alive 75"
SERVERS = {
    "granian": GRANIAN.replace("{size}", "--workers 2 --blocking-threads 4"),
    "granian1": GRANIAN.replace("{size}", "--workers 1 --blocking-threads 8"),
    "gthread": GUNICORN.replace("{size}", f"--workers 2 {LINES}"),
    "gthread1": GUNICORN.replace("{size}", f"--workers 1 {LINES}"),
    "sync": GUNICORN.replace("{size}", "--workers 2"),
    "waitress": "waitress --listen 127.0.0.1:{port} --threads 8 --connection-limit 2000 "
    "--asyncore-use-poll {app}",
    "uwsgi": "uwsgi --http-socket 127.0.0.1:{port} --master --processes 2 --threads 8 "
    "--listen 100 --http-keepalive --module {app}",
}
LAPTOP = f"manage.py serve --without-demo --port {PORT}"


def main() -> None:
    """Print the figures."""
    asked = _options()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(environment(folder, laptop=asked.laptop))
        hall = stack.enter_context(prepared())
        watch = Watch()
        if not asked.laptop:
            worker = "-m celery -A config worker --loglevel WARNING"
            watch.add("worker", stack.enter_context(running(worker)))
        server = "waitress" if asked.laptop else asked.server
        command = LAPTOP if asked.laptop else "-m " + SERVERS[server]
        ours = command.format(port=PORT, app="config.wsgi:application")
        watch.add("server", stack.enter_context(running(ours, port=PORT)))
        print(f"{'serve, SQLite' if asked.laptop else server + ', PostgreSQL, Redis'}")
        bare = "-m " + SERVERS[server].format(port=BARE_PORT, app="bench.load_bare:application")
        with running(bare, port=BARE_PORT):
            _ratios(hall, asked.ratio_seconds)
        for pace in asked.pace.split(","):
            _crowd(hall, asked, pace, watch)


@contextmanager
def environment(folder: str, *, laptop: bool) -> Iterator[None]:
    """Give everything that is started data of its own."""
    for name in ("SITE_URL", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL"):
        os.environ.pop(name, None)
    os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
    if laptop:
        yield
        return
    import psycopg
    import redis

    host, port = os.environ.get("PGHOST", "127.0.0.1"), os.environ.get("PGPORT", "5432")
    user, secret = os.environ.get("PGUSER", "postgres"), os.environ.get("PGPASSWORD", "")
    server = f"postgres://{user}{':' + secret if secret else ''}@{host}:{port}"
    queue = f"redis://{os.environ.get('REDIS', '127.0.0.1:6379')}/{QUEUE}"

    def cleared() -> None:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        redis.Redis.from_url(queue).flushdb()

    cleared()
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
    os.environ |= {"DATABASE_URL": f"{server}/{DATABASE}", "REDIS_URL": queue}
    try:
        yield
    finally:
        from django.db import connections

        connections.close_all()
        cleared()


@contextmanager
def prepared() -> Iterator[dict[str, Any]]:
    """Make the evening: 40 tables, two rounds in, a link for each table, and a static file."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from django.conf import settings
    from django.test import Client

    import hall.phones.services
    from bench.nights import night
    from exchange.eventfile.importing import import_event

    event = import_event(document=night(SECTIONS, TABLES, rounds_in=ROUNDS_IN), by=None)
    links = hall.phones.services.make_links(session=event.sessions.get(), by=None)
    settings.ALLOWED_HOSTS = ["*"]
    standings = f"/events/{event.slug}/standings/"
    drawn = Client().get(standings, headers={"HX-Request": "true"}).content
    same = Path(settings.STATIC_ROOT, "of-the-same-size.html")
    packed = same.with_suffix(".html.gz")
    same.write_bytes(drawn)
    packed.write_bytes(gzip.compress(drawn, 6))
    os.environ["BARE_FILE"] = str(packed)
    yield {"standings": standings, "tables": [link.path for link in links]}


@contextmanager
def running(
    command: str, *, port: int | None = None, nice: int = 0
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program of ours until the measurement is over; a nice one lets others go first."""
    words = [sys.executable, *command.split()]
    if words[2] == "uwsgi":
        words = [str(Path(sys.executable).with_name("uwsgi")), *words[3:]]
    words = ["nice", "-n", str(nice), *words] if nice else words
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        ends = time.monotonic() + 30
        while port and not _is_up(port):
            if process.poll() is not None or time.monotonic() > ends:
                raise SystemExit(f"It does not start: {command}")
            time.sleep(0.1)
        time.sleep(2)
        yield process
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def _is_up(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def _phones(orders: dict[str, Any]) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "bench.load_phones"],
        input=json.dumps({"port": PORT} | orders).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def _ratios(hall: dict[str, Any], seconds: float) -> None:
    """Tell what an answer costs against a static file of the same size."""
    from scoring.models import Ranking

    version = Ranking.objects.get().version
    asked = {
        "a bare file, by the same server": ("/", 200, BARE_PORT),
        "the same as a static file of ours": ("/static/of-the-same-size.html", 200, PORT),
        "the whole page, on arrival": (hall["standings"].replace("standings/", ""), 200, PORT),
        "changed standings": (hall["standings"], 200, PORT),
        "unchanged standings (204)": (f"{hall['standings']}?seen={version}", 204, PORT),
    }
    bare = 0.0
    print(f"  {'16 connections, nobody else':<36}     answers/s       ms    bytes   ratio")
    for words, (path, status, port) in asked.items():
        orders = {"path": path, "status": status, "port": port}
        found = _phones(orders | {"seconds": seconds, "connections": 16})
        bare = bare or found["rate"]
        print(
            f"  {words:<36} {found['rate']:13.0f} {found['p50']:8.2f} "
            f"{found['bytes']:8.0f} {bare / found['rate']:7.2f}"
        )


def _crowd(hall: dict[str, Any], asked: argparse.Namespace, pace: str, watch: Watch) -> None:
    """Tell what a full hall sees."""
    orders = {
        "followers": asked.followers,
        "wait": WAIT,
        "warm_up": 8,
        "seconds": asked.seconds,
        "seconds_a_board": PACES[pace],
    }
    watch.start()
    seen = _phones(orders | hall)
    shares = watch.shares()
    print(
        f"  {pace}: {len(hall['tables'])} tables, {PACES[pace]:.0f} s a board, "
        f"{asked.followers} followers, {seen['poll_rate']:.0f} polls/s, "
        f"{seen['bytes']:.0f} bytes a change"
    )
    print(f"    {'milliseconds':<34}      n      p50      p95      p99      max")
    for words, name in (
        ("an entry waits for its answer", "entries"),
        ("a yes waits for its answer", "confirms"),
        ("a table's look waits", "looks"),
        ("a follower's poll waits", "polls"),
        ("standings are behind", "behind"),
    ):
        row = seen[name]
        figures = "".join(f"{row.get(part, 0):9.0f}" for part in ("p50", "p95", "p99", "max"))
        print(f"    {words:<34} {row['n']:6d}{figures}")
    print(f"    errors: {seen['errors']}")
    told = ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
    print(f"    processors: {told}, of them the phones {seen['own_cpu']:.2f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--laptop", action="store_true", help="SQLite and `serve`, no service")
    parser.add_argument("--server", choices=SERVERS, default="granian")
    parser.add_argument("--pace", default="hall,stress", help="hall, stress, or both")
    parser.add_argument("--followers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--ratio-seconds", type=float, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
