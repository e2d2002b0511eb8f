"""What Django works out anew for every question is worked out once, for the tests alone.

Half of the suite's time goes into questions, and most of that into putting them into SQL. What
is asked stays the same to the letter, and so does what comes back: `tests/test_questions.py`.
"""

from functools import wraps
from typing import Any

from django.db.models.expressions import BaseExpression, Col
from django.db.models.sql.compiler import SQLCompiler


def put_questions_sooner() -> None:
    """Stand in for four of Django's own ways; each keeps the one that it stands in for."""
    for name, quicker in (
        ("_order_by_pairs", _order_by_names),
        ("compile", _columns_at_once),
        ("get_select", _whole_rows_once),
        ("get_converters", _converters_once),
    ):
        own = getattr(SQLCompiler, name)
        setattr(SQLCompiler, name, wraps(own)(quicker(own)))
    BaseExpression.copy = _copy


def _order_by_names(own: Any) -> Any:
    """Compare the columns that are read with those that order them only where that can matter.

    Django describes every column of every ordered question, lest it is ordered by one of them;
    where it is ordered by the names of fields, and no column has a name of its own, none can be
    meant. That was a seventh of putting questions.
    """

    def pairs(self: Any) -> list[Any]:
        query, select = self.query, self.select
        meta = query.get_meta() if query.default_ordering else None
        wanted = query.order_by or (meta.ordering if meta else ())
        are_names = all(isinstance(field, str) for field in wanted)
        is_plain = are_names and not query.combinator and not query.extra_order_by
        if is_plain and select and not any(alias for _, _, alias in select):
            self.select = None
        try:
            return list(own(self))
        finally:
            self.select = select

    return pairs


def _columns_at_once(own: Any) -> Any:
    """Write a column's name without the way round by its expression."""

    def written(self: Any, node: Any) -> Any:
        if type(node) is not Col or not node.alias:
            return own(self, node)
        name = self.quote_name_unless_alias
        return f"{name(node.alias)}.{name(node.target.column)}", []

    return written


def _whole_rows_once(own: Any) -> Any:
    """Keep what all columns of a table are called where a question reads just them."""
    kept: dict[Any, Any] = {}

    def select(self: Any, with_col_aliases: bool = False) -> Any:
        query = self.query
        is_plain = (
            query.default_cols
            and query.selected is None
            and not (query.select_related or query.extra_select or query.annotation_select)
            and not with_col_aliases
            and query.deferred_loading == (frozenset(), True)
            and query.get_initial_alias() == query.model._meta.db_table
        )
        if not is_plain:
            return own(self, with_col_aliases)
        key = (query.model, self.connection.vendor)
        if key not in kept:
            kept[key] = own(self)
        columns, described, _none = kept[key]
        return list(columns), dict(described), {}

    return select


def _converters_once(own: Any) -> Any:
    """Keep with a field what turns its values into Python's."""

    def converters(self: Any, expressions: Any) -> Any:
        found, attribute = {}, f"_converters_of_{self.connection.vendor}"
        for place, each in enumerate(expressions):
            if type(each) is not Col or each.target is not each.output_field:
                return own(self, expressions)
            kept = each.target.__dict__.get(attribute)
            if kept is None:
                kept = self.connection.ops.get_db_converters(each)
                kept = kept + each.get_db_converters(self.connection)
                setattr(each.target, attribute, kept)
            if kept:
                found[place] = (kept, each)
        return found

    return converters


def _copy(self: Any) -> Any:
    new = object.__new__(type(self))
    new.__dict__.update(self.__getstate__())
    return new
