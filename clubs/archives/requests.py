"""The exports and imports that a user requests on a page and a background worker runs.

A job is killed after an hour. An interrupted job is started again, but a completed import is
never repeated.
"""

from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from boards.whist import WhistError
from clubs.archives.archive_file import Archive, decrypt_archive, open_archive
from clubs.archives.errors import ArchiveRefused
from clubs.archives.exporter import write_archive
from clubs.archives.importer import ImportOptions, clean_requested_club_name, import_club
from clubs.archives.report import serialize_import_result
from clubs.archives.spec import ArchiveSpec
from clubs.models import Club, ClubArchive
from server.backups import create
from server.backups.encryption import is_encrypted
from server.jobs.kinds import JobKind, Lane, build_club_finder
from server.jobs.outbox import enqueue
from server.jobs.progress_files import build_progress_writer, read_percentage
from server.models import User

State, Direction = ClubArchive.State, ClubArchive.Direction
FILE_LIFETIME = timedelta(days=1)
"""The time after which an exported file is deleted."""


def create_archive_folder() -> Path:
    """Create and return the folder of archive files, which only this program can read."""
    path = Path(settings.DATA_DIR) / "archives"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def get_archive_path(archive: ClubArchive) -> Path:
    """Return the path of an archive's unencrypted file."""
    return create_archive_folder() / f"{archive.pk}.club"


@transaction.atomic
def request_export(*, club: Club, should_include_logins: bool, by: User) -> ClubArchive:
    """Enqueue the export of a club, and return its database row.

    If an export with the same options is already waiting or running, its row is returned.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    request_options = {"with_logins": should_include_logins}
    unfinished_exports = ClubArchive.objects.filter(
        club=club, way=Direction.EXPORT, state__in=[State.WAITING, State.RUNNING]
    )
    waiting_export = next(
        (archive for archive in unfinished_exports if archive.wish == request_options), None
    )
    delete_expired_exports()
    if waiting_export is None:
        waiting_export = ClubArchive.objects.create(
            way=Direction.EXPORT,
            club=club,
            by=by.username,
            asked_at=timezone.now(),
            wish=request_options,
        )
        enqueue(ARCHIVE_JOB, waiting_export.pk)
    return waiting_export


def request_import(
    *, chunks: Iterable[bytes], passphrase: str, options: ImportOptions, by: User
) -> ClubArchive:
    """Validate and decrypt an uploaded archive, store it, and enqueue its import.

    Raises BadArchive for an invalid file, and ArchiveRefused for an invalid club name.
    """
    club_name = clean_requested_club_name(options)
    # a double click uploads two files
    upload_path = create_archive_folder() / f"sent-{by.pk}-{token_hex(8)}.club"
    plain_path = upload_path.with_suffix(".open")
    try:
        with upload_path.open("wb") as upload_file:
            upload_path.chmod(0o600)
            for chunk in chunks:
                upload_file.write(chunk)
        with closing(_open_upload(upload_path, plain_path, passphrase)) as archive:
            archived_club_name = archive.manifest.name
        with transaction.atomic():
            archive_row = ClubArchive.objects.create(
                way=Direction.IMPORT,
                by=by.username,
                asked_at=timezone.now(),
                wish={
                    "club": archived_club_name,
                    "name": club_name,
                    "new_links": options.should_renew_links,
                    "replace": options.should_replace,
                },
            )
            (plain_path if plain_path.exists() else upload_path).replace(
                get_archive_path(archive_row)
            )
            enqueue(ARCHIVE_JOB, archive_row.pk)
    finally:
        upload_path.unlink(missing_ok=True)
        plain_path.unlink(missing_ok=True)
    return archive_row


def _open_upload(upload_path: Path, plain_path: Path, passphrase: str) -> Archive:
    if is_encrypted(upload_path):
        return open_archive(
            decrypt_archive(upload_path, plain_path, passphrase), create_archive_folder()
        )
    return open_archive(upload_path, create_archive_folder())


def run_archive_job(archive_pk: int, spec: ArchiveSpec) -> None:
    """Run the export or import with this primary key, and store the error if it is refused.

    If the job is repeated after a failure, it runs an export again. It does not repeat a
    failed import, because the uploaded file is deleted.
    """
    archive = ClubArchive.objects.select_related("club").filter(pk=archive_pk).first()
    states_to_skip = (
        (State.DONE,)
        if archive and archive.way == Direction.EXPORT
        else (State.DONE, State.FAILED)
    )
    if archive is None or archive.state in states_to_skip:
        return
    _update_archive(archive, state=State.RUNNING, ended_at=None, error="")
    try:
        report = (
            _export_to_file(archive, spec)
            if archive.way == Direction.EXPORT
            else _import_from_file(archive, spec)
        )
    except (WhistError, create.BackupFailed) as error:
        mark_archive_failed(archive_pk, str(error))
        return
    _update_archive(archive, state=State.DONE, ended_at=timezone.now(), told=report)
    _get_progress_path(archive).unlink(missing_ok=True)


def _export_to_file(archive: ClubArchive, spec: ArchiveSpec) -> dict[str, Any]:
    if archive.club is None:
        raise ArchiveRefused("")
    partial_path = get_archive_path(archive).with_suffix(".part")
    rows_digest = write_archive(
        archive.club,
        partial_path,
        spec,
        should_include_logins=archive.wish["with_logins"],
        progress=build_progress_writer(_get_progress_path(archive)),
    )
    partial_path.replace(get_archive_path(archive))
    return {"rows": rows_digest.row_count, "digest": rows_digest.sha256}


def _import_from_file(archive: ClubArchive, spec: ArchiveSpec) -> dict[str, Any]:
    stored_options = archive.wish
    if stored_options["replace"]:
        create.create_backup_and_clean_up(
            create.BackupRequest(kind="asked", folder=settings.BACKUP_DIR)
        )
    options = ImportOptions(
        name=stored_options["name"],
        should_renew_links=stored_options["new_links"],
        should_replace=stored_options["replace"],
        owner=User.objects.filter(username=archive.by).first(),
    )
    with transaction.atomic():
        report_progress = build_progress_writer(_get_progress_path(archive))
        import_result = import_club(
            get_archive_path(archive), spec, options, progress=report_progress
        )
        # Store the result in this transaction: a restarted job must not import the club again.
        report = serialize_import_result(import_result)
        _update_archive(
            archive,
            club=import_result.club,
            state=State.DONE,
            ended_at=timezone.now(),
            told=report,
        )
    get_archive_path(archive).unlink(missing_ok=True)
    return report


def read_progress_percent(archive: ClubArchive) -> int:
    """Return the completed percentage of an export or import from its progress file."""
    return read_percentage(_get_progress_path(archive))


def _get_progress_path(archive: ClubArchive) -> Path:
    return get_archive_path(archive).with_suffix(".progress")


def mark_archive_failed(archive_pk: int, error: str) -> None:
    """Store why an export or import failed, and delete its files."""
    archive = ClubArchive.objects.filter(pk=archive_pk).exclude(state=State.DONE).first()
    if archive is not None:
        _update_archive(archive, state=State.FAILED, ended_at=timezone.now(), error=error)
        for path in (get_archive_path(archive), _get_progress_path(archive)):
            path.unlink(missing_ok=True)


def list_unfinished_archive_pks() -> Iterable[int]:
    """Return the primary keys of the exports and imports that are waiting or were
    interrupted.
    """
    archives = ClubArchive.objects.filter(state__in=[State.WAITING, State.RUNNING])
    return list(archives.order_by("pk").values_list("pk", flat=True))


def delete_expired_and_list_unfinished() -> Iterable[int]:
    """Delete expired exports, and return the primary keys of all unfinished requests."""
    with suppress(OSError):  # a read-only folder must not block other work
        delete_expired_exports()
    return list_unfinished_archive_pks()


def delete_expired_exports() -> None:
    """Delete expired exports with their files, and files that no row refers to.

    A crash or a restored backup can leave files without a row.
    """
    oldest_time = timezone.now() - FILE_LIFETIME
    for expired_archive in ClubArchive.objects.filter(
        way=Direction.EXPORT, asked_at__lt=oldest_time
    ):
        get_archive_path(expired_archive).unlink(missing_ok=True)
        expired_archive.delete()
    known_pks = {str(pk) for pk in ClubArchive.objects.values_list("pk", flat=True)}
    for path in create_archive_folder().iterdir():
        with suppress(OSError):
            if path.stem not in known_pks and path.stat().st_mtime < oldest_time.timestamp():
                path.unlink()


def _update_archive(archive: ClubArchive, **column_values: Any) -> None:
    for name, value in column_values.items():
        setattr(archive, name, value)
    archive.save(update_fields=list(column_values))


def _raise_not_configured(pk: int) -> None:
    raise RuntimeError("config.jobs replaces this function by one with the archive spec")


ARCHIVE_JOB = JobKind(
    "club_archive",
    title=gettext_lazy("moving a club"),
    lane=Lane.LATER,
    time_limit=3600,
    run=_raise_not_configured,
    find_missing_job_keys=delete_expired_and_list_unfinished,
    on_failure=mark_archive_failed,
    find_club=build_club_finder(ClubArchive.objects),
)
