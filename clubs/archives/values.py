"""The serialisation of column values in an archive, independent of the database."""

import base64
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.dateparse import parse_datetime

from clubs.archives.errors import BadArchive


def serialize_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Return a field's value as JSON: times in UTC with microseconds, bytes as base64."""
    match value:
        case None | bool() | int() | str():
            return value
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        case timedelta():
            return value // timedelta(microseconds=1)
        case Decimal():
            return format(value, "f")
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(bytes(value)).decode("ascii")
        case dict() | list() | float():
            return value
        case _:
            return str(value) if not hasattr(value, "isoformat") else value.isoformat()


def parse_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Return the field value that `serialize_value` has serialised.

    Raises BadArchive for an invalid value.
    """
    try:
        parsed_value = None if value is None else _find_parser(field)(value)
        if parsed_value is None and not field.null:
            raise ValueError
    except (ValueError, TypeError, OverflowError, ArithmeticError, ValidationError) as error:
        raise BadArchive.from_value(field.model._meta.label, field.name) from error
    if (
        isinstance(parsed_value, str)
        and field.max_length
        and len(parsed_value) > field.max_length
    ):
        raise BadArchive.from_long_text(
            field.model._meta.label, field.name, parsed_value, field.max_length
        )
    return parsed_value


def _find_parser(field: models.Field[Any, Any]) -> Callable[[Any], Any]:
    for field_class, parse in _PARSERS:
        if isinstance(field, field_class):
            return parse
    return field.to_python


def _parse_datetime(value: Any) -> datetime:
    parsed_datetime = parse_datetime(value)
    if parsed_datetime is None or parsed_datetime.tzinfo is None:
        raise ValueError
    return parsed_datetime


def _parse_bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _parse_int(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _parse_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _parse_timedelta(value: Any) -> timedelta:
    return timedelta(microseconds=_parse_int(value))


def _parse_bytes(value: Any) -> bytes:
    return base64.b64decode(value, validate=True)


def _return_unchanged(value: Any) -> Any:
    return value


_PARSERS: tuple[tuple[type[models.Field[Any, Any]], Callable[[Any], Any]], ...] = (
    (models.JSONField, _return_unchanged),
    (models.DateTimeField, _parse_datetime),
    (models.DurationField, _parse_timedelta),
    (models.BinaryField, _parse_bytes),
    (models.BooleanField, _parse_bool),
    (models.IntegerField, _parse_int),
    (models.CharField, _parse_text),
    (models.TextField, _parse_text),
)
