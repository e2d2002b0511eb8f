"""Folding of names for sorting and searching: without accents and case."""

import unicodedata
from functools import lru_cache
from typing import TypeVar

from django.db.models import Model, QuerySet

from clubs.names.tidy import build_name_key

MAX_FOLDED_LENGTH = 160
"""The stored length of a folded name: twice the length of a name, because æ becomes ae."""
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
"""Letters that Unicode does not decompose."""


@lru_cache(maxsize=20_000)
def fold_name(name: str) -> str:
    """Return a folded name: É equals E, and case is ignored."""
    folded = name.casefold()
    if folded.isascii():
        return folded
    letters = unicodedata.normalize("NFD", folded.translate(_UNDECOMPOSED_LETTERS))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def fold_name_for_storage(name: str) -> str:
    """Return a folded name as rows store it next to the name (`clubs.models.people`)."""
    return fold_name(name)[:MAX_FOLDED_LENGTH]


def filter_by_name(rows: QuerySet[Row], name: str, *, by: str = "name") -> QuerySet[Row]:
    """Return the rows with a name, ignoring case; files and entries identify players by it.

    The database cannot decide this, because SQLite folds only ASCII letters. If the model
    stores folded names, as players do, the database preselects by them, so that a club's
    thousands of names are not all read. Otherwise all rows are read, so they must be few: the
    trophies of a club, the years of a trophy.
    """
    near = rows
    if any(field.name == "plain" for field in rows.model._meta.fields):
        near = rows.filter(plain=fold_name_for_storage(name))
    folded = build_name_key(name)
    same = [pk for pk, each in near.values_list("pk", by) if build_name_key(each) == folded]
    return rows.filter(pk__in=same)


def split_search_words(query: str) -> tuple[str, ...]:
    """Return the folded words of a search; "Zoë  B" is "zoe" and "b"."""
    return tuple(fold_name(query).replace(",", " ").split())


def rank_match(words: tuple[str, ...], plain: str) -> int:
    """Return how well words match a folded text: 2 as starts of words, 1 within, 0 not."""
    if not words or any(word not in plain for word in words):
        return 0
    begun = _separate_words(plain)
    return 2 if all(f" {word}" in begun for word in words) else 1


@lru_cache(maxsize=20_000)
def _separate_words(plain: str) -> str:
    """Put a blank before every word; "o'farrell-smith" is three."""
    return f" {plain}".replace("-", " ").replace("'", " ").replace("’", " ")
