"""Finds attributes that a template reads although the object does not have them.

Django renders a missing attribute as an empty text, so a renamed field would silently
disappear from a page. Keys of dictionaries and context variables may be missing.
"""

import logging
from dataclasses import is_dataclass

from django.template import VariableDoesNotExist

LOGGER = logging.getLogger("django.template")


class MissingAttributes(logging.Filter):
    """Collects the missing attributes of dataclasses and named tuples from Django's log."""

    def __init__(self) -> None:
        super().__init__()
        self.descriptions: list[str] = []

    def filter(self, record: logging.LogRecord) -> bool:
        """Collect a missing attribute, and do not log it. Let other records pass."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, VariableDoesNotExist):
            return True
        name, value = error.params
        if is_dataclass(value) or hasattr(value, "_fields"):
            description = f"{type(value).__name__} has no {name}"
            self.descriptions.append(f"{record.args[1]}: {description}")
        return False
