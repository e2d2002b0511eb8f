"""Upgrade of two page machines from version 1.0, one after the other, under load.

Run manually: `python -m bench.rolling` in a checkout with its history. It needs PostgreSQL and
Redis (as bench.load) and nginx. Version 1.0 is checked out from the history and creates the
event. Two of its page processes and a worker run behind `deploy/nginx.conf`. Tables enter and
confirm by phone, and followers poll the standings during the whole run. The steps are those of
docs/server.md. The database is upgraded while 1.0 serves. Then the first machine is stopped and
started with the current program, then the second, then the worker.

It exits with 0 if no phone saw a failure, the proxy returned no status of 500 or more, and all
acknowledged results are in the database.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from bench.chaos_parts import Service, find_free_port
from bench.load import is_responding, print_step, set_up_environment
from bench.phones import PhoneTimes, Table, follow_standings, play_boards

ROOT = Path(__file__).resolve().parents[1]
COMMIT_OF_1_0 = "a84be510"  # the commit of version 1.0
NGINX_PATH = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PAGES_COMMAND = (
    "-m granian --interface wsgi --host 127.0.0.1 --port {port} --workers 1 --blocking-threads"
    " 4 --backpressure 2000 --http 1 --no-ws --log-level warning config.wsgi:application"
)
WORKER_COMMAND = "-m celery -A config worker --loglevel WARNING --concurrency 1"
# Version 1.0 runs this script, so it uses the names of version 1.0.
PREPARE_SCRIPT = """
import json
import django
django.setup()
from bench.load import prepared
with prepared() as hall:
    print(json.dumps(hall))
"""
STEP_PAUSE_SECONDS = 12.0  # seconds of load before, between and after the steps
SECONDS_PER_BOARD = 20.0
STEP_TIMEOUT_SECONDS = 180  # timeout for a program to start or end
STATUS_PATTERN = re.compile(r" (\d{3}) \d+ [\d.]+ ")


def main() -> int:
    """Print the measurements of phones and proxy; return 0 if nothing failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--followers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=240, help="of load, with all steps")
    options = parser.parse_args()
    if NGINX_PATH is None:
        sys.exit("bench.rolling has nginx before the pages, which is not installed.")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "data").mkdir()
        stack.enter_context(set_up_environment(str(folder / "data"), is_laptop=False))
        os.environ["ALLOWED_HOSTS"] = "*"
        os.environ["SECRET_KEY"] = "the-same-on-both-machines-" + "0123456789" * 4
        old_checkout = stack.enter_context(check_out_old_release(folder))
        print_step("the libraries of version 1.0 are being installed")
        python = install_old_release(folder, old_checkout)
        print_step("version 1.0 makes its evening")
        evening_paths = _create_old_evening(python, old_checkout)
        phone_times = _upgrade_under_load(
            stack, folder, (python, old_checkout), evening_paths, options
        )
        return _print_failures(phone_times, folder)


def install_old_release(folder: Path, checkout: Path) -> str:
    """Install the libraries of version 1.0 in a separate virtual environment."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = str(folder / "venv" / "bin" / "python")
    requirements = str(checkout / "requirements-server.txt")
    arguments = [python, "-m", "pip", "install", "--quiet", "-r", requirements]
    subprocess.run(arguments, check=True, stderr=subprocess.DEVNULL)
    return python


@contextmanager
def check_out_old_release(folder: Path) -> Iterator[Path]:
    """Check out version 1.0 into another folder."""
    checkout = folder / "old"
    worktree_command = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run(
        [*worktree_command, "add", "--quiet", "--detach", str(checkout), COMMIT_OF_1_0],
        check=True,
    )
    try:
        yield checkout
    finally:
        subprocess.run([*worktree_command, "remove", "--force", str(checkout)], check=True)


def _create_old_evening(python: str, checkout: Path) -> dict[str, Any]:
    """Run version 1.0 to create its event in the empty database."""
    completed_process = subprocess.run(
        [python, "-c", PREPARE_SCRIPT],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    if completed_process.returncode:
        sys.exit(completed_process.stderr[-2000:])
    evening_data: dict[str, Any] = json.loads(completed_process.stdout.splitlines()[-1])
    return evening_data


Release = tuple[str, Path]
"""A Python interpreter, and the checkout that it runs."""


def _build_service(folder: Path, name: str, command: str, release: Release) -> Service:
    python, cwd = release
    return Service(name, [python, *command.split()], os.environ, folder / f"{name}.log", cwd)


def _build_services(
    folder: Path, name: str, ports: list[int], program: Release
) -> list[Service]:
    """Return the pages of two machines and a worker, of one version."""
    pages = [
        _build_service(folder, f"{name}-{port}", PAGES_COMMAND.format(port=port), program)
        for port in ports
    ]
    return [*pages, _build_service(folder, f"{name}-worker", WORKER_COMMAND, program)]


def _upgrade_under_load(
    stack: ExitStack,
    folder: Path,
    old_release: Release,
    hall: dict[str, Any],
    options: argparse.Namespace,
) -> PhoneTimes:
    """Upgrade both machines while phones send requests; return the phones' measurements."""
    ports, proxy_port = [find_free_port(), find_free_port()], find_free_port()
    old_services = _build_services(folder, "old", ports, old_release)
    new_services = _build_services(folder, "new", ports, (sys.executable, ROOT))
    for service in old_services:
        _start_service(stack, service)
    for service, port in zip(old_services, ports, strict=False):
        _wait_until_up(service, port)
    proxy = Service(
        "nginx",
        _build_proxy_command(folder, ports, proxy_port),
        os.environ,
        folder / "nginx.out",
    )
    _start_service(stack, proxy)
    _wait_until_up(proxy, proxy_port)
    phone_times = PhoneTimes()
    phone_thread = Thread(
        target=lambda: asyncio.run(_run_phones(hall, proxy_port, phone_times, options)),
        daemon=True,
    )
    phone_thread.start()
    print_step(f"the phones send requests for {options.seconds:.0f} s")
    time.sleep(STEP_PAUSE_SECONDS)
    started_at = time.monotonic()
    # The same commands as in the systemd units.
    for arguments in (["upgrade"], ["collectstatic", "--no-input", "-v", "0"]):
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, check=True)
    print_step(f"the database was upgraded in {time.monotonic() - started_at:.1f} s")
    time.sleep(STEP_PAUSE_SECONDS)
    for index, (old_service, new_service) in enumerate(
        zip(old_services, new_services, strict=True)
    ):
        started_at = time.monotonic()
        _stop_service(old_service)
        _start_service(stack, new_service)
        if index < len(ports):
            _wait_until_up(new_service, ports[index])
        print_step(
            f"{old_service.name} -> {new_service.name}: {time.monotonic() - started_at:.1f} s"
        )
        time.sleep(STEP_PAUSE_SECONDS)
    phone_thread.join(options.seconds + STEP_TIMEOUT_SECONDS)
    return phone_times


async def _run_phones(
    hall: dict[str, Any], port: int, phone_times: PhoneTimes, options: argparse.Namespace
) -> None:
    deadline = time.monotonic() + options.seconds
    tables = [Table(port, path, phone_times) for path in hall["tables"]]
    await asyncio.gather(
        *(
            follow_standings(port, hall["standings"], phone_times, deadline)
            for _ in range(options.followers)
        ),
        *(play_boards(table, SECONDS_PER_BOARD, deadline) for table in tables),
    )


def _start_service(stack: ExitStack, part: Service) -> None:
    part.start()
    stack.callback(part.kill)


def _stop_service(part: Service) -> None:
    """Stop a program as a service manager does: it may finish its current work."""
    assert part.process is not None
    part.process.terminate()
    part.process.wait(STEP_TIMEOUT_SECONDS)


def _wait_until_up(part: Service, port: int) -> None:
    deadline = time.monotonic() + STEP_TIMEOUT_SECONDS
    while not is_responding(port):
        if time.monotonic() > deadline:
            log_text = part.log.read_text("utf-8", "replace")[-3000:]
            sys.exit(f"{part.name} does not answer at {port}: {log_text}")
        time.sleep(0.1)


def _build_proxy_command(folder: Path, ports: list[int], proxy_port: int) -> list[str]:
    """Adapt deploy/nginx.conf to two machines, without a certificate."""
    site_config = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    site_config = re.sub(r"\n\s*ssl_certificate.*", "", site_config).replace(" ssl http2", "")
    server_lines = " ".join(f"server 127.0.0.1:{port};" for port in ports)
    site_config = site_config.replace("server 127.0.0.1:8000;", server_lines).replace(
        "/var/log/nginx", str(folder)
    )
    site_config = re.sub(r"\n\s*listen \[::\].*", "", site_config)
    site_config = site_config.replace("listen 80;", f"listen 127.0.0.1:{find_free_port()};")
    site_config = site_config.replace("listen 443", f"listen 127.0.0.1:{proxy_port}")
    site_config = site_config.replace("whist.example.org", "localhost 127.0.0.1")
    (folder / "site.conf").write_text(site_config)
    temp_path_directives = "".join(
        f"{kind}_temp_path {folder}/{kind}; "
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        "events { worker_connections 4096; }\n"
        f"http {{ {temp_path_directives} include {folder}/site.conf; }}\n"
    )
    return [str(NGINX_PATH), "-c", str(folder / "nginx.conf"), "-e", str(folder / "e.log")]


def _print_failures(phone_times: PhoneTimes, folder: Path) -> int:
    """Print the failures; return 0 if there are none."""
    status_counts = Counter(
        STATUS_PATTERN.findall((folder / "overplay.log").read_text("utf-8"))
    )
    print("the proxy's responses by status:", dict(sorted(status_counts.items())))
    rows = phone_times.show()
    failed_response_count = sum(
        response_count for status, response_count in status_counts.items() if status >= "500"
    )
    lost_count = max(0, len(phone_times.entries) - _count_results())
    print(
        json.dumps(
            {
                "failed": failed_response_count,
                "errors": phone_times.errors,
                "lost": lost_count,
                "rows": rows,
            }
        )
    )
    has_failed = bool(
        failed_response_count or phone_times.errors or lost_count or not phone_times.entries
    )
    if has_failed:
        _show_logs(folder)
    return int(has_failed)


def _show_logs(folder: Path) -> None:
    """Print the last traceback in each program's log."""
    for log in sorted(folder.glob("*.log")):
        text = log.read_text("utf-8", "replace")
        if log.name != "overplay.log" and "Traceback" in text:
            print(f"--- {log.name}", text[text.rindex("Traceback") - 300 :][:3000], sep="\n")


def _count_results() -> int:
    """Count the results that tables entered."""
    import django

    django.setup()
    from scoring.models import ResultVersion

    return ResultVersion.objects.filter(via=ResultVersion.InputChannel.PHONE).count()


if __name__ == "__main__":
    sys.exit(main())
