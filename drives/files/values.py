"""Readers of values that several file formats of drives share."""

import re
from typing import Any

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.play_forms.ties import TIES_TERM, TieRule
from server.json_reader.formats import find_reader
from server.json_reader.problems import JsonPath, Problems

FORMAT_VERSION = 1


def read_version(value: Any, json_path: JsonPath) -> Any:
    """Read the version of a format."""
    return (
        value if value == FORMAT_VERSION else json_path.report(_("only version 1 can be read."))
    )


def read_secret(value: Any, json_path: JsonPath) -> Any:
    """Read a secret in hexadecimal digits, of any length."""
    if isinstance(value, str) and re.fullmatch(r"(?:[0-9a-fA-F]{2})+", value):
        return bytes.fromhex(value)
    return json_path.report(_("enter the secret as an even number of digits 0–9 and a–f."))


def parse_hex_bytes(hex_text: str, source_name: str) -> bytes:
    """Read a secret in hexadecimal digits.

    Raises UnreadableDrive, whose message begins with `source_name`.
    """
    problems = Problems(UnreadableDrive)
    secret: bytes = read_secret(hex_text, JsonPath(source_name, problems))
    problems.raise_if_any()
    return secret


def read_terms(value: Any, json_path: JsonPath) -> Any:
    """Read the settings of a play form; only the tie rule is checked here."""
    terms = find_reader(dict[str, Any])(value, json_path)
    if terms and terms.get(TIES_TERM) is not None:
        find_reader(TieRule)(terms[TIES_TERM], json_path.get_key_path(TIES_TERM))
    return terms
