"""Decoding of JSON text into plain data."""

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from django.utils.translation import gettext as _

from server.json_reader.problems import UnreadableJson, format_value

Number = TypeVar("Number", int, float)
MAX_DIGITS = 30


class _InvalidJson(Exception):
    """The text is not acceptable JSON; the message is a sentence."""


def decode_json(document: bytes | str, error: type[UnreadableJson] = UnreadableJson) -> Any:
    """Decode JSON in UTF-8, with or without a byte order mark; raise `error`.

    NaN, infinite and very long numbers, duplicate keys in an object, and excessive nesting are
    refused.
    """
    try:
        text = document if isinstance(document, str) else _decode_utf8(document)
        text = text.removeprefix("\ufeff")
        if not text.strip():
            raise _InvalidJson(_("The file is empty."))
        return json.loads(
            text,
            object_pairs_hook=_build_object,
            parse_constant=_refuse_constant,
            parse_int=lambda digits: _parse_number(digits, int),
            parse_float=lambda digits: _parse_number(digits, float),
        )
    except json.JSONDecodeError as problem:
        message = _("The file isn't JSON: line %(line)s, column %(column)s, %(problem)s.")
        reason = problem.msg[:1].lower() + problem.msg[1:]
        place = {"line": problem.lineno, "column": problem.colno, "problem": reason}
        raise error([message % place]) from None
    except RecursionError:
        raise error([_("The file's brackets are nested too deeply.")]) from None
    except _InvalidJson as refused:
        raise error([str(refused)]) from None


def _decode_utf8(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        text_before = data[: problem.start].decode("utf-8")
        message = _(
            "The file isn't UTF-8 text: line %(line)s, column %(column)s "
            "has the byte %(byte)s. Save it in UTF-8."
        )
        line, column = text_before.count("\n") + 1, len(text_before) - text_before.rfind("\n")
        byte = f"{data[problem.start]:02X}"
        raise _InvalidJson(message % {"line": line, "column": column, "byte": byte}) from None


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            message = _("The key %(key)s appears twice in one group. Keep one.")
            raise _InvalidJson(message % {"key": format_value(key)})
        members[key] = value
    return members


def _refuse_constant(word: str) -> NoReturn:
    message = _("The file isn't JSON: %(word)s isn't a number.")
    raise _InvalidJson(message % {"word": word})


def _parse_number(digits: str, convert: Callable[[str], Number]) -> Number:
    if len(digits) > MAX_DIGITS or not math.isfinite(number := convert(digits)):
        message = _("The number %(digits)s… is too long.")
        raise _InvalidJson(message % {"digits": digits[:15]})
    return number
