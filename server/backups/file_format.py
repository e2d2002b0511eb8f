"""The file format of a backup, and the checks of a file before it is restored.

A backup is a zip file with `manifest.json`, the database, the media files and optionally the
secret key. The manifest has the size and SHA-256 of each member and the digest of each table.
"""

import errno
import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.utils.translation import gettext as _

from server.backups import encryption
from server.backups.digests import DatabaseDigest

FORMAT_VERSION = 1
MANIFEST_MEMBER = "manifest.json"
MEDIA_PREFIX = "media/"
KEY_MEMBER = "keys/secret_key"
OLD_KEYS_MEMBER = "keys/secret_keys_before"
MAX_MANIFEST_BYTES = 20 * 1024 * 1024
"""The maximum size of a manifest; one that lists a hundred thousand papers is smaller."""
CHUNK_BYTES = 1024 * 1024
PART_SUFFIX = ".part"
"""The suffix of a file that is not yet complete."""
ZIP_ERRORS = zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError
"""Errors of the zip library for a file that is truncated, altered or in an unknown format."""


class InvalidBackup(Exception):
    """A file is not a backup, or is incomplete or altered. The message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupManifest:
    """The manifest of a backup.

    `kind` is the reason for the backup: "asked", "session", "night", "upgrade" or "restore".
    `sizes_and_hashes_by_member` has the size in bytes and the SHA-256 of each file, by its name
    in the zip.
    """

    version: str
    vendor: str
    schema_fingerprint: str
    kind: str
    site: str
    made_at: datetime
    key_id: str
    digest: DatabaseDigest
    sizes_and_hashes_by_member: Mapping[str, tuple[int, str]]

    @property
    def database_member_name(self) -> str:
        """The name of the zip member with the database."""
        return next(
            name for name in self.sizes_and_hashes_by_member if name.startswith("database.")
        )

    def to_data(self) -> dict[str, Any]:
        """Return the JSON data of `manifest.json`."""
        return {
            "format": FORMAT_VERSION,
            "version": self.version,
            "vendor": self.vendor,
            "shape": self.schema_fingerprint,
            "kind": self.kind,
            "site": self.site,
            "made_at": self.made_at.isoformat(),
            "key_id": self.key_id,
            "digest": self.digest.sha256,
            "tables": self.digest.to_data(),
            "members": {
                name: {"bytes": byte_count, "sha256": sha256}
                for name, (byte_count, sha256) in sorted(
                    self.sizes_and_hashes_by_member.items()
                )
            },
        }


def parse_manifest(manifest_data: Any) -> BackupManifest:
    """Build a manifest from the data of `manifest.json`; raise InvalidBackup."""
    try:
        if manifest_data["format"] > FORMAT_VERSION:
            raise InvalidBackup(
                _(
                    "This backup was made by a newer version of Overplay (%(theirs)s). "
                    "Restore it with that version or a newer one."
                )
                % {"theirs": manifest_data["version"]}
            )
        sizes_and_hashes_by_member = {
            _check_member_path(name): (int(member["bytes"]), str(member["sha256"]))
            for name, member in manifest_data["members"].items()
        }
        manifest = BackupManifest(
            version=str(manifest_data["version"]),
            vendor=str(manifest_data["vendor"]),
            schema_fingerprint=str(manifest_data["shape"]),
            kind=str(manifest_data["kind"]),
            site=str(manifest_data["site"]),
            made_at=datetime.fromisoformat(manifest_data["made_at"]),
            key_id=str(manifest_data["key_id"]),
            digest=DatabaseDigest.from_data(manifest_data["tables"]),
            sizes_and_hashes_by_member=sizes_and_hashes_by_member,
        )
        if (
            manifest_data["digest"] != manifest.digest.sha256
            or not manifest.database_member_name
        ):
            raise ValueError
    except (
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        AttributeError,
        StopIteration,
    ) as error:
        raise InvalidBackup(_("This isn’t an Overplay backup, or it was changed.")) from error
    return manifest


def compute_size_and_hash(path: Path) -> tuple[int, str]:
    """Return the size and SHA-256 of a file."""
    sha256 = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            sha256.update(chunk)
    return path.stat().st_size, sha256.hexdigest()


def write_backup_file(
    target_path: Path, manifest: BackupManifest, paths_by_member: Mapping[str, Path]
) -> BackupManifest:
    """Write a backup of these files to a zip and return its complete manifest.

    A media file that is deleted during the backup is left out; one that is replaced is stored
    as it was read. The target must not be readable by other accounts.
    """
    sizes_and_hashes_by_member = {}
    with zipfile.ZipFile(target_path, "w", allowZip64=True) as archive:
        for name, path in sorted(paths_by_member.items()):
            try:
                sizes_and_hashes_by_member[name] = _add_member(archive, name, path)
            except FileNotFoundError:
                if not name.startswith(MEDIA_PREFIX):
                    raise
        complete_manifest = replace(
            manifest, sizes_and_hashes_by_member=sizes_and_hashes_by_member
        )
        manifest_text = json.dumps(complete_manifest.to_data(), ensure_ascii=False, indent=1)
        archive.writestr(MANIFEST_MEMBER, manifest_text, zipfile.ZIP_DEFLATED)
    return complete_manifest


def _add_member(archive: zipfile.ZipFile, name: str, path: Path) -> tuple[int, str]:
    """Add one file to the zip; return the size and SHA-256 of the bytes read."""
    byte_count, sha256 = 0, hashlib.sha256()
    with path.open("rb") as source_file:
        member = zipfile.ZipInfo.from_file(path, name)
        member.compress_type = _choose_compression(name)
        with archive.open(member, "w") as member_file:
            while chunk := source_file.read(CHUNK_BYTES):
                member_file.write(chunk)
                sha256.update(chunk)
                byte_count += len(chunk)
    return byte_count, sha256.hexdigest()


def _choose_compression(name: str) -> int:
    """Return the zip compression of a member: compressed formats are stored unchanged."""
    return (
        zipfile.ZIP_STORED if name.endswith((".dump", ".png", ".pdf")) else zipfile.ZIP_DEFLATED
    )


def read_unencrypted_manifest(path: Path) -> BackupManifest:
    """Read the manifest of a backup without a passphrase; raise InvalidBackup."""
    with _open_zip(path) as archive:
        return _read_manifest(archive)


def extract_backup(path: Path, folder: Path, passphrase: str = "") -> BackupManifest:
    """Extract a backup into an empty folder and check the checksum of each member.

    Raises InvalidBackup for a file that is truncated or altered, a member that is larger than
    in the manifest or has a path outside the folder, and a wrong passphrase. Raises OSError if
    the folder cannot be written. The caller deletes the folder.
    """
    if encryption.is_encrypted(path):
        path = _decrypt_backup(path, folder, passphrase)
    with _open_zip(path) as archive:
        manifest = _read_manifest(archive)
        _check_member_names(archive.namelist(), manifest)
        for name, (byte_count, sha256) in manifest.sizes_and_hashes_by_member.items():
            target_path = folder / "laid out" / name
            target_path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with archive.open(name) as member_file, target_path.open("wb") as target_file:
                    _copy_limited_bytes(member_file, target_file, byte_count)
            except ZIP_ERRORS as error:
                if isinstance(error, OSError) and error.errno != errno.EINVAL:
                    raise  # a full or broken disk; zipfile raises EINVAL for a wrong offset
                raise _build_altered_backup_error(name) from error
            if compute_size_and_hash(target_path) != (byte_count, sha256):
                raise _build_altered_backup_error(name)
    return manifest


def build_extracted_path(folder: Path, name: str) -> Path:
    """Return the path of a member that `extract_backup` has extracted."""
    return folder / "laid out" / name


def _decrypt_backup(path: Path, folder: Path, passphrase: str) -> Path:
    if not passphrase:
        raise InvalidBackup(_("This backup needs a passphrase: --passphrase-file FILE."))
    decrypted_path = folder / "unsealed.zip"
    try:
        encryption.decrypt_file(path, decrypted_path, passphrase)
    except encryption.WrongPassphrase as error:
        raise InvalidBackup(_("Wrong passphrase, or the file is damaged.")) from error
    return decrypted_path


def _open_zip(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except ZIP_ERRORS as error:
        message = _("%(file)s isn’t an Overplay backup, or is incomplete (%(why)s).")
        raise InvalidBackup(message % {"file": path, "why": error}) from error


def _read_manifest(archive: zipfile.ZipFile) -> BackupManifest:
    try:
        member_info = archive.getinfo(MANIFEST_MEMBER)
        if member_info.file_size > MAX_MANIFEST_BYTES:
            raise ValueError
        with archive.open(member_info) as file:
            manifest_data = json.loads(file.read(MAX_MANIFEST_BYTES + 1))
    except (KeyError, *ZIP_ERRORS) as error:
        raise InvalidBackup(_("This isn’t an Overplay backup, or it was changed.")) from error
    return parse_manifest(manifest_data)


def _check_member_names(member_names: Iterable[str], manifest: BackupManifest) -> None:
    """Raise InvalidBackup for missing, duplicate or unknown members."""
    content_names = sorted(name for name in member_names if name != MANIFEST_MEMBER)
    if content_names != sorted(manifest.sizes_and_hashes_by_member):
        raise InvalidBackup(
            _("This backup’s contents don’t match its list. The backup was changed.")
        )


def _check_member_path(name: str) -> str:
    """Return a member's name; raise InvalidBackup for a path outside the folder."""
    path = PurePosixPath(name)
    is_inside_folder = not path.is_absolute() and ".." not in path.parts and "\\" not in name
    if not is_inside_folder or ":" in name or not path.parts or name == MANIFEST_MEMBER:
        raise InvalidBackup(
            _("This backup would write to %(name)s, outside its folder.") % {"name": name}
        )
    return name


def _copy_limited_bytes(
    source_file: IO[bytes], target_file: IO[bytes], byte_count: int
) -> None:
    """Copy at most `byte_count` + 1 bytes: a longer member then fails its checksum, and cannot
    fill the disk.
    """
    bytes_left = byte_count + 1
    while bytes_left > 0 and (chunk := source_file.read(min(CHUNK_BYTES, bytes_left))):
        target_file.write(chunk)
        bytes_left -= len(chunk)


def _build_altered_backup_error(name: str) -> InvalidBackup:
    message = _("%(name)s in this backup is damaged or was changed.")
    return InvalidBackup(message % {"name": name})


def copy_file_atomically(source_path: Path, target_path: Path) -> None:
    """Copy a file to its final name in one step, readable only by its owner."""
    target_path.parent.mkdir(parents=True, exist_ok=True)
    temporary_path = target_path.with_name(f"{target_path.name}{PART_SUFFIX}")
    try:
        shutil.copyfile(source_path, temporary_path)
        move_file_durably(temporary_path, target_path)
    finally:
        temporary_path.unlink(missing_ok=True)


def move_file_durably(source_path: Path, target_path: Path) -> None:
    """Rename a complete file in the same file system, and make it private.

    The content is first flushed to the disk. Otherwise the new name could have an empty file
    after a power cut.
    """
    source_path.chmod(0o600)
    with source_path.open("rb+") as file:
        os.fsync(file.fileno())
    source_path.replace(target_path)
