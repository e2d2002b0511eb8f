"""The paper files of an import, in a separate folder until the import is complete.

A marker in the folder means that the import is not complete. If the program is killed, no row
in the database refers to these files, and the next import deletes them.
"""

import re
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from clubs.archives.errors import BadArchive
from clubs.archives.packing import Archive

BROUGHT = "brought"
UNFINISHED = ".unfinished"
SUFFIX = re.compile(r"\.[a-z0-9]{1,5}$")


def forget_unfinished() -> None:
    """Delete the files of incomplete imports; the caller must hold the import lock."""
    for note in (Path(settings.MEDIA_ROOT) / BROUGHT).glob(f"*/{UNFINISHED}"):
        shutil.rmtree(note.parent, ignore_errors=True)


class Bringing:
    """The files of one archive during its import."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._name = f"{BROUGHT}/{uuid4().hex}"
        self._folder = Path(settings.MEDIA_ROOT) / self._name

    def __enter__(self) -> "Bringing":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def bring(self, field: Any, value: Any) -> str:
        """Store a file, and return the name for its row."""
        if value == "":
            return ""
        if not isinstance(value, dict):
            raise BadArchive.row(field.model._meta.label, field.name)
        ending = SUFFIX.search(str(value.get("name", "")).lower())
        summed = str(value.get("sha256", ""))
        if not re.fullmatch("[0-9a-f]{64}", summed):
            raise BadArchive.row(field.model._meta.label, field.name)
        name = f"{summed[:16]}{ending[0] if ending else ''}"
        if field.storage.goes_into_the_database(self._archive.size_of(summed)):
            content = ContentFile(self._archive.read_file(summed))
            return str(field.storage.save(f"{BROUGHT}/{name}", content))
        return self._laid_down(summed, name)

    def _laid_down(self, summed: str, name: str) -> str:
        """Store a file in the folder of this import."""
        if not self._folder.exists():
            self._folder.mkdir(mode=0o700, parents=True)
            (self._folder / UNFINISHED).touch(mode=0o600)
        if not (self._folder / name).exists():
            self._archive.copy_file(summed, self._folder / name)
        return f"{self._name}/{name}"

    def settle(self) -> None:
        """Remove the marker once the rows of the files are committed."""
        note = self._folder / UNFINISHED
        transaction.on_commit(lambda: note.unlink(missing_ok=True))
