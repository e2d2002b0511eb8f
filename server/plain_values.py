"""Attributes of an object as plain values of JSON, for documents that programs read."""

from collections.abc import Sequence
from datetime import date as Date
from datetime import time
from fractions import Fraction
from operator import attrgetter
from typing import Any
from uuid import UUID


def pick(source: object, *names: str, **paths: str) -> dict[str, Any]:
    """Return attributes by their names, then those of `paths`: a key, and its dotted path."""
    found = {name: getattr(source, name) for name in names}
    found |= {key: attrgetter(path)(source) for key, path in paths.items()}
    return {key: plain_value(value) for key, value in found.items()}


def plain_value(value: Any) -> Any:
    """Write an exact number, a date and a uid as text, and a sequence as a list."""
    if isinstance(value, (Date, time)):
        return value.isoformat()
    if isinstance(value, (Fraction, UUID)):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain_value(each) for each in value]
    return value
