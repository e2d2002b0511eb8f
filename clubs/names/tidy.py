"""The cleaning of names for storage, and the key with which names are compared."""

import unicodedata
from functools import lru_cache

_INVISIBLE_CHARACTERS = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""The invisible characters that pasted text may contain, such as soft hyphens."""


@lru_cache(maxsize=20_000)
def clean_name(text: str) -> str:
    """Return the stored form of a name: NFC, single spaces, and no invisible characters."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(_INVISIBLE_CHARACTERS))
    return " ".join(text.split())


@lru_cache(maxsize=20_000)
def build_name_key(text: str) -> str:
    """Return the comparison key of a name.

    Names with the same key belong to the same person.
    """
    return unicodedata.normalize("NFC", clean_name(text).casefold())
