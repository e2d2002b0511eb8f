"""A question that is asked again and again is put into SQL once.

Django puts a question into SQL anew each time that it is asked. Of what an entry from a table's
phone costs that was more than half, and the database a fiftieth (docs/performance.md). What is
asked at every score, or for every page, is written as a function of its values, and only the
values change after the first time:

    @prepared
    def boards_of(session: int) -> QuerySet[Board]:
        return Board.objects.filter(session=session).order_by("number")

    for board in boards_of(7): ...

It answers with the rows that Django's own question, `boards_of.rows(7)`, would give.

PostgreSQL, on a line that is no pooler's, is told the question once too, and then its values
alone: it takes longer to plan what an entry asks than to find it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Generic, TypeVar, cast

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model, QuerySet
from django.db.models.query import BaseIterable
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")
Value = int | str | tuple[int, ...] | tuple[str, ...]
"""What a question is asked with; the length of a tuple is a part of the question."""
MOST, LARGEST = 100, 2**63 - 1
"""With more values, or a larger number than any key, Django's own question is asked: so a few
hundred lengths of a list are not kept, and no row is found by a number that none can have."""
FEW = 8
"""With more values no plan is kept: each length of a list would have one, of the hundred that a
line keeps."""
MARKS = (11_003, 131), (12_007, 173)
"""Where two sets of marks for values begin, and how far apart they are: a question that makes
another number of a value makes no mark of it. Small, for a column may hold no larger ones."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A question in SQL, and which of its parameters are the values that it is asked with."""

    model: type[Model]
    reader: type[BaseIterable[Any]]
    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]
    places: Mapping[int, int]  # which of the values a parameter is
    locks: bool
    converters: Mapping[int, Any]  # what makes Python's values of a column's

    def found_for(self, values: list[int | str]) -> list[tuple[Any, ...]]:
        """The rows with these values, as the database gives them."""
        with connection.cursor() as cursor:
            if len(values) <= FEW and _keeps_plans():
                values = _keep_in_mind(cursor, values)
            cursor.execute(self.sql, self.params_for(values))
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        width = self.compiler.col_count  # what it is sorted by may stand behind
        return [row[:width] for row in rows] if self.compiler.has_extra_select else rows

    def params_for(self, values: list[int | str]) -> tuple[Any, ...]:
        """The parameters, with these values in their places."""
        params = enumerate(self.params)
        return tuple(
            values[self.places[at]] if at in self.places else each for at, each in params
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Stands in for the question when its answer is read: it has its SQL already."""

    model: type[Model]
    compiler: SQLCompiler
    db: str = DEFAULT_DB_ALIAS
    _known_related_objects: Mapping[object, object] = field(default_factory=dict)

    @property
    def query(self) -> "_Asked":
        return self

    def get_compiler(self, *_using: object, **_more: object) -> SQLCompiler:
        return self.compiler


class Prepared(Generic[Row]):
    """A question by its values: whole numbers, texts, and tuples of them.

    Nothing else may be given, for None or a truth value would make another question of it:
    TypeError. What is fetched besides (`prefetch_related`) is left out.
    """

    def __init__(self, rows: Callable[..., QuerySet[Any, Row]]) -> None:
        self.rows = rows
        self._plans: dict[object, _Plan | None] = {}
        self.__doc__ = rows.__doc__

    def __call__(self, *values: Value) -> list[Row]:
        """The rows as they are now."""
        shape = (connection.vendor, *map(_shape, values))
        flat = list(_flat(values))
        if len(flat) > MOST or any(isinstance(it, int) and abs(it) > LARGEST for it in flat):
            return list(self.rows(*values))
        if shape not in self._plans:
            self._plans[shape] = self._planned(values)
        plan = self._plans[shape]
        if plan is None:
            return []
        if plan.locks and not connection.in_atomic_block:
            raise TransactionManagementError("rows can be locked inside a transaction alone")
        compiler = copy(plan.compiler)
        compiler.connection = connection  # each thread has its own
        found = plan.found_for(flat)
        vars(compiler)["execute_sql"] = lambda *_how, **_more: [found]
        vars(compiler)["get_converters"] = lambda _columns: plan.converters
        asked = _Asked(plan.model, compiler)
        return [*cast(Iterable[Row], plan.reader(cast(QuerySet[Any], asked)))]

    def first(self, *values: Value) -> Row | None:
        """The first of the rows, or None: for a question that asks for one row."""
        return next(iter(self(*values)), None)

    def _planned(self, values: tuple[Value, ...]) -> _Plan | None:
        """Put the question into SQL with marks for its values; None where no row can be meant.

        It is done twice, with other marks: a parameter that has followed them is a value, all
        others are the question's own.
        """
        asked = [self._compiled(_marks(values, *each)) for each in MARKS]
        if None in asked:
            return None
        (rows, compiler, sql, params), (_, _, again, others) = filter(None, asked)
        marks = [tuple(_flat(_marks(values, *each))) for each in MARKS]
        places = _places(list(zip(*marks, strict=True)), zip(params, others, strict=True))
        if sql != again or places is None:
            raise TypeError(f"{self.rows.__name__}: its values make another question of it")
        locks = rows.query.select_for_update
        columns = [each[0] for each in compiler.select]
        converters = compiler.get_converters(columns)
        reader = rows._iterable_class
        return _Plan(rows.model, reader, compiler, sql, params, places, locks, converters)

    def _compiled(
        self, values: Iterable[Value]
    ) -> tuple[QuerySet[Any, Row], SQLCompiler, str, tuple[Any, ...]] | None:
        rows = self.rows(*values)
        compiler = rows.query.get_compiler(DEFAULT_DB_ALIAS)
        try:
            sql, params = compiler.as_sql()
        except EmptyResultSet:
            return None
        return rows, compiler, sql, tuple(params)


def _keeps_plans() -> bool:
    """Whether the database keeps a plan; a log of questions would lack the words of those."""
    threshold = connection.settings_dict["OPTIONS"].get("prepare_threshold")
    return threshold is not None and not connection.queries_logged


def _keep_in_mind(cursor: CursorWrapper, values: list[int | str]) -> list[int | str]:
    """Have PostgreSQL keep the plan of what is asked here; give numbers one size.

    Else a small key and a large one are questions of two kinds, each with a plan of its own.
    """
    from psycopg import Cursor
    from psycopg.types.numeric import Int8

    cursor.cursor = Cursor(connection.connection)
    return [Int8(each) if isinstance(each, int) else each for each in values]


def prepared(rows: Callable[..., QuerySet[Any, Row]]) -> Prepared[Row]:
    """Have a question, written as a function of its values, put into SQL once."""
    return Prepared(rows)


def _places(
    marks: Sequence[tuple[object, object]], params: Iterable[tuple[object, object]]
) -> Mapping[int, int] | None:
    """Which value each parameter is; None where one is made of a value, or a value is none."""
    places = {}
    for at, both in enumerate(params):
        if both in marks:
            places[at] = marks.index(both)
        elif (
            isinstance(both[0], int | str) and both[0] != both[1]
        ):  # JSON is made anew each time
            return None
    return places if {*places.values()} == {*range(len(marks))} else None


def _shape(value: Value) -> object:
    """What of a value belongs to the question: whether it is a text, and how many there are."""
    if isinstance(value, tuple):
        return tuple(map(_shape, value))
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError(f"a question cannot be asked with {value!r}")
    return isinstance(value, int)


def _flat(values: Iterable[Value]) -> Iterator[int | str]:
    for value in values:
        if isinstance(value, tuple):
            yield from value
        else:
            yield value


def _marks(values: Iterable[Value], first: int, apart: int) -> Iterator[Value]:
    """Values of the same shape that nothing else in a question is like."""
    numbers = count(first, apart)
    for value in values:
        if isinstance(value, tuple):
            yield cast(Value, tuple(_mark(each, next(numbers)) for each in value))
        else:
            yield _mark(value, next(numbers))


def _mark(value: int | str, number: int) -> int | str:
    return number if isinstance(value, int) else f"~{number}"
