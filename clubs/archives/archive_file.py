"""The archive file format, and the validation of a file before any row is imported.

The file is a zip with `manifest.json`, a JSON Lines member for each table, and paper files
named by SHA-256. The manifest lists the size and digest of each member.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from clubs.archives.errors import BadArchive
from server.backups import encryption
from server.backups.file_format import ZIP_ERRORS

FORMAT_VERSION = 1
"""The version of the archive file format."""
MANIFEST_NAME = "manifest.json"
"""The name of the zip member with the manifest."""
ZIP_MEMBER_NAME_FORMAT = "rows/%s.jsonl"
"""The name of the zip member with a table's rows; `%s` is the model label."""
FILES_PREFIX = "files/"
"""The prefix of zip members with paper files, before the SHA-256 digest."""
MAX_MANIFEST_BYTES = 20 * 1024 * 1024
"""The maximum size of the manifest in bytes."""
MAX_TOTAL_BYTES = 4 * 1024**3
"""The maximum total size of all zip members, in bytes."""
MAX_ROW_BYTES = 8 * 1024 * 1024
"""The maximum size of one row in bytes."""
MAX_MISSING_KEYS_PER_TABLE = 100_000
"""The maximum number of primary keys per table that occur only in JSON values, not in a row.
"""
CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveTable:
    """The manifest entry of one table."""

    model: str
    columns: tuple[str, ...]
    row_count: int
    row_number_count: int  # includes the numbers of deleted rows that JSON values refer to
    byte_count: int  # bytes
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLogin:
    """The manifest entry of one login."""

    name: str
    password: str  # the password hash, or "" if it was not exported


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The parsed manifest of an archive."""

    version: str
    site: str
    uid: UUID
    name: str
    slug: str
    logins: tuple[ArchiveLogin, ...]
    tables_by_label: Mapping[str, ArchiveTable]
    file_sizes_by_digest: Mapping[str, int]
    rows_digest: str


class Archive:
    """An open archive whose members all match the digests in its manifest."""

    def __init__(self, zip_file: zipfile.ZipFile, manifest: Manifest) -> None:
        self._zip_file, self.manifest = zip_file, manifest

    def close(self) -> None:
        """Close the zip file, which some operating systems require before it can be deleted."""
        self._zip_file.close()

    def iter_rows(self, model_label: str) -> Iterator[list[Any]]:
        """Yield the rows of the table with this model label.

        Raises BadArchive for an invalid line.
        """
        archive_table = self.manifest.tables_by_label[model_label]
        with self._zip_file.open(ZIP_MEMBER_NAME_FORMAT % model_label) as member:
            while json_line := member.readline(MAX_ROW_BYTES):
                try:
                    row = json.loads(json_line)
                except (ValueError, RecursionError) as error:
                    raise BadArchive.from_invalid_column(model_label, "id") from error
                if not isinstance(row, list) or len(row) != len(archive_table.columns):
                    raise BadArchive.from_invalid_column(model_label, "id")
                yield row

    def get_file_size(self, file_digest: str) -> int:
        """Return the size in bytes of the paper file with this digest.

        Raises BadArchive if the archive has no such file.
        """
        if file_digest not in self.manifest.file_sizes_by_digest:
            raise BadArchive.from_invalid_column("file", file_digest[:10])
        return self.manifest.file_sizes_by_digest[file_digest]

    def read_file(self, file_digest: str) -> bytes:
        """Return the content of a small paper file, given by its digest."""
        return self._zip_file.read(FILES_PREFIX + file_digest)

    def copy_file(self, file_digest: str, target_path: Path) -> None:
        """Copy the paper file with this digest to a path."""
        with (
            self._zip_file.open(FILES_PREFIX + file_digest) as source_file,
            target_path.open("xb") as target_file,
        ):
            while chunk := source_file.read(CHUNK_BYTES):
                target_file.write(chunk)
        target_path.chmod(0o600)


def open_archive(path: Path, work_folder: Path, passphrase: str = "") -> Archive:
    """Open and validate an archive file; raise BadArchive if it is invalid.

    `work_folder` is an empty folder for the decrypted file. The caller closes the returned
    archive.
    """
    if not path.is_file():
        raise BadArchive(_("%(file)s not found.") % {"file": path})
    if encryption.is_encrypted(path):
        path = decrypt_archive(path, work_folder / "unsealed", passphrase)
    with ExitStack() as cleanup:
        try:
            zip_file = cleanup.enter_context(zipfile.ZipFile(path))
            manifest = _read_manifest(zip_file)
            _check_zip_members(zip_file, manifest)
        except ZIP_ERRORS as error:
            raise BadArchive(
                _("%(file)s isn’t a club file, or is incomplete.") % {"file": path.name}
            ) from error
        cleanup.pop_all()
    return Archive(zip_file, manifest)


def decrypt_archive(path: Path, target_path: Path, passphrase: str) -> Path:
    """Decrypt an archive file into `target_path`; raise BadArchive if that fails."""
    if not passphrase:
        raise BadArchive(_("This file needs a passphrase."))
    try:
        encryption.decrypt_file(path, target_path, passphrase)
    except encryption.WrongPassphrase as error:
        raise BadArchive(_("Wrong passphrase, or the file is damaged.")) from error
    return target_path


def _read_manifest(zip_file: zipfile.ZipFile) -> Manifest:
    try:
        member_info = zip_file.getinfo(MANIFEST_NAME)
        if member_info.file_size > MAX_MANIFEST_BYTES:
            raise ValueError
        with zip_file.open(member_info) as file:
            manifest_data = json.loads(file.read(MAX_MANIFEST_BYTES + 1))
        if manifest_data["format"] > FORMAT_VERSION:
            message = _(
                "This file was made by a newer version of Overplay (%(theirs)s). Upgrade first."
            )
            raise BadArchive(message % {"theirs": manifest_data["version"]})
        return _parse_manifest(manifest_data)
    except (KeyError, ValueError, OverflowError, TypeError, AttributeError) as error:
        raise BadArchive(_("This isn’t a club file, or it was changed.")) from error


def _parse_manifest(manifest_data: Any) -> Manifest:
    tables = [
        ArchiveTable(
            model=str(table_data["model"]),
            columns=tuple(str(column) for column in table_data["columns"]),
            row_count=int(table_data["rows"]),
            row_number_count=int(table_data["numbers"]),
            byte_count=int(table_data["bytes"]),
            sha256=str(table_data["sha256"]),
        )
        for table_data in manifest_data["tables"]
    ]
    archive_logins = [
        ArchiveLogin(
            name=str(login_data["name"])[:150],
            password=str(login_data.get("password", ""))[:128],
        )
        for login_data in manifest_data["logins"]
    ]
    return Manifest(
        version=str(manifest_data["version"]),
        site=str(manifest_data["site"]),
        uid=UUID(manifest_data["club"]["uid"]),
        name=str(manifest_data["club"]["name"]),
        slug=str(manifest_data["club"]["slug"]),
        logins=tuple(archive_logins),
        tables_by_label={table.model: table for table in tables},
        file_sizes_by_digest={
            str(digest): int(size) for digest, size in manifest_data["files"].items()
        },
        rows_digest=str(manifest_data["digest"]),
    )


def _check_zip_members(zip_file: zipfile.ZipFile, manifest: Manifest) -> None:
    """Raise BadArchive unless each zip member occurs once and matches the manifest."""
    expected_zip_members = {
        ZIP_MEMBER_NAME_FORMAT % archive_table.model: (
            archive_table.byte_count,
            archive_table.sha256,
        )
        for archive_table in manifest.tables_by_label.values()
    }
    expected_zip_members |= {
        FILES_PREFIX + digest: (size, digest)
        for digest, size in manifest.file_sizes_by_digest.items()
    }
    member_names = sorted(name for name in zip_file.namelist() if name != MANIFEST_NAME)
    if (
        member_names != sorted(expected_zip_members)
        or sum(size for size, _digest in expected_zip_members.values()) > MAX_TOTAL_BYTES
    ):
        raise BadArchive(_("This file’s contents don’t match its list. The file was changed."))
    for archive_table in manifest.tables_by_label.values():
        if (
            not 0
            <= archive_table.row_count
            <= archive_table.row_number_count
            <= archive_table.row_count + MAX_MISSING_KEYS_PER_TABLE
        ):
            raise BadArchive.from_invalid_column(archive_table.model, "id")
    for name, (size, sha256) in expected_zip_members.items():
        with zip_file.open(name) as member:
            if _compute_digest(member, size) != sha256:
                message = _("%(name)s in this file was changed.")
                raise BadArchive(message % {"name": name})


def _compute_digest(member: Any, expected_size: int) -> str:
    """Return the SHA-256 digest of a zip member, reading at most the expected size."""
    hasher, bytes_left = hashlib.sha256(), expected_size + 1
    while bytes_left > 0 and (chunk := member.read(min(CHUNK_BYTES, bytes_left))):
        hasher.update(chunk)
        bytes_left -= len(chunk)
    return hasher.hexdigest() if bytes_left == 1 else ""
