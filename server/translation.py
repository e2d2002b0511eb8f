"""Constants that are marked for translation and translated when they are read.

Django's functions translate immediately, which is too early for a constant: a module is
imported once, but its constants are read in many languages.
"""

from django.conf import settings
from django.utils.translation import gettext


def gettext_noop(message: str) -> str:
    """Return a constant unchanged, marked for translation at its use.

    Django's function of this name needs the settings, which pure packages must not import.
    """
    return message


class TranslatedField:
    """A field of a frozen dataclass that is written in English and read in the user's language.

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
        value.__dict__[self.name] = words.source if isinstance(words, _Translated) else words


class _Translated(str):
    """A translated text with its English source."""

    source: str

    def __new__(cls, written: str) -> "_Translated":
        # A pure package copies such fields on import, maybe without Django's settings.
        is_translated = bool(written) and settings.configured
        said = super().__new__(cls, gettext(written) if is_translated else written)
        said.source = written
        return said
