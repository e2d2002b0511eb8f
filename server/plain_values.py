"""Converts attributes of an object to plain JSON values, for exported documents."""

from collections.abc import Sequence
from datetime import date as Date
from datetime import time
from fractions import Fraction
from operator import attrgetter
from typing import Any
from uuid import UUID


def pick_values(source: object, *attribute_names: str, **paths: str) -> dict[str, Any]:
    """Return a dict with the attributes `attribute_names` of an object as plain JSON values.

    `paths` adds keys with dotted attribute paths, e.g. `club="event.club.slug"`.
    """
    plain_values = {name: getattr(source, name) for name in attribute_names}
    plain_values |= {key: attrgetter(path)(source) for key, path in paths.items()}
    return {key: to_plain_value(value) for key, value in plain_values.items()}


def to_plain_value(value: Any) -> Any:
    """Convert an exact number, a date or a UUID to text, and a sequence to a list."""
    if isinstance(value, (Date, time)):
        return value.isoformat()
    if isinstance(value, (Fraction, UUID)):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [to_plain_value(item) for item in value]
    return value
