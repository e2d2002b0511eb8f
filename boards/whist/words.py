"""The words of the pure packages in the reader's language.

Pure code knows no Django, so it asks here. Until somebody sets a translator, words are as they
are written; `boards/apps.py` sets Django's. The names are Django's too, so that `makemessages`
finds the words. A constant is marked with `gettext_noop` and translated where it is used, for a
module is imported once and read in many languages.
"""

from collections.abc import Callable
from typing import NamedTuple


class Translator(NamedTuple):
    """Who says a sentence, or the form of it that goes with a number, in a language."""

    sentence: Callable[[str], str]
    counted: Callable[[str, str, int], str]


AS_WRITTEN = Translator(
    sentence=lambda words: words,
    counted=lambda one, many, number: one if number == 1 else many,
)
_translator = AS_WRITTEN


def speak(translator: Translator) -> Translator:
    """Let a translator speak from now on; return the one that did."""
    global _translator
    before, _translator = _translator, translator
    return before


def gettext(words: str) -> str:
    """Say words in the reader's language."""
    return _translator.sentence(words)


def ngettext(one: str, many: str, number: int) -> str:
    """Say the form of words that goes with a number."""
    return _translator.counted(one, many, number)


def gettext_noop(words: str) -> str:
    """Mark a constant that is translated where it is used."""
    return words
