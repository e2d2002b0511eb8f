"""The rules that keep the program easy to change: allowed imports and maximum lengths.

The table of packages in `docs/architecture.md` is read here and is the rule.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import pytest

from tests.house.sources import MODULES, ROOT, count_statements, list_nodes, read_text
from tests.rooms import PROGRAM, ROOMS, read_allowed_imports, read_season_features

PURE = (
    "boards.whist",
    "boards.pbn",
    "clubs.evenings.money",
    "clubs.evenings.first_seats",
    "clubs.evenings.queue",
    "clubs.evenings.recurrence",
    "clubs.evenings.timetable",
    "clubs.names",
    "drives.draw",
    "drives.errors",
    "drives.files.drive_file",
    "drives.files.patches",
    "drives.files.plan_output",
    "drives.files.standings",
    "drives.files.state",
    "drives.files.values",
    "drives.files.verify",
    "drives.games",
    "drives.play_forms",
    "drives.moves",
    "drives.prizes",
    "drives.scores",
    "exchange.data_tables",
    "hall.rehearsal.script",
    "laws.book",
    "laws.single_table",
    "rubbers.errors",
    "rubbers.files.drive_file",
    "rubbers.files.night_file",
    "rubbers.files.rubber_file",
    "rubbers.rubber",
    "scoring.doubts.plausibility",
    "scoring.drawing",
    "scoring.methods",
    "seasons.grades.cells",
    "seasons.grades.rating",
    "seasons.ladders.rules",
    "server.formatting",
    "server.json_reader",
    "tournaments.movements",
    "tournaments.stages",
    "tournaments.swiss",
)
TRANSLATION = ("django.utils.translation", "server.translation")
"""The only part of Django that a pure package may import, and our module around it."""
DATE_MODULES = ("clubs.evenings.recurrence", "server.json_reader")
"""The pure modules that read days or calculate with them."""
# Library: the only modules that may import it. A star is any package or feature of one.
ADAPTERS = {
    "reportlab": (
        "printing",
        "scoring.papers",
        "drives.papers",
        "rubbers.papers",
        "laws.wall_sheet",
    ),
    "segno": ("printing.qr",),
    "networkx": ("tournaments.swiss.blossom_matching",),
    "PIL": ("clubs.logos", "printing.pictures"),
    "rest_framework": ("*.api", "config"),
    "drf_spectacular": ("*.api", "config"),
    "celery": ("server", "config"),
    "kombu": ("server.jobs.broker", "config"),
    "redis": ("config",),
    "psycopg": ("config", "server.invalidation"),
    "waitress": ("server",),
    "allauth": ("server.logins",),
    "cryptography": ("server",),
    "icalendar": ("exchange.calendars.holidays",),
    "dateutil": ("exchange.calendars.recurrence",),
    "csp": ("config",),
}
# Modules below an act: only the package that provides the act may import them.
PRIVATE = {"tournaments.services.groundwork": "scoring.services"}
STANDINGS_TASK_NAMES = {"recompute_later", "recompute_standings", "STANDINGS"}
# Within a package, a module may import only modules with the same or a lower layer number.
LAYERS = {
    "models": 0,
    "links": 0,
    "access": 1,
    "audit": 1,
    "sittings": 1,
    "secrecy": 2,
    "visibility": 2,
    "making": 2,
    "doubts": 3,
    "reckoning": 3,
    "drive_results": 3,
    "sheets": 4,
    "papers": 5,
    "tasks": 5,
    "services": 5,
    "forms": 6,
    "views": 7,
    "api": 7,
    "admin": 7,
    "urls": 8,
    "management": 8,
}
MAX_CODE_SHARE = 0.35
"""The maximum share of the program's lines in one package."""
VAGUE_NAMES = {"utils", "util", "helpers", "misc", "common", "tools", "managers"}
HELPERS_PACKAGE = "hall.helpers"  # the helpers there are people, who type in hands
LONGEST_MODULE = 500
"""Lines; a longer module needs a record in docs/decisions that names it."""
LONGEST_SCRIPT = 300
LONGEST_FUNCTION = 30


SCRIPTS = sorted((ROOT / "static").rglob("*.js"))


@cache
def list_imports(module: str) -> frozenset[str]:
    """Return every name that a module imports, at its top or inside a function."""
    names = set()
    for node in list_nodes(module, ast.Import):
        names |= {alias.name for alias in node.names}
    for node in list_nodes(module, ast.ImportFrom):
        names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def is_within(name: str, *roots: str) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def get_app(name: str) -> str:
    return name.split(".")[0]


def get_layer(name: str) -> int | None:
    """Return a module's layer, from the first part of its name that has one.

    A pure package is below all layers, whatever its folders are called.
    """
    if is_within(name, *PURE):
        return None
    return next((LAYERS[part] for part in name.split(".")[1:] if part in LAYERS), None)


PURE_MODULES = [name for name in MODULES if is_within(name, *PURE)]
SERVICES = [name for name in MODULES if "services" in name.split(".")]
RECORDING = "scoring.services.results"
PLAUSIBILITY_CHECK = "scoring.services.score_checks"
SHEETS = [name for name in MODULES if "sheets" in name.split(".")]


# One test per rule, which lists every module that breaks it: one per module and rule would be
# thousands of tests, and mostly overhead of the runner.


def list_breaches(
    find: Callable[[str], Iterable[object]], modules: Iterable[str] = MODULES
) -> dict[str, list[object]]:
    """Return the modules that break a rule, each with the offending names."""
    breaches_by_module = {module: list(find(module)) for module in modules}
    return {module: breaches for module, breaches in breaches_by_module.items() if breaches}


def test_package_imports_only_packages_allowed_by_the_map() -> None:
    def list_forbidden_imports(module: str) -> list[str]:
        room = get_app(module)
        other_imports = [name for name in list_imports(module) if get_app(name) in PROGRAM]
        return [
            name
            for name in other_imports
            if get_app(name) != room
            and get_app(name) not in read_allowed_imports().get(room, ROOMS)
        ]

    assert list_breaches(list_forbidden_imports) == {}


def test_map_allows_no_unused_import() -> None:
    used = {room: set[str]() for room in ROOMS}
    for module in MODULES:
        if get_app(module) in used:
            used[get_app(module)] |= {get_app(name) for name in list_imports(module)}
    assert {
        room: set(rooms) - used[room] for room, rooms in read_allowed_imports().items()
    } == {room: set() for room in ROOMS}


def test_map_allows_only_downward_imports() -> None:
    order = list(read_allowed_imports())
    for room, allowed_import in read_allowed_imports().items():
        assert all(order.index(other) < order.index(room) for other in allowed_import), room


def test_every_top_level_package_is_on_the_map() -> None:
    others = {"bench", "deploy", "tests"}
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders - others == set(PROGRAM)


def test_season_feature_imports_only_earlier_features() -> None:
    order = read_season_features()

    def list_later_imports(module: str) -> list[str]:
        own_feature = module.split(".")[1]
        names = [name for name in list_imports(module) if get_app(name) == "seasons"]
        return [
            name for name in names if order.index(name.split(".")[1]) > order.index(own_feature)
        ]

    modules = [
        name for name in MODULES if is_within(name, *(f"seasons.{item}" for item in order))
    ]
    assert list_breaches(list_later_imports, modules) == {}
    top = {path.stem for path in (ROOT / "seasons").iterdir() if path.name != "__pycache__"}
    assert top == {*order, "__init__", "migrations", "models"}


def test_no_package_exceeds_its_share_of_the_code() -> None:
    lines = dict.fromkeys(PROGRAM, 0)
    for module in MODULES:
        lines[get_app(module)] += len(read_text(module).splitlines())
    total = sum(lines.values())
    assert {
        room: count for room, count in lines.items() if count > MAX_CODE_SHARE * total
    } == {}


def test_pure_package_imports_only_python_and_pure_packages() -> None:
    def list_foreign_imports(module: str) -> list[str]:
        other_imports = [
            n for n in list_imports(module) if get_app(n) not in sys.stdlib_module_names
        ]
        own_libraries = [library for library, doors in ADAPTERS.items() if module in doors]
        return [
            name
            for name in other_imports
            if not is_within(name, *PURE, *own_libraries, *TRANSLATION)
        ]

    assert list_breaches(list_foreign_imports, PURE_MODULES) == {}


def test_pure_package_reads_no_clock_and_no_random_source() -> None:
    """A package that calculates with dates may import `date`, but not read today's date."""
    forbidden = ("time", "datetime.datetime", "random", "secrets", "os")

    def list_clock_uses(module: str) -> list[str]:
        days = () if is_within(module, *DATE_MODULES) else ("datetime.date",)
        imports = [name for name in list_imports(module) if is_within(name, *forbidden, *days)]
        attrs = [node.attr for node in list_nodes(module, ast.Attribute)]
        return imports + [name for name in attrs if name in ("now", "today")]

    assert list_breaches(list_clock_uses, PURE_MODULES) == {}


@pytest.mark.parametrize("library", ADAPTERS)
def test_each_library_is_imported_only_by_its_adapter(library: str) -> None:
    users = [name for name in MODULES if any(is_within(i, library) for i in list_imports(name))]
    places = [*PROGRAM, *(f"seasons.{feature}" for feature in read_season_features())]
    doors = [door.replace("*", place) for door in ADAPTERS[library] for place in places]
    assert [name for name in users if not is_within(name, *doors)] == []


@pytest.mark.parametrize("private", PRIVATE)
def test_internals_of_an_act_are_imported_only_by_its_service(private: str) -> None:
    users = [name for name in MODULES if any(is_within(i, private) for i in list_imports(name))]
    outside = [name for name in users if not is_within(name, private)]
    assert outside
    assert [name for name in outside if not is_within(name, PRIVATE[private])] == []


def test_only_services_queue_the_standings() -> None:
    """The services of scoring do that for every act that changes a score."""

    def list_standings_uses(module: str) -> list[int]:
        names = [(node.lineno, node.id) for node in list_nodes(module, ast.Name)]
        parts = [(node.lineno, node.attr) for node in list_nodes(module, ast.Attribute)]
        return [line for line, name in (*names, *parts) if name in STANDINGS_TASK_NAMES]

    own_modules = [
        name for name in MODULES if is_within(name, "scoring.services", "scoring.tasks")
    ]
    assert list_breaches(list_standings_uses, own_modules)
    assert list_breaches(list_standings_uses, set(MODULES) - set(own_modules)) == {}


def test_imports_within_a_package_follow_its_layers() -> None:
    def list_outward_imports(module: str) -> list[str]:
        own_layer = get_layer(module)
        if own_layer is None or get_app(module) == "config":
            return []
        return [
            name
            for name in list_imports(module)
            if get_app(name) == get_app(module) and (get_layer(name) or 0) > own_layer
        ]

    assert list_breaches(list_outward_imports) == {}


def test_services_and_sheets_do_not_import_each_other() -> None:
    """A service imports no presentation, and a sheet changes nothing."""

    def list_cross_imports(module: str) -> list[str]:
        other = "sheets" if module in SERVICES else "services"
        return [name for name in list_imports(module) if other in name.split(".")]

    assert list_breaches(list_cross_imports, [*SERVICES, *SHEETS]) == {}


def test_only_recording_a_result_runs_the_plausibility_check() -> None:
    """Recording a result runs the plausibility check, and no other caller can."""
    asking = "scoring.doubts.open_doubts.find_doubtful_result"
    assert [name for name in MODULES if asking in list_imports(name)] == [PLAUSIBILITY_CHECK]

    def list_doubt_uses(module: str) -> list[int]:
        return [
            node.lineno
            for node in list_nodes(module, ast.Attribute)
            if node.attr == "doubt" and isinstance(node.ctx, ast.Store)
        ]

    assert set(list_breaches(list_doubt_uses)) == {
        RECORDING,
        "scoring.services.moved_results",
        PLAUSIBILITY_CHECK,
        "scoring.services.doubts",
    }


def test_papers_receive_sheets_and_execute_no_queries() -> None:
    def list_model_imports(module: str) -> list[str]:
        return [n for n in list_imports(module) if n.endswith(".models") or ".models." in n]

    modules = [
        name for name in MODULES if any(is_within(i, "reportlab") for i in list_imports(name))
    ]
    assert list_breaches(list_model_imports, modules) == {}


def test_imports_are_absolute_and_without_star() -> None:
    def list_relative_imports(module: str) -> list[int]:
        nodes = list_nodes(module, ast.ImportFrom)
        return [node.lineno for node in nodes if node.level or node.names[0].name == "*"]

    assert list_breaches(list_relative_imports) == {}


def test_no_module_exceeds_the_size_limit() -> None:
    def check_module_length(module: str) -> list[int]:
        length = len(read_text(module).splitlines())
        return [length] if length > LONGEST_MODULE else []

    records = (ROOT / "docs" / "decisions").glob("*.md")
    reasons = "".join(path.read_text(encoding="utf-8") for path in records)
    assert {
        name: long_breach
        for name, long_breach in list_breaches(check_module_length).items()
        if name not in reasons
    } == {}


def test_no_script_exceeds_the_size_limit() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in SCRIPTS}
    assert lengths
    assert {
        name: long_length
        for name, long_length in lengths.items()
        if long_length > LONGEST_SCRIPT
    } == {}


def test_no_function_exceeds_the_size_limit() -> None:
    def list_long_functions(module: str) -> list[tuple[str, int]]:
        return [
            (name, size)
            for name, size in count_function_statements(module)
            if size > LONGEST_FUNCTION
        ]

    assert list_breaches(list_long_functions) == {}


def test_no_module_has_a_vague_name() -> None:
    other_modules = [module for module in MODULES if not is_within(module, HELPERS_PACKAGE)]
    assert (
        list_breaches(lambda module: set(module.split(".")) & VAGUE_NAMES, other_modules) == {}
    )


def count_function_statements(module: str) -> Iterator[tuple[str, int]]:
    """Return the functions of a module with their statement counts, without docstrings."""
    for node in list_nodes(module, ast.FunctionDef, ast.AsyncFunctionDef):
        yield node.name, count_statements(node) - bool(ast.get_docstring(node))
