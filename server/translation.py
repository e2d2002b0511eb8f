"""Marks constants for translation and translates them when they are read.

Django's functions translate at once, which is too early for a constant: a module is imported
once and read in many languages.
"""

from django.conf import settings
from django.utils.translation import gettext


def gettext_noop(message: str) -> str:
    """Mark a constant that is translated where it is used.

    Django's function of this name reads the settings, and pure packages are imported without.
    """
    return message


class TranslatedField:
    """A field of a frozen dataclass: written in English, read in the reader's language.

    A field copied with `dataclasses.replace` keeps the English text.
    """

    def __init__(self, default: str | None = None) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, value: object, owner: type | None = None) -> str:
        if value is not None:
            return _Translated(value.__dict__[self.name])
        if self.default is None:  # so that dataclasses see a field without a default
            raise AttributeError(self.name)
        return self.default

    def __set__(self, value: object, words: str) -> None:
        value.__dict__[self.name] = words.written if isinstance(words, _Translated) else words


class _Translated(str):
    """A translated text that keeps its English source."""

    written: str

    def __new__(cls, written: str) -> "_Translated":
        # A pure package copies such fields on import, maybe without Django's settings.
        is_translated = bool(written) and settings.configured
        said = super().__new__(cls, gettext(written) if is_translated else written)
        said.written = written
        return said
