"""Templates are served without indentation."""

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

TemplateWriter = Callable[[str], Template]


@pytest.fixture
def template_writer(tmp_path: Path) -> TemplateWriter:
    """Write a template, and load it as the program does."""

    def write_template(text: str) -> Template:
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        loaders = engines["django"].engine.loaders
        return Engine(dirs=[str(tmp_path)], loaders=loaders).get_template("page.html")

    return write_template


def test_indentation_is_removed_from_served_lines(template_writer: TemplateWriter) -> None:
    page = template_writer(
        "<ul>\n  {% for name in names %}\n    <li>{{ name }}</li>{% endfor %}\n</ul>\n"
    )
    html = page.render(Context({"names": ["Ann", "Ben"]}))
    assert html == "<ul>\n\n<li>Ann</li>\n<li>Ben</li>\n</ul>\n"


def test_spaces_in_data_are_kept(template_writer: TemplateWriter) -> None:
    page = template_writer("<pre>{{ text }}</pre>\n")
    assert page.render(Context({"text": "a\n  b"})) == "<pre>a\n  b</pre>\n"


def test_error_has_the_correct_line_number(template_writer: TemplateWriter) -> None:
    page = template_writer("<p>\n    {{ one }}\n    {{ two }}\n</p>\n")
    variables = [node for node in page.nodelist if hasattr(node, "filter_expression")]
    assert [node.token.lineno for node in variables if node.token] == [2, 3]


def test_no_verbatim_element_of_a_template_spans_lines() -> None:
    verbatim_elements = [
        (path.name, element_content)
        for path in TEMPLATES
        for _element, element_content in VERBATIM.findall(path.read_text(encoding="utf-8"))
    ]
    assert verbatim_elements
    assert [
        name for name, element_content in verbatim_elements if "\n" in element_content
    ] == []


def test_library_templates_are_found_too() -> None:
    assert "{% block" in Path(get_template("admin/base.html").origin.name).read_text("utf-8")
    with pytest.raises(TemplateDoesNotExist):
        get_template("nowhere.html")


def test_included_form_gets_the_csrf_token() -> None:
    """A form without the CSRF token gets a 403, and `only` leaves the token out."""
    texts = {str(path.relative_to(FOLDER)): path.read_text() for path in TEMPLATES}
    faults = [
        f"{name}: {included_template}"
        for name, text in texts.items()
        for included_template, arguments in re.findall(r'{% include "([^"]+)"(.*?)%}', text)
        if "{% csrf_token %}" in texts.get(included_template, "")
        and " only " in arguments
        and "csrf_token=" not in arguments
    ]
    assert faults == []


def test_every_template_named_in_the_code_exists() -> None:
    template_pattern = re.compile(r'"([a-z_]+/[\w/-]+\.html)"')
    missing_templates = [
        f"{path}: {name}"
        for room in PROGRAM
        for path in (FOLDER.parent / room).rglob("*.py")
        for name in template_pattern.findall(path.read_text(encoding="utf-8"))
        if not (FOLDER / name).exists()
    ]
    assert missing_templates == []
