"""The rows of a club, table by table, as an archive has them; and one number for all of them.

The number tells whether two clubs hold the same, wherever they lie. Keys are numbers of rows
there, and what a machine gives is left out: addresses, the club's own name, which login it was
(the name stands beside it), where a paper's file lies (what is in it counts).
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
"""What stands for a file that is there no more."""

Row = list[Any]


@contextmanager
def one_moment() -> Iterator[None]:
    """Read as it all was at one moment; whoever enters meanwhile waits for nothing."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:  # not `atomic`, which would keep writers out
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
    """A club about to be written down: its tables, and the numbers of all its rows."""

    club: Club
    known: ArchiveSchema
    tables: list[ArchivedModel]
    numbers: Numbers
    logins: dict[int, str]
    files: dict[str, Callable[[], File[Any]]]
    """What rows that were written speak of, by its SHA-256."""

    @classmethod
    def of(cls, club: Club, known: ArchiveSchema) -> "ArchiveSource":
        """Number every row, and every key that JSON alone still names."""
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
        """How many rows there are."""
        return sum(len(self.numbers.live(table.label)) for table in self.tables)

    def json_of(self, table: ArchivedModel) -> list[Any]:
        """The columns of a table in which keys may stand inside JSON."""
        return [
            field
            for field in table.fields
            if isinstance(field, models.JSONField)
            and (_is_back(table, field) or self.known.data.get(_name(table, field)))
        ]

    def rows(self, table: ArchivedModel) -> Iterator[Row]:
        """Write the rows of a table, the number of each first; none whose file is lost."""
        fields = table.fields
        ways = [self._way(table, field) for field in fields]
        for row in self._read(table, *(each.attname for each in fields)):
            found = [way(value) for way, value in zip(ways, row, strict=True)]
            if LOST not in found:
                yield found

    def _read(self, table: ArchivedModel, *columns: str) -> Iterator[tuple[Any, ...]]:
        """Read rows by their keys, some at a time: a join would be slower with every row."""
        for some in in_pieces(self.numbers.live(table.label)):
            rows = table.model._base_manager.filter(pk__in=some)
            yield from rows.order_by("pk").values_list(*columns)

    def _way(self, table: ArchivedModel, field: Any) -> Callable[[Any], Any]:
        """How the values of a column are written."""
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
        """How the values of a column are written that leads nowhere by a key."""
        if table.model is Act and field.name == "about":
            of = subjects(self.tables)
            return lambda value: subject_written(value, of, self.numbers)
        if (table.model, field.name) in ((Act, "club"), (Club, "moved_to")):
            return lambda _value: ""
        return lambda value: written(field, value)

    def _file(self, field: Any, name: str) -> dict[str, str] | str:
        """Write a file by what is in it and what it is called."""
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
    """The places of the columns that count when two clubs are compared."""
    left_out = {address_of(table.model)}
    if table.model is Club:
        left_out.add("name")
    return [
        place
        for place, field in enumerate(table.fields)
        if field.name not in left_out
        and not field.primary_key  # the rows stand in its order
        and not (is_login(pointed_to(field)) and field.null)
    ]


def line(row: Row) -> bytes:
    """Write a row as one line."""
    text = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{text}\n".encode("utf-8", "surrogatepass")


class Summing:
    """The digest of a table, row by row."""

    def __init__(self, table: ArchivedModel) -> None:
        self._places = counted(table)
        self._summed = hashlib.sha256()
        self._rows = 0

    def add(self, row: Row) -> None:
        """Take in a row."""
        told = [row[place] for place in self._places]
        self._summed.update(line([e["sha256"] if _is_file(e) else e for e in told]))
        self._rows += 1

    def done(self) -> TableDigest:
        """What it comes to."""
        return TableDigest(self._rows, self._summed.hexdigest())


def _is_file(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == LOST.keys()


def digest(club: Club, known: ArchiveSchema) -> Digest:
    """What a club holds, as one number a table: equal wherever the club lies."""
    found = {}
    with one_moment():
        reading = ArchiveSource.of(club, known)
        for table in reading.tables:
            summing = Summing(table)
            for row in reading.rows(table):
                summing.add(row)
            found[table.label] = summing.done()
    return Digest(found)
