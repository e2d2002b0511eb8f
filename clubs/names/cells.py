"""The escaping of spreadsheet cells that a program could otherwise run as formulas."""

import re

_FORMULA_PATTERN = re.compile("^'*\\s*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")
"""The start of a formula, including full-width characters and leading apostrophes."""


def guard_formula(cell_text: str) -> str:
    """Return the text with an apostrophe before it if a program might run it as a formula."""
    return f"'{cell_text}" if _FORMULA_PATTERN.match(cell_text) else cell_text


def unguard_formula(cell_text: str) -> str:
    """Return the text without the apostrophe that protects it from being run as a formula."""
    return (
        cell_text[1:]
        if cell_text.startswith("'") and _FORMULA_PATTERN.match(cell_text)
        else cell_text
    )
