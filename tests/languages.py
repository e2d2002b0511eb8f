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

MARKED = "xx"
LONG = "xl"
RIGHT_TO_LEFT = "xr"
SHOWN = ("aria-label", "alt", "title", "placeholder", "value", "content")
SILENT = ("script", "style")
_WORD = re.compile(r"[^\W\d_]{2}")
_MARK = re.compile("([«»])")
_CODE = re.compile(
    r"(%\(\w+\)[-+ #0]*[\d.]*[sdrf]|%%?[a-z]{2,}|%[sdr%]|\{[^{}]*\}|<[^<>]*>|&\w+;|\n)"
)
"""What no translation changes: placeholders of Python and scripts, elements, line breaks."""
_ACCENTS = str.maketrans("aceinosuyACEINOSUY", "åçéîñøšüýÅÇÉÎÑØŠÜÝ")
_LONGER_BY = 0.4


class _Pseudo(trans_real.DjangoTranslation):
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
    parts = _CODE.split(text)
    longer = [
        part.translate(_ACCENTS) if index % 2 == 0 else part for index, part in enumerate(parts)
    ]
    letters = sum(len(part) for part in parts[::2])
    words = "".join(longer)
    tail = len(words) - len(words.rstrip())
    more = " ".join(generate_words(-(-letters * _LONGER_BY // 1)))
    at = len(words) - tail
    return f"{words[:at]}{more and ' ' + more}{words[at:]}" if words.strip() else words


def generate_words(letters: float) -> Iterator[str]:
    """Yield words of at most eight letters."""
    left = int(letters) - 1
    while left > 0:
        yield "lörémîps"[:left]
        left -= 9


_PSEUDO = {
    MARKED: mark_text,
    LONG: lengthen_text,
    RIGHT_TO_LEFT: lengthen_text,
}


@contextmanager
def offer_pseudo_languages(*codes: str) -> Iterator[None]:
    """Offer pseudo-languages to readers next to the others, as if they had catalogues."""
    other_translation, is_known = trans_real.translation, trans_real.check_for_language
    made = {code: _Pseudo(code, _PSEUDO[code]) for code in codes}

    def find(language: str) -> trans_real.DjangoTranslation:
        return made.get(language) or other_translation(language)

    @cache  # Django clears it
    def check(language: str) -> bool:
        return language in made or is_known(language)

    languages = [*settings.LANGUAGES, *((code, code) for code in codes)]
    bidi = [*settings.LANGUAGES_BIDI, RIGHT_TO_LEFT]
    with override_settings(LANGUAGES=languages, LANGUAGES_BIDI=bidi):
        with patch.multiple(trans_real, translation=find, check_for_language=check):
            find_language.cache_clear()
            try:
                yield
            finally:
                find_language.cache_clear()


@contextmanager
def activate_marked_language() -> Iterator[None]:
    """Activate the marked language, also for requests: it is that of the installation."""
    with offer_pseudo_languages(MARKED), override_settings(LANGUAGE_CODE=MARKED):
        with translation.override(MARKED):
            yield


def list_unmarked_words(page: str, known: list[str]) -> list[str]:
    """Return the words of a page outside all marks; `known` are names and data."""
    reader = _Reader()
    reader.feed(page)
    return sorted({text for text in reader.found if has_words(text, known)})


def has_words(text: str, known: list[str]) -> bool:
    """Return whether a text has words that are not known."""
    remaining_text = text
    for name in known if _WORD.search(text) else ():
        remaining_text = remaining_text.replace(name, " ")
    return _WORD.search(remaining_text) is not None


class _Reader(HTMLParser):
    """HTML parser that collects the text outside marks; marks may span several elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        given_attrs = dict(attrs)
        arguments = [
            name
            for name in given_attrs
            if name.startswith("data-")
            and not name.startswith("data-hx-")  # asks, never says
            and " " in (given_attrs[name] or "")
        ]
        for name in (*SHOWN, *arguments):
            if name == "value" and (tag, given_attrs.get("type", "submit")) not in (
                ("input", "submit"),
                ("input", "button"),
            ):
                continue
            if name == "content" and given_attrs.get("name") != "description":
                continue
            self._keep(given_attrs.get(name) or "", 0)

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._depth = self._keep(data, self._depth)

    def _keep(self, text: str, depth: int) -> int:
        left: list[str] = []
        for part in _MARK.split(text):
            depth += (part == "«") - (part == "»")
            if not depth and part != "»":
                left.append(part)
        self.found.append(" ".join("".join(left).split()))
        return depth
