"""Parts that a release fixes permanently: its migrations, and the codes in rows."""

import ast
import hashlib
import re
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db.models import CharField, Field, TextField

from exchange.eventfile.exporter import EXPORTED_OPTIONS
from exchange.eventfile.reader import EVENT_FILE_FORMAT
from exchange.formats import map_formats_by_name
from hall.history.inverses import CLUB_INVERSES, INVERSES
from scoring.methods import map_methods_by_code
from scoring.methods.tie_breaks import TIE_BREAKS_BY_NAME
from scoring.papers import get_paper_kinds
from tests.rooms import ROOMS
from tournaments.movements import SYSTEMS_BY_NAME

ROOT = Path(__file__).resolve().parents[2]
DOTTED_CODE_PATTERN = re.compile(r"[a-z_]+\.[a-z_]+")


def digest_migrations() -> dict[str, str]:
    """Return the digest of each migration of our apps, by app and name.

    Line endings are normalised, so a digest is the same on every system.
    """
    return {
        name: hashlib.sha256(
            "\n".join(path.read_text("utf-8").splitlines()).encode()
        ).hexdigest()
        for name, path in list_migration_files().items()
    }


def find_lock_declarations() -> dict[str, bool]:
    """Return whether the docstring of each migration describes its lock, by app and name."""
    trees_by_name = {
        name: ast.parse(path.read_text("utf-8"))
        for name, path in list_migration_files().items()
    }
    return {
        name: "Lock:" in (ast.get_docstring(tree) or "") for name, tree in trees_by_name.items()
    }


def list_columns() -> dict[str, Field[Any, Any]]:
    """Return every column of the current tables, by table and name."""
    return {
        f"{model._meta.db_table}.{field.column}": field
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
    }


def can_be_omitted(field: Field[Any, Any]) -> bool:
    """Return whether the database fills a column that an INSERT leaves out."""
    return bool(field.null or field.has_db_default() or field.primary_key)


def list_migration_files() -> dict[str, Path]:
    paths = [path for room in ROOMS for path in (ROOT / room / "migrations").glob("[0-9]*.py")]
    return {f"{path.parts[-3]}.{path.stem}": path for path in sorted(paths)}


def list_stored_codes() -> dict[str, list[str]]:
    """Return every code that rows store and the program must still know, by kind.

    Choices of a field are found from the models, the actions of a history from where they get
    their titles.
    """
    actual = {
        "actions": list_dotted_codes(ROOT / "hall" / "history" / "act_words.py"),
        "board files": list(map_formats_by_name()),
        "event file": [EVENT_FILE_FORMAT],
        "inverses": [*INVERSES, *CLUB_INVERSES],
        "movement options": list(EXPORTED_OPTIONS),
        "methods": list(map_methods_by_code()),
        "movements": list(SYSTEMS_BY_NAME),
        "papers": list(get_paper_kinds()),
        "tie-breaks": list(TIE_BREAKS_BY_NAME),
    }
    actual |= {
        f"{model._meta.label_lower}.{field.name}": [str(value) for value, _ in field.choices]
        for room in ROOMS
        for model in apps.get_app_config(room).get_models()
        for field in model._meta.concrete_fields
        if _stores_codes(field)
    }
    return {name: sorted(set(codes)) for name, codes in sorted(actual.items())}


def _stores_codes(field: "Field[object, object]") -> bool:
    return bool(field.choices) and isinstance(field, CharField | TextField)


def list_dotted_codes(path: Path) -> list[str]:
    """Return every dotted code in a module: "entry.renamed"."""
    tree = ast.parse(path.read_text("utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [
        text for text in texts if isinstance(text, str) and DOTTED_CODE_PATTERN.fullmatch(text)
    ]
