"""Constants that are marked for translation and translated when they are read.

Django's `gettext` translates immediately. A constant is created once, when its module is
imported, but is read in many languages.
"""

from django.conf import settings
from django.utils.translation import gettext


def gettext_noop(message: str) -> str:
    """Return a text unchanged; it is marked for translation where it is used.

    Django's function of this name needs the settings, which pure packages must not import.
    """
    return message


class TranslatedField:
    """A dataclass field that is written in English and read in the user's language.

    `dataclasses.replace` copies the English text.
    """

    def __init__(self, default: str | None = None) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, value: object, owner: type | None = None) -> str:
        if value is not None:
            return _Translated(value.__dict__[self.name])
        if self.default is None:  # dataclasses then see a field without a default
            raise AttributeError(self.name)
        return self.default

    def __set__(self, value: object, text: str) -> None:
        value.__dict__[self.name] = text.source if isinstance(text, _Translated) else text


class _Translated(str):
    """A translated text with its English source."""

    source: str

    def __new__(cls, source: str) -> "_Translated":
        # A pure package may copy such a field at import, before Django's settings exist.
        is_translated = bool(source) and settings.configured
        translated = super().__new__(cls, gettext(source) if is_translated else source)
        translated.source = source
        return translated
