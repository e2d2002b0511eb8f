"""The file format of a backup, with checks before any byte of it is trusted.

A zip with `manifest.json`, the database, the media and optionally the key. The manifest has the
size and SHA-256 of each member and the digest of each table.
"""

import hashlib
import json
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.utils.translation import gettext as _

from server.backups import sealing
from server.backups.digests import Digest

FORMAT = 1
MANIFEST = "manifest.json"
MEDIA = "media/"
KEY = "keys/secret_key"
KEYS_BEFORE = "keys/secret_keys_before"
MAX_MANIFEST_BYTES = 20 * 1024 * 1024
"""Bytes; a manifest of a hundred thousand papers is smaller."""
CHUNK_BYTES = 1024 * 1024
UNREADABLE = zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError
"""Errors of the zip library for a file that is truncated, altered or of an unknown format."""


class BadBackup(Exception):
    """Not a backup, or an incomplete one; the text says which and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The manifest of a backup.

    `kind` is the reason for it: "asked", "session", "night", "upgrade", "restore". `shape` is
    the fingerprint of the schema, `members` has the size in bytes and the SHA-256 of each file.
    """

    version: str
    vendor: str
    shape: str
    kind: str
    site: str
    made_at: datetime
    key_id: str
    digest: Digest
    members: Mapping[str, tuple[int, str]]

    @property
    def database(self) -> str:
        """The name of the member with the database."""
        return next(name for name in self.members if name.startswith("database."))

    def as_data(self) -> dict[str, Any]:
        """Return the data of `manifest.json`."""
        return {
            "format": FORMAT,
            "version": self.version,
            "vendor": self.vendor,
            "shape": self.shape,
            "kind": self.kind,
            "site": self.site,
            "made_at": self.made_at.isoformat(),
            "key_id": self.key_id,
            "digest": self.digest.sha256,
            "tables": self.digest.as_data(),
            "members": {
                name: {"bytes": size, "sha256": summed}
                for name, (size, summed) in sorted(self.members.items())
            },
        }


def read_manifest(data: Any) -> Manifest:
    """Read what `as_data` wrote; raises BadBackup."""
    try:
        if data["format"] > FORMAT:
            raise BadBackup(
                _(
                    "This backup was made by a newer Overplay (%(theirs)s). Install that "
                    "version or a newer one, and restore it with that."
                )
                % {"theirs": data["version"]}
            )
        members = {
            _safe(name): (int(each["bytes"]), str(each["sha256"]))
            for name, each in data["members"].items()
        }
        manifest = Manifest(
            version=str(data["version"]),
            vendor=str(data["vendor"]),
            shape=str(data["shape"]),
            kind=str(data["kind"]),
            site=str(data["site"]),
            made_at=datetime.fromisoformat(data["made_at"]),
            key_id=str(data["key_id"]),
            digest=Digest.from_data(data["tables"]),
            members=members,
        )
        if data["digest"] != manifest.digest.sha256 or not manifest.database:
            raise ValueError
    except (
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        AttributeError,
        StopIteration,
    ) as error:
        raise BadBackup(_("This is not a backup of Overplay, or it was altered.")) from error
    return manifest


def size_and_hash(path: Path) -> tuple[int, str]:
    """Return the size and SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(CHUNK_BYTES):
            found.update(piece)
    return path.stat().st_size, found.hexdigest()


def pack(target: Path, manifest: Manifest, files: Mapping[str, Path]) -> Manifest:
    """Write a backup of these files and return its manifest.

    A paper that is deleted or replaced during the backup is left out, or is in it as it was
    read. The target must be private.
    """
    members = {}
    with zipfile.ZipFile(target, "w", allowZip64=True) as packed:
        for name, path in sorted(files.items()):
            try:
                members[name] = _put(packed, name, path)
            except FileNotFoundError:
                if not name.startswith(MEDIA):
                    raise
        told = replace(manifest, members=members)
        text = json.dumps(told.as_data(), ensure_ascii=False, indent=1)
        packed.writestr(MANIFEST, text, zipfile.ZIP_DEFLATED)
    return told


def _put(packed: zipfile.ZipFile, name: str, path: Path) -> tuple[int, str]:
    """Write one file; return the size and SHA-256 of what was read."""
    size, found = 0, hashlib.sha256()
    with path.open("rb") as source:
        member = zipfile.ZipInfo.from_file(path, name)
        member.compress_type = _way(name)
        with packed.open(member, "w") as out:
            while piece := source.read(CHUNK_BYTES):
                out.write(piece)
                found.update(piece)
                size += len(piece)
    return size, found.hexdigest()


def _way(name: str) -> int:
    """Return the compression of a member: compressed formats are stored as they are."""
    return (
        zipfile.ZIP_STORED if name.endswith((".dump", ".png", ".pdf")) else zipfile.ZIP_DEFLATED
    )


def read_unsealed_manifest(path: Path) -> Manifest:
    """Read only the manifest of a backup without a passphrase; raise BadBackup."""
    with _opened(path) as packed:
        return _manifest_of(packed)


def unpack(path: Path, folder: Path, passphrase: str = "") -> Manifest:
    """Extract a backup into an empty folder after checking each checksum.

    Raises BadBackup for a file that is truncated, altered, larger than its manifest says,
    encrypted with another passphrase, or that would write outside the folder. The caller
    deletes the folder.
    """
    if sealing.is_sealed(path):
        path = _unsealed(path, folder, passphrase)
    with _opened(path) as packed:
        manifest = _manifest_of(packed)
        _check_names(packed.namelist(), manifest)
        for name, (size, digest) in manifest.members.items():
            target = folder / "laid out" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with packed.open(name) as source, target.open("wb") as out:
                    _copy_at_most(source, out, size)
            except UNREADABLE as error:
                raise _altered(name) from error
            if size_and_hash(target) != (size, digest):
                raise _altered(name)
    return manifest


def extracted_path(folder: Path, name: str) -> Path:
    """Return the path of a member that `unpack` extracted."""
    return folder / "laid out" / name


def _unsealed(path: Path, folder: Path, passphrase: str) -> Path:
    if not passphrase:
        raise BadBackup(_("This backup is under a passphrase: give it with --passphrase-file."))
    plain = folder / "unsealed.zip"
    try:
        sealing.unseal(path, plain, passphrase)
    except sealing.WrongPassphrase as error:
        raise BadBackup(
            _("The passphrase does not open this backup, or the file was cut off or altered.")
        ) from error
    return plain


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except UNREADABLE as error:
        words = _("%(file)s is not a backup of Overplay, or only a part of one (%(why)s).")
        raise BadBackup(words % {"file": path, "why": error}) from error


def _manifest_of(packed: zipfile.ZipFile) -> Manifest:
    try:
        info = packed.getinfo(MANIFEST)
        if info.file_size > MAX_MANIFEST_BYTES:
            raise ValueError
        with packed.open(info) as file:
            data = json.loads(file.read(MAX_MANIFEST_BYTES + 1))
    except (KeyError, *UNREADABLE) as error:
        raise BadBackup(_("This is not a backup of Overplay, or it was altered.")) from error
    return read_manifest(data)


def _check_names(found: Iterable[str], manifest: Manifest) -> None:
    """Refuse members that are missing, unknown to the manifest, or present twice."""
    names = sorted(name for name in found if name != MANIFEST)
    if names != sorted(manifest.members):
        raise BadBackup(_("This backup holds other files than it says, so it was altered."))


def _safe(name: str) -> str:
    """Return a member's name; raise BadBackup for a path outside the folder."""
    path = PurePosixPath(name)
    is_inside = not path.is_absolute() and ".." not in path.parts and "\\" not in name
    if not is_inside or ":" in name or not path.parts or name == MANIFEST:
        raise BadBackup(
            _("This backup would write to %(name)s, outside its folder.") % {"name": name}
        )
    return name


def _copy_at_most(source: IO[bytes], out: IO[bytes], size: int) -> None:
    """Copy a member up to its size; a longer one fails its checksum."""
    left = size + 1
    while left > 0 and (piece := source.read(min(CHUNK_BYTES, left))):
        out.write(piece)
        left -= len(piece)


def _altered(name: str) -> BadBackup:
    words = _("%(name)s in this backup is not what was put there: it was cut off or altered.")
    return BadBackup(words % {"name": name})


def move_atomically(source: Path, target: Path) -> None:
    """Move a file to its final name atomically, readable by its owner only."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.part")
    shutil.copyfile(source, draft)
    draft.chmod(0o600)
    draft.replace(target)
