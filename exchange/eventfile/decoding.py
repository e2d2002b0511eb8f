"""From the bytes of a file to plain data, with the line and column of what is wrong."""

import json
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from exchange.eventfile.errors import UnusableEventFile
from exchange.eventfile.shape import shown

MOST_DIGITS = 15


def decoded(document: bytes | str) -> Any:
    """Read JSON in UTF-8, with a byte order mark or without.

    Raises UnusableEventFile when the text is in another encoding, is not JSON, or says one
    key of a group twice.
    """
    text = _text(document) if isinstance(document, bytes) else document
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise UnusableEventFile([_("The file is empty.")])
    try:
        return json.loads(
            text, object_pairs_hook=_group, parse_constant=_strange, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise UnusableEventFile(
            [
                _("The file is not JSON: line %(line)s, column %(column)s: %(problem)s.")
                % {
                    "line": error.lineno,
                    "column": error.colno,
                    "problem": error.msg[:1].lower() + error.msg[1:],
                }
            ]
        ) from None
    except RecursionError:
        raise UnusableEventFile(
            [_("The file is not an event: its brackets stand too deep in each other.")]
        ) from None


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise UnusableEventFile(
            [
                _(
                    "The file is not UTF-8 text: line %(line)s, column %(column)s holds the "
                    "byte %(byte)s. Save it again with the encoding UTF-8."
                )
                % {"line": line, "column": column, "byte": f"{data[error.start]:02X}"}
            ]
        ) from None


def _group(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    group = dict(pairs)
    if len(group) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise UnusableEventFile(
            [
                _("The key %(key)s stands twice in one group; keep one of them.")
                % {"key": shown(twice)}
            ]
        )
    return group


def _strange(word: str) -> NoReturn:
    text = _("The file is not JSON: %(word)s is not a number in it.")
    raise UnusableEventFile([text % {"word": word}])


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        text = _("The number %(digits)s… is much too long.")
        raise UnusableEventFile([text % {"digits": digits[:MOST_DIGITS]}])
    return int(digits)
