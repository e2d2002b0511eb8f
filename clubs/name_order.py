"""The alphabetical order of names in the reader's language, e.g. Å after Z in Danish."""

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from django.utils.translation import get_language

from clubs.name_folding import fold_name

Row = TypeVar("Row")

# The character after "z" in ASCII is "{". "{a" therefore sorts after all unaccented letters.
_DANISH_LETTERS = {"æ": "{a", "ä": "{a", "ø": "{b", "ö": "{b", "å": "{c", "aa": "{c", "ü": "y"}
_SORT_REPLACEMENTS = {
    "da": _DANISH_LETTERS,
    "nb": _DANISH_LETTERS,
    "sv": {"å": "{a", "ä": "{b", "æ": "{b", "ö": "{c", "ø": "{c", "ü": "y"},
    "es": {"ñ": "n{"},
}
"""For each language, the letters that are not sorted like their base letters, as in CLDR.

Each letter is mapped to the text that replaces it in a sort key.
"""


def sort_by_name(rows: Iterable[Row], get_name: Callable[[Row], str]) -> list[Row]:
    """Return rows in the alphabetical order of their names in the active language."""
    return sorted(rows, key=lambda row: get_sort_key(get_name(row)))


def get_sort_key(name: str) -> str:
    """Return the key that sorts a name alphabetically in the active language."""
    return build_sort_key(name, (get_language() or "").partition("-")[0])


@lru_cache(maxsize=20_000)
def build_sort_key(name: str, language: str) -> str:
    """Return the key that sorts a name alphabetically in a language."""
    letters = unicodedata.normalize("NFC", name.casefold())
    for letter, replacement in _SORT_REPLACEMENTS.get(language, {}).items():
        letters = letters.replace(letter, replacement)
    return fold_name(letters)
