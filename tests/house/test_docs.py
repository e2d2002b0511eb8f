"""The documents match the program: its words, its variables, its commands."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import get_commands

from tests.rooms import PROGRAM, ROOMS

ROOT = Path(__file__).resolve().parents[2]
VARIABLE_PATTERN = re.compile(r"""environ(?:\.get\(|\[|, )\s*"([A-Z][A-Z_]+)\"""")
MODEL_NAMES = [
    model.__name__ for room in ROOMS for model in apps.get_app_config(room).get_models()
]
COMMAND_NAMES = sorted(name for name, app in get_commands().items() if app in PROGRAM)
# Read by deployment files and scripts, not by the settings.
EXTERNAL_VARIABLES = {"DJANGO_SETTINGS_MODULE", "CI", "CHROMIUM", "PYTHON"}


def read_document(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def list_setting_variables() -> set[str]:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "config").rglob("*.py")]
    return {name for source in sources for name in VARIABLE_PATTERN.findall(source)}


@pytest.mark.parametrize("model", MODEL_NAMES)
def test_every_model_is_in_the_vocabulary(model: str) -> None:
    assert model in list_vocabulary()


def test_vocabulary_has_no_duplicate_word() -> None:
    assert [word for word, times in Counter(list_vocabulary()).items() if times > 1] == []


def list_vocabulary() -> list[str]:
    """Return the words of the first column of each table."""
    rows = re.findall(r"^\| ([*`][^|]+) \|", read_document("docs/vocabulary.md"), re.MULTILINE)
    return [word for row in rows for word in re.findall(r"\w[\w -]*", row)]


def test_settings_page_names_exactly_the_existing_variables() -> None:
    documented_variables = set(
        re.findall(r"^\| `([A-Z_]+)`", read_document("docs/settings.md"), re.MULTILINE)
    )
    assert list_setting_variables()
    assert documented_variables == list_setting_variables() - EXTERNAL_VARIABLES


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_every_command_is_documented(command: str) -> None:
    pages = [
        read_document("README.md"),
        *(p.read_text("utf-8") for p in (ROOT / "docs").glob("*.md")),
    ]
    assert any(re.search(rf"manage\.py {command}\b", page) for page in pages)


@pytest.mark.parametrize("command", ["make run", "make test", "python manage.py serve"])
def test_readme_names_the_first_commands(command: str) -> None:
    assert command in read_document("README.md")


def test_every_dependency_is_pinned_and_justified() -> None:
    text = read_document("pyproject.toml")
    data = tomllib.loads(text)
    project, groups = data["project"], data["dependency-groups"]
    requirements = [
        *project["dependencies"],
        *project["optional-dependencies"]["server"],
        *(item for group in groups.values() for item in group),
    ]
    assert len(requirements) == len(set(requirements))
    requirements += data["build-system"]["requires"]
    assert len(requirements) > 50
    for requirement in requirements:
        assert "==" in requirement
        assert re.search(rf'"{re.escape(requirement)}"[],]+ +# \w', text), requirement


@pytest.mark.parametrize("library", ["redis", "psycopg", "granian"])
def test_laptop_installs_no_server_only_dependency(library: str) -> None:
    assert library in read_document("requirements-server.txt")
    assert library not in read_document("requirements.txt")


@pytest.mark.parametrize(
    "page", [*sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("[A-Z]*.md"))]
)
def test_no_link_between_documents_is_broken(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_decision_has_a_unique_number_and_is_indexed() -> None:
    file_names = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    titles = [read_document(f"docs/decisions/{name}").splitlines()[0] for name in file_names]
    assert titles == [
        f"# {int(name[:4])}. {title.partition('. ')[2]}"
        for name, title in zip(file_names, titles, strict=True)
    ]
    assert len({name[:4] for name in file_names}) == len(file_names) > 100
    index_entries = re.findall(
        r"^\* \[(\d{4})\]\((\S+)\) (.+)$",
        read_document("docs/decisions/README.md"),
        re.MULTILINE,
    )
    assert sorted(index_entries) == [
        (name[:4], name, title.partition(". ")[2])
        for name, title in zip(file_names, titles, strict=True)
    ]


CITED_RULES = re.compile(r"\brules? ((?:[A-Z]\d+(?:[–-][A-Z]?\d+)?)(?:(?:, | and )[A-Z]\d+)*)")


def list_rule_numbers() -> set[str]:
    """Return the rules on the page of sources, with ranges such as L1–L3 expanded."""
    rule_numbers: set[str] = set()
    for cell in re.findall(
        r"^\| ([A-Z]\d[^|]*?) \|", read_document("docs/sources.md"), re.MULTILINE
    ):
        for rule_range in cell.split(", "):
            first_rule, _, last_rule = rule_range.partition("–")
            letter, end = first_rule[0], last_rule[1:] if last_rule else first_rule[1:]
            rule_numbers |= {
                f"{letter}{number}" for number in range(int(first_rule[1:]), int(end) + 1)
            }
    return rule_numbers


def test_every_rule_cited_in_the_code_is_among_the_sources() -> None:
    cited_rules = {
        code
        for room in PROGRAM
        for path in (ROOT / room).rglob("*.py")
        for citation in CITED_RULES.findall(path.read_text(encoding="utf-8"))
        for code in re.findall(r"[A-Z]\d+", citation)
    }
    assert len(cited_rules) > 30
    assert sorted(cited_rules - list_rule_numbers()) == []


def test_every_file_named_in_the_recipes_exists() -> None:
    named_paths = re.findall(r"`([\w/]+(?:\.\w+|/))`", read_document("CONTRIBUTING.md"))
    assert "scoring/papers/door_list.py" in named_paths
    assert [path for path in named_paths if not (ROOT / path).exists()] == []
