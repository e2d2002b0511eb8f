"""The style sheets: short, each in its layer and in the one list, without unused classes."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STYLE = ROOT / "static" / "css"
LIST = (STYLE / "site.css").read_text(encoding="utf-8")
PARTS = sorted(path for path in STYLE.rglob("*.css") if path.name != "site.css")
LAYERS = ("tokens", "ground", "frames", "parts", "rooms", "print")
LONGEST_SHEET = 400
IMPORTS = re.findall(r'^@import url\("([^"]+)"\) layer\((\w+)\);$', LIST, re.MULTILINE)
# A class attribute may hold tags of the template, and those may hold quotes.
CLASSES = re.compile(r"""\bclass=\\?"((?:{[{%].*?[%}]}|[^"\\])*)""", re.DOTALL)
WORDS = re.compile(r"""["'`][^"'`\n]*["'`]""")
NAME = re.compile(r"[\w-]+")


def format_test_id(path: Path) -> str:
    return path.relative_to(STYLE).as_posix()


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
    set_there = [
        found_texts for text in (*pages, *tags) for found_texts in CLASSES.findall(text)
    ]
    arguments = [
        found_texts for text in (*tags, *scripts) for found_texts in WORDS.findall(text)
    ]
    made = tuple(begun for found in set_there for begun in re.findall(r"([\w-]+[-_]){", found))
    return {name for text in (*set_there, *arguments) for name in NAME.findall(text)}, made


@pytest.mark.parametrize("path", [*PARTS, STYLE / "site.css"], ids=format_test_id)
def test_a_file_of_style_fits_in_the_head(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_SHEET


def test_the_layers_are_declared_once_and_in_their_order() -> None:
    layers = [layer for _name, layer in IMPORTS]
    assert re.findall(r"@layer [^;{]*[;{]", LIST) == [f"@layer {', '.join(LAYERS)};"]
    assert [
        format_test_id(path) for path in PARTS if "@layer" in path.read_text(encoding="utf-8")
    ] == []
    assert layers == sorted(layers, key=LAYERS.index)


def test_every_file_of_style_is_in_the_list_once_and_in_the_layer_of_its_folder() -> None:
    assert sorted(name for name, _layer in IMPORTS) == sorted(
        format_test_id(path) for path in PARTS
    )
    folders = [(name, name.removesuffix(".css").split("/")[0]) for name, _layer in IMPORTS]
    assert folders == IMPORTS


def test_every_class_that_has_a_rule_is_set_somewhere() -> None:
    named, made = list_class_names()
    dead = {
        format_test_id(path): sorted(unset)
        for path in PARTS
        if (
            unset := {
                name
                for name in re.findall(r"\.([a-zA-Z][\w-]*)", read_selectors(path))
                if name not in named and not name.startswith(made)
            }
        )
    }
    assert dead == {}


PHYSICAL = re.compile(
    r"(?:margin|padding|border)-(?:left|right)\b|(?:^|[\s;{])(?:left|right):"
    r"|(?:text-align|float|clear):\s*(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius"
)


@pytest.mark.parametrize("path", PARTS, ids=format_test_id)
def test_no_rule_names_left_or_right(path: Path) -> None:
    """In a language written from right to left the start of a line is on the right."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert PHYSICAL.findall(text) == []
