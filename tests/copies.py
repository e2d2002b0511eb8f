"""Evenings that are built once: whoever asks for the same one again has its rows copied.

To enter, seat and play an evening through the services takes hundreds of questions to the
database; to put down the same rows takes a dozen.
"""

from collections.abc import Callable, Hashable
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from django.apps import apps
from django.db import connection, transaction
from django.db.models import DateTimeField, Model
from django.utils import timezone
from django.utils.translation import get_language

from tests.rooms import ROOMS

Words = ParamSpec("Words")
Made = TypeVar("Made", bound="Model | tuple[Model, ...]")


@dataclass(frozen=True)
class Built:
    """What was put into an empty database, when, and what was asked for once it is safe."""

    rows: list[list[Model]]
    at: datetime
    asked: list[Callable[[], object]]


def built_once(build: Callable[Words, Made]) -> Callable[Words, Made]:
    """Let what fills an empty database do so once for the same words, and copy its rows after.

    The times in a copy are as if it had been built now. In a database that holds something
    already the rows would have other keys: there it is built as ever, and so it is for words
    that cannot be a key, such as a list.
    """
    kept: dict[Hashable, tuple[Built, Made]] = {}

    @wraps(build)
    def made(*args: Words.args, **options: Words.kwargs) -> Made:
        key = (args, *sorted(options.items()), get_language(), connection.in_atomic_block)
        if not (_is_hashable(key) and _is_empty()):
            return build(*args, **options)
        if key in kept:
            _put_down(kept[key][0])
        else:
            before = len(connection.run_on_commit)
            found = build(*args, **options)
            kept[key] = _built(before), found
        return _fresh(kept[key][1])

    return made


def _is_hashable(key: tuple[object, ...]) -> bool:
    try:
        hash(key)
    except TypeError:
        return False
    return True


@cache
def _models() -> list[type[Model]]:
    return [model for room in ROOMS for model in apps.get_app_config(room).get_models()]


def _is_empty() -> bool:
    tables = [connection.ops.quote_name(model._meta.db_table) for model in _models()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + " OR ".join(f"EXISTS (SELECT 1 FROM {t})" for t in tables))
        return not cursor.fetchone()[0]


def _built(before: int) -> Built:
    rows = [list(model._base_manager.all()) for model in _models()]
    asked = [act for _, act, _ in connection.run_on_commit[before:]]
    return Built([some for some in rows if some], timezone.now(), asked)


def _put_down(built: Built) -> None:
    later = timezone.now() - built.at
    with transaction.atomic():
        for rows in built.rows:
            type(rows[0])._base_manager.bulk_create([_moved(row, later) for row in rows])
    for act in built.asked:
        transaction.on_commit(act)


def _moved(row: Model, later: timedelta) -> Model:
    """Copy a row, with every time in it as much later."""
    moved = copy(row)
    for field in row._meta.concrete_fields:
        if isinstance(field, DateTimeField) and getattr(row, field.attname) is not None:
            setattr(moved, field.attname, getattr(row, field.attname) + later)
    return moved


def _fresh(made: Made) -> Made:
    """Read again what was made, as it stands in this test's database."""
    if isinstance(made, tuple):
        return tuple(_fresh(each) for each in made)
    return type(made)._base_manager.select_related().get(pk=made.pk)
