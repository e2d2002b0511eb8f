"""Readers of single values.

A reader takes a value and its place. It returns what it read, or reports a problem at the place
and returns None.
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
    JsonPlace,
    can_be_printed,
    format_value,
)
from server.translation import gettext_noop

Reader = Callable[[Any, JsonPlace], Any]
LARGEST_NUMBER = 10**6
NUMBER_PATTERN = re.compile(r"[+-]?[0-9]+(\.[0-9]+|/[0-9]+)?")


def text(
    longest: int = 200,
    least: int = 1,
    *,
    pattern: str = "",
    wanted: str = gettext_noop("text in quotes"),
    clean: Callable[[str], str] = str,
) -> Reader:
    """Return a reader of a single line of text; `wanted` describes the pattern in a message."""

    def read_text(value: Any, at: JsonPlace) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            words = _('%(value)s is a number. Write it as text in quotes: "%(value)s".')
            return at.report(words, value=format_value(value))
        tidy = clean(value) if isinstance(value, str) else None
        words = _("%(shown)s isn't %(wanted)s.")
        if tidy is not None:
            words = _wrong_length(value, tidy, longest, least) or (
                "" if re.search(pattern, tidy) else words
            )
        if words:
            return at.report(
                words, shown=format_value(value), longest=longest, wanted=_(wanted)
            )
        return tidy

    return read_text


def _wrong_length(value: str, tidy: str, longest: int, least: int) -> str:
    if not can_be_printed(value):
        return _("%(shown)s contains a character that can't be printed.")
    if least and not tidy.strip():
        return _("The text is empty.")
    if len(tidy) > longest:
        return _("%(shown)s is longer than %(longest)s characters. Shorten it.")
    return _("%(shown)s is too short.") if len(tidy) < least else ""


def whole_number(least: int = -LARGEST_NUMBER, most: int = LARGEST_NUMBER) -> Reader:
    """Return a reader of a whole number within limits."""

    def read_whole(value: Any, at: JsonPlace) -> Any:
        if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
            words = _("%(shown)s is text. Write the number without quotes: %(value)s.")
            return at.report(words, shown=format_value(value), value=value)
        if isinstance(value, bool) or not isinstance(value, int):
            return at.report(_("%(shown)s isn't a whole number."), shown=format_value(value))
        if least <= value <= most:
            return value
        words = _("%(value)s is out of range. Enter a whole number from %(least)s to %(most)s.")
        return at.report(words, value=format_value(value), least=least, most=most)

    return read_whole


def number_or_text(read_number: Reader, read_text: Reader) -> Reader:
    """Return a reader that reads a number with one reader, and anything else with another."""

    def read_either(value: Any, at: JsonPlace) -> Any:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return (read_number if is_number else read_text)(value, at)

    return read_either


def boolean(value: Any, at: JsonPlace) -> Any:
    """Read true or false."""
    if isinstance(value, bool):
        return value
    return at.report(_("%(shown)s isn't true or false."), shown=format_value(value))


def exact_number(value: Any, at: JsonPlace) -> Any:
    """Read an exact number: 3, 2.5 or "-5/2"."""
    fraction = parse_fraction(value)
    if fraction is None:
        words = _('%(shown)s isn\'t a number. Enter 3, 2.5 or, in quotes, "-5/2".')
        at.report(words, shown=format_value(value))
    return fraction


def parse_fraction(written: object) -> Fraction | None:
    """Convert 3, 2.5, "-5/2" or "61.25" to a fraction; return None for anything else."""
    if isinstance(written, float) and abs(written) < 10**MAX_DIGITS:
        return Fraction(Decimal(repr(written)))
    if isinstance(written, str):
        if len(written) > MAX_SHOWN_CHARACTERS or not NUMBER_PATTERN.fullmatch(written):
            return None
    elif isinstance(written, bool) or not isinstance(written, int | Fraction):
        return None
    try:
        return Fraction(written)
    except ZeroDivisionError:
        return None


def date_value(value: Any, at: JsonPlace) -> Any:
    """Read a date such as 2026-03-10."""
    try:
        found = Date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    if found is None or found.isoformat() != value:
        words = _("%(shown)s isn't a date. Enter it as 2026-03-10.")
        return at.report(words, shown=format_value(value))
    return found


def date_text(value: Any, at: JsonPlace) -> Any:
    """Read a date and return its text instead of a date object."""
    return None if date_value(value, at) is None else value


def choice(choices: Sequence[str]) -> Reader:
    """Return a reader of one of several words."""

    def read_choice(value: Any, at: JsonPlace) -> Any:
        if isinstance(value, str) and value in choices:
            return value
        words = _("%(shown)s isn't known. Enter %(choices)s.")
        listed = _(" or ").join(each for each in choices if each)
        return at.report(words, shown=format_value(value), choices=listed)

    return read_choice


def convert_with(convert: Callable[[Any], Any], inner: Reader, wrong: str = "") -> Reader:
    """Return a reader that reads a value and converts it.

    The problem is the message of a ValueError raised by `convert`, or `wrong` if given.
    """

    def read_parsed(value: Any, at: JsonPlace) -> Any:
        found = inner(value, at)
        try:
            return None if found is None else convert(found)
        except ValueError as problem:
            return at.report(_(wrong) if wrong else str(problem))

    return read_parsed


def known_code(find: Callable[[str], object]) -> Reader:
    """Return a reader of a code that `find` accepts without a ValueError."""

    def check(code: str) -> str:
        find(code)
        return code

    return convert_with(check, text())


def anything(value: Any, _at: JsonPlace) -> Any:
    """Return a value unchanged, without checks."""
    return value
