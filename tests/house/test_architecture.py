"""The rules that keep the program easy to change: who may import whom, and how long is long.

The same is drawn in words in docs/decisions.md.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("boards", "tournaments", "scoring", "config")  # each may import those before it
PURE = (
    "boards.whist",
    "boards.pbn",
    "tournaments.movements",
    "scoring.methods",
    "scoring.laws",
    "scoring.doubts",
    "scoring.rehearsal",
)
# Library: the only modules that may know it. A star stands for any app.
DOORS = {
    "endplay": ("boards.solver",),
    "reportlab": ("scoring.printing",),
    "segno": ("scoring.qr",),
    "rest_framework": ("*.api", "config"),
    "drf_spectacular": ("*.api", "config"),
    "celery": ("*.tasks", "config"),
    "kombu": ("config",),
    "redis": ("config",),
    "psycopg": ("config",),
    "waitress": ("config",),
    "axes": ("config",),
    "csp": ("config",),
}
# Inside an app only inwards: a layer imports its own number and smaller ones.
LAYERS = {
    "models": 0,
    "sheets": 1,
    "audit": 1,
    "making": 2,
    "standings": 2,
    "printing": 2,
    "exports": 2,
    "tasks": 3,
    "services": 4,
    "forms": 5,
    "views": 6,
    "api": 6,
    "admin": 6,
    "urls": 7,
    "management": 7,
}
BAGS = {"utils", "util", "helpers", "misc", "common", "tools", "managers"}
LONGEST_MODULE = 300
LONGEST_FUNCTION = 30


def _files() -> list[Path]:
    found = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    return sorted(path for path in found if "migrations" not in path.parts)


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in _files()}
SCRIPTS = sorted((ROOT / "static").rglob("*.js"))


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def _imports(module: str) -> frozenset[str]:
    """Every name that a module imports, whether at its top or inside a function."""
    found = set()
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def _within(name: str, *roots: str) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def _app(name: str) -> str:
    return name.split(".")[0]


def _layer(name: str) -> int | None:
    parts = name.split(".")
    return LAYERS.get(parts[1]) if len(parts) > 1 else None


PURE_MODULES = [name for name in MODULES if _within(name, *PURE)]
PRINTING = [name for name in MODULES if _within(name, "scoring.printing")]


# One test a rule, which names every module that breaks it: a test a module and rule would be
# thousands, and most of their time the runner's.


def _breaches(
    find: Callable[[str], Iterable[object]], modules: Iterable[str] = MODULES
) -> dict[str, list[object]]:
    """The modules that break a rule, each with what breaks it."""
    found = {module: list(find(module)) for module in modules}
    return {module: breaches for module, breaches in found.items() if breaches}


def test_an_app_imports_only_apps_below_it() -> None:
    def upward(module: str) -> list[str]:
        above = APPS[APPS.index(_app(module)) + 1 :]
        return [name for name in _imports(module) if _within(name, *above)]

    assert _breaches(upward) == {}


def test_a_pure_package_imports_only_python_and_its_own_kind() -> None:
    def foreign(module: str) -> list[str]:
        others = [n for n in _imports(module) if _app(n) not in sys.stdlib_module_names]
        return [name for name in others if not _within(name, *PURE)]

    assert _breaches(foreign, PURE_MODULES) == {}


def test_a_pure_package_reads_no_clock_and_draws_no_lots() -> None:
    forbidden = ("time", "datetime", "random", "secrets", "os")
    assert (
        _breaches(
            lambda module: [n for n in _imports(module) if _within(n, *forbidden)], PURE_MODULES
        )
        == {}
    )


@pytest.mark.parametrize("library", DOORS)
def test_each_library_has_one_door(library: str) -> None:
    users = [name for name in MODULES if any(_within(i, library) for i in _imports(name))]
    doors = [door.replace("*", app) for door in DOORS[library] for app in APPS]
    assert [name for name in users if not _within(name, *doors)] == []


def test_inside_an_app_imports_go_only_inwards() -> None:
    def outward(module: str) -> list[str]:
        own = _layer(module)
        if own is None or _app(module) == "config":
            return []
        return [
            name
            for name in _imports(module)
            if _app(name) == _app(module) and (_layer(name) or 0) > own
        ]

    assert _breaches(outward) == {}


def test_a_paper_takes_sheets_and_never_queries() -> None:
    def queries(module: str) -> list[str]:
        return [n for n in _imports(module) if n.endswith(".models") or ".models." in n]

    assert _breaches(queries, PRINTING) == {}


def test_imports_are_full_names_without_a_star() -> None:
    def short(module: str) -> list[int]:
        froms = [node for node in ast.walk(_tree(module)) if isinstance(node, ast.ImportFrom)]
        return [node.lineno for node in froms if node.level or node.names[0].name == "*"]

    assert _breaches(short) == {}


def test_a_module_fits_in_the_head() -> None:
    def lines(module: str) -> list[int]:
        length = len(MODULES[module].read_text(encoding="utf-8").splitlines())
        return [length] if length > LONGEST_MODULE else []

    assert _breaches(lines) == {}


def test_a_script_fits_in_the_head_too() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in SCRIPTS}
    assert lengths
    assert {name: long for name, long in lengths.items() if long > LONGEST_MODULE} == {}


def test_a_function_fits_on_a_page() -> None:
    def long(module: str) -> list[tuple[str, int]]:
        return [(name, size) for name, size in _functions(module) if size > LONGEST_FUNCTION]

    assert _breaches(long) == {}


def test_no_module_is_a_bag_of_things_without_a_name() -> None:
    assert _breaches(lambda module: set(module.split(".")) & BAGS) == {}


def _functions(module: str) -> Iterator[tuple[str, int]]:
    """Every function of a module with its number of statements, the docstring left out."""
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = sum(isinstance(part, ast.stmt) for part in ast.walk(node)) - 1
            yield node.name, size - bool(ast.get_docstring(node))
