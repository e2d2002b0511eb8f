"""The site's single style sheet, joined from the files in `static/css`.

`static/css/site.css` imports them in order, each into its cascade layer. The joined sheet needs
one request instead of thirty. The join also adds media queries for older phones, which have no
container queries.
"""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

STYLE_SHEET_PATH = "css/site.css"
COMMENT_PATTERN = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
SPACE_PATTERN = re.compile(r"\s+")
PUNCTUATION_PATTERN = re.compile(r" ?([{};,]) ?|(?<=:) ")
IMPORT_PATTERN = re.compile(
    r'^@import url\("(?P<name>[^"]+)"\) layer\((?P<layer>\w+)\);$', re.MULTILINE
)
NARROW_CONTAINER_PATTERN = re.compile(
    r"@container (?:\w+ )?(?P<query>\(max-width: [\d.]+rem\)) "
    r"(?P<rules>\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})"
)


def bundle_style_sheet(sheet_path: Path) -> str:
    """Return a style sheet with its imports inlined, without comments and unneeded spaces."""

    def inline_import(import_match: re.Match[str]) -> str:
        rules = (sheet_path.parent / import_match["name"]).read_text(encoding="utf-8")
        return f"@layer {import_match['layer']} {{\n{rules}{build_media_queries(rules)}}}"

    return minify_css(IMPORT_PATTERN.sub(inline_import, sheet_path.read_text(encoding="utf-8")))


def build_media_queries(rules: str) -> str:
    """Return media queries that repeat the container queries for narrow containers.

    The media queries apply in browsers that have cascade layers and no container queries: iOS
    15.4 to 15.8 and Chrome 99 to 104. Without them, phones with these browsers would show the
    layout of a laptop.
    """
    media_queries = [
        f"@media {query_match['query']} {query_match['rules']}"
        for query_match in NARROW_CONTAINER_PATTERN.finditer(COMMENT_PATTERN.sub("", rules))
    ]
    if not media_queries:
        return ""
    return f"\n@supports not (container-type: inline-size) {{\n{''.join(media_queries)}}}\n"


def minify_css(rules: str) -> str:
    """Return CSS rules without comments and unnecessary spaces."""
    compact_text = SPACE_PATTERN.sub(" ", COMMENT_PATTERN.sub("", rules))
    return PUNCTUATION_PATTERN.sub(
        lambda punctuation_match: punctuation_match[1] or "", compact_text
    ).strip()


class JoinedStyleSheetFinder(BaseFinder):
    """A static files finder for the joined sheet, e.g. for `collectstatic`."""

    def __init__(self) -> None:
        self.source_path = settings.BASE_DIR / "static" / STYLE_SHEET_PATH
        self.folder = settings.DATA_DIR / "joined"

    def check(self, **_options: Any) -> list[Any]:
        """Return no errors: the finder has no settings."""
        return []

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:
        """Return the path of the joined sheet for its name, and [] for any other name."""
        if path != STYLE_SHEET_PATH:
            return []
        return [self._write_sheet_if_changed()] if find_all else self._write_sheet_if_changed()

    def list(
        self, _ignore_patterns: Iterable[str] | None
    ) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield the joined sheet with its storage."""
        self._write_sheet_if_changed()
        yield STYLE_SHEET_PATH, FileSystemStorage(location=self.folder)

    def _write_sheet_if_changed(self) -> str:
        """Write the joined sheet atomically if a part has changed; return its path."""
        sheet_path, sheet_text = (
            self.folder / STYLE_SHEET_PATH,
            bundle_style_sheet(self.source_path),
        )
        if not sheet_path.exists() or sheet_path.read_text(encoding="utf-8") != sheet_text:
            sheet_path.parent.mkdir(parents=True, exist_ok=True)
            file_descriptor, temporary_path = tempfile.mkstemp(dir=sheet_path.parent)
            with os.fdopen(file_descriptor, "w", encoding="utf-8") as temporary_file:
                temporary_file.write(sheet_text)
            os.replace(temporary_path, sheet_path)
        return str(sheet_path)
