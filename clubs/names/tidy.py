"""The stored form of a name, and the key under which different spellings are equal."""

import unicodedata
from functools import lru_cache

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""Soft hyphen, zero-width space, word joiner, byte order mark: pasted by accident."""


@lru_cache(maxsize=20_000)
def clean_name(text: str) -> str:
    """Return a name as it is stored: composed (NFC), single blanks, no invisible characters."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    return " ".join(text.split())


@lru_cache(maxsize=20_000)
def build_name_key(text: str) -> str:
    """Return the key of a name; two names with one key are one person's."""
    return unicodedata.normalize("NFC", clean_name(text).casefold())
