"""The colour tokens: every pair of text and background in use is listed and legible."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STYLE_FOLDER = Path(__file__).resolve().parents[2] / "static" / "css"
MIN_TEXT_CONTRAST = 4.5  # WCAG 2.2, 1.4.3 Contrast (Minimum), level AA
MIN_SHAPE_CONTRAST = (
    3.0  # WCAG 2.2, 1.4.11 Non-text Contrast: borders of controls, marks, the focus ring
)
BACKGROUND_TOKENS = ("ground", "sheet", "sunk")
TEXT_COLOUR_TOKENS = (
    "ink",
    "quiet",
    "act",
    "live",
    "win",
    "plus",
    "minus",
    "warn",
    "wrong",
    "lock",
)
MEANING_TOKENS = ("act", "live", "win", "plus", "minus", "warn", "wrong", "lock")
REQUIRED_CONTRASTS = [
    *(
        (ink, ground, MIN_TEXT_CONTRAST)
        for ink in TEXT_COLOUR_TOKENS
        for ground in BACKGROUND_TOKENS
    ),
    *((ink, f"{ink}-soft", MIN_TEXT_CONTRAST) for ink in MEANING_TOKENS),
    *(
        (ink, f"{soft_meaning}-soft", MIN_TEXT_CONTRAST)
        for ink in ("ink", "quiet")
        for soft_meaning in MEANING_TOKENS
    ),
    *(("edge", ground, MIN_SHAPE_CONTRAST) for ground in BACKGROUND_TOKENS),
    *(("focus", ground, MIN_SHAPE_CONTRAST) for ground in BACKGROUND_TOKENS),
    *(
        (edge, ground, MIN_SHAPE_CONTRAST)
        for edge in ("win-edge", "warn-edge")
        for ground in BACKGROUND_TOKENS
    ),
    ("club", "sheet", MIN_TEXT_CONTRAST),
    ("on-act", "act", MIN_TEXT_CONTRAST),
    ("on-act", "act-over", MIN_TEXT_CONTRAST),
    *(("act-over", ground, MIN_TEXT_CONTRAST) for ground in (*BACKGROUND_TOKENS, "warn-soft")),
    ("on-stage", "stage", MIN_TEXT_CONTRAST),
    ("stage", "on-stage", MIN_TEXT_CONTRAST),
    ("on-stage-quiet", "stage", MIN_TEXT_CONTRAST),
    *(
        (f"suit-{suit}", ground, MIN_TEXT_CONTRAST)
        for suit in ("spades", "hearts", "diamonds", "clubs", "diamonds-four", "clubs-four")
        for ground in ("sheet", "card")
    ),
    ("ink", "card", MIN_TEXT_CONTRAST),
    ("card-line", "card", MIN_SHAPE_CONTRAST),
    ("card-line", "sheet", MIN_SHAPE_CONTRAST),
    ("warn-soft", "edge", MIN_SHAPE_CONTRAST),  # a square of the picture of opponents
]
OWN_BACKGROUNDS = {
    "on-stage": "stage",
    "on-stage-quiet": "stage",
    "warn-soft": "edge",
    **{f"suit-{suit}": "card" for suit in ("spades", "hearts", "diamonds", "clubs")},
}
"""Text colours that only occur on their own background, though the rule does not name it."""
BACKGROUND_ONLY = {"line", "shade", "veil", "cover", "cut"}
"""Colours that only separate or dim and carry no information: they need no contrast."""
TOKEN_PATTERN = r"var\(--([\w-]+)\)"
RAW_COLOUR = (
    r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|lab|lch|oklch|color)a?\(|\b(?:white|black|red)\b(?!-)"
)


def read_colour_tokens(scheme: str) -> dict[str, str]:
    """Return the colours of the first `:root` of the tokens, or those of dark mode."""
    light, dark, _chosen_dark = list_colour_schemes()
    return light | (dark if scheme == "dark" else {})


def list_colour_schemes() -> list[dict[str, str]]:
    """Return the light list, the device's dark list, and the dark list chosen by the reader."""
    text = read_without_comments(STYLE_FOLDER / "tokens.css")
    selector_patterns = (
        r":root",
        r'@media \(prefers-color-scheme: dark\) {\s*:root:not\(\[data-scheme="light"\]\)',
        r':root\[data-scheme="dark"\]',
    )
    body_matches = [
        re.search(rf"(?:^|\n){selector_pattern} {{([^}}]*)}}", text)
        for selector_pattern in selector_patterns
    ]
    return [
        dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6}|rgb\([^)]*\));", body[1] if body else ""))
        for body in body_matches
    ]


def read_without_comments(sheet: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)


def list_screen_rules() -> Iterator[tuple[str, str]]:
    """Return every rule for screens: the selector with its file, and its declarations."""
    for sheet in sorted(STYLE_FOLDER.rglob("*.css")):
        is_token_file = "tokens" in (sheet.stem, sheet.parent.name)
        if not is_token_file and sheet.name not in ("site.css", "print.css"):
            for selector, body in re.findall(
                r"([^{}]+){([^{}]*)}", read_without_comments(sheet)
            ):
                yield f"{sheet.name}: {' '.join(selector.split())}", body


def compute_luminance(colour: str) -> float:
    """Return the relative luminance as defined by WCAG 2.2."""
    channels = [int(colour[offset : offset + 2], 16) / 255 for offset in (1, 3, 5)]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def compute_contrast(first_colour: str, second_colour: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    light, dark = sorted(
        (compute_luminance(first_colour), compute_luminance(second_colour)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_in_wcag() -> None:
    assert compute_contrast("#ffffff", "#000000") == pytest.approx(21)
    assert compute_contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "min_contrast"), REQUIRED_CONTRASTS)
def test_colour_pair_has_enough_contrast(
    scheme: str, ink: str, ground: str, min_contrast: float
) -> None:
    colours = read_colour_tokens(scheme)
    assert compute_contrast(colours[ink], colours[ground]) >= min_contrast


def test_every_used_colour_pair_is_listed() -> None:
    listed_pairs = {(ink, ground) for ink, ground, _min_contrast in REQUIRED_CONTRASTS}
    unlisted_pairs = {
        rule: missing_colour_pairs
        for rule, body in list_screen_rules()
        if (missing_colour_pairs := list_colour_pairs(body) - listed_pairs)
    }
    assert unlisted_pairs == {}


def list_colour_pairs(body: str) -> set[tuple[str, str]]:
    """Return the pairs of text and background colours of one rule's declarations."""
    inks = set(re.findall(rf"(?<![-\w])color:\s*{TOKEN_PATTERN}", body)) - BACKGROUND_ONLY
    grounds = (
        set(re.findall(rf"background(?:-color)?:\s*{TOKEN_PATTERN};", body)) - BACKGROUND_ONLY
    )
    mark_colours = set(
        re.findall(rf"(?:border|outline|fill|stroke|accent)[\w-]*:[^;]*{TOKEN_PATTERN}", body)
    )
    mark_colours = {
        mark_colour
        for mark_colour in mark_colours
        if not re.match(r"(?:s\d|radius|touch|line$|sunk$)", mark_colour)
    } - BACKGROUND_ONLY
    if inks and grounds:
        return {(ink, ground) for ink in inks for ground in grounds}
    colour_pairs = {(ink, OWN_BACKGROUNDS[ink]) for ink in inks if ink in OWN_BACKGROUNDS}
    colour_pairs |= {
        (ink, ground) for ink in inks - set(OWN_BACKGROUNDS) for ground in BACKGROUND_TOKENS
    }
    for ground in grounds:  # a background without a text colour has text, or is itself a mark
        colour_pairs.add(
            (ground, "sheet") if ground in (*MEANING_TOKENS, "club") else pair_with_ink(ground)
        )
    return colour_pairs | {
        (mark_colour, OWN_BACKGROUNDS.get(mark_colour, "sheet"))
        for mark_colour in mark_colours
        if mark_colour != "sheet"
    }


def pair_with_ink(ground: str) -> tuple[str, str]:
    if ground in ("stage", "on-stage"):
        return "on-stage", "stage"
    return "ink", ground


def test_every_colour_is_a_token() -> None:
    colours_by_rule = {
        rule: found_texts
        for rule, body in list_screen_rules()
        if "code__" not in rule  # a QR code reader needs true black on true white
        for found_texts in [re.findall(RAW_COLOUR, body)]
        if found_texts
    }
    assert colours_by_rule == {}


def test_accent_has_enough_contrast_on_every_background() -> None:
    text = read_without_comments(STYLE_FOLDER / "tokens" / "accents.css")
    found_texts = re.findall(r"(.*)\[data-accent=\"(\w+)\"\] { --club: (#[0-9a-f]{6}); }", text)
    accents_by_scheme = {
        scheme: {name: colour for head, name, colour in found_texts if part in head}
        for scheme, part in (("dark", '"dark"'), ("device", '"light"'))
    }
    light = {name: colour for head, name, colour in found_texts if not head.strip()}
    assert len(light) == 8
    assert accents_by_scheme["dark"] == accents_by_scheme["device"]
    assert set(light) == set(accents_by_scheme["dark"])
    assert light["claret"] == read_colour_tokens("light")["club"]
    assert accents_by_scheme["dark"]["claret"] == read_colour_tokens("dark")["club"]
    for scheme, names in (("light", light), ("dark", accents_by_scheme["dark"])):
        sheet = read_colour_tokens(scheme)["sheet"]
        assert {
            name
            for name, colour in names.items()
            if compute_contrast(colour, sheet) < MIN_TEXT_CONTRAST
        } == set()


def test_dark_colours_replace_existing_light_colours() -> None:
    light, dark, chosen_dark = list_colour_schemes()
    assert len(light) > 30
    assert set(dark) == set(light)
    assert chosen_dark == dark
