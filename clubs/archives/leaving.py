"""Export of a club into one file, from one database snapshot."""

import hashlib
import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.archives.errors import NotCarried
from clubs.archives.known import ArchivedModel, ArchiveSchema
from clubs.archives.packing import FILES, FORMAT, MANIFEST, MEMBER
from clubs.archives.rows import ArchiveSource, Summing, line, one_moment
from clubs.models import Club, Membership
from server.backups import sealing
from server.backups.digests import Digest, TableDigest
from server.jobs.progress_files import Progress, no_progress
from server.version import VERSION
from server.work_folders import work_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenArchive:
    """The result of an export: the file, its rows, and its digest."""

    path: Path
    digest: Digest


def secret_boards(club: Club, known: ArchiveSchema) -> list[str]:
    """Name the boards with cards still to be played, which are never exported unencrypted."""
    return [name for find in known.secret for name in find(club)]


def export(
    club: Club,
    to: Path,
    known: ArchiveSchema,
    *,
    passphrase: str = "",
    with_logins: bool = False,
    progress: Progress = no_progress,
) -> WrittenArchive:
    """Export a club into a file that only the owner can read.

    Raises NotCarried, and leaves no file then.
    """
    if not passphrase:
        refuse_open(club, known)
    try:
        to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with work_folder(to.parent, "archive") as work:
            plain = work / "plain"
            digest = pack(club, plain, known, with_logins=with_logins, progress=progress)
            if passphrase:
                sealing.seal(plain, work / "sealed", passphrase)
                plain = work / "sealed"
            plain.replace(to)
    except OSError as error:
        raise NotCarried(
            _("No archive could be written in %(folder)s: %(why)s.")
            % {"folder": to.parent, "why": error.strerror or error}
        ) from error
    return WrittenArchive(path=to, digest=digest)


def refuse_open(club: Club, known: ArchiveSchema) -> None:
    """Raise NotCarried while the cards of boards still to be played are known."""
    if secret := secret_boards(club, known):
        raise NotCarried(
            _(
                "The boards of %(events)s are known and still to be played. Give a passphrase, "
                "so that nobody reads them in the file, or wait until play has closed."
            )
            % {"events": ", ".join(secret[:5])}
        )


def pack(
    club: Club,
    to: Path,
    known: ArchiveSchema,
    *,
    with_logins: bool = False,
    progress: Progress = no_progress,
) -> Digest:
    """Write the file itself, without a passphrase and readable only by this program's user."""
    os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    found, told = {}, []
    with zipfile.ZipFile(to, "w", allowZip64=True) as packed, one_moment():
        reading = ArchiveSource.of(club, known)
        count, done = reading.count(), 0
        for table in reading.tables:
            entry, found[table.label] = _write(packed, reading, table)
            told.append(entry)
            done += entry["rows"]
            progress(done, count)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "site": settings.SITE_HOST,
            "made_at": timezone.now().isoformat(),
            "club": {"uid": str(club.uid), "name": club.name, "slug": club.slug},
            "logins": _logins(club, with_passwords=with_logins),
            "tables": told,
            "files": _write_files(packed, reading.files),
            "digest": Digest(found).sha256,
        }
        text = json.dumps(manifest, ensure_ascii=False, indent=1)
        packed.writestr(MANIFEST, text, zipfile.ZIP_DEFLATED)
    return Digest(found)


def _write(
    packed: zipfile.ZipFile, reading: ArchiveSource, table: ArchivedModel
) -> tuple[dict[str, Any], TableDigest]:
    """Write the rows of a table, and return its manifest entry."""
    summing, summed, size, rows = Summing(table), hashlib.sha256(), 0, 0
    info = zipfile.ZipInfo(MEMBER % table.label)
    info.compress_type = zipfile.ZIP_DEFLATED
    with packed.open(info, "w", force_zip64=True) as member:
        for row in reading.rows(table):
            summing.add(row)
            text = line(row)
            member.write(text)
            summed.update(text)
            size, rows = size + len(text), rows + 1
    told = {
        "model": table.label,
        "columns": [field.attname for field in table.fields],
        "rows": rows,
        "numbers": reading.numbers.count(table.label),
        "bytes": size,
        "sha256": summed.hexdigest(),
    }
    return told, summing.done()


def _write_files(
    packed: zipfile.ZipFile, files: Mapping[str, Callable[[], File[Any]]]
) -> dict[str, int]:
    """Write each paper file once, and return the sizes."""
    for summed, opened in sorted(files.items()):
        member = zipfile.ZipInfo(FILES + summed, time.localtime()[:6])
        with opened() as file, packed.open(member, "w") as out:
            shutil.copyfileobj(file, out)
    return {summed: packed.getinfo(FILES + summed).file_size for summed in sorted(files)}


def _logins(club: Club, *, with_passwords: bool) -> list[dict[str, str]]:
    """Return the logins of a club by name, with password hashes only if requested."""
    members = (
        Membership.objects.filter(club=club).select_related("user").order_by("user__username")
    )
    return [
        {"name": each.user.username}
        | ({"password": each.user.password} if with_passwords else {})
        for each in members
    ]
