"""The words of the pure packages in the reader's language.

Pure code knows no Django, so it asks here. Until somebody sets a translator, words are as they
are written; `boards/apps.py` sets Django's. The names are Django's too, so that `makemessages`
finds the words. A module is imported once and read in many languages: so a constant is only
marked there, with `gettext_noop`, and translated where it is used. A value that lives as long
as its module has `Told` fields, which translate themselves whenever they are read.
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


class Told:
    """A field of a frozen dataclass: written in English, read in the reader's language.

    A field that is copied with `dataclasses.replace` keeps what was written.
    """

    def __init__(self, default: str | None = None) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, value: object, owner: type | None = None) -> str:
        if value is not None:
            return _Said(value.__dict__[self.name])
        if self.default is None:  # so dataclasses take it for a field without a default
            raise AttributeError(self.name)
        return self.default

    def __set__(self, value: object, words: str) -> None:
        value.__dict__[self.name] = words.written if isinstance(words, _Said) else words


class _Said(str):
    """Translated words that remember how they were written."""

    written: str

    def __new__(cls, written: str) -> "_Said":
        said = super().__new__(cls, gettext(written) if written else "")
        said.written = written
        return said
