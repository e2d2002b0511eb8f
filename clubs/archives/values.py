"""Serialisation of column values in an archive, independent of the database."""

import base64
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.dateparse import parse_datetime

from clubs.archives.errors import BadArchive


def written(field: models.Field[Any, Any], value: Any) -> Any:
    """Return the JSON form of a value: times in UTC to the microsecond, bytes as base64."""
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


def read(field: models.Field[Any, Any], value: Any) -> Any:
    """Parse the output of `written`; raise BadArchive for a value invalid in the column."""
    try:
        found = None if value is None else _reader(field)(value)
        if found is None and not field.null:
            raise ValueError
    except (ValueError, TypeError, OverflowError, ArithmeticError, ValidationError) as error:
        raise BadArchive.row(field.model._meta.label, field.name) from error
    if isinstance(found, str) and field.max_length and len(found) > field.max_length:
        raise BadArchive.long(field.model._meta.label, field.name, found, field.max_length)
    return found


def _reader(field: models.Field[Any, Any]) -> Callable[[Any], Any]:
    for kind, reader in _READERS:
        if isinstance(field, kind):
            return reader
    return field.to_python


def _moment(value: Any) -> datetime:
    found = parse_datetime(value)
    if found is None or found.tzinfo is None:
        raise ValueError
    return found


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _span(value: Any) -> timedelta:
    return timedelta(microseconds=_whole(value))


def _bytes(value: Any) -> bytes:
    return base64.b64decode(value, validate=True)


def _as_it_is(value: Any) -> Any:
    return value


_READERS: tuple[tuple[type[models.Field[Any, Any]], Callable[[Any], Any]], ...] = (
    (models.JSONField, _as_it_is),
    (models.DateTimeField, _moment),
    (models.DurationField, _span),
    (models.BinaryField, _bytes),
    (models.BooleanField, _truth),
    (models.IntegerField, _whole),
    (models.CharField, _text),
    (models.TextField, _text),
)
