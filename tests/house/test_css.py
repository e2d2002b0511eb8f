"""The style sheets: short, each in its layer and in the one list, without unused classes."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STYLE_FOLDER = ROOT / "static" / "css"
SITE_CSS = (STYLE_FOLDER / "site.css").read_text(encoding="utf-8")
STYLESHEETS = sorted(path for path in STYLE_FOLDER.rglob("*.css") if path.name != "site.css")
LAYER_NAMES = ("tokens", "ground", "frames", "parts", "rooms", "print")
MAX_STYLESHEET_LINES = 400
IMPORTS = re.findall(r'^@import url\("([^"]+)"\) layer\((\w+)\);$', SITE_CSS, re.MULTILINE)
# A class attribute may hold tags of the template, and those may hold quotes.
CLASS_ATTRIBUTE_PATTERN = re.compile(r"""\bclass=\\?"((?:{[{%].*?[%}]}|[^"\\])*)""", re.DOTALL)
STRING_LITERAL = re.compile(r"""["'`][^"'`\n]*["'`]""")
CLASS_NAME_PATTERN = re.compile(r"[\w-]+")


def format_test_id(path: Path) -> str:
    return path.relative_to(STYLE_FOLDER).as_posix()


def read_selectors(path: Path) -> str:
    """Return the selectors of a file, without declarations and comments."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"{[^{}]*}", "{}", text)


def list_class_names() -> tuple[set[str], tuple[str, ...]]:
    """Return every class that may be set, and the prefixes of computed ones.

    Classes are set by templates, scripts and tags. Computed classes contain a value: `chip--{{
    kind }}` in a template, `suit-{}` in a tag.
    """
    pages = [path.read_text(encoding="utf-8") for path in ROOT.glob("templates/**/*.html")]
    tags = [path.read_text(encoding="utf-8") for path in ROOT.glob("*/templatetags/*.py")]
    scripts = [path.read_text(encoding="utf-8") for path in ROOT.glob("static/js/**/*.js")]
    class_attributes = [
        found_texts
        for text in (*pages, *tags)
        for found_texts in CLASS_ATTRIBUTE_PATTERN.findall(text)
    ]
    class_texts = [
        found_texts
        for text in (*tags, *scripts)
        for found_texts in STRING_LITERAL.findall(text)
    ]
    computed_prefixes = tuple(
        prefix
        for class_attribute in class_attributes
        for prefix in re.findall(r"([\w-]+[-_]){", class_attribute)
    )
    return {
        name
        for text in (*class_attributes, *class_texts)
        for name in CLASS_NAME_PATTERN.findall(text)
    }, computed_prefixes


@pytest.mark.parametrize("path", [*STYLESHEETS, STYLE_FOLDER / "site.css"], ids=format_test_id)
def test_no_stylesheet_exceeds_the_size_limit(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_STYLESHEET_LINES


def test_css_layers_are_declared_once_in_order() -> None:
    layers = [layer for _name, layer in IMPORTS]
    assert re.findall(r"@layer [^;{]*[;{]", SITE_CSS) == [f"@layer {', '.join(LAYER_NAMES)};"]
    assert [
        format_test_id(path)
        for path in STYLESHEETS
        if "@layer" in path.read_text(encoding="utf-8")
    ] == []
    assert layers == sorted(layers, key=LAYER_NAMES.index)


def test_every_stylesheet_is_listed_once_in_the_layer_of_its_folder() -> None:
    assert sorted(name for name, _layer in IMPORTS) == sorted(
        format_test_id(path) for path in STYLESHEETS
    )
    names_and_folders = [
        (name, name.removesuffix(".css").split("/")[0]) for name, _layer in IMPORTS
    ]
    assert names_and_folders == IMPORTS


def test_every_styled_class_is_used() -> None:
    class_names, computed_prefixes = list_class_names()
    unused_classes = {
        format_test_id(path): sorted(unused_names)
        for path in STYLESHEETS
        if (
            unused_names := {
                name
                for name in re.findall(r"\.([a-zA-Z][\w-]*)", read_selectors(path))
                if name not in class_names and not name.startswith(computed_prefixes)
            }
        )
    }
    assert unused_classes == {}


PHYSICAL_PROPERTY = re.compile(
    r"(?:margin|padding|border)-(?:left|right)\b|(?:^|[\s;{])(?:left|right):"
    r"|(?:text-align|float|clear):\s*(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius"
)
SHORTHAND = re.compile(r"(?:^|[\s;{])(?:margin|padding|inset):([^;}]+)", re.MULTILINE)
PARENTHESES = re.compile(r"\([^()]*\)")


@pytest.mark.parametrize("path", STYLESHEETS, ids=format_test_id)
def test_no_css_rule_uses_physical_directions(path: Path) -> None:
    """In a language written from right to left the start of a line is on the right."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert PHYSICAL_PROPERTY.findall(text) == []
    assert [values for values in SHORTHAND.findall(text) if count_values(values) == 4] == []


def count_values(text: str) -> int:
    """Count the values of a property; of four, the second and the fourth are right and left."""
    while PARENTHESES.search(text):
        text = PARENTHESES.sub("", text)
    return len(text.split())
