"""Decoding of JSON text into plain data."""

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from django.utils.translation import gettext as _

from server.json_reader.problems import UnreadableJson, format_value

Number = TypeVar("Number", int, float)
MAX_DIGITS = 30
"""The maximum number of characters of a number."""


class _InvalidJson(Exception):
    """The text is not acceptable JSON; the message is a sentence."""


def decode_json(
    document: bytes | str, error_class: type[UnreadableJson] = UnreadableJson
) -> Any:
    """Decode JSON in UTF-8, with or without a byte order mark.

    Raises `error_class` for invalid JSON, and for NaN, infinite and very long numbers,
    duplicate keys in an object, and excessive nesting.
    """
    try:
        json_text = document if isinstance(document, str) else _decode_utf8(document)
        json_text = json_text.removeprefix("\ufeff")
        if not json_text.strip():
            raise _InvalidJson(_("The file is empty."))
        return json.loads(
            json_text,
            object_pairs_hook=_build_object,
            parse_constant=_reject_constant,
            parse_int=lambda digits: _parse_number(digits, int),
            parse_float=lambda digits: _parse_number(digits, float),
        )
    except json.JSONDecodeError as problem:
        message = _("The file isn’t JSON: line %(line)s, column %(column)s, %(problem)s.")
        reason = problem.msg[:1].lower() + problem.msg[1:]
        placeholders = {"line": problem.lineno, "column": problem.colno, "problem": reason}
        raise error_class([message % placeholders]) from None
    except RecursionError:
        raise error_class([_("The file’s brackets are nested too deeply.")]) from None
    except _InvalidJson as invalid_json:
        raise error_class([str(invalid_json)]) from None


def _decode_utf8(document: bytes) -> str:
    try:
        return document.decode("utf-8")
    except UnicodeDecodeError as problem:
        decoded_prefix = document[: problem.start].decode("utf-8")
        message = _(
            "The file isn’t UTF-8 text: line %(line)s, column %(column)s has the byte "
            "%(byte)s. Save it in UTF-8."
        )
        line_number, column_number = (
            decoded_prefix.count("\n") + 1,
            len(decoded_prefix) - decoded_prefix.rfind("\n"),
        )
        hex_byte = f"{document[problem.start]:02X}"
        raise _InvalidJson(
            message % {"line": line_number, "column": column_number, "byte": hex_byte}
        ) from None


def _build_object(keys_and_values: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in keys_and_values:
        if key in members:
            message = _("The key %(key)s appears twice in one group. Keep one.")
            raise _InvalidJson(message % {"key": format_value(key)})
        members[key] = value
    return members


def _reject_constant(constant_name: str) -> NoReturn:
    message = _("The file isn’t JSON: %(word)s isn’t a number.")
    raise _InvalidJson(message % {"word": constant_name})


def _parse_number(digits: str, convert: Callable[[str], Number]) -> Number:
    if len(digits) > MAX_DIGITS or not math.isfinite(number := convert(digits)):
        message = _("The number %(digits)s… is too long.")
        raise _InvalidJson(message % {"digits": digits[:15]})
    return number
