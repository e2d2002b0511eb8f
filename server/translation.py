"""Constants that are translated when they are read, and the decimal separator.

A constant is created once, when its module is imported, but is read in many languages. Django's
`gettext` would translate it only once.
"""

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import gettext


def gettext_noop(message: str) -> str:
    """Return a text unchanged; the call marks it for the translation catalogues.

    Django's function of this name needs the settings, which some packages must not import.
    """
    return message


def get_decimal_separator() -> str:
    """Return the character before the decimals in the active language: a point or a comma."""
    return str(get_format("DECIMAL_SEPARATOR"))


class TranslatedField:
    """A dataclass field that is written in English and read in the user's language.

    `dataclasses.replace` copies the English text.
    """

    def __init__(self, default: str | None = None) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type | None = None) -> str:
        if instance is not None:
            return _TranslatedText(instance.__dict__[self.name])
        if self.default is None:  # dataclasses then see a field without a default
            raise AttributeError(self.name)
        return self.default

    def __set__(self, instance: object, text: str) -> None:
        instance.__dict__[self.name] = (
            text.source if isinstance(text, _TranslatedText) else text
        )


class _TranslatedText(str):
    """A translated text with its English source."""

    source: str

    def __new__(cls, source: str) -> "_TranslatedText":
        # a package may copy such a field during import, before Django's settings exist
        should_translate = bool(source) and settings.configured
        translated_text = super().__new__(cls, gettext(source) if should_translate else source)
        translated_text.source = source
        return translated_text
