"""The colour tokens: every pair of text and background in use is listed and legible."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SHEETS = Path(__file__).resolve().parents[2] / "static" / "css"
TEXT = 4.5  # WCAG 2.2, 1.4.3 Contrast (Minimum), level AA
SHAPE = 3.0  # WCAG 2.2, 1.4.11 Non-text Contrast: borders of controls, marks, the focus ring
GROUNDS = ("ground", "sheet", "sunk")
INKS = ("ink", "quiet", "act", "live", "win", "plus", "minus", "warn", "wrong", "lock")
MEANINGS = ("act", "live", "win", "plus", "minus", "warn", "wrong", "lock")
PAIRS = [
    *((ink, ground, TEXT) for ink in INKS for ground in GROUNDS),
    *((ink, f"{ink}-soft", TEXT) for ink in MEANINGS),
    *((ink, f"{soft}-soft", TEXT) for ink in ("ink", "quiet") for soft in MEANINGS),
    *(("edge", ground, SHAPE) for ground in GROUNDS),
    *(("focus", ground, SHAPE) for ground in GROUNDS),
    *((edge, ground, SHAPE) for edge in ("win-edge", "warn-edge") for ground in GROUNDS),
    ("club", "sheet", TEXT),
    ("on-act", "act", TEXT),
    ("on-act", "act-over", TEXT),
    *(("act-over", ground, TEXT) for ground in (*GROUNDS, "warn-soft")),
    ("on-stage", "stage", TEXT),
    ("stage", "on-stage", TEXT),
    ("on-stage-quiet", "stage", TEXT),
    *(
        (f"suit-{suit}", ground, TEXT)
        for suit in ("spades", "hearts", "diamonds", "clubs", "diamonds-four", "clubs-four")
        for ground in ("sheet", "card")
    ),
    ("ink", "card", TEXT),
    ("card-line", "card", SHAPE),
    ("card-line", "sheet", SHAPE),
    ("warn-soft", "edge", SHAPE),  # a square of the picture of opponents
]
ELSEWHERE = {
    "on-stage": "stage",
    "on-stage-quiet": "stage",
    "warn-soft": "edge",
    **{f"suit-{suit}": "card" for suit in ("spades", "hearts", "diamonds", "clubs")},
}
"""Text colours that only occur on their own background, though the rule does not name it."""
NO_INK = {"line", "shade", "veil", "cover", "cut"}
"""Colours that only separate or dim and carry no information: they need no contrast."""
TOKEN = r"var\(--([\w-]+)\)"
NAMED = (
    r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|lab|lch|oklch|color)a?\(|\b(?:white|black|red)\b(?!-)"
)


def read_colour_tokens(scheme: str) -> dict[str, str]:
    """Return the colours of the first `:root` of the tokens, or those of dark mode."""
    light, dark, _chosen = list_colour_schemes()
    return light | (dark if scheme == "dark" else {})


def list_colour_schemes() -> list[dict[str, str]]:
    """Return the light list, the device's dark list, and the dark list chosen by the reader."""
    text = read_without_comments(SHEETS / "tokens.css")
    heads = (
        r":root",
        r'@media \(prefers-color-scheme: dark\) {\s*:root:not\(\[data-scheme="light"\]\)',
        r':root\[data-scheme="dark"\]',
    )
    bodies = [re.search(rf"(?:^|\n){head} {{([^}}]*)}}", text) for head in heads]
    return [
        dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6}|rgb\([^)]*\));", body[1] if body else ""))
        for body in bodies
    ]


def read_without_comments(sheet: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)


def list_screen_rules() -> Iterator[tuple[str, str]]:
    """Return every rule for screens: the selector with its file, and its declarations."""
    for sheet in sorted(SHEETS.rglob("*.css")):
        is_token = "tokens" in (sheet.stem, sheet.parent.name)
        if not is_token and sheet.name not in ("site.css", "print.css"):
            for selector, body in re.findall(
                r"([^{}]+){([^{}]*)}", read_without_comments(sheet)
            ):
                yield f"{sheet.name}: {' '.join(selector.split())}", body


def compute_luminance(colour: str) -> float:
    """Return the relative luminance as defined by WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    light, dark = sorted((compute_luminance(one), compute_luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_the_guidelines_do() -> None:
    assert compute_contrast("#ffffff", "#000000") == pytest.approx(21)
    assert compute_contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_a_pair_of_colours_can_be_read(
    scheme: str, ink: str, ground: str, least: float
) -> None:
    colours = read_colour_tokens(scheme)
    assert compute_contrast(colours[ink], colours[ground]) >= least


def test_every_pair_in_use_is_listed() -> None:
    listed = {(ink, ground) for ink, ground, _least in PAIRS}
    unlisted = {
        rule: missing_colour_pairs
        for rule, body in list_screen_rules()
        if (missing_colour_pairs := list_colour_pairs(body) - listed)
    }
    assert unlisted == {}


def list_colour_pairs(body: str) -> set[tuple[str, str]]:
    """Return the pairs of text and background colours of one rule's declarations."""
    inks = set(re.findall(rf"(?<![-\w])color:\s*{TOKEN}", body)) - NO_INK
    grounds = set(re.findall(rf"background(?:-color)?:\s*{TOKEN};", body)) - NO_INK
    marks = set(re.findall(rf"(?:border|outline|fill|stroke|accent)[\w-]*:[^;]*{TOKEN}", body))
    marks = {
        mark for mark in marks if not re.match(r"(?:s\d|radius|touch|line$|sunk$)", mark)
    } - NO_INK
    if inks and grounds:
        return {(ink, ground) for ink in inks for ground in grounds}
    actual = {(ink, ELSEWHERE[ink]) for ink in inks if ink in ELSEWHERE}
    actual |= {(ink, ground) for ink in inks - set(ELSEWHERE) for ground in GROUNDS}
    for ground in grounds:  # a background without a text colour has text, or is itself a mark
        actual.add(
            (ground, "sheet") if ground in (*MEANINGS, "club") else pair_with_ink(ground)
        )
    return actual | {(mark, ELSEWHERE.get(mark, "sheet")) for mark in marks if mark != "sheet"}


def pair_with_ink(ground: str) -> tuple[str, str]:
    if ground in ("stage", "on-stage"):
        return "on-stage", "stage"
    return "ink", ground


def test_every_colour_is_a_token() -> None:
    named = {
        rule: found_texts
        for rule, body in list_screen_rules()
        if "code__" not in rule  # a QR code reader needs true black on true white
        for found_texts in [re.findall(NAMED, body)]
        if found_texts
    }
    assert named == {}


def test_an_accent_can_be_read_on_every_sheet_it_stands_on() -> None:
    text = read_without_comments(SHEETS / "tokens" / "accents.css")
    found_texts = re.findall(r"(.*)\[data-accent=\"(\w+)\"\] { --club: (#[0-9a-f]{6}); }", text)
    shades = {
        scheme: {name: colour for head, name, colour in found_texts if part in head}
        for scheme, part in (("dark", '"dark"'), ("device", '"light"'))
    }
    light = {name: colour for head, name, colour in found_texts if not head.strip()}
    assert len(light) == 8
    assert shades["dark"] == shades["device"]
    assert set(light) == set(shades["dark"])
    assert light["claret"] == read_colour_tokens("light")["club"]
    assert shades["dark"]["claret"] == read_colour_tokens("dark")["club"]
    for scheme, names in (("light", light), ("dark", shades["dark"])):
        sheet = read_colour_tokens(scheme)["sheet"]
        assert {
            name for name, one_name in names.items() if compute_contrast(one_name, sheet) < TEXT
        } == set()


def test_the_dark_colours_replace_light_ones_that_exist() -> None:
    light, dark, chosen = list_colour_schemes()
    assert len(light) > 30
    assert set(dark) == set(light)
    assert chosen == dark
