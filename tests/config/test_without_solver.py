"""Everything else works on a laptop without the solver and a server's libraries."""

import http.cookiejar
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

import pytest

from boards import solver
from scoring.papers import get_paper_kinds
from tests.scoring.papers import reading

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 120
ABSENT_PACKAGES = ("endplay", "numpy", "matplotlib", "redis", "psycopg", "granian")
DEMO_EVENT_SLUG = "tuesday-pairs-2026-03-10"  # the demo's finished event
PHONE_CARD_PAPERS = {"table_links", "entry_links"}  # printed for an event in play
# These papers need drawn rounds, brackets or prizes, which the demo does not have.
PAPERS_THE_DEMO_LACKS = {
    "draw_list",
    "draw_slips",
    "victory_scale",
    *("bracket", "prize_list", "strata_list"),
}
MISSING_SOLVER_TEXT = "Best play needs the solver, which isn’t installed on this computer."


@dataclass
class Laptop:
    """The program in a process of its own, which cannot import the missing libraries."""

    folder: Path
    port: int
    cookie_jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    @property
    def environ(self) -> dict[str, str]:
        environ = {n: value for n, value in os.environ.items() if n in ("PATH", "SYSTEMROOT")}
        return environ | {
            "DATA_DIR": str(self.folder / "data"),
            "PORT": str(self.port),
            "PYTHONPATH": str(self.folder),
            "PYTHONUNBUFFERED": "1",
        }

    def run(self, *arguments: str, **environ: str) -> str:
        """Run a command while the program runs."""
        process = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environ | environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    def get(self, path: str, **sent: str) -> str:
        """Fetch a page, or send a form to it."""
        opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookie_jar)
        )
        data = urllib.parse.urlencode(sent).encode() if sent else None
        url = f"http://127.0.0.1:{self.port}{path}"
        with opener.open(url, data, timeout=TIMEOUT_SECONDS) as response:
            return unescape(response.read().decode())

    def send(self, page: str, path: str, **sent: str) -> str:
        """Send a form of a page."""
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', self.get(page))
        assert token is not None
        return self.get(path, csrfmiddlewaretoken=token[1], **sent)


@pytest.fixture(scope="module")
def laptop(
    tmp_path_factory: pytest.TempPathFactory, empty_database_file: Path
) -> Iterator[Laptop]:
    """Start the program for the first time, with the demo club and its director."""
    folder = tmp_path_factory.mktemp("bare")
    sitecustomize_code = (
        f"import platform, sys\nsys.modules.update(dict.fromkeys({ABSENT_PACKAGES}))\n"
        "platform.machine = lambda: 'a system without the solver'\n"
    )
    (folder / "sitecustomize.py").write_text(sitecustomize_code)
    (folder / "data").mkdir()
    shutil.copy(empty_database_file, folder / "data" / "overplay.sqlite3")
    with socket.create_server(("127.0.0.1", 0)) as connection:
        laptop = Laptop(folder, connection.getsockname()[1])
    with (folder / "said").open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=ROOT,
            env=laptop.environ,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while "Ctrl-C" not in (folder / "said").read_text():
            assert process.poll() is None, (folder / "said").read_text()
            assert time.monotonic() < deadline, "It did not start in time."
            time.sleep(0.1)
        link = re.search(r"/start/[\w-]+/", (folder / "said").read_text())
        assert link is not None
        laptop.get(link[0])
        yield laptop
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT_SECONDS) == 0
    finally:
        process.kill()
        process.wait(TIMEOUT_SECONDS)


def test_expected_message_is_the_programs_message() -> None:
    assert solver._get_missing_solver_text() == MISSING_SOLVER_TEXT


def test_laptop_starts_with_the_demo_club(laptop: Laptop) -> None:
    assert "Riverside Whist Club" in laptop.get("/")
    assert "Tuesday pairs" in laptop.get("/director/")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (f"/events/{DEMO_EVENT_SLUG}/boards/1/", 1),
        (f"/events/{DEMO_EVENT_SLUG}/hands/", 1),
        (f"/director/events/{DEMO_EVENT_SLUG}/deals/", 1),
        (f"/events/{DEMO_EVENT_SLUG}/", 0),
        (f"/events/{DEMO_EVENT_SLUG}/recap/", 0),
        (f"/director/events/{DEMO_EVENT_SLUG}/scores/", 0),
        ("/worked-hands/", 0),
    ],
)
def test_page_shows_the_message_once_instead_of_best_play(
    laptop: Laptop, page: str, message: int
) -> None:
    assert laptop.get(page).count(MISSING_SOLVER_TEXT) == message


def test_worked_hand_keeps_its_best_play(laptop: Laptop) -> None:
    first_match = re.search(r'href="(/worked-hands/[\w-]+/)"', laptop.get("/worked-hands/"))
    assert first_match is not None
    page = laptop.get(first_match[1])
    assert "Best play: N-S" in page
    assert MISSING_SOLVER_TEXT not in page


def test_bridge_files_have_the_boards_and_no_best_play(laptop: Laptop) -> None:
    text = laptop.get(f"/events/{DEMO_EVENT_SLUG}/hands/boards.pbn?session=1")
    assert text.count("[Deal ") == 28
    assert "OptimumResultTable" not in text


@pytest.fixture(scope="module")
def papers_command_output(laptop: Laptop) -> str:
    """Return the output of a process that runs all commands while the program runs.

    It prints each kind of paper of the closed event, and the phone cards of the open one.
    """
    open_event_match = re.search(r"/events/(club-night-[\d-]+)/", laptop.get("/"))
    assert open_event_match is not None
    base_url = f"/director/events/{open_event_match[1]}/"
    for links in ("tables/make/", "challenges/links/"):
        laptop.send(f"{base_url}papers/", f"{base_url}{links}", every="yes")
    text = str(laptop.folder / "papers")
    closed_event_papers, open_event_papers = (
        ",".join(set(get_paper_kinds()) - PHONE_CARD_PAPERS - PAPERS_THE_DEMO_LACKS),
        ",".join(PHONE_CARD_PAPERS),
    )
    code = (
        "from importlib.util import find_spec\n"
        "from django.core.management import call_command\n"
        f"print(*map(find_spec, {ABSENT_PACKAGES}))\n"
        f"call_command('event', 'papers', {DEMO_EVENT_SLUG!r}, '--out', {text!r}, "
        f"'--only', {closed_event_papers!r})\n"
        f"call_command('event', 'papers', {open_event_match[1]!r}, '--out', {text!r}, "
        f"'--only', {open_event_papers!r})\n"
        "call_command('deal', '--boards', '4')\n"
    )
    site_url = "http://whist.example.org"  # the content of the cards
    return laptop.run("shell", "--no-imports", "-c", code, SITE_URL=site_url)


def test_solver_and_server_packages_are_really_absent(papers_command_output: str) -> None:
    assert papers_command_output.splitlines()[0].split() == ["None"] * len(ABSENT_PACKAGES)


@pytest.mark.parametrize("kind", sorted(set(get_paper_kinds()) - PAPERS_THE_DEMO_LACKS))
def test_every_paper_is_printed(laptop: Laptop, papers_command_output: str, kind: str) -> None:
    paper = laptop.folder / "papers" / f"{kind}.pdf"
    assert str(paper) in papers_command_output
    pages = reading.read_texts(paper.read_bytes())
    assert all(pages)
    boards = 28 if kind.startswith("hand_records") else 0
    assert sum(page.count(MISSING_SOLVER_TEXT) for page in pages) == boards


def test_worker_of_the_laptop_prints_and_no_job_fails(laptop: Laptop) -> None:
    url = f"/director/events/{DEMO_EVENT_SLUG}/papers/"
    laptop.send(url, f"{url}order/", kind="hand_records")
    end = time.monotonic() + TIMEOUT_SECONDS
    while not re.search(
        r'href="/director/papers/\d+/"', response := laptop.get(f"{url}status/")
    ):
        assert time.monotonic() < end, response
        time.sleep(0.1)
    text = (laptop.folder / "said").read_text()
    assert "Traceback" not in text
    assert "rror" not in text


def test_deals_are_generated_and_written(papers_command_output: str) -> None:
    assert papers_command_output.count("[Deal ") == 4
