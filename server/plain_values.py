"""Attributes of an object as plain JSON values, for documents that other programs read."""

from collections.abc import Sequence
from datetime import date as Date
from datetime import time
from fractions import Fraction
from operator import attrgetter
from typing import Any
from uuid import UUID


def pick(source: object, *names: str, **paths: str) -> dict[str, Any]:
    """Return attributes by name, then those of `paths`, which maps keys to dotted paths."""
    found = {name: getattr(source, name) for name in names}
    found |= {key: attrgetter(path)(source) for key, path in paths.items()}
    return {key: plain_value(value) for key, value in found.items()}


def plain_value(value: Any) -> Any:
    """Convert an exact number, a date or a uid to text, and a sequence to a list."""
    if isinstance(value, (Date, time)):
        return value.isoformat()
    if isinstance(value, (Fraction, UUID)):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain_value(each) for each in value]
    return value
