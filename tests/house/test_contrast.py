"""The tokens of the style: every pair of text and ground can be read, light and dark."""

import re
from pathlib import Path

import pytest

SHEETS = Path(__file__).resolve().parents[2] / "static" / "css"
TEXT = 4.5  # WCAG 2.2, 1.4.3 Contrast (Minimum), level AA
SHAPE = 3.0  # WCAG 2.2, 1.4.11 Non-text Contrast: borders of controls, marks, the focus ring
GROUNDS = ("paper", "sheet", "band")
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "ink-quiet", "action") for ground in GROUNDS),
    *((ink, ground, TEXT) for ink in ("good", "waiting", "wrong") for ground in GROUNDS),
    *(("line-strong", ground, SHAPE) for ground in ("paper", "sheet")),
    *(("focus", ground, SHAPE) for ground in GROUNDS),
    ("action-over", "sheet", TEXT),
    ("on-action", "action", TEXT),
    ("on-action", "action-over", TEXT),
    ("on-baize", "baize", TEXT),
    ("on-baize-quiet", "baize", TEXT),
    ("focus-on-baize", "baize", SHAPE),
    ("baize-line", "baize", SHAPE),
    ("good", "good-ground", TEXT),
    ("waiting", "waiting-ground", TEXT),
    ("wrong", "wrong-ground", TEXT),
    *(
        (f"suit-{suit}", ground, TEXT)
        for suit in ("spades", "hearts", "diamonds", "clubs", "diamonds-four", "clubs-four")
        for ground in ("sheet", "card")
    ),
    ("card-line", "card", SHAPE),
]


def tokens(scheme: str) -> dict[str, str]:
    """The colours of the first `:root` of the tokens, and in the dark those laid over them."""
    text = (SHEETS / "tokens.css").read_text(encoding="utf-8")
    light, dark, *_ = re.findall(r":root\s*{([^}]*)}", text)
    declared = light + (dark if scheme == "dark" else "")
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", declared))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_the_guidelines_do() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_a_pair_of_colours_can_be_read(
    scheme: str, ink: str, ground: str, least: float
) -> None:
    colours = tokens(scheme)
    assert contrast(colours[ink], colours[ground]) >= least


def test_every_colour_is_a_token() -> None:
    text = "".join(sheet.read_text(encoding="utf-8") for sheet in SHEETS.rglob("*.css"))
    rules = re.sub(r":root\s*{[^}]*}", "", text)
    rules = re.sub(r"@media print {(?:[^{}]*{[^{}]*})*\s*}", "", rules)  # black on white there
    assert ".masthead" in rules
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*;)", rules) == []


def test_the_dark_colours_replace_light_ones_that_exist() -> None:
    assert set(tokens("dark")) == set(tokens("light"))
