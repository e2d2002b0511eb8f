"""Private names of libraries are used only in `server.private_apis`.

A name is private if it begins with one underscore, is below `.internal`, or belongs to
`django.db.models.sql`. It belongs to a library if it is imported from one, or if none of our
classes and modules has such a name.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRIVATE_APIS_MODULE = "server/private_apis.py"
DOCUMENTED_PRIVATE_NAMES = {
    *("_meta", "_state", "_base_manager", "_default_manager"),  # Django's models
    *("_save", "_open"),  # for custom storages to define
    *("_replace", "_asdict", "_fields", "_field_defaults"),  # named tuples, nodes of `ast`
    "_exit",  # ends a forked process without cleaning up, see `os`
}
OWN_PRIVATE_NAME_PATTERN = re.compile(
    r"^(?:    )?(?:(?:async )?def |class )(_\w+)"
    r"|^(?:    )?(_\w+)(?:, \w+)*(?::[^=\n]*)? ="
    r"|\bself\.(_\w+)(?=(?:, [\w.]+)*(?::[^=\n]*)? =)",
    re.MULTILINE,
)
PRIVATE_IMPORT = re.compile(
    r"^\s*(?:from|import) .*(?:\b_[a-z]|\binternal\b|\bdb\.models\.sql)", re.MULTILINE
)
PRIVATE_ACCESS = re.compile(r"(?:\.|, [\"'])(_[a-zA-Z]\w*)")
SKIPPED_FOLDERS = {".venv", "var", "node_modules"}


@cache
def read_all_files() -> dict[str, str]:
    """Read every Python file of the repository except migrations."""
    texts = {}
    for folder in sorted(path for path in ROOT.iterdir() if path.name not in SKIPPED_FOLDERS):
        for path in [folder] if folder.suffix == ".py" else folder.rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if "/migrations/" not in name and not name.startswith("."):
                texts[name] = path.read_text(encoding="utf-8")
    return texts


@cache
def list_own_packages() -> frozenset[str]:
    """Return the top-level packages and modules of the repository."""
    return frozenset(Path(name).parts[0].removesuffix(".py") for name in read_all_files())


@cache
def list_own_private_names() -> frozenset[str]:
    """Return the private names that our own classes and modules define."""
    found_texts = (
        name_groups
        for text in read_all_files().values()
        for name_groups in OWN_PRIVATE_NAME_PATTERN.findall(text)
    )
    return frozenset(name for name_groups in found_texts for name in name_groups if name)


def is_private(name: str) -> bool:
    """Return whether a dotted name has a private part; `_typeshed` has only public types."""
    parts = name.split(".")
    if parts[0] == "_typeshed":
        return False
    has_private_part = any(part.startswith("_") and not part.startswith("__") for part in parts)
    return has_private_part or "internal" in parts or name.startswith("django.db.models.sql")


def list_private_names(
    text: str, own_private_names: frozenset[str]
) -> Iterator[tuple[int, str]]:
    """Yield each private name of a library that a module uses, with its line."""
    if not PRIVATE_IMPORT.search(text) and own_private_names.issuperset(
        PRIVATE_ACCESS.findall(text)
    ):
        return  # most modules; parsing all of them takes a minute
    for node in ast.walk(ast.parse(text)):
        name, line = get_accessed_attribute(node), getattr(node, "lineno", 0)
        if name.startswith("_") and not name.startswith("__") and name not in own_private_names:
            yield line, name
        for name in filter(is_private, list_imported_names(node)):
            yield line, name


def list_imported_names(node: ast.AST) -> Iterator[str]:
    """Return the names that an import statement takes from libraries."""
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [name.name for name in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [f"{node.module}.{name.name}" for name in node.names]
    for name in names:
        top_package = name.partition(".")[0]
        if (
            top_package not in list_own_packages()
            and top_package not in sys.stdlib_module_names
        ):
            yield name


def get_accessed_attribute(node: ast.AST) -> str:
    """Return the attribute that an expression accesses, directly or with `getattr`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call) and len(node.args) > 1:
        called_function, name = node.func, node.args[1]
        response = (
            called_function.id
            if isinstance(called_function, ast.Name)
            else getattr(called_function, "attr", "")
        )
        if response in ("getattr", "setattr", "hasattr", "delattr") and isinstance(
            name, ast.Constant
        ):
            return str(name.value)
    return ""


def test_no_module_uses_a_private_name_of_a_library() -> None:
    own_private_names = list_own_private_names() | DOCUMENTED_PRIVATE_NAMES
    faults = [
        f"{file}:{line} uses {name}; use a public one, or put it into {PRIVATE_APIS_MODULE}"
        for file, text in read_all_files().items()
        if file != PRIVATE_APIS_MODULE
        for line, name in list_private_names(text, frozenset(own_private_names))
    ]
    assert faults == []


@pytest.mark.parametrize(
    ("text", "is_private_expected"),
    [
        ("from allauth.account.internal import flows", True),
        ("import django.db.models.sql.compiler", True),
        ("from endplay import _dds", True),
        ("rows._raw_delete(1)", True),
        ("throttle.begin(request._request)", True),
        ('getattr(request, "_cached_user", None)', True),
        ("from _typeshed.wsgi import WSGIApplication", False),
        ("from server import _anything", False),
        ("line._replace(x=1)", False),
        ("request.__class__", False),
    ],
)
def test_private_names_are_recognised(text: str, is_private_expected: bool) -> None:
    own_private_names = frozenset(list_own_private_names() | DOCUMENTED_PRIVATE_NAMES)
    assert bool(list(list_private_names(text, own_private_names))) is is_private_expected
