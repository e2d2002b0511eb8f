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


def serialize_value(field: models.Field[Any, Any], field_value: Any) -> Any:
    """Return a field's value as JSON: times in UTC with microseconds, bytes as base64."""
    match field_value:
        case None | bool() | int() | str():
            return field_value
        case datetime():
            return field_value.astimezone(UTC).isoformat(timespec="microseconds")
        case timedelta():
            return field_value // timedelta(microseconds=1)
        case Decimal():
            return format(field_value, "f")
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(bytes(field_value)).decode("ascii")
        case dict() | list() | float():
            return field_value
        case _:
            return (
                str(field_value)
                if not hasattr(field_value, "isoformat")
                else field_value.isoformat()
            )


def parse_value(field: models.Field[Any, Any], archive_value: Any) -> Any:
    """Return the field value that `serialize_value` has serialised.

    Raises BadArchive for an invalid value.
    """
    try:
        parsed_value = None if archive_value is None else _find_parser(field)(archive_value)
        if parsed_value is None and not field.null:
            raise ValueError
    except (ValueError, TypeError, OverflowError, ArithmeticError, ValidationError) as error:
        raise BadArchive.from_invalid_column(field.model._meta.label, field.name) from error
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


def _parse_datetime(archive_value: Any) -> datetime:
    parsed_datetime = parse_datetime(archive_value)
    if parsed_datetime is None or parsed_datetime.tzinfo is None:
        raise ValueError
    return parsed_datetime


def _parse_bool(archive_value: Any) -> bool:
    if not isinstance(archive_value, bool):
        raise TypeError
    return archive_value


def _parse_int(archive_value: Any) -> int:
    if not isinstance(archive_value, int) or isinstance(archive_value, bool):
        raise TypeError
    return archive_value


def _parse_text(archive_value: Any) -> str:
    if not isinstance(archive_value, str):
        raise TypeError
    return archive_value


def _parse_timedelta(archive_value: Any) -> timedelta:
    return timedelta(microseconds=_parse_int(archive_value))


def _parse_bytes(archive_value: Any) -> bytes:
    return base64.b64decode(archive_value, validate=True)


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
