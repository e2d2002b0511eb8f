"""Two page machines brought from version 1.0 to this program, one after the other, under load.

Run by hand: `python -m bench.rolling` in a checkout with its history. It needs PostgreSQL and
Redis (as bench.load) and nginx. Version 1.0 is taken from the history; its own program makes
the evening, and two of its page processes with a worker stand behind `deploy/nginx.conf`.
Tables enter and confirm by phone and followers ask for standings all the while. Then what
docs/server.md says is done: the database is upgraded while 1.0 serves, the first machine is
stopped and started as today's program, then the second, then the worker.

Holds (exit 0) when no phone saw a failure, the proxy answered nothing with 500 or more, and
all results that were acknowledged are in the database.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.chaos_parts import Part, free_port
from bench.load import WAIT, environment

ROOT = Path(__file__).resolve().parents[1]
FIRST = "a84be510"  # the commit of version 1.0
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PAGES = (
    "-m granian --interface wsgi --host 127.0.0.1 --port {port} --workers 1 --blocking-threads"
    " 4 --backpressure 2000 --http 1 --no-ws --log-level warning config.wsgi:application"
)
WORKER = "-m celery -A config worker --loglevel WARNING --concurrency 1"
PREPARE = """
import json
import django
django.setup()
from bench.load import prepared
with prepared() as hall:
    print(json.dumps(hall))
"""
CALM = 12.0  # seconds of load before, between and after the steps
STATUS = re.compile(r" (\d{3}) \d+ [\d.]+ ")


def main() -> int:
    """Print what the phones saw and what the proxy answered; 0 where nothing failed."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--followers", type=int, default=100)
    asked.add_argument("--seconds", type=float, default=240, help="of load, all steps included")
    options = asked.parse_args()
    if NGINX is None:
        sys.exit("bench.rolling has nginx before the pages, which is not installed.")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "data").mkdir()
        stack.enter_context(environment(str(folder / "data"), laptop=False))
        os.environ["ALLOWED_HOSTS"] = "*"
        os.environ["SECRET_KEY"] = "the-same-on-both-machines-" + "0123456789" * 4
        old = stack.enter_context(_of_before(folder))
        python = _its_python(folder, old)
        hall = _prepared(python, old)
        orders = hall | {"followers": options.followers, "seconds": options.seconds}
        seen = _rolled(stack, folder, (python, old), orders)
        return _judged(seen, folder)


def _its_python(folder: Path, old: Path) -> str:
    """Install what version 1.0 stood on, beside."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = str(folder / "venv" / "bin" / "python")
    wanted = str(old / "requirements-server.txt")
    words = [python, "-m", "pip", "install", "--quiet", "-r", wanted]
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
    return python


@contextmanager
def _of_before(folder: Path) -> Iterator[Path]:
    """Check version 1.0 out beside."""
    old = folder / "old"
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(old), FIRST], check=True)
    try:
        yield old
    finally:
        subprocess.run([*git, "remove", "--force", str(old)], check=True)


def _prepared(python: str, old: Path) -> dict[str, Any]:
    """Have version 1.0 make its evening in the empty database."""
    done = subprocess.run(
        [python, "-c", PREPARE], cwd=old, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


Program = tuple[str, Path]
"""A Python, and the checkout that it runs."""


def _part(folder: Path, name: str, words: str, program: Program) -> Part:
    python, cwd = program
    return Part(name, [python, *words.split()], os.environ, folder / f"{name}.log", cwd)


def _parts(folder: Path, name: str, ports: list[int], program: Program) -> list[Part]:
    """Two machines' pages and a worker, of one version."""
    pages = [
        _part(folder, f"{name}-{port}", PAGES.format(port=port), program) for port in ports
    ]
    return [*pages, _part(folder, f"{name}-worker", WORKER, program)]


def _rolled(
    stack: ExitStack, folder: Path, old: Program, orders: dict[str, Any]
) -> dict[str, Any]:
    """Bring both machines up to date while phones ask; return what these saw."""
    ports, door = [free_port(), free_port()], free_port()
    before = _parts(folder, "old", ports, old)
    after = _parts(folder, "new", ports, (sys.executable, ROOT))
    for part in before:
        _begun(stack, part)
    for part, port in zip(before, ports, strict=False):
        _wait_for(part, port)
    proxy = Part("nginx", _proxy(folder, ports, door), os.environ, folder / "nginx.out")
    _begun(stack, proxy)
    _wait_for(proxy, door)
    phones = _phones(orders | {"port": door})
    stack.callback(phones.kill)
    time.sleep(CALM + 8)
    began = time.monotonic()
    for words in (["upgrade"], ["collectstatic", "--no-input", "-v", "0"]):  # as the units do
        subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, check=True)
    print(f"the database was upgraded in {time.monotonic() - began:.1f} s")
    time.sleep(CALM)
    for index, (one, other) in enumerate(zip(before, after, strict=True)):
        began = time.monotonic()
        _ended(one)
        _begun(stack, other)
        if index < len(ports):
            _wait_for(other, ports[index])
        print(f"{one.name} -> {other.name}: {time.monotonic() - began:.1f} s")
        time.sleep(CALM)
    seen, _error = phones.communicate(timeout=orders["seconds"] + 120)
    found: dict[str, Any] = json.loads(seen)
    return found


def _begun(stack: ExitStack, part: Part) -> None:
    part.start()
    stack.callback(part.kill)


def _ended(part: Part) -> None:
    """Stop it as a service manager does, and let it finish what it is at."""
    assert part.process is not None
    part.process.terminate()
    part.process.wait(60)


def _wait_for(part: Part, port: int) -> None:
    from bench.load import _is_up

    ends = time.monotonic() + 60
    while not _is_up(port):
        if time.monotonic() > ends:
            said = part.log.read_text("utf-8", "replace")[-3000:]
            sys.exit(f"{part.name} does not answer at {port}: {said}")
        time.sleep(0.1)


def _proxy(folder: Path, ports: list[int], door: int) -> list[str]:
    """Lay deploy/nginx.conf out for two machines, without a certificate."""
    site = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    site = re.sub(r"\n\s*ssl_certificate.*", "", site).replace(" ssl http2", "")
    servers = " ".join(f"server 127.0.0.1:{port};" for port in ports)
    site = site.replace("server 127.0.0.1:8000;", servers).replace(
        "/var/log/nginx", str(folder)
    )
    site = re.sub(r"\n\s*listen \[::\].*", "", site)
    site = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    site = site.replace("listen 443", f"listen 127.0.0.1:{door}")
    site = site.replace("whist.example.org", "localhost 127.0.0.1")
    (folder / "site.conf").write_text(site)
    temp = "".join(
        f"{kind}_temp_path {folder}/{kind}; "
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        "events { worker_connections 4096; }\n"
        f"http {{ {temp} include {folder}/site.conf; }}\n"
    )
    return [str(NGINX), "-c", str(folder / "nginx.conf"), "-e", str(folder / "e.log")]


def _phones(orders: dict[str, Any]) -> subprocess.Popen[str]:
    """Start the phones of the hall; what they saw comes out at the end."""
    orders |= {"wait": WAIT, "warm_up": 5, "seconds_a_board": 20.0}
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.load_phones"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(orders))
    process.stdin.close()
    process.stdin = None
    return process


def _judged(seen: dict[str, Any], folder: Path) -> int:
    """Tell what failed; 0 for nothing."""
    answers: dict[str, int] = {}
    for line in (folder / "overplay.log").read_text("utf-8").splitlines():
        if found := STATUS.search(line):
            answers[found[1]] = answers.get(found[1], 0) + 1
    print(
        "the proxy answered:", ", ".join(f"{n} x {code}" for code, n in sorted(answers.items()))
    )
    for name in ("entries", "confirms", "looks", "polls"):
        row = seen[name]
        print(
            f"{name}: {row['n']}, p99 {row.get('p99', 0):.0f} ms, max {row.get('max', 0):.0f}"
        )
    print("errors:", seen["errors"])
    kept = _kept()
    print(f"results in the database that came by phone: {kept}")
    bad = sum(n for code, n in answers.items() if code >= "500")
    lost = max(0, seen["entries"]["n"] - kept)
    print(json.dumps({"failed": bad, "errors": seen["errors"], "lost": lost} | {"seen": seen}))
    return 1 if bad or seen["errors"][0] or lost else 0


def _kept() -> int:
    """Count the results that tables entered."""
    import django

    django.setup()
    from scoring.models import ResultVersion

    return ResultVersion.objects.filter(via=ResultVersion.Via.PHONE).count()


if __name__ == "__main__":
    sys.exit(main())
