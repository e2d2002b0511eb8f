"""Files that only a view may serve: in a folder on a laptop, in the database on a server.

In the database every page machine has them, and one backup contains everything. Files above
PAPERS_MB are in the folder even there, and files already in a folder are still found.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage
from django.db import connection

from server.models import Blob


class PrivateFiles(FileSystemStorage):
    """Storage of private files by name; they have no URL."""

    def url(self, name: str | None) -> str:
        """Raise: a view serves the file after checking rights."""
        raise ValueError("A private file has no address.")

    def exists(self, name: str) -> bool:
        """Return whether a file of this name is in the folder or the database."""
        return _held(name) or super().exists(name)

    def size(self, name: str) -> int:
        """Return the size of a file in bytes."""
        with self.open(name) as file:
            return int(file.size)

    def delete(self, name: str) -> None:
        """Delete a file from both places; a missing one is ignored."""
        if _in_database():
            Blob.objects.filter(name=name).delete()
        super().delete(name)

    def goes_into_the_database(self, size: int) -> bool:
        """Return whether a file of this size is stored in the database."""
        return _in_database() and size <= settings.PAPERS_BYTES

    def _save(self, name: str, content: File[Any]) -> str:
        if not self.goes_into_the_database(content.size):
            return str(super()._save(name, content))  # type: ignore[misc]  # not in the stubs
        # Two workers may write one name at once, so each gets a different name first.
        place = Path(name)
        own = self.get_alternative_name(str(place.with_suffix("")), place.suffix)
        content.seek(0)
        Blob.objects.create(name=own, content=content.read())
        return own

    def _open(self, name: str, mode: str = "rb") -> File[Any]:
        if _in_database():
            held = Blob.objects.filter(name=name).values_list("content", flat=True).first()
            if held is not None:
                return ContentFile(bytes(held), name)
        return File(Path(self.path(name)).open(mode), name)


def _in_database() -> bool:
    return connection.vendor == "postgresql" and settings.PAPERS_BYTES > 0


def _held(name: str) -> bool:
    return _in_database() and Blob.objects.filter(name=name).exists()
