"""The rows of a club in the archive format, table by table, and a digest of each table.

The digests show whether two clubs have equal data on any machines. Keys are replaced by row
numbers, and values that depend on the machine are left out: slugs, the club's name, keys of
logins (their names count) and paths of papers (their content counts).
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import connection, models, transaction

from clubs.archives.known import (
    ArchivedModel,
    ArchiveSchema,
    in_pieces,
    is_login,
    keys_of,
    pointed_to,
    tables,
)
from clubs.archives.references import (
    Numbers,
    address_of,
    back_mended,
    mended,
    subject_written,
    subjects,
)
from clubs.archives.values import written
from clubs.models import Act, Club
from server.backups.digests import Digest, TableDigest
from server.models import User

LOST = {"sha256": "", "name": ""}
"""The placeholder for a missing file."""

Row = list[Any]


@contextmanager
def one_moment() -> Iterator[None]:
    """Read from one database snapshot, without blocking writers."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:  # not `atomic`, which would block writers
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """A club to be exported: its tables, and the numbers of all its rows."""

    club: Club
    known: ArchiveSchema
    tables: list[ArchivedModel]
    numbers: Numbers
    logins: dict[int, str]
    files: dict[str, Callable[[], File[Any]]]
    """The files of the rows written so far, by SHA-256."""

    @classmethod
    def of(cls, club: Club, known: ArchiveSchema) -> "ArchiveSource":
        """Number every row, and every key that only JSON still names."""
        carried, numbers = tables(known), Numbers()
        keys = keys_of(club, known, carried)
        for table in carried:
            numbers.put(table, keys.pop(table.label))
        logins = dict(User.objects.values_list("pk", "username"))
        reading = cls(club, known, carried, numbers, logins, {})
        for table in carried:
            for field in reading.json_of(table):
                for (value,) in reading._read(table, field.attname):
                    reading._mended(table, field, value, numbers.lose)
        numbers.settle()
        return reading

    def count(self) -> int:
        """Return the number of rows."""
        return sum(len(self.numbers.live(table.label)) for table in self.tables)

    def json_of(self, table: ArchivedModel) -> list[Any]:
        """Return the columns of a table with row keys inside JSON."""
        return [
            field
            for field in table.fields
            if isinstance(field, models.JSONField)
            and (_is_back(table, field) or self.known.data.get(_name(table, field)))
        ]

    def rows(self, table: ArchivedModel) -> Iterator[Row]:
        """Yield the rows of a table, each with its number first, except those of lost files."""
        fields = table.fields
        ways = [self._way(table, field) for field in fields]
        for row in self._read(table, *(each.attname for each in fields)):
            found = [way(value) for way, value in zip(ways, row, strict=True)]
            if LOST not in found:
                yield found

    def _read(self, table: ArchivedModel, *columns: str) -> Iterator[tuple[Any, ...]]:
        """Read rows by key in batches, because a join would slow down with every row."""
        for some in in_pieces(self.numbers.live(table.label)):
            rows = table.model._base_manager.filter(pk__in=some)
            yield from rows.order_by("pk").values_list(*columns)

    def _way(self, table: ArchivedModel, field: Any) -> Callable[[Any], Any]:
        """Return the function that serialises the values of a column."""
        label, to = table.label, pointed_to(field)
        if field.primary_key:
            return lambda value: self.numbers(label, value)
        if is_login(to):
            return lambda value: self.logins.get(value)
        if to is not None:
            target = to._meta.label
            return lambda value: self._key(target, value)
        if isinstance(field, models.FileField):
            return lambda value: self._file(field, value)
        if field in self.json_of(table):
            return lambda value: self._mended(table, field, value, self.numbers)
        return self._own_way(table, field)

    def _own_way(self, table: ArchivedModel, field: Any) -> Callable[[Any], Any]:
        """Return the function that serialises a column that is not a foreign key."""
        if table.model is Act and field.name == "about":
            of = subjects(self.tables)
            return lambda value: subject_written(value, of, self.numbers)
        if (table.model, field.name) in ((Act, "club"), (Club, "moved_to")):
            return lambda _value: ""
        return lambda value: written(field, value)

    def _file(self, field: Any, name: str) -> dict[str, str] | str:
        """Return the reference to a file: the digest of its content, and its name."""
        if not name:
            return ""
        try:
            with field.storage.open(name) as file:
                summed = hashlib.file_digest(file.file, "sha256").hexdigest()
        except FileNotFoundError:
            return LOST
        self.files[summed] = partial(field.storage.open, name)
        return {"sha256": summed, "name": Path(name).name}

    def _key(self, label: str, value: int | None) -> int | None:
        return self.numbers(label, value) if value and self.numbers.has(label, value) else None

    def _mended(self, table: ArchivedModel, field: Any, value: Any, change: Any) -> Any:
        if _is_back(table, field):
            return back_mended(value, self.known, change)
        return mended(value, self.known.data[_name(table, field)], change)


def _is_back(table: ArchivedModel, field: Any) -> bool:
    return table.model is Act and field.name == "back"


def _name(table: ArchivedModel, field: Any) -> str:
    return f"{table.label}.{field.name}"


def counted(table: ArchivedModel) -> list[int]:
    """Return the indexes of the columns that are part of the digest."""
    left_out = {address_of(table.model)}
    if table.model is Club:
        left_out.add("name")
    return [
        place
        for place, field in enumerate(table.fields)
        if field.name not in left_out
        and not field.primary_key  # already expressed by the order of the rows
        and not (is_login(pointed_to(field)) and field.null)
    ]


def line(row: Row) -> bytes:
    """Return a row as one line of JSON."""
    text = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{text}\n".encode("utf-8", "surrogatepass")


class Summing:
    """The digest of a table, updated row by row."""

    def __init__(self, table: ArchivedModel) -> None:
        self._places = counted(table)
        self._summed = hashlib.sha256()
        self._rows = 0

    def add(self, row: Row) -> None:
        """Add a row."""
        told = [row[place] for place in self._places]
        self._summed.update(line([e["sha256"] if _is_file(e) else e for e in told]))
        self._rows += 1

    def done(self) -> TableDigest:
        """Return the digest."""
        return TableDigest(self._rows, self._summed.hexdigest())


def _is_file(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == LOST.keys()


def digest(club: Club, known: ArchiveSchema) -> Digest:
    """Return a digest of each table of a club, which is equal on every machine."""
    found = {}
    with one_moment():
        reading = ArchiveSource.of(club, known)
        for table in reading.tables:
            summing = Summing(table)
            for row in reading.rows(table):
                summing.add(row)
            found[table.label] = summing.done()
    return Digest(found)
