"""The first view of the standings on a slow phone: four times slower, at 1.6 Mbit/s, cold.

Run by hand: `python -m bench.first_view`. Serves the demo club in a folder that is thrown away
and opens the standings of its evening in play in a Chromium of 360 by 640: its processor slowed
four times, 1.6 Mbit/s down, 750 kbit/s up and 150 ms away, nothing in its store. Prints the
medians of several visits: until the first words stand, until the largest part does, what was
fetched, how far anything moved. Measure on a quiet machine: Chromium has the same processor as
the server.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

from bench.nights import own_folder

PORT = 8171
VISITS = 7
SLOWER = 4
LINE = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
WATCH = """window.seen = {largest: 0, moved: 0};
const watch = (type, note) => new PerformanceObserver(list => list.getEntries().forEach(note))
    .observe({type, buffered: true});
for (const [type, note] of [
    ["largest-contentful-paint", each => { window.seen.largest = each.startTime; }],
    ["layout-shift", each => { if (!each.hadRecentInput) window.seen.moved += each.value; }],
]) watch(type, note);
"""
ASK = """() => ({...window.seen,
    first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    whole: performance.getEntriesByType("navigation")[0].loadEventEnd})"""


def main() -> None:
    """Print the figures."""
    with own_folder():
        server = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(PORT)],
            stdout=subprocess.DEVNULL,
            env=os.environ | {"BACKUP_BY_ITSELF": "no"},
        )
        try:
            page = _evening(f"http://127.0.0.1:{PORT}")
            found = [path for name in CHROMIUMS if (path := shutil.which(name))]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=found[0], args=["--no-sandbox"]
                )
                visits = [_visit(browser, page) for _ in range(VISITS + 1)][1:]
                browser.close()
        finally:
            server.terminate()
            server.wait()
    print(f"{page}, medians of {VISITS} visits (least to most)")
    for name, unit in (
        ("first", "ms"),
        ("largest", "ms"),
        ("whole", "ms"),
        ("fetched", "kB"),
        ("moved", ""),
    ):
        figures = sorted(visit[name] for visit in visits)
        middle = statistics.median(figures)
        print(f"{name:>8} {middle:10.3g} {unit} ({figures[0]:.3g} to {figures[-1]:.3g})")


def _evening(home: str) -> str:
    """Wait for the server, and find the evening that is in play."""
    for _ in range(600):
        try:
            text = urlopen(home, timeout=5).read().decode()
            start = text.index('href="/events/club-night') + len('href="')
            return home + text[start : text.index('"', start)]
        except (URLError, OSError):
            time.sleep(0.2)
    raise SystemExit("the server did not start")


def _visit(browser: Browser, address: str) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.add_init_script(WATCH)
    talk = context.new_cdp_session(page)
    talk.send("Network.enable")
    talk.send("Network.emulateNetworkConditions", {"offline": False, **LINE})
    talk.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    fetched: list[float] = []

    def note(told: Any) -> None:
        fetched.append(told["encodedDataLength"])

    talk.on("Network.loadingFinished", note)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(1500)
    found: dict[str, float] = page.evaluate(ASK)
    context.close()
    return found | {"fetched": sum(fetched) / 1000}


if __name__ == "__main__":
    main()
