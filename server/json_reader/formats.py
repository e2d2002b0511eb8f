"""Read a document into the dataclass that declares its format."""

import types
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import date as Date
from difflib import get_close_matches
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from django.utils.translation import gettext as _

from server.json_reader.decoding import decode
from server.json_reader.problems import (
    JsonPlace,
    Problems,
    UnreadableJson,
    said,
    shown,
)
from server.json_reader.values import (
    Reader,
    anything,
    choice,
    day,
    flag,
    number,
    parsed,
    text,
    whole,
)
from server.translation import gettext_noop

Format = TypeVar("Format")


class Key(str):
    """The key of a field, in the field's annotation."""

    __slots__ = ()


class Keys(tuple[str, ...]):
    """Several keys, in the annotation of the field that stores their values unchanged."""

    __slots__ = ()


def read(
    document: object,
    of: type[Format],
    error: type[UnreadableJson],
    *,
    format: str = "",
    at: str = "",
    other_keys: bool = False,
) -> Format:
    """Read a document, or its data; raise `error` with every problem.

    `format` is the required value of its key "format". `at` is the place of data that are a
    part of something, such as "hand 3". With `other_keys` unknown keys are ignored, not
    refused.
    """
    if isinstance(document, bytes | str):
        document = decode(document, error)
    if format and isinstance(document, Mapping):
        check_format(document, format, error)
        document = {key: value for key, value in document.items() if key != "format"}
    problems = Problems(error, other_keys=other_keys)
    hint: Any = of
    found: Format = reader_of(hint)(document, JsonPlace(at, problems))
    problems.refuse()
    return found


def check_format(document: Mapping[str, Any], format: str, error: type[UnreadableJson]) -> None:
    """Raise `error` unless a document is of a format."""
    written = document.get("format")
    if written is None:
        raise error([said("format", _("This is missing."))])
    if written != format:
        words = _("this is %(written)s; this program reads %(format)s.")
        raise error([said("format", words, written=shown(written), format=format)])


@cache
def reader_of(hint: Any) -> Reader:
    """Return the reader of a type: a dataclass, a list, a choice or a single value.

    A reader is returned unchanged.
    """
    if isinstance(hint, types.FunctionType):
        return hint
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return next((each for each in args[1:] if callable(each)), None) or reader_of(args[0])
    if origin in (Union, types.UnionType):  # an optional type
        return reader_of(next(each for each in args if each is not type(None)))
    return _NESTED[origin](args) if origin in _NESTED else _reader_of_class(hint)


def _reader_of_class(hint: Any) -> Reader:
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _group_of(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return parsed(hint, choice([each.value for each in hint]))
    return _SINGLE[hint]


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a format; `default` is MISSING if its key is required."""

    name: str
    keys: tuple[str, ...]
    reader: Reader | None  # None: values are taken unchanged
    default: Any

    def read(self, group: Mapping[str, Any], at: JsonPlace) -> Any:
        if self.reader is None:
            return {key: group[key] for key in self.keys if group.get(key) is not None}
        value, at = group.get(self.keys[0]), at.key(self.keys[0])
        is_empty = value is None
        if isinstance(self.default, str) and isinstance(value, str):
            is_empty = not value.strip()
        if not is_empty:
            return self.reader(value, at)
        return at.fault(_("This is missing.")) if self.default is MISSING else self.default


def _fields_of(of: Any) -> list[_Field]:
    hints = get_type_hints(of, include_extras=True)
    if not is_dataclass(of):  # a named tuple
        defaults = of._field_defaults
        return [
            _field_of(name, hints[name], defaults.get(name, MISSING)) for name in of._fields
        ]
    return [_field_of(it.name, hints[it.name], _default_of(it)) for it in fields(of)]


def _default_of(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _field_of(name: str, hint: Any, default: Any) -> _Field:
    plain, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    for extra in extras:
        if isinstance(extra, Keys):
            return _Field(name, tuple(extra), None, MISSING)
    key = next((str(extra) for extra in extras if isinstance(extra, Key)), name)
    if default is MISSING and type(None) in get_args(plain):
        default = None
    return _Field(name, (key,), reader_of(hint), default)


def _group_of(of: Any) -> Reader:
    known: list[_Field] = []

    def read_group(value: Any, at: JsonPlace) -> Any:
        if not is_group(value, at):
            return None
        if not known:  # resolved lazily: a format may contain itself
            known.extend(_fields_of(of))
        before = len(at.problems)
        found = {field.name: field.read(value, at) for field in known}
        if not at.problems.other_keys:
            refuse_unknown(value, [key for field in known for key in field.keys], at)
        return None if len(at.problems) > before else _made(of, found, at)

    return read_group


def _made(of: Any, found: dict[str, Any], at: JsonPlace) -> Any:
    try:
        whole = of(**found)
    except ValueError as problem:  # the class refuses this combination of values
        return at.fault(str(problem))
    if hasattr(whole, "check"):
        whole.check(at)
    return whole


def is_group(value: Any, at: JsonPlace) -> bool:
    """Return whether a value is a JSON object; if not, report it."""
    if isinstance(value, Mapping):
        return True
    at.fault(_("%(shown)s is not a group in braces { }."), shown=shown(value))
    return False


def refuse_unknown(value: Mapping[str, Any], known: Iterable[str], at: JsonPlace) -> None:
    """Report the keys that a format does not have."""
    for key in value:
        if key in known:
            continue
        if near := get_close_matches(key.lower(), known, n=1):
            words = _("There is no such key here; did you mean %(key)s?")
            at.key(key).fault(words, key=near[0])
        else:
            words = _("There is no such key here; there are %(keys)s.")
            at.key(key).fault(words, keys=", ".join(known))


def check_unique(values: Iterable[tuple[JsonPlace, Hashable]]) -> None:
    """Report every duplicate value; empty ones don't count."""
    seen: dict[Hashable, str] = {}
    for at, value in values:
        if value and value in seen:
            words = _("%(key)s stands twice; it is at %(other)s too.")
            at.fault(words, key=shown(value), other=seen[value])
        seen.setdefault(value, at.path)


def list_of(
    of: Any, least: int = 0, most: int | None = None, kind: Callable[[Any], Any] = tuple
) -> Reader:
    """Read a list of items of one type."""
    inner = reader_of(of)

    def read_list(value: Any, at: JsonPlace) -> Any:
        if not isinstance(value, list | tuple):
            return at.fault(_("%(shown)s is not a list in brackets [ ]."), shown=shown(value))
        if len(value) < least:
            return at.fault(_("The list is empty; it needs at least one."))
        if most is not None and len(value) > most:
            return at.fault(_("The list is too long; it has at most %(most)s."), most=most)
        return kind(inner(each, at.item(place)) for place, each in enumerate(value))

    return read_list


def row_of(*of: Any, wanted: str = "") -> Reader:
    """Read a list of fixed length whose items have different types; `wanted` describes it."""
    readers = [reader_of(each) for each in of]

    def read_row(value: Any, at: JsonPlace) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(readers):
            words = _(wanted) if wanted else _("%(shown)s is not a list of %(count)s.")
            return at.fault(words, shown=shown(value), count=len(readers))
        items = enumerate(zip(readers, value, strict=True))
        return tuple(inner(each, at.item(place)) for place, (inner, each) in items)

    return read_row


def mapping_of(of: Any, convert: Callable[[str], Any] = str) -> Reader:
    """Read an object with any keys; `convert` converts them or raises ValueError."""
    inner, read_key = reader_of(of), parsed(convert, anything)

    def read_mapping(value: Any, at: JsonPlace) -> Any:
        if not is_group(value, at):
            return None
        places = {key: at.key(key) for key in value}
        return {read_key(key, places[key]): inner(value[key], places[key]) for key in value}

    return read_mapping


_NESTED: dict[Any, Callable[[Any], Reader]] = {
    Literal: choice,
    Mapping: lambda args: mapping_of(args[1]),
    dict: lambda args: mapping_of(args[1]),
    list: lambda args: list_of(args[0], kind=list),
    tuple: lambda args: list_of(args[0]) if args[-1] is Ellipsis else row_of(*args),
}
_SINGLE: dict[Any, Reader] = {
    Any: anything,
    bool: flag,
    Date: day,
    Fraction: number,
    int: whole(),
    str: text(),
    UUID: parsed(UUID, text(40), gettext_noop("This is not a uid.")),
}
