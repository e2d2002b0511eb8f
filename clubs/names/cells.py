"""The escaping of spreadsheet cells that a program could otherwise run as formulas."""

import re

_FORMULA_PATTERN = re.compile("^'*\\s*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")
"""The start of a formula, including full-width characters and leading apostrophes."""


def guard_formula(text: str) -> str:
    """Return the text with an apostrophe before it if a program might run it as a formula."""
    return f"'{text}" if _FORMULA_PATTERN.match(text) else text


def unguard_formula(text: str) -> str:
    """Return the text without the apostrophe that protects it from being run as a formula."""
    return text[1:] if text.startswith("'") and _FORMULA_PATTERN.match(text) else text
