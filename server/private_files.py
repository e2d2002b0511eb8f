"""A storage of files that only views serve: in a folder on a laptop, in the database on a
server.

All page machines can read the database, and a backup contains it. Files above PAPERS_MB are
always stored in the folder.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage
from django.db import connection

from server.models import Blob


class PrivateFiles(FileSystemStorage):
    """A storage of private files, which have a name but no URL."""

    def url(self, name: str | None) -> str:
        """Raise an error: a view serves the file after it has checked permissions."""
        raise ValueError("A private file has no address.")

    def exists(self, name: str) -> bool:
        """Return whether a file of this name is in the folder or in the database."""
        return _is_in_database(name) or super().exists(name)

    def size(self, name: str) -> int:
        """Return the size of a file in bytes."""
        with self.open(name) as file:
            return int(file.size)

    def delete(self, name: str) -> None:
        """Delete a file from the folder and the database; ignore a missing one."""
        if _is_database_storage():
            Blob.objects.filter(name=name).delete()
        super().delete(name)

    def should_store_in_database(self, size_bytes: int) -> bool:
        """Return whether a file of this size is stored in the database."""
        return _is_database_storage() and size_bytes <= settings.MAX_DATABASE_FILE_BYTES

    def _save(self, name: str, content: File[Any]) -> str:
        if not self.should_store_in_database(content.size):
            return str(super()._save(name, content))  # type: ignore[misc]  # not in the stubs
        # two workers may write the same name at once, so each gets a unique name
        path = Path(name)
        unique_name = self.get_alternative_name(str(path.with_suffix("")), path.suffix)
        content.seek(0)
        Blob.objects.create(name=unique_name, content=content.read())
        return unique_name

    def _open(self, name: str, mode: str = "rb") -> File[Any]:
        if _is_database_storage():
            blob_content = (
                Blob.objects.filter(name=name).values_list("content", flat=True).first()
            )
            if blob_content is not None:
                return ContentFile(bytes(blob_content), name)
        return File(Path(self.path(name)).open(mode), name)


def _is_database_storage() -> bool:
    return connection.vendor == "postgresql" and settings.MAX_DATABASE_FILE_BYTES > 0


def _is_in_database(name: str) -> bool:
    return _is_database_storage() and Blob.objects.filter(name=name).exists()
