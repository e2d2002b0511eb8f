"""The folding of names (no accents, no case) for sorting and searching."""

import unicodedata
from functools import lru_cache
from typing import TypeVar

from django.db.models import Model, QuerySet

from clubs.names.tidy import build_name_key

MAX_FOLDED_LENGTH = 160
"""The column length of a folded name: twice that of a name, because "æ" becomes "ae"."""
Row = TypeVar("Row", bound=Model)

_UNDECOMPOSED_LETTERS = str.maketrans(
    {
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "ħ": "h",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
    }
)
"""The letters that Unicode does not decompose, with their replacements."""


@lru_cache(maxsize=20_000)
def fold_name(name: str) -> str:
    """Return a name in lower case and without accents."""
    folded_name = name.casefold()
    if folded_name.isascii():
        return folded_name
    letters = unicodedata.normalize("NFD", folded_name.translate(_UNDECOMPOSED_LETTERS))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def fold_name_for_storage(name: str) -> str:
    """Return the folded name, shortened to the length of the column `Player.plain`."""
    return fold_name(name)[:MAX_FOLDED_LENGTH]


def filter_by_name(
    rows: QuerySet[Row], name: str, *, name_field: str = "name"
) -> QuerySet[Row]:
    """Return the rows whose name equals `name`, ignoring case.

    The comparison happens in Python, because SQLite folds only ASCII letters. If the model
    stores folded names, as Player does, the database preselects the rows by them. Otherwise
    all names are loaded, which is suitable only for small tables such as a club's trophies.
    """
    candidates = rows
    if any(field.name == "plain" for field in rows.model._meta.fields):
        candidates = rows.filter(plain=fold_name_for_storage(name))
    name_key = build_name_key(name)
    matching_pks = [
        pk
        for pk, stored_name in candidates.values_list("pk", name_field)
        if build_name_key(stored_name) == name_key
    ]
    return rows.filter(pk__in=matching_pks)


def split_search_words(query: str) -> tuple[str, ...]:
    """Return the folded words of a search query: "zoe" and "b" for "Zoë  B"."""
    return tuple(fold_name(query).replace(",", " ").split())


def rank_match(search_words: tuple[str, ...], plain_name: str) -> int:
    """Return how well search words match a folded name.

    The result is 2 if each search word is the beginning of a word in the name, 1 if each
    search word occurs in the name, and otherwise 0.
    """
    if not search_words or any(word not in plain_name for word in search_words):
        return 0
    separated_name = _separate_words(plain_name)
    return 2 if all(f" {word}" in separated_name for word in search_words) else 1


@lru_cache(maxsize=20_000)
def _separate_words(plain_name: str) -> str:
    """Return a folded name with a space before each word; "o'farrell-smith" has three words."""
    return f" {plain_name}".replace("-", " ").replace("'", " ").replace("’", " ")
