"""Word stems for searching, so that a search for "asked" also finds "asks"."""

import re
from functools import lru_cache

from django.utils.translation import gettext as _

from server.translation import gettext_noop

WORD_PATTERN = re.compile(r"\w+")
STOP_WORDS = gettext_noop(
    "a an the and or of on in at to by for with from as is was are were be been has have had "
    "do does did he she they it its his her their him them who what which when where that this "
    "there i we you my our your one some any not t s didn isn wasn don doesn"
)
"""Words that a search ignores; translations have their own list."""
ENDINGS = gettext_noop("ing ed es s e")
"""Word endings that are removed for a stem; translations have their own list."""
MIN_STEM_CHARACTERS = 3


def find_stems(query: str) -> frozenset[str]:
    """Return the stems of a query's words, without the stop words."""
    search_words = set(WORD_PATTERN.findall(query.casefold())) - set(_(STOP_WORDS).split())
    return frozenset(_stem_word(word, _(ENDINGS)) for word in search_words)


def count_stems(text: str, stems: frozenset[str]) -> int:
    """Return the number of the given stems that occur in a text, in any form."""
    return len(stems & _find_text_stems(text, _(ENDINGS)))


@lru_cache(maxsize=4_000)
def _find_text_stems(text: str, endings: str) -> frozenset[str]:
    """Return the stems of a text of the law book, cached because a search reads all texts."""
    return frozenset(
        _stem_word(word, endings) for word in WORD_PATTERN.findall(text.casefold())
    )


def _stem_word(word: str, endings: str) -> str:
    """Remove a word's ending, so that "asked" and "asks" have the same stem."""
    for ending in endings.split():
        if len(word) >= len(ending) + MIN_STEM_CHARACTERS and word.endswith(ending):
            word = word.removesuffix(ending)
            return (
                word[:-1] if len(word) > MIN_STEM_CHARACTERS and word[-1] == word[-2] else word
            )
    return word
