"""Readers of values that several file formats of drives share."""

import re
from typing import Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.play_forms.ties import TIES_TERM, TieRule
from server.json_reader.formats import find_reader
from server.json_reader.problems import JsonPlace, Problems

FORMAT_VERSION = 1


def read_version(value: Any, at: JsonPlace) -> Any:
    """Read the version of a format."""
    return (
        value if value == FORMAT_VERSION else at.report(_("this program reads version 1 only."))
    )


def read_secret(value: Any, at: JsonPlace) -> Any:
    """Read a secret in hexadecimal digits, of any length."""
    if isinstance(value, str) and re.fullmatch(r"(?:[0-9a-fA-F]{2})+", value):
        return bytes.fromhex(value)
    return at.report(_("a secret needs an even number of digits 0-9 and a-f."))


def parse_hex_bytes(text: str, place: str) -> bytes:
    """Read a secret in hexadecimal digits, given the place for errors."""
    problems = Problems(UnreadableDrive)
    secret: bytes = read_secret(text, JsonPlace(place, problems))
    problems.raise_if_any()
    return secret


def read_terms(value: Any, at: JsonPlace) -> Any:
    """Read the terms of a form unchecked, except the tie rule."""
    terms = find_reader(dict[str, Any])(value, at)
    if terms and terms.get(TIES_TERM) is not None:
        find_reader(TieRule)(terms[TIES_TERM], at.key(TIES_TERM))
    return terms
