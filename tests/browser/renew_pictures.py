"""Renew the documents' screenshots: `python -m tests.browser.renew_pictures`.

It serves a new demo club from a temporary folder, follows docs/evening.md in it, and writes
docs/images. Look at each picture before committing it.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import CHROMIUMS

ROOT = Path(__file__).resolve().parents[2]
IMAGES_FOLDER = ROOT / "docs" / "images"
COLOUR_COUNT = 256
NAMES = (
    *("Ada Pole & Rosa Matthews", "Henry Jones & William Mott", "Kate Wheelock & Grace Clay"),
    *("John Trist & Walter Barney", "Edwin Gale & Elwell Safford", "Nora Field & Agnes Hale"),
    *("Dora Lind & Ella March", "Fred Moor & Guy Nash", "Hugh Oram & Ida Pratt"),
    *("Jane Quill & Karl Ross", "Lena Shaw & Max Todd", "Nell Usher & Otto Vane"),
    *("Paul West & Queenie Rudd", "Ruth York & Sam Zell"),
)


@contextmanager
def serve_demo_club(folder: Path) -> Iterator[str]:
    """Serve a demo club from a folder; yield its URL."""
    with socket.create_server(("127.0.0.1", 0)) as connection:
        port = connection.getsockname()[1]
    server_environment = {"DATA_DIR": str(folder), "BACKUP_BY_ITSELF": "no"}
    arguments = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with (folder / "output.txt").open("w", encoding="utf-8") as output:
        server = subprocess.Popen(
            arguments, cwd=ROOT, env=os.environ | server_environment, stdout=output
        )
        server_url = f"http://127.0.0.1:{port}"
        try:
            _wait_for_server(server_url)
            yield server_url
        finally:
            server.terminate()
            server.wait(30)


def _wait_for_server(address: str) -> None:
    for _second in range(120):
        try:
            urlopen(f"{address}/health/live", timeout=2).close()
        except (URLError, OSError):
            time.sleep(1)
        else:
            return
    raise SystemExit(f"nothing answers at {address}")


def open_page(browser: Browser, address: str, size: tuple[int, int]) -> Page:
    width, height = size
    context = browser.new_context(
        base_url=address, viewport={"width": width, "height": height}, color_scheme="light"
    )
    return context.new_page()


def open_as_director(browser: Browser, address: str, folder: Path) -> Page:
    page = open_page(browser, address, (1100, 800))
    link = re.search(r"/start/[\w-]+/", (folder / "output.txt").read_text("utf-8"))
    assert link is not None
    page.goto(link[0])
    page.wait_for_url("**/director/**")
    return page


def save_screenshot(page: Page, name: str, size: tuple[int, int]) -> None:
    """Store a screenshot of a page in a window of the given size."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(600)
    write_picture(Image.open(BytesIO(page.screenshot())), name)


def write_picture(picture: Image.Image, name: str) -> None:
    reduced_picture = picture.convert("RGB").quantize(COLOUR_COUNT)
    reduced_picture.save(IMAGES_FOLDER / f"{name}.png", optimize=True)


def prepare_event(page: Page) -> str:
    """Enter pairs, choose a movement and print the papers; return the URL of the event."""
    page.goto("/director/events/new/")
    page.get_by_label("Name").fill("Autumn pairs")
    page.get_by_role("button", name="Create event").click()
    event = page.url.split("/director/events/")[1].split("/")[0]
    base_url = f"/director/events/{event}/"
    for pair in NAMES[:4]:
        first_player, second = pair.split(" & ")
        page.get_by_label("First player").fill(first_player)
        page.get_by_label("Second player").fill(second)
        page.get_by_role("button", name="Add the pair").click()
    page.get_by_label("First player").fill("Edwin Gale")
    page.get_by_label("Second player").fill("Elwell S")
    save_screenshot(page, "entries", (1100, 660))
    page.goto(f"{base_url}entries/")
    page.get_by_text("Paste list of pairs").click()
    page.get_by_label("Paste here").fill("\n".join(NAMES[4:]))
    with page.expect_navigation():
        page.get_by_role("button", name="Add these pairs").click()
    page.goto(f"{base_url}movement/")
    save_screenshot(page, "movement", (1100, 1140))
    with page.expect_navigation():
        page.get_by_role("button", name="Play this").first.click()
    page.goto(base_url)
    save_screenshot(page, "evening", (1100, 900))
    page.goto(f"{base_url}papers/")
    page.get_by_role("button", name="Print full set").click()
    page.get_by_role("link", name="Print full set").wait_for(timeout=120_000)
    page.goto(f"{base_url}papers/")
    save_screenshot(page, "papers", (1100, 700))
    page.goto(f"{base_url}deals/")
    page.get_by_role("button", name="Deal").first.click()
    page.wait_for_timeout(8000)
    return base_url


def save_play_screenshots(page: Page) -> None:
    """Picture the room of the demo's event in play, then its scores."""
    page.goto("/director/")
    page.get_by_role("link", name="Open room").first.click()
    page.wait_for_url("**/room/**")
    room = page.url
    save_screenshot(page, "room", (1366, 768))
    page.goto(room.replace("/room/", "/scores/") + "?by=board#board-5")
    page.evaluate("window.scrollTo(0, 0)")
    save_screenshot(page, "scores", (1366, 768))


def save_rehearsal_screenshots(page: Page, desk: str) -> None:
    """Picture a rehearsal in its third round."""
    page.goto(desk)
    page.get_by_role("button", name="Create rehearsal").first.click()
    page.get_by_role("button", name="Start rehearsal").click()
    for _round in range(2):
        page.get_by_role("button", name="Finish round").click()
        page.wait_for_timeout(3000)
    page.evaluate("window.scrollTo(0, 0)")
    save_screenshot(page, "rehearsal", (1100, 800))


def save_public_screenshots(browser: Browser, address: str) -> None:
    """Picture the standings of a finished event, phones during play, and a traveller."""
    page = open_page(browser, address, (1200, 820))
    page.goto("/events/")
    page.goto(page.locator("a[href*='/events/tuesday']").first.get_attribute("href") or "")
    save_screenshot(page, "standings", (1200, 820))
    phone = open_page(browser, address, (390, 740))
    phone.goto("/events/")
    event = phone.locator("a[href*='/events/club-night']").first.get_attribute("href") or ""
    event = event.rstrip("/")
    screenshots = []
    for path in (event, f"{event}/entries/1/", f"{page.url.rstrip('/')}/boards/1/"):
        phone.goto(path)
        phone.wait_for_timeout(600)
        screenshots.append(Image.open(BytesIO(phone.screenshot())))
    combined_image = Image.new("RGB", (3 * 390 + 2 * 20, 740), "white")
    for place, screenshot in enumerate(screenshots):
        combined_image.paste(screenshot, (place * 410, 0))
    write_picture(combined_image, "phones")


def renew_all_pictures() -> None:
    """Take all pictures."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import shutil

    chromium_path = next(path for name in CHROMIUMS if (path := shutil.which(name)))
    with tempfile.TemporaryDirectory() as name, serve_demo_club(Path(name)) as address:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium_path, args=["--no-sandbox"]
            )
            director = open_as_director(browser, address, Path(name))
            save_public_screenshots(browser, address)
            save_play_screenshots(director)
            save_rehearsal_screenshots(director, prepare_event(director))
            browser.close()


if __name__ == "__main__":
    renew_all_pictures()
