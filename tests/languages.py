"""A test language that puts marks round all translated text, and finds text without them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser
from unittest.mock import patch

from django.conf import settings
from django.test import override_settings
from django.utils import translation
from django.utils.translation import trans_real

from server.languages import find_language

MARKED_LANGUAGE = "xx"
LONG_LANGUAGE = "xl"
RIGHT_TO_LEFT_LANGUAGE = "xr"
SHOWN_ATTRIBUTES = ("aria-label", "alt", "title", "placeholder", "value", "content")
SILENT_ELEMENTS = ("script", "style")
_WORD_PATTERN = re.compile(r"[^\W\d_]{2}")
_MARK_PATTERN = re.compile("([«»])")
_PLACEHOLDER_PATTERN = re.compile(
    r"(%\(\w+\)[-+ #0]*[\d.]*[sdrf]|%%?[a-z]{2,}|%[sdr%]|\{[^{}]*\}|<[^<>]*>|&\w+;|\n)"
)
"""What no translation changes: placeholders of Python and scripts, elements, line breaks."""
_ACCENT_TABLE = str.maketrans("aceinosuyACEINOSUY", "åçéîñøšüýÅÇÉÎÑØŠÜÝ")
_EXTRA_LENGTH_RATIO = 0.4


class _PseudoTranslation(trans_real.DjangoTranslation):
    """Translations that a function makes of the English text."""

    def __init__(self, code: str, change: Callable[[str], str]) -> None:
        super().__init__("en")
        self.code, self.change = code, change

    def to_language(self) -> str:
        return self.code

    def gettext(self, message: str) -> str:
        text = message.rpartition(trans_real.CONTEXT_SEPARATOR)[2]
        return self.change(text) if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def mark_text(text: str) -> str:
    return f"«{text}»"


def lengthen_text(text: str) -> str:
    """Return a text with accents that is 40 % longer, as a wordy language would be."""
    parts = _PLACEHOLDER_PATTERN.split(text)
    changed_parts = [
        part.translate(_ACCENT_TABLE) if index % 2 == 0 else part
        for index, part in enumerate(parts)
    ]
    letters = sum(len(part) for part in parts[::2])
    words = "".join(changed_parts)
    trailing_space_count = len(words) - len(words.rstrip())
    extra_words = " ".join(generate_words(-(-letters * _EXTRA_LENGTH_RATIO // 1)))
    insertion_index = len(words) - trailing_space_count
    return (
        f"{words[:insertion_index]}{extra_words and ' ' + extra_words}{words[insertion_index:]}"
        if words.strip()
        else words
    )


def generate_words(letters: float) -> Iterator[str]:
    """Yield words of at most eight letters."""
    remaining_letters = int(letters) - 1
    while remaining_letters > 0:
        yield "lörémîps"[:remaining_letters]
        remaining_letters -= 9


_TEXT_CHANGES = {
    MARKED_LANGUAGE: mark_text,
    LONG_LANGUAGE: lengthen_text,
    RIGHT_TO_LEFT_LANGUAGE: lengthen_text,
}


@contextmanager
def offer_pseudo_languages(*codes: str) -> Iterator[None]:
    """Offer pseudo-languages to readers next to the others, as if they had catalogues."""
    original_translation, is_known = trans_real.translation, trans_real.check_for_language
    translations_by_code = {
        code: _PseudoTranslation(code, _TEXT_CHANGES[code]) for code in codes
    }

    def find_translation(language: str) -> trans_real.DjangoTranslation:
        return translations_by_code.get(language) or original_translation(language)

    @cache  # Django clears it
    def check(language: str) -> bool:
        return language in translations_by_code or is_known(language)

    languages = [*settings.LANGUAGES, *((code, code) for code in codes)]
    bidi_languages = [*settings.LANGUAGES_BIDI, RIGHT_TO_LEFT_LANGUAGE]
    with override_settings(LANGUAGES=languages, LANGUAGES_BIDI=bidi_languages):
        with patch.multiple(trans_real, translation=find_translation, check_for_language=check):
            find_language.cache_clear()
            try:
                yield
            finally:
                find_language.cache_clear()


@contextmanager
def activate_marked_language() -> Iterator[None]:
    """Activate the marked language, also for requests: it is that of the installation."""
    with (
        offer_pseudo_languages(MARKED_LANGUAGE),
        override_settings(LANGUAGE_CODE=MARKED_LANGUAGE),
    ):
        with translation.override(MARKED_LANGUAGE):
            yield


def list_unmarked_words(page: str, known_names: list[str]) -> list[str]:
    """Return the words of a page outside all marks; `known_names` are names and data."""
    reader = _UnmarkedTextParser()
    reader.feed(page)
    return sorted({text for text in reader.found if has_words(text, known_names)})


def has_words(text: str, known: list[str]) -> bool:
    """Return whether a text has words that are not known."""
    remaining_text = text
    for name in known if _WORD_PATTERN.search(text) else ():
        remaining_text = remaining_text.replace(name, " ")
    return _WORD_PATTERN.search(remaining_text) is not None


class _UnmarkedTextParser(HTMLParser):
    """HTML parser that collects the text outside marks; marks may span several elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT_ELEMENTS
        given_attrs = dict(attrs)
        arguments = [
            name
            for name in given_attrs
            if name.startswith("data-")
            and not name.startswith("data-hx-")  # asks, never says
            and " " in (given_attrs[name] or "")
        ]
        for name in (*SHOWN_ATTRIBUTES, *arguments):
            if name == "value" and (tag, given_attrs.get("type", "submit")) not in (
                ("input", "submit"),
                ("input", "button"),
            ):
                continue
            if name == "content" and given_attrs.get("name") != "description":
                continue
            self._collect_unmarked_text(given_attrs.get(name) or "", 0)

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT_ELEMENTS

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._depth = self._collect_unmarked_text(data, self._depth)

    def _collect_unmarked_text(self, text: str, depth: int) -> int:
        left: list[str] = []
        for part in _MARK_PATTERN.split(text):
            depth += (part == "«") - (part == "»")
            if not depth and part != "»":
                left.append(part)
        self.found.append(" ".join("".join(left).split()))
        return depth
