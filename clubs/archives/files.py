"""The storage of the PDF files of papers during an import, in a folder for this import.

A marker file in the folder means that the import may not be complete. If the program is killed
before its commit, no database row refers to these files, and the next import deletes them.
"""

import re
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import models, transaction

from clubs.archives.archive_file import Archive
from clubs.archives.errors import BadArchive

IMPORT_FOLDER = "brought"
"""The folder of imported paper files within MEDIA_ROOT."""
UNFINISHED_MARKER = ".unfinished"
"""The name of the marker file in the folder of an import that has not ended."""
SUFFIX_PATTERN = re.compile(r"\.[a-z0-9]{1,5}$")


def delete_unfinished_imports() -> None:
    """Delete the files of incomplete imports; the caller must have acquired the import lock."""
    for marker_path in (Path(settings.MEDIA_ROOT) / IMPORT_FOLDER).glob(
        f"*/{UNFINISHED_MARKER}"
    ):
        # A program that is killed after its commit leaves the marker of a complete import.
        if _is_folder_referenced(f"{IMPORT_FOLDER}/{marker_path.parent.name}/"):
            marker_path.unlink(missing_ok=True)
        else:
            shutil.rmtree(marker_path.parent, ignore_errors=True)


def _is_folder_referenced(folder_name: str) -> bool:
    """Return whether a database row refers to a file in a folder of the storage."""
    return any(
        model._base_manager.filter(**{f"{field.name}__startswith": folder_name}).exists()
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, models.FileField)
    )


class FileImporter:
    """The storage of the paper files of one archive during its import."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._name = f"{IMPORT_FOLDER}/{uuid4().hex}"
        self._folder = Path(settings.MEDIA_ROOT) / self._name

    def __enter__(self) -> "FileImporter":
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error_type is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def store_file(self, model_field: Any, file_reference: Any) -> str:
        """Store the archive's file that a row refers to, and return its name in the storage."""
        if file_reference == "":
            return ""
        if not isinstance(file_reference, dict):
            raise BadArchive.from_invalid_column(
                model_field.model._meta.label, model_field.name
            )
        suffix_match = SUFFIX_PATTERN.search(str(file_reference.get("name", "")).lower())
        file_digest = str(file_reference.get("sha256", ""))
        if not re.fullmatch("[0-9a-f]{64}", file_digest):
            raise BadArchive.from_invalid_column(
                model_field.model._meta.label, model_field.name
            )
        file_name = f"{file_digest[:16]}{suffix_match[0] if suffix_match else ''}"
        if model_field.storage.should_store_in_database(
            self._archive.get_file_size(file_digest)
        ):
            content_file = ContentFile(self._archive.read_file(file_digest))
            return str(model_field.storage.save(f"{IMPORT_FOLDER}/{file_name}", content_file))
        return self._copy_to_folder(file_digest, file_name)

    def _copy_to_folder(self, file_digest: str, file_name: str) -> str:
        """Copy a file into the folder of this import, and return its name in the storage."""
        if not self._folder.exists():
            self._folder.mkdir(mode=0o700, parents=True)
            (self._folder / UNFINISHED_MARKER).touch(mode=0o600)
        if not (self._folder / file_name).exists():
            self._archive.copy_file(file_digest, self._folder / file_name)
        return f"{self._name}/{file_name}"

    def remove_marker(self) -> None:
        """Remove the marker file when the transaction with the imported rows commits."""
        marker_path = self._folder / UNFINISHED_MARKER
        transaction.on_commit(lambda: marker_path.unlink(missing_ok=True))
