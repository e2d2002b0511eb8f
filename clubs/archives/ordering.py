"""Exports and imports requested on a page and run by a worker.

A worker is killed after an hour. Unfinished work is started again, and an import that is
complete is not repeated.
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
from clubs.archives.arriving import Wish, bring_in, wished_name
from clubs.archives.errors import NotCarried
from clubs.archives.known import ArchiveSchema
from clubs.archives.leaving import pack
from clubs.archives.packing import Archive, opened, unsealed
from clubs.archives.report import as_data
from clubs.models import Club, ClubArchive
from server.backups import making
from server.backups.sealing import is_sealed
from server.jobs.kinds import Kind, Lane, owner_of
from server.jobs.outbox import enqueue
from server.jobs.progress_files import noting, per_cent
from server.models import User

State, Way = ClubArchive.State, ClubArchive.Way
FILE_LIFETIME = timedelta(days=1)
"""The lifetime of an exported file; after that it has to be requested again."""


def folder() -> Path:
    """Return the folder of the files, which only this program can read."""
    path = Path(settings.DATA_DIR) / "archives"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def file_of(archive: ClubArchive) -> Path:
    """Return the unencrypted file of an archive, which only this program can read."""
    return folder() / f"{archive.pk}.club"


@transaction.atomic
def order_export(*, club: Club, with_logins: bool, by: User) -> ClubArchive:
    """Request an export; an equal request that is still waiting is reused."""
    Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    wish = {"with_logins": with_logins}
    ordered = ClubArchive.objects.filter(
        club=club, way=Way.OUT, state__in=[State.WANTED, State.DOING]
    )
    waiting = next((each for each in ordered if each.wish == wish), None)
    forget_old()
    if waiting is None:
        waiting = ClubArchive.objects.create(
            way=Way.OUT, club=club, by=by.username, asked_at=timezone.now(), wish=wish
        )
        enqueue(ARCHIVE, waiting.pk)
    return waiting


def order_import(
    *, pieces: Iterable[bytes], passphrase: str, wish: Wish, by: User
) -> ClubArchive:
    """Store an uploaded file, decrypted and validated, for import.

    Raises BadArchive, and NotCarried for an invalid club name.
    """
    called = wished_name(wish)
    sent = folder() / f"sent-{by.pk}-{token_hex(8)}.club"  # double clicks upload two
    plain = sent.with_suffix(".open")
    try:
        with sent.open("wb") as out:
            sent.chmod(0o600)
            for piece in pieces:
                out.write(piece)
        with closing(_read(sent, plain, passphrase)) as archive:
            name = archive.manifest.name
        with transaction.atomic():
            made = ClubArchive.objects.create(
                way=Way.IN,
                by=by.username,
                asked_at=timezone.now(),
                wish={
                    "club": name,
                    "name": called,
                    "new_links": wish.new_links,
                    "replace": wish.replace,
                },
            )
            (plain if plain.exists() else sent).replace(file_of(made))
            enqueue(ARCHIVE, made.pk)
    finally:
        sent.unlink(missing_ok=True)
        plain.unlink(missing_ok=True)
    return made


def _read(sent: Path, plain: Path, passphrase: str) -> Archive:
    if is_sealed(sent):
        return opened(unsealed(sent, plain, passphrase), folder())
    return opened(sent, folder())


def carry(pk: int, known: ArchiveSchema) -> None:
    """Export or import an archive, and store a refusal with it.

    A failed export is made again. A failed import is not, because its file is gone.
    """
    archive = ClubArchive.objects.select_related("club").filter(pk=pk).first()
    over = (State.DONE,) if archive and archive.way == Way.OUT else (State.DONE, State.FAILED)
    if archive is None or archive.state in over:
        return
    _update(archive, state=State.DOING, ended_at=None, error="")
    try:
        told = _written(archive, known) if archive.way == Way.OUT else _brought(archive, known)
    except (WhistError, making.NoBackup) as refused:
        mark_failed(pk, str(refused))
        return
    _update(archive, state=State.DONE, ended_at=timezone.now(), told=told)
    _progress_of(archive).unlink(missing_ok=True)


def _written(archive: ClubArchive, known: ArchiveSchema) -> dict[str, Any]:
    if archive.club is None:
        raise NotCarried("")
    draft = file_of(archive).with_suffix(".part")
    digest = pack(
        archive.club,
        draft,
        known,
        with_logins=archive.wish["with_logins"],
        progress=noting(_progress_of(archive)),
    )
    draft.replace(file_of(archive))
    return {"rows": digest.rows, "digest": digest.sha256}


def _brought(archive: ClubArchive, known: ArchiveSchema) -> dict[str, Any]:
    told = archive.wish
    if told["replace"]:
        making.make_and_store(making.Wish(kind="asked", folder=settings.BACKUP_DIR))
    wish = Wish(
        name=told["name"],
        new_links=told["new_links"],
        replace=told["replace"],
        owner=User.objects.filter(username=archive.by).first(),
    )
    with transaction.atomic():
        progress_told = noting(_progress_of(archive))
        arrived = bring_in(file_of(archive), known, wish, progress=progress_told)
        # In the same transaction as the club, so that a restart does not import it again.
        found = as_data(arrived)
        _update(
            archive, club=arrived.club, state=State.DONE, ended_at=timezone.now(), told=found
        )
    file_of(archive).unlink(missing_ok=True)
    return found


def progress(archive: ClubArchive) -> int:
    """Return the completed share in per cent, as far as it is known."""
    return per_cent(_progress_of(archive))


def _progress_of(archive: ClubArchive) -> Path:
    return file_of(archive).with_suffix(".progress")


def mark_failed(pk: int, error: str) -> None:
    """Record on an archive why its export or import failed, and delete its files."""
    archive = ClubArchive.objects.filter(pk=pk).exclude(state=State.DONE).first()
    if archive is not None:
        _update(archive, state=State.FAILED, ended_at=timezone.now(), error=error)
        for path in (file_of(archive), _progress_of(archive)):
            path.unlink(missing_ok=True)


def unfinished() -> Iterable[int]:
    """Return the archives that wait, or that were interrupted by a crash."""
    rows = ClubArchive.objects.filter(state__in=[State.WANTED, State.DOING])
    return list(rows.order_by("pk").values_list("pk", flat=True))


def find_waiting() -> Iterable[int]:
    """Return the archives that wait, and delete expired ones, for which there is no job."""
    with suppress(OSError):  # a read-only folder must not block other work
        forget_old()
    return unfinished()


def forget_old() -> None:
    """Delete expired files and their rows.

    Files without a row are deleted too; a crash or a restored backup can leave them.
    """
    since = timezone.now() - FILE_LIFETIME
    for old in ClubArchive.objects.filter(way=Way.OUT, asked_at__lt=since):
        file_of(old).unlink(missing_ok=True)
        old.delete()
    known = {str(pk) for pk in ClubArchive.objects.values_list("pk", flat=True)}
    for path in folder().iterdir():
        with suppress(OSError):
            if path.stem not in known and path.stat().st_mtime < since.timestamp():
                path.unlink()


def _update(archive: ClubArchive, **values: Any) -> None:
    for name, value in values.items():
        setattr(archive, name, value)
    archive.save(update_fields=list(values))


def _not_configured(pk: int) -> None:
    raise RuntimeError("config hands in what the rooms know of their rows")


ARCHIVE = Kind(
    "club_archive",
    title=gettext_lazy("a club to be carried"),
    lane=Lane.LATER,
    time_limit=3600,
    run=_not_configured,
    find_missing=find_waiting,
    on_failure=mark_failed,
    club_of=owner_of(ClubArchive.objects),
)
