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

PURE_PACKAGES = (
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
TRANSLATION_MODULES = ("django.utils.translation", "server.translation")
"""The only part of Django that a pure package may import, and our module around it."""
DATE_MODULES = ("clubs.evenings.recurrence", "server.json_reader")
"""The pure modules that read days or calculate with them."""
# Library: the only modules that may import it. A star is any package or feature of one.
ADAPTERS_BY_LIBRARY = {
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
OWNERS_BY_PRIVATE_MODULE = {"tournaments.services.groundwork": "scoring.services"}
STANDINGS_TASK_NAMES = {"recompute_later", "recompute_standings", "STANDINGS"}
# Within a package, a module may import only modules with the same or a lower layer number.
LAYERS_BY_MODULE_NAME = {
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
MAX_MODULE_LINES = 500
"""Lines; a longer module needs a record in docs/decisions that names it."""
MAX_SCRIPT_LINES = 300
MAX_FUNCTION_STATEMENTS = 30


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
    if is_within(name, *PURE_PACKAGES):
        return None
    return next(
        (
            LAYERS_BY_MODULE_NAME[name_part]
            for name_part in name.split(".")[1:]
            if name_part in LAYERS_BY_MODULE_NAME
        ),
        None,
    )


PURE_MODULES = [name for name in MODULES if is_within(name, *PURE_PACKAGES)]
SERVICE_MODULES = [name for name in MODULES if "services" in name.split(".")]
RECORDING_MODULE = "scoring.services.results"
PLAUSIBILITY_CHECK_MODULE = "scoring.services.score_checks"
SHEET_MODULES = [name for name in MODULES if "sheets" in name.split(".")]


# One test per rule, which lists every module that breaks it: one per module and rule would be
# thousands of tests, and mostly overhead of the runner.


def list_breaches(
    find_breaches: Callable[[str], Iterable[object]], modules: Iterable[str] = MODULES
) -> dict[str, list[object]]:
    """Return the modules that break a rule, each with the offending names."""
    breaches_by_module = {module: list(find_breaches(module)) for module in modules}
    return {module: breaches for module, breaches in breaches_by_module.items() if breaches}


def test_package_imports_only_packages_allowed_by_the_map() -> None:
    def list_forbidden_imports(module: str) -> list[str]:
        room = get_app(module)
        program_imports = [name for name in list_imports(module) if get_app(name) in PROGRAM]
        return [
            name
            for name in program_imports
            if get_app(name) != room
            and get_app(name) not in read_allowed_imports().get(room, ROOMS)
        ]

    assert list_breaches(list_forbidden_imports) == {}


def test_map_allows_no_unused_import() -> None:
    used_imports = {room: set[str]() for room in ROOMS}
    for module in MODULES:
        if get_app(module) in used_imports:
            used_imports[get_app(module)] |= {get_app(name) for name in list_imports(module)}
    assert {
        room: set(rooms) - used_imports[room] for room, rooms in read_allowed_imports().items()
    } == {room: set() for room in ROOMS}


def test_map_allows_only_downward_imports() -> None:
    rooms_in_order = list(read_allowed_imports())
    for room, allowed_imports in read_allowed_imports().items():
        assert all(
            rooms_in_order.index(allowed_room) < rooms_in_order.index(room)
            for allowed_room in allowed_imports
        ), room


def test_every_top_level_package_is_on_the_map() -> None:
    unmapped_folders = {"bench", "deploy", "tests"}
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders - unmapped_folders == set(PROGRAM)


def test_season_feature_imports_only_earlier_features() -> None:
    order = read_season_features()

    def list_later_imports(module: str) -> list[str]:
        own_feature = module.split(".")[1]
        names = [name for name in list_imports(module) if get_app(name) == "seasons"]
        return [
            name for name in names if order.index(name.split(".")[1]) > order.index(own_feature)
        ]

    modules = [
        name
        for name in MODULES
        if is_within(name, *(f"seasons.{feature}" for feature in order))
    ]
    assert list_breaches(list_later_imports, modules) == {}
    top_level_names = {
        path.stem for path in (ROOT / "seasons").iterdir() if path.name != "__pycache__"
    }
    assert top_level_names == {*order, "__init__", "migrations", "models"}


def test_no_package_exceeds_its_share_of_the_code() -> None:
    lines = dict.fromkeys(PROGRAM, 0)
    for module in MODULES:
        lines[get_app(module)] += len(read_text(module).splitlines())
    total_lines = sum(lines.values())
    assert {
        room: line_count
        for room, line_count in lines.items()
        if line_count > MAX_CODE_SHARE * total_lines
    } == {}


def test_pure_package_imports_only_python_and_pure_packages() -> None:
    def list_foreign_imports(module: str) -> list[str]:
        other_imports = [
            n for n in list_imports(module) if get_app(n) not in sys.stdlib_module_names
        ]
        own_libraries = [
            library for library, adapters in ADAPTERS_BY_LIBRARY.items() if module in adapters
        ]
        return [
            name
            for name in other_imports
            if not is_within(name, *PURE_PACKAGES, *own_libraries, *TRANSLATION_MODULES)
        ]

    assert list_breaches(list_foreign_imports, PURE_MODULES) == {}


def test_pure_package_reads_no_clock_and_no_random_source() -> None:
    """A package that calculates with dates may import `date`, but not read today's date."""
    forbidden_modules = ("time", "datetime.datetime", "random", "secrets", "os")

    def list_clock_uses(module: str) -> list[str]:
        days = () if is_within(module, *DATE_MODULES) else ("datetime.date",)
        forbidden_imports = [
            name for name in list_imports(module) if is_within(name, *forbidden_modules, *days)
        ]
        attribute_names = [node.attr for node in list_nodes(module, ast.Attribute)]
        return forbidden_imports + [
            name for name in attribute_names if name in ("now", "today")
        ]

    assert list_breaches(list_clock_uses, PURE_MODULES) == {}


@pytest.mark.parametrize("library", ADAPTERS_BY_LIBRARY)
def test_each_library_is_imported_only_by_its_adapter(library: str) -> None:
    importing_modules = [
        name for name in MODULES if any(is_within(i, library) for i in list_imports(name))
    ]
    places = [*PROGRAM, *(f"seasons.{feature}" for feature in read_season_features())]
    doors = [
        adapter.replace("*", place)
        for adapter in ADAPTERS_BY_LIBRARY[library]
        for place in places
    ]
    assert [name for name in importing_modules if not is_within(name, *doors)] == []


@pytest.mark.parametrize("private_module", OWNERS_BY_PRIVATE_MODULE)
def test_private_modules_are_imported_only_by_their_service(private_module: str) -> None:
    users = [
        name
        for name in MODULES
        if any(is_within(i, private_module) for i in list_imports(name))
    ]
    outside_modules = [name for name in users if not is_within(name, private_module)]
    assert outside_modules
    assert [
        name
        for name in outside_modules
        if not is_within(name, OWNERS_BY_PRIVATE_MODULE[private_module])
    ] == []


def test_only_scoring_services_queue_standings_updates() -> None:
    """The services of scoring do that for every act that changes a score."""

    def list_standings_uses(module: str) -> list[int]:
        names = [(node.lineno, node.id) for node in list_nodes(module, ast.Name)]
        attributes = [(node.lineno, node.attr) for node in list_nodes(module, ast.Attribute)]
        return [line for line, name in (*names, *attributes) if name in STANDINGS_TASK_NAMES]

    allowed_modules = [
        name for name in MODULES if is_within(name, "scoring.services", "scoring.tasks")
    ]
    assert list_breaches(list_standings_uses, allowed_modules)
    assert list_breaches(list_standings_uses, set(MODULES) - set(allowed_modules)) == {}


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
        other = "sheets" if module in SERVICE_MODULES else "services"
        return [name for name in list_imports(module) if other in name.split(".")]

    assert list_breaches(list_cross_imports, [*SERVICE_MODULES, *SHEET_MODULES]) == {}


def test_only_recording_a_result_runs_the_plausibility_check() -> None:
    """Recording a result runs the plausibility check, and no other caller can."""
    doubt_finder = "scoring.doubts.open_doubts.find_doubtful_result"
    assert [name for name in MODULES if doubt_finder in list_imports(name)] == [
        PLAUSIBILITY_CHECK_MODULE
    ]

    def list_doubt_uses(module: str) -> list[int]:
        return [
            node.lineno
            for node in list_nodes(module, ast.Attribute)
            if node.attr == "doubt" and isinstance(node.ctx, ast.Store)
        ]

    assert set(list_breaches(list_doubt_uses)) == {
        RECORDING_MODULE,
        "scoring.services.moved_results",
        PLAUSIBILITY_CHECK_MODULE,
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
        import_nodes = list_nodes(module, ast.ImportFrom)
        return [node.lineno for node in import_nodes if node.level or node.names[0].name == "*"]

    assert list_breaches(list_relative_imports) == {}


def test_no_module_exceeds_the_size_limit() -> None:
    def check_module_length(module: str) -> list[int]:
        length = len(read_text(module).splitlines())
        return [length] if length > MAX_MODULE_LINES else []

    decision_files = (ROOT / "docs" / "decisions").glob("*.md")
    decisions_text = "".join(path.read_text(encoding="utf-8") for path in decision_files)
    assert {
        name: line_counts
        for name, line_counts in list_breaches(check_module_length).items()
        if name not in decisions_text
    } == {}


def test_no_script_exceeds_the_size_limit() -> None:
    line_counts = {path.name: len(path.read_text("utf-8").splitlines()) for path in SCRIPTS}
    assert line_counts
    assert {
        name: line_count
        for name, line_count in line_counts.items()
        if line_count > MAX_SCRIPT_LINES
    } == {}


def test_no_function_exceeds_the_size_limit() -> None:
    def list_long_functions(module: str) -> list[tuple[str, int]]:
        return [
            (name, statement_count)
            for name, statement_count in count_function_statements(module)
            if statement_count > MAX_FUNCTION_STATEMENTS
        ]

    assert list_breaches(list_long_functions) == {}


def test_no_module_has_a_vague_name() -> None:
    checked_modules = [module for module in MODULES if not is_within(module, HELPERS_PACKAGE)]
    assert (
        list_breaches(lambda module: set(module.split(".")) & VAGUE_NAMES, checked_modules)
        == {}
    )


def count_function_statements(module: str) -> Iterator[tuple[str, int]]:
    """Return the functions of a module with their statement counts, without docstrings."""
    for node in list_nodes(module, ast.FunctionDef, ast.AsyncFunctionDef):
        yield node.name, count_statements(node) - bool(ast.get_docstring(node))
