"""Dates for readers have named formats, which each language defines in its own order."""

import ast
import re

import pytest

from config import catalogues
from config.formats.en import formats as english_formats
from tests.house.sources import MODULES, ROOT, list_nodes

FORMAT_NAMES = {name for name in vars(english_formats) if name.isupper()}
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.*") if path.is_file())
DJANGO_FILTER = re.compile(r"""\|\s*(?:date|time)\b(?::(?:"([^"]*)"|'([^']*)'))?""")
OUR_FILTER = re.compile(r"""\|\s*format_date\b(?::"([^"]*)")?""")
NEUTRAL_FORMATS = {"Y-m-d", r"Y-m-d\TH:i:sO"}
"""The formats of values in forms and of attributes for programs."""
DJANGO_FUNCTIONS = {"date_format", "time_format", "dateformat", "localize"}
WRITERS_OF_FILES = {
    "exchange.formats.pbn": "PBN's own format of dates",
    "exchange.formats.pbn_plays": "PBN's own format of dates",
    "exchange.formats.second_play": "PBN's own format of dates",
    "exchange.results.bridgewebs": "the format of BridgeWebs",
    "exchange.results.usebio": "the format of USEBIO",
    "seasons.calendar.sheets.calendar": "the API's times",
    "seasons.publishing.feed": "the times of Atom feeds",
    "server.backups.restore": "names of files",
    "server.backups.store": "names of files",
}


def test_templates_name_the_format_of_each_date() -> None:
    undefined_formats_by_path = {
        str(path.relative_to(ROOT)): names
        for path in TEMPLATES
        if (names := list_undefined_formats(path.read_text(encoding="utf-8")))
    }
    assert undefined_formats_by_path == {}, "use |format_date with a name"


def list_undefined_formats(template: str) -> set[str | None]:
    """Return the formats in a template that no language could change."""
    django_formats = {match[1] or match[2] for match in DJANGO_FILTER.finditer(template)}
    our_formats = {match[1] for match in OUR_FILTER.finditer(template)}
    return (django_formats - NEUTRAL_FORMATS) | (our_formats - FORMAT_NAMES)


@pytest.mark.parametrize(
    "template",
    [
        '{{ day|date:"j F Y" }}',
        "{{ day|date }}",
        "{{ at|time:'H:i' }}",
        '{% with day=at|date:"D j M" %}{% endwith %}',
        '{{ day|format_date:"j F Y" }}',
        "{{ day|format_date }}",
    ],
)
def test_literal_format_in_a_template_is_found(template: str) -> None:
    assert list_undefined_formats(template)


def test_code_names_the_format_of_each_date() -> None:
    imports = [
        (module, alias.name)
        for module in MODULES
        if module != "server.dates"
        for node in list_nodes(module, ast.ImportFrom)
        for alias in node.names
        if alias.name in DJANGO_FUNCTIONS
    ]
    calls = {
        (module, node.func.attr)
        for module in MODULES
        for node in list_nodes(module, ast.Call)
        if isinstance(node.func, ast.Attribute)
        and (
            node.func.attr in DJANGO_FUNCTIONS
            or (node.func.attr == "strftime" and module not in WRITERS_OF_FILES)
        )
    }
    assert (imports, calls) == ([], set()), "use server.dates.format_date"


def test_code_uses_only_defined_formats() -> None:
    names = {
        node.args[1].value
        for module in MODULES
        for node in list_nodes(module, ast.Call)
        if isinstance(node.func, ast.Name)
        and node.func.id == "format_date"
        and isinstance(node.args[1], ast.Constant)
    }
    assert names
    assert names <= FORMAT_NAMES


@pytest.mark.parametrize("language", ["en", *catalogues.list_catalogue_languages()])
def test_language_defines_all_formats(language: str) -> None:
    module = MODULES[f"config.formats.{language}.formats"].read_text(encoding="utf-8")
    assert set(re.findall(r"^(\w+) = ", module, re.M)) == FORMAT_NAMES


def test_each_format_is_used() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES]
    texts += [
        path.read_text(encoding="utf-8")
        for module, path in MODULES.items()
        if not module.startswith("config.formats")
    ]
    used_names = {
        name
        for text in texts
        for name in re.findall(r"""format_date(?::|\([\w.]+, )["'](\w+)["']""", text)
    }
    assert used_names == FORMAT_NAMES
