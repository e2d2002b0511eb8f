"""A test language that puts marks round all translated text, and finds text without them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from unittest.mock import patch

from django.utils import translation
from django.utils.translation import trans_real

MARKED = "xx"
SHOWN = ("aria-label", "alt", "title", "placeholder", "value", "content")
SILENT = ("script", "style")
_WORD = re.compile(r"[^\W\d_]{2}")
_MARK = re.compile("([«»])")


class _Marked(trans_real.DjangoTranslation):
    """Translations that are the English text between marks."""

    def to_language(self) -> str:
        return MARKED

    def gettext(self, message: str) -> str:
        return f"«{message.rpartition(trans_real.CONTEXT_SEPARATOR)[2]}»" if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@contextmanager
def marked_language() -> Iterator[None]:
    """Activate the marked language."""
    others, marked = trans_real.translation, _Marked("en")

    def find(language: str) -> trans_real.DjangoTranslation:
        return marked if language == MARKED else others(language)

    with patch.object(trans_real, "translation", find), translation.override(MARKED):
        yield


def unmarked(page: str, known: list[str]) -> list[str]:
    """Return the words of a page outside all marks; `known` are names and data."""
    reader = _Reader()
    reader.feed(page)
    return sorted({text for text in reader.found if has_words(text, known)})


def has_words(text: str, known: list[str]) -> bool:
    """Return whether a text has words that are not known."""
    left = text
    for name in known if _WORD.search(text) else ():
        left = left.replace(name, " ")
    return _WORD.search(left) is not None


class _Reader(HTMLParser):
    """HTML parser that collects the text outside marks; marks may span several elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        given = dict(attrs)
        words = [
            name
            for name in given
            if name.startswith("data-")
            and not name.startswith("data-hx-")  # asks, never says
            and " " in (given[name] or "")
        ]
        for name in (*SHOWN, *words):
            if name == "value" and (tag, given.get("type", "submit")) not in (
                ("input", "submit"),
                ("input", "button"),
            ):
                continue
            if name == "content" and given.get("name") != "description":
                continue
            self._keep(given.get(name) or "", 0)

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
