"""Read a document into an instance of the dataclass that declares its format."""

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

from server.json_reader.decoder import decode_json
from server.json_reader.problems import (
    JsonPath,
    Problems,
    UnreadableJson,
    format_problem,
    format_value,
)
from server.json_reader.values import (
    Reader,
    build_choice_reader,
    build_converting_reader,
    build_text_reader,
    build_whole_number_reader,
    read_anything,
    read_boolean,
    read_date,
    read_exact_number,
)
from server.translation import gettext_noop

Format = TypeVar("Format")


class JsonKey(str):
    """The JSON key of a field with another name: `Annotated[bool, JsonKey("member")]`."""

    __slots__ = ()


class JsonKeys(tuple[str, ...]):
    """Several JSON keys of one field, which stores their values unchanged; see `JsonKey`."""

    __slots__ = ()


def read_document(
    document: object,
    format_class: type[Format],
    error_class: type[UnreadableJson],
    *,
    format: str = "",
    path: str = "",
    should_ignore_unknown_keys: bool = False,
) -> Format:
    """Read a document, as text or data, into a dataclass; raise `error_class` for all problems.

    `format` is the required value of the key "format". `path` is the path of `document` in a
    larger one, e.g. "hand 3". With `should_ignore_unknown_keys`, unknown keys are ignored.
    """
    if isinstance(document, bytes | str):
        document = decode_json(document, error_class)
    if format and isinstance(document, Mapping):
        check_format(document, format, error_class)
        document = {key: value for key, value in document.items() if key != "format"}
    problems = Problems(error_class, should_ignore_unknown_keys=should_ignore_unknown_keys)
    type_hint: Any = format_class
    instance: Format = find_reader(type_hint)(document, JsonPath(path, problems))
    problems.raise_if_any()
    return instance


def check_format(
    document: Mapping[str, Any], format: str, error_class: type[UnreadableJson]
) -> None:
    """Raise `error_class` unless the document's key "format" has this value."""
    actual_format = document.get("format")
    if actual_format is None:
        raise error_class([format_problem("format", _("This is missing."))])
    if actual_format != format:
        message = _("this is %(written)s, but this program reads %(format)s.")
        raise error_class(
            [
                format_problem(
                    "format", message, written=format_value(actual_format), format=format
                )
            ]
        )


@cache
def find_reader(type_hint: Any) -> Reader:
    """Return the reader of a type: a dataclass, a list, a choice or a single value.

    If `type_hint` is already a reader, it is returned unchanged.
    """
    if isinstance(type_hint, types.FunctionType):
        return type_hint
    origin, args = get_origin(type_hint), get_args(type_hint)
    if origin is Annotated:
        return next((arg for arg in args[1:] if callable(arg)), None) or find_reader(args[0])
    if origin in (Union, types.UnionType):  # an optional type
        return find_reader(next(arg for arg in args if arg is not type(None)))
    return (
        _GENERIC_READERS[origin](args)
        if origin in _GENERIC_READERS
        else _find_class_reader(type_hint)
    )


def _find_class_reader(hint: Any) -> Reader:
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _build_object_reader(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return build_converting_reader(
            hint, build_choice_reader([member.value for member in hint])
        )
    return _SIMPLE_READERS[hint]


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a format; `default` is MISSING if the field's key is required."""

    name: str
    keys: tuple[str, ...]
    reader: Reader | None  # None: the value is stored unchanged
    default: Any

    def read(self, json_object: Mapping[str, Any], object_path: JsonPath) -> Any:
        if self.reader is None:
            return {
                key: json_object[key] for key in self.keys if json_object.get(key) is not None
            }
        value, value_path = (
            json_object.get(self.keys[0]),
            object_path.get_key_path(self.keys[0]),
        )
        is_empty = value is None
        if isinstance(self.default, str) and isinstance(value, str):
            is_empty = not value.strip()
        if not is_empty:
            return self.reader(value, value_path)
        return (
            value_path.report(_("This is missing."))
            if self.default is MISSING
            else self.default
        )


def map_keys_by_field(format_class: type[Any]) -> dict[str, str]:
    """Return the JSON key of each field, by the name of the field."""
    return {
        format_field.name: format_field.keys[0] for format_field in _list_fields(format_class)
    }


def _list_fields(format_class: Any) -> list[_Field]:
    hints = get_type_hints(format_class, include_extras=True)
    if not is_dataclass(format_class):  # a named tuple
        defaults = format_class._field_defaults
        return [
            _build_field(name, hints[name], defaults.get(name, MISSING))
            for name in format_class._fields
        ]
    return [
        _build_field(field.name, hints[field.name], _find_default(field))
        for field in fields(format_class)
    ]


def _find_default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _build_field(name: str, hint: Any, default: Any) -> _Field:
    value_type, *annotations = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    for annotation in annotations:
        if isinstance(annotation, JsonKeys):
            return _Field(name, tuple(annotation), None, MISSING)
    key = next(
        (str(annotation) for annotation in annotations if isinstance(annotation, JsonKey)), name
    )
    if default is MISSING and type(None) in get_args(value_type):
        default = None
    return _Field(name, (key,), find_reader(hint), default)


def _build_object_reader(format_class: Any) -> Reader:
    format_fields: list[_Field] = []

    def read_object(value: Any, json_path: JsonPath) -> Any:
        if not is_json_object(value, json_path):
            return None
        if not format_fields:  # resolved at the first read, since a format may contain itself
            format_fields.extend(_list_fields(format_class))
        problem_count = len(json_path.problems)
        values_by_field = {
            format_field.name: format_field.read(value, json_path)
            for format_field in format_fields
        }
        if not json_path.problems.should_ignore_unknown_keys:
            report_unknown_keys(
                value,
                [key for format_field in format_fields for key in format_field.keys],
                json_path,
            )
        return (
            None
            if len(json_path.problems) > problem_count
            else _build_instance(format_class, values_by_field, json_path)
        )

    return read_object


def _build_instance(
    format_class: Any, values_by_field: dict[str, Any], json_path: JsonPath
) -> Any:
    try:
        instance = format_class(**values_by_field)
    except ValueError as problem:  # raised by the class for an invalid combination of values
        return json_path.report(str(problem))
    if hasattr(instance, "validate"):
        instance.validate(json_path)
    return instance


def is_json_object(value: Any, json_path: JsonPath) -> bool:
    """Return whether a value is a JSON object; report a problem if it is not."""
    if isinstance(value, Mapping):
        return True
    json_path.report(_("%(shown)s isn’t a group in braces { }."), shown=format_value(value))
    return False


def report_unknown_keys(
    json_object: Mapping[str, Any], known_keys: Iterable[str], json_path: JsonPath
) -> None:
    """Report a problem for each key that the format does not have."""
    for key in json_object:
        if key in known_keys:
            continue
        if similar_keys := get_close_matches(key.lower(), known_keys, n=1):
            message = _("Unknown key. Did you mean %(key)s?")
            json_path.get_key_path(key).report(message, key=similar_keys[0])
        else:
            message = _("Unknown key. Choose from %(keys)s.")
            json_path.get_key_path(key).report(message, keys=", ".join(known_keys))


def report_duplicates(paths_and_values: Iterable[tuple[JsonPath, Hashable]]) -> None:
    """Report a problem for each duplicate value; empty values are ignored.

    Each item is a path in the document and the value there.
    """
    first_path_by_value: dict[Hashable, str] = {}
    for json_path, value in paths_and_values:
        if value and value in first_path_by_value:
            message = _("%(key)s appears twice, also at %(other)s.")
            json_path.report(message, key=format_value(value), other=first_path_by_value[value])
        first_path_by_value.setdefault(value, json_path.path)


def build_list_reader(
    item_type: Any,
    min_length: int = 0,
    max_length: int | None = None,
    build_collection: Callable[[Any], Any] = tuple,
) -> Reader:
    """Return a reader of a list with items of one type and a limited length."""
    read_item = find_reader(item_type)

    def read_list(value: Any, json_path: JsonPath) -> Any:
        if not isinstance(value, list | tuple):
            return json_path.report(
                _("%(shown)s isn’t a list in brackets [ ]."), shown=format_value(value)
            )
        if len(value) < min_length:
            return json_path.report(_("The list is empty. Add at least one."))
        if max_length is not None and len(value) > max_length:
            return json_path.report(
                _("The list is too long. Use at most %(most)s."), most=max_length
            )
        return build_collection(
            read_item(item, json_path.get_item_path(index)) for index, item in enumerate(value)
        )

    return read_list


def build_row_reader(*item_types: Any, description: str = "") -> Reader:
    """Return a reader of a list with a fixed length whose items have different types.

    `description` describes the list in an error message.
    """
    readers = [find_reader(item_type) for item_type in item_types]

    def read_row(value: Any, json_path: JsonPath) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(readers):
            message = (
                _(description)
                if description
                else _("%(shown)s isn’t a list of %(count)s items.")
            )
            return json_path.report(message, shown=format_value(value), count=len(readers))
        readers_and_items = enumerate(zip(readers, value, strict=True))
        return tuple(
            read_item(item, json_path.get_item_path(index))
            for index, (read_item, item) in readers_and_items
        )

    return read_row


def build_mapping_reader(value_type: Any, convert: Callable[[str], Any] = str) -> Reader:
    """Return a reader of an object with arbitrary keys, each passed to `convert`.

    `convert` raises ValueError for an invalid key.
    """
    read_value, read_key = (
        find_reader(value_type),
        build_converting_reader(convert, read_anything),
    )

    def read_mapping(value: Any, json_path: JsonPath) -> Any:
        if not is_json_object(value, json_path):
            return None
        paths_by_key = {key: json_path.get_key_path(key) for key in value}
        return {
            read_key(key, paths_by_key[key]): read_value(value[key], paths_by_key[key])
            for key in value
        }

    return read_mapping


_GENERIC_READERS: dict[Any, Callable[[Any], Reader]] = {
    Literal: build_choice_reader,
    Mapping: lambda args: build_mapping_reader(args[1]),
    dict: lambda args: build_mapping_reader(args[1]),
    list: lambda args: build_list_reader(args[0], build_collection=list),
    tuple: lambda args: (
        build_list_reader(args[0]) if args[-1] is Ellipsis else build_row_reader(*args)
    ),
}
_SIMPLE_READERS: dict[Any, Reader] = {
    Any: read_anything,
    bool: read_boolean,
    Date: read_date,
    Fraction: read_exact_number,
    int: build_whole_number_reader(),
    str: build_text_reader(),
    UUID: build_converting_reader(
        UUID, build_text_reader(40), gettext_noop("This isn’t a uid.")
    ),
}
