"""Templates as served: indentation is removed."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.template import Context, Engine, Template, TemplateDoesNotExist, engines
from django.template.loader import get_template

from tests.rooms import PROGRAM

FOLDER = Path(__file__).resolve().parents[2] / "templates"
TEMPLATES = sorted(FOLDER.rglob("*.html"))
# Elements in which whitespace would be visible.
VERBATIM = re.compile(r"<(textarea|pre)\b(?:{%.*?%}|{{.*?}}|[^>])*>(.*?)</\1>", re.DOTALL)

Write = Callable[[str], Template]


@pytest.fixture
def write_template_file(tmp_path: Path) -> Write:
    """Write a template, and load it as the program does."""

    def write_template(text: str) -> Template:
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        loaders = engines["django"].engine.loaders
        return Engine(dirs=[str(tmp_path)], loaders=loaders).get_template("page.html")

    return write_template


def test_a_line_is_served_from_its_first_letter_on(write_template_file: Write) -> None:
    page = write_template_file(
        "<ul>\n  {% for name in names %}\n    <li>{{ name }}</li>{% endfor %}\n</ul>\n"
    )
    drawn = page.render(Context({"names": ["Ann", "Ben"]}))
    assert drawn == "<ul>\n\n<li>Ann</li>\n<li>Ben</li>\n</ul>\n"


def test_what_comes_from_the_data_keeps_its_spaces(write_template_file: Write) -> None:
    page = write_template_file("<pre>{{ text }}</pre>\n")
    assert page.render(Context({"text": "a\n  b"})) == "<pre>a\n  b</pre>\n"


def test_a_mistake_is_found_by_its_line(write_template_file: Write) -> None:
    page = write_template_file("<p>\n    {{ one }}\n    {{ two }}\n</p>\n")
    variables = [node for node in page.nodelist if hasattr(node, "filter_expression")]
    assert [node.token.lineno for node in variables if node.token] == [2, 3]


def test_no_template_of_ours_has_lines_where_their_spaces_would_be_seen() -> None:
    kept = [
        (path.name, inside)
        for path in TEMPLATES
        for _element, inside in VERBATIM.findall(path.read_text(encoding="utf-8"))
    ]
    assert kept
    assert [name for name, inside in kept if "\n" in inside] == []


def test_the_templates_of_libraries_are_found_too() -> None:
    assert "{% block" in Path(get_template("admin/base.html").origin.name).read_text("utf-8")
    with pytest.raises(TemplateDoesNotExist):
        get_template("nowhere.html")


def test_each_part_with_a_form_is_given_the_token_that_its_form_sends() -> None:
    """A form without the CSRF token gets a 403, and `only` leaves the token out."""
    texts = {str(path.relative_to(FOLDER)): path.read_text() for path in TEMPLATES}
    faults = [
        f"{name}: {part}"
        for name, text in texts.items()
        for part, given in re.findall(r'{% include "([^"]+)"(.*?)%}', text)
        if "{% csrf_token %}" in texts.get(part, "")
        and " only " in given
        and "csrf_token=" not in given
    ]
    assert faults == []


def test_every_template_that_the_program_names_is_there() -> None:
    named = re.compile(r'"([a-z_]+/[\w/-]+\.html)"')
    missing = [
        f"{path}: {name}"
        for room in PROGRAM
        for path in (FOLDER.parent / room).rglob("*.py")
        for name in named.findall(path.read_text(encoding="utf-8"))
        if not (FOLDER / name).exists()
    ]
    assert missing == []
