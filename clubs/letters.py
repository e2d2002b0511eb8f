"""Names as lists sort them and searches meet them: without accents, small and large alike."""

import unicodedata
from functools import lru_cache
from typing import TypeVar

from django.db.models import Model, QuerySet

from clubs.names.tidy import name_key

PLAIN_LENGTH = 160
"""So many plain letters of a name are kept: twice those that a name may have, for æ is ae."""
Row = TypeVar("Row", bound=Model)

_WHOLE = str.maketrans(
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
"""Letters that no accent makes of others."""


@lru_cache(maxsize=20_000)
def plain_letters(name: str) -> str:
    """Return a name in plain letters: É with E, capitals and small letters alike."""
    folded = name.casefold()
    if folded.isascii():
        return folded
    letters = unicodedata.normalize("NFD", folded.translate(_WHOLE))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def kept_plain(name: str) -> str:
    """A name in plain letters as rows keep it beside the name (`clubs.models.people`)."""
    return plain_letters(name)[:PLAIN_LENGTH]


def called(rows: QuerySet[Row], name: str, *, by: str = "name") -> QuerySet[Row]:
    """Rows of a name, in capitals or not; files and entries tell players so apart.

    Not by the database alone: SQLite takes only the capitals of English for the small letters.
    It is asked for those of the same plain letters where it keeps them beside the name, as of
    players, so that a club's thousands of names are not all read for one; else for all, and so
    the rows must be few: the trophies of a club, the years of a trophy.
    """
    near = rows
    if any(field.name == "plain" for field in rows.model._meta.fields):
        near = rows.filter(plain=kept_plain(name))
    folded = name_key(name)
    same = [pk for pk, each in near.values_list("pk", by) if name_key(each) == folded]
    return rows.filter(pk__in=same)


def sought_words(query: str) -> tuple[str, ...]:
    """Return the words of a search in plain letters; "Zoë  B" is "zoe" and "b"."""
    return tuple(plain_letters(query).replace(",", " ").split())


def how_well(words: tuple[str, ...], plain: str) -> int:
    """Say how well words fit a plain text: 2 where each begins a word, 1 within, 0 not."""
    if not words or any(word not in plain for word in words):
        return 0
    begun = _apart(plain)
    return 2 if all(f" {word}" in begun for word in words) else 1


@lru_cache(maxsize=20_000)
def _apart(plain: str) -> str:
    """Put a blank before every word; "o'farrell-smith" is three."""
    return f" {plain}".replace("-", " ").replace("'", " ").replace("’", " ")
