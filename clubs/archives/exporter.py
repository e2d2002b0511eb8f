"""The export of a club into one file, from one database snapshot."""

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

from clubs.archives.archive_file import (
    FILES_PREFIX,
    FORMAT_VERSION,
    MANIFEST_NAME,
    ZIP_MEMBER_NAME_FORMAT,
)
from clubs.archives.errors import ArchiveRefused
from clubs.archives.rows import ArchiveSource, DigestBuilder, format_row, use_database_snapshot
from clubs.archives.spec import ArchivedModel, ArchiveSpec
from clubs.models import Club, Membership
from server.backups import encryption
from server.backups.digests import DatabaseDigest, DatabaseTableDigest
from server.jobs.progress_files import ProgressCallback, ignore_progress
from server.version import VERSION
from server.work_folders import create_work_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedArchive:
    """The result of an export: the path of the file, and the digest of its rows."""

    path: Path
    rows_digest: DatabaseDigest


def list_secret_event_names(club: Club, spec: ArchiveSpec) -> list[str]:
    """Return the names of the club's events with dealt cards that must still be kept secret.

    These events are never exported unencrypted.
    """
    return [
        name
        for list_event_names in spec.unplayed_event_finders
        for name in list_event_names(club)
    ]


def export_club(
    club: Club,
    target_path: Path,
    spec: ArchiveSpec,
    *,
    passphrase: str = "",
    should_include_logins: bool = False,
    progress: ProgressCallback = ignore_progress,
) -> ExportedArchive:
    """Export a club into a file that only the program's operating system user can read.

    The file is encrypted if a passphrase is given. Raises ArchiveRefused, without creating a
    file, if the club cannot be exported now.
    """
    if not passphrase:
        check_no_secret_boards(club, spec)
    try:
        target_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with create_work_folder(target_path.parent, "archive") as work_folder:
            work_file_path = work_folder / "plain"
            rows_digest = write_archive(
                club,
                work_file_path,
                spec,
                should_include_logins=should_include_logins,
                progress=progress,
            )
            if passphrase:
                encryption.encrypt_file(work_file_path, work_folder / "sealed", passphrase)
                work_file_path = work_folder / "sealed"
            work_file_path.replace(target_path)
    except OSError as error:
        raise ArchiveRefused(
            _("Can’t write the club file in %(folder)s: %(why)s.")
            % {"folder": target_path.parent, "why": error.strerror or error}
        ) from error
    return ExportedArchive(path=target_path, rows_digest=rows_digest)


def check_no_secret_boards(club: Club, spec: ArchiveSpec) -> None:
    """Raise ArchiveRefused if the club has dealt cards that must still be kept secret."""
    if secret_event_names := list_secret_event_names(club, spec):
        raise ArchiveRefused(
            _(
                "%(events)s still has boards to play. Set a passphrase, or wait until play "
                "has finished."
            )
            % {"events": ", ".join(secret_event_names[:5])}
        )


def write_archive(
    club: Club,
    target_path: Path,
    spec: ArchiveSpec,
    *,
    should_include_logins: bool = False,
    progress: ProgressCallback = ignore_progress,
) -> DatabaseDigest:
    """Write the unencrypted archive file and return the digest of its rows.

    Only the operating system's user of the program can read the file.
    """
    os.close(os.open(target_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    digests_by_label, manifest_entries = {}, []
    with (
        zipfile.ZipFile(target_path, "w", allowZip64=True) as zip_file,
        use_database_snapshot(),
    ):
        source = ArchiveSource.from_club(club, spec)
        row_count, written_count = source.count_rows(), 0
        for archived_model in source.archived_models:
            manifest_entry, digests_by_label[archived_model.label] = _write_table(
                zip_file, source, archived_model
            )
            manifest_entries.append(manifest_entry)
            written_count += manifest_entry["rows"]
            progress(written_count, row_count)
        manifest = {
            "format": FORMAT_VERSION,
            "version": VERSION,
            "site": settings.SITE_HOST,
            "made_at": timezone.now().isoformat(),
            "club": {"uid": str(club.uid), "name": club.name, "slug": club.slug},
            "logins": _list_logins(club, should_include_passwords=should_include_logins),
            "tables": manifest_entries,
            "files": _write_files(zip_file, source.file_openers_by_digest),
            "digest": DatabaseDigest(digests_by_label).sha256,
        }
        manifest_json = json.dumps(manifest, ensure_ascii=False, indent=1)
        zip_file.writestr(MANIFEST_NAME, manifest_json, zipfile.ZIP_DEFLATED)
    return DatabaseDigest(digests_by_label)


def _write_table(
    zip_file: zipfile.ZipFile, source: ArchiveSource, archived_model: ArchivedModel
) -> tuple[dict[str, Any], DatabaseTableDigest]:
    """Write the rows of a table to the zip file; return the manifest entry and the digest."""
    digest_builder, hasher, byte_count, row_count = (
        DigestBuilder(archived_model),
        hashlib.sha256(),
        0,
        0,
    )
    member_info = zipfile.ZipInfo(ZIP_MEMBER_NAME_FORMAT % archived_model.label)
    member_info.compress_type = zipfile.ZIP_DEFLATED
    with zip_file.open(member_info, "w", force_zip64=True) as member:
        for row in source.iter_rows(archived_model):
            digest_builder.add_row(row)
            row_bytes = format_row(row)
            member.write(row_bytes)
            hasher.update(row_bytes)
            byte_count, row_count = byte_count + len(row_bytes), row_count + 1
    manifest_entry = {
        "model": archived_model.label,
        "columns": [field.attname for field in archived_model.fields],
        "rows": row_count,
        "numbers": source.row_numbers.count_row_numbers(archived_model.label),
        "bytes": byte_count,
        "sha256": hasher.hexdigest(),
    }
    return manifest_entry, digest_builder.build_digest()


def _write_files(
    zip_file: zipfile.ZipFile, openers_by_digest: Mapping[str, Callable[[], File[Any]]]
) -> dict[str, int]:
    """Write each paper file once to the zip file, and return the sizes in bytes by digest."""
    for file_digest, open_file in sorted(openers_by_digest.items()):
        member = zipfile.ZipInfo(FILES_PREFIX + file_digest, time.localtime()[:6])
        with open_file() as file, zip_file.open(member, "w") as target_file:
            shutil.copyfileobj(file, target_file)
    return {
        file_digest: zip_file.getinfo(FILES_PREFIX + file_digest).file_size
        for file_digest in sorted(openers_by_digest)
    }


def _list_logins(club: Club, *, should_include_passwords: bool) -> list[dict[str, str]]:
    """Return a club's logins for the manifest, with password hashes only if requested."""
    memberships = (
        Membership.objects.filter(club=club).select_related("user").order_by("user__username")
    )
    return [
        {"name": membership.user.username}
        | ({"password": membership.user.password} if should_include_passwords else {})
        for membership in memberships
    ]
