"""Text in a cell of a spreadsheet that no program takes for a formula, and back again."""

import re

_RUNS = re.compile("^'*\\s*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")
"""Matches the start of a formula, also after blanks, in full width, or guarded."""


def guarded(text: str) -> str:
    """Put an apostrophe before a text that a program might run; `unguarded` takes it off."""
    return f"'{text}" if _RUNS.match(text) else text


def unguarded(text: str) -> str:
    """Take off the apostrophe that `guarded`, or another program, put before a text."""
    return text[1:] if text.startswith("'") and _RUNS.match(text) else text
