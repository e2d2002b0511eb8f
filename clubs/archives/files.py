"""Papers that come with a club: in a folder of their own until all of it is there.

A note in the folder says that it is not finished. Where the program is killed half-way nothing
in the database speaks of these files, and the next archive that comes takes them away.
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
    """Take away what was left by an archive that did not come in; only while none comes in."""
    for note in (Path(settings.MEDIA_ROOT) / BROUGHT).glob(f"*/{UNFINISHED}"):
        shutil.rmtree(note.parent, ignore_errors=True)


class Bringing:
    """The files of one archive on their way in."""

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
        """Lay a file down, and give the name under which its row finds it."""
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
        """Lay a file into the folder of this archive."""
        if not self._folder.exists():
            self._folder.mkdir(mode=0o700, parents=True)
            (self._folder / UNFINISHED).touch(mode=0o600)
        if not (self._folder / name).exists():
            self._archive.copy_file(summed, self._folder / name)
        return f"{self._name}/{name}"

    def settle(self) -> None:
        """Let the files stay once the rows that speak of them are safe."""
        note = self._folder / UNFINISHED
        transaction.on_commit(lambda: note.unlink(missing_ok=True))
