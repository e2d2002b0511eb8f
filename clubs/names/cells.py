"""Text in spreadsheet cells, escaped so that no program runs it as a formula."""

import re

_FORMULA_PATTERN = re.compile("^'*\\s*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")
"""Matches the start of a formula, also after blanks, in full width, or behind apostrophes."""


def guard_formula(text: str) -> str:
    """Put an apostrophe before a text that a program might run as a formula."""
    return f"'{text}" if _FORMULA_PATTERN.match(text) else text


def unguard_formula(text: str) -> str:
    """Remove the apostrophe that `guard_formula`, or another program, put before a text."""
    return text[1:] if text.startswith("'") and _FORMULA_PATTERN.match(text) else text
