"""Compare the ten key pages on a phone and on a laptop with stored pictures.

Small grey pictures are stored in `key_pictures/`. They distinguish a page that has lost its
style, its columns or its content from one with a changed word. A picture that differs much
fails, and the message gives the file where both are side by side. Intended changes are stored
with `KEEP_PICTURES=1 pytest tests/browser/test_key_pictures.py`.
"""

import os
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import hall.phones.services
from tests.browser.conftest import PageOpener
from tests.browser.pages import create_full_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STORED_PICTURES_FOLDER = Path(__file__).parent / "key_pictures"
SIZES = {"phone": (360, 740), "laptop": (1366, 900)}
REDUCTION_FACTOR = 4  # screen pixels per picture pixel, in each direction
GREY_LEVELS = 16
MAX_DIFFERENCE = 12.0
"""The maximum average difference of grey, of 255; a page without its style exceeds it."""


def shrink_to_grey(screenshot: bytes) -> Image.Image:
    """Return a small grey picture of a page."""
    picture = Image.open(BytesIO(screenshot)).convert("L")
    return picture.resize(
        (picture.width // REDUCTION_FACTOR, picture.height // REDUCTION_FACTOR),
        Image.Resampling.BOX,
    )


def measure_difference(first_picture: Image.Image, second_picture: Image.Image) -> float:
    """Return the average difference of two pictures; 255 if their sizes differ."""
    if first_picture.size != second_picture.size:
        return 255.0
    return float(ImageStat.Stat(ImageChops.difference(first_picture, second_picture)).mean[0])


def save_side_by_side(
    stored_picture: Image.Image, now: Image.Image, name: str, folder: Path
) -> Path:
    """Store the old and the new picture side by side in a folder."""
    combined_picture = Image.new(
        "L", (stored_picture.width + now.width + 8, max(stored_picture.height, now.height)), 255
    )
    combined_picture.paste(stored_picture, (0, 0))
    combined_picture.paste(now, (stored_picture.width + 8, 0))
    combined_picture.save(folder / name)
    return folder / name


def test_important_pages_match_their_stored_screenshots(
    open_visitor_page: PageOpener, tmp_path: Path
) -> None:
    session, user = create_full_event(is_closed=False)
    link = hall.phones.services.create_table_links(session=session, by=user)[0]
    public, own_path = (
        f"/events/{session.event.slug}/",
        f"/director/events/{session.event.slug}/",
    )
    pages = {
        "club": "/",
        "standings": public,
        "pair": f"{public}entries/1/",
        "traveller": f"{public}boards/1/",
        "recap": f"{public}recap/",
        "table": link.path,
        "room": f"{own_path}room/",
        "scores": f"{own_path}scores/",
        "movement": f"{own_path}movement/",
        "papers": f"{own_path}papers/",
    }
    page, faults = open_visitor_page(user), list[str]()
    for device_name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for name, address in pages.items():
            response = page.goto(address)
            assert response is not None
            assert response.status == 200, address
            page.evaluate("document.fonts.ready")
            now, file = shrink_to_grey(page.screenshot()), f"{name}-{device_name}.png"
            if os.environ.get("KEEP_PICTURES"):
                now.quantize(GREY_LEVELS).save(STORED_PICTURES_FOLDER / file, optimize=True)
            stored_picture = Image.open(STORED_PICTURES_FOLDER / file).convert("L")
            if measure_difference(stored_picture, now) > MAX_DIFFERENCE:
                combined_path = save_side_by_side(stored_picture, now, file, tmp_path)
                faults.append(
                    f"{file} is off by {measure_difference(stored_picture, now):.0f}: "
                    f"look at {combined_path}"
                )
    assert faults == []


def test_missing_style_sheet_changes_the_screenshot_more_than_a_changed_word(
    open_visitor_page: PageOpener,
) -> None:
    page = open_visitor_page()
    page.set_viewport_size(dict(zip(("width", "height"), SIZES["laptop"], strict=True)))
    session, _user = create_full_event(is_closed=True)
    page.goto(f"/events/{session.event.slug}/")
    picture_before = shrink_to_grey(page.screenshot())
    page.evaluate("document.querySelector('h1').textContent = 'Another evening altogether'")
    assert (
        measure_difference(picture_before, shrink_to_grey(page.screenshot()))
        < MAX_DIFFERENCE / 4
    )
    page.evaluate("document.querySelectorAll('link[rel=stylesheet]').forEach(e => e.remove())")
    assert (
        measure_difference(picture_before, shrink_to_grey(page.screenshot())) > MAX_DIFFERENCE
    )
