"""Readers of single values, and functions such as `build_text_reader` that return a reader.

A reader is a function of a value and its path. It returns the checked value, or reports a
problem at the path and returns None.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date as Date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from server.json_reader.decoder import MAX_DIGITS
from server.json_reader.problems import (
    MAX_SHOWN_CHARACTERS,
    JsonPath,
    can_be_printed,
    format_value,
)
from server.translation import gettext_noop

Reader = Callable[[Any, JsonPath], Any]
LARGEST_NUMBER = 10**6
NUMBER_PATTERN = re.compile(r"[+-]?[0-9]+(\.[0-9]+|/[0-9]+)?")


def build_text_reader(
    max_length: int = 200,
    min_length: int = 1,
    *,
    pattern: str = "",
    description: str = gettext_noop("text in quotes"),
    clean_text: Callable[[str], str] = str,
) -> Reader:
    """Return a reader of a single line of text.

    `description` describes `pattern` in an error message.
    """

    def read_text(value: Any, json_path: JsonPath) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            message = _('%(value)s is a number. Write it as text in quotes: "%(value)s".')
            return json_path.report(message, value=format_value(value))
        cleaned_text = clean_text(value) if isinstance(value, str) else None
        message = _("%(shown)s isn’t %(wanted)s.")
        if cleaned_text is not None:
            message = _find_length_problem(value, cleaned_text, max_length, min_length) or (
                "" if re.search(pattern, cleaned_text) else message
            )
        if message:
            return json_path.report(
                message, shown=format_value(value), longest=max_length, wanted=_(description)
            )
        return cleaned_text

    return read_text


def _find_length_problem(
    value: str, cleaned_text: str, max_length: int, min_length: int
) -> str:
    if not can_be_printed(value):
        return _("%(shown)s contains a character that can’t be printed.")
    if min_length and not cleaned_text.strip():
        return _("The text is empty.")
    if len(cleaned_text) > max_length:
        return _("%(shown)s is longer than %(longest)s characters. Shorten it.")
    return _("%(shown)s is too short.") if len(cleaned_text) < min_length else ""


def build_whole_number_reader(
    minimum: int = -LARGEST_NUMBER, maximum: int = LARGEST_NUMBER
) -> Reader:
    """Return a reader of a whole number within limits."""

    def read_whole_number(value: Any, json_path: JsonPath) -> Any:
        if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
            message = _("%(shown)s is text. Write the number without quotes: %(value)s.")
            return json_path.report(message, shown=format_value(value), value=value)
        if isinstance(value, bool) or not isinstance(value, int):
            return json_path.report(
                _("%(shown)s isn’t a whole number."), shown=format_value(value)
            )
        if minimum <= value <= maximum:
            return value
        message = _(
            "%(value)s is out of range. Enter a whole number from %(least)s to %(most)s."
        )
        return json_path.report(message, value=format_value(value), least=minimum, most=maximum)

    return read_whole_number


def build_number_or_text_reader(read_number: Reader, read_text: Reader) -> Reader:
    """Return a reader that uses `read_number` for numbers and `read_text` for other values."""

    def read_number_or_text(value: Any, json_path: JsonPath) -> Any:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return (read_number if is_number else read_text)(value, json_path)

    return read_number_or_text


def read_boolean(value: Any, json_path: JsonPath) -> Any:
    """Read true or false."""
    if isinstance(value, bool):
        return value
    return json_path.report(_("%(shown)s isn’t true or false."), shown=format_value(value))


def read_exact_number(value: Any, json_path: JsonPath) -> Any:
    """Read an exact number: 3, 2.5 or "-5/2"."""
    fraction = parse_fraction(value)
    if fraction is None:
        message = _('%(shown)s isn’t a number. Enter 3, 2.5 or, in quotes, "-5/2".')
        json_path.report(message, shown=format_value(value))
    return fraction


def parse_fraction(value: object) -> Fraction | None:
    """Convert 3, 2.5, "-5/2" or "61.25" to a fraction; return None for anything else."""
    if isinstance(value, float) and abs(value) < 10**MAX_DIGITS:
        return Fraction(Decimal(repr(value)))
    if isinstance(value, str):
        if len(value) > MAX_SHOWN_CHARACTERS or not NUMBER_PATTERN.fullmatch(value):
            return None
    elif isinstance(value, bool) or not isinstance(value, int | Fraction):
        return None
    try:
        return Fraction(value)
    except ZeroDivisionError:
        return None


def read_date(value: Any, json_path: JsonPath) -> Any:
    """Read a date such as 2026-03-10."""
    try:
        parsed_date = Date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        parsed_date = None
    if parsed_date is None or parsed_date.isoformat() != value:
        message = _("%(shown)s isn’t a date. Enter it as 2026-03-10.")
        return json_path.report(message, shown=format_value(value))
    return parsed_date


def read_date_text(value: Any, json_path: JsonPath) -> Any:
    """Read a date and return its text instead of a date object."""
    return None if read_date(value, json_path) is None else value


def build_choice_reader(choices: Sequence[str]) -> Reader:
    """Return a reader that accepts only the texts in `choices`."""

    def read_choice(value: Any, json_path: JsonPath) -> Any:
        if isinstance(value, str) and value in choices:
            return value
        message = _("%(shown)s isn’t known. Enter %(choices)s.")
        allowed_values = _(" or ").join(value for value in choices if value)
        return json_path.report(message, shown=format_value(value), choices=allowed_values)

    return read_choice


def build_converting_reader(
    convert: Callable[[Any], Any], read_value: Reader, message: str = ""
) -> Reader:
    """Return a reader that reads a value and then converts it.

    If `convert` raises ValueError, the problem is `message`, or else the text of the error.
    """

    def read_and_convert(value: Any, json_path: JsonPath) -> Any:
        unconverted_value = read_value(value, json_path)
        try:
            return None if unconverted_value is None else convert(unconverted_value)
        except ValueError as error:
            return json_path.report(_(message) if message else str(error))

    return read_and_convert


def build_known_code_reader(check_code: Callable[[str], object]) -> Reader:
    """Return a reader of codes; `check_code` raises ValueError for an unknown code."""

    def check(code: str) -> str:
        check_code(code)
        return code

    return build_converting_reader(check, build_text_reader())


def read_anything(value: Any, _json_path: JsonPath) -> Any:
    """Accept any value, and return it unchanged."""
    return value
