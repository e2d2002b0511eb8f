"""The one style sheet that pages ask for: the files of `static/css`, joined.

`static/css/site.css` names them in their order, each in its layer, in words that a browser
understands too; joined, a page makes one request instead of thirty.
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

NAME = "css/site.css"
REMARK = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
SPACE = re.compile(r"\s+")
AROUND = re.compile(r" ?([{};,]) ?|(?<=:) ")
PART = re.compile(r'^@import url\("(?P<name>[^"]+)"\) layer\((?P<layer>\w+)\);$', re.MULTILINE)


def joined(sheet: Path) -> str:
    """Return the text of a style sheet with the files that it imports in their places.

    What is written there for people who read the files is left out, remarks and room between
    signs: no browser asks for it, and packed the sheet is a thirteenth smaller without.
    """

    def part(line: re.Match[str]) -> str:
        text = (sheet.parent / line["name"]).read_text(encoding="utf-8")
        return f"@layer {line['layer']} {{\n{text}}}"

    return packed(PART.sub(part, sheet.read_text(encoding="utf-8")))


def packed(text: str) -> str:
    """Return rules without remarks, and without room where a browser needs none."""
    bare = SPACE.sub(" ", REMARK.sub("", text))
    return AROUND.sub(lambda sign: sign[1] or "", bare).strip()


class JoinedSheet(BaseFinder):
    """Finds the joined sheet, for `collectstatic` and for a server that serves uncollected."""

    def __init__(self) -> None:
        self.sheet = settings.BASE_DIR / "static" / NAME
        self.folder = settings.DATA_DIR / "joined"

    def check(self, **_options: Any) -> list[Any]:
        """There is no setting that could be wrong."""
        return []

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:
        """Return where the joined sheet lies, if it is what is asked for."""
        if path != NAME:
            return []
        return [self._write()] if find_all else self._write()

    def list(self, _ignored: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Give the joined sheet, and what it lies in."""
        self._write()
        yield NAME, FileSystemStorage(location=self.folder)

    def _write(self) -> str:
        """Write the joined sheet where a part has changed; whoever reads meets a whole one."""
        file, text = self.folder / NAME, joined(self.sheet)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, new = tempfile.mkstemp(dir=file.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as writing:
                writing.write(text)
            os.replace(new, file)
        return str(file)
