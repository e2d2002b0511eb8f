"""Zips of a club that are asked for on a page, and made by a worker."""

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor
from clubs.models import Club
from seasons.ladders.models import Season
from seasons.publishing.everything import everything
from seasons.publishing.files import pack
from seasons.publishing.models import ClubFile
from seasons.publishing.site.whole import Progress, club_site
from server.jobs.kinds import Kind, Lane, owner_of
from server.jobs.outbox import enqueue

FILE_LIFETIME = timedelta(days=1)
"""How long a file lies ready; after that it is made anew."""
State = ClubFile.State


def path_of(file: ClubFile) -> Path:
    """Where a file lies, for the program alone."""
    folder = Path(settings.DATA_DIR) / "files"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"{file.pk}.zip"


@transaction.atomic
def order_file(
    *, club: Club, kind: str, season: Season | None = None, in_full: bool = False, by: Actor
) -> ClubFile:
    """Have a zip made; one of the same kind that waits already is not ordered twice."""
    Club.objects.select_for_update().get(pk=club.pk)  # a double click races here
    _forget_old()
    wish = {"club": club, "kind": kind, "season": season, "in_full": in_full}
    found = ClubFile.objects.filter(**wish, state=State.WANTED).first()
    if found is None:
        found = ClubFile.objects.create(**wish, by=audit.name_of(by), asked_at=timezone.now())
        enqueue(FILE, found.pk)
    return found


def make_file(pk: int) -> None:
    """Make a zip, also after a failure; one that is there already stays as it is."""
    rows = ClubFile.objects.select_related("club", "season__club")
    file = rows.filter(pk=pk).exclude(state=State.DONE).first()
    if file is None:
        return
    ClubFile.objects.filter(pk=pk).update(state=State.WANTED, error="")
    if file.kind == ClubFile.Kind.SITE:
        parts = club_site(file.club, file.season, _noting(file))
    else:
        parts = everything(file.club, file.season, in_full=file.in_full, progress=_noting(file))
    count = pack(parts, path_of(file))
    ClubFile.objects.filter(pk=pk).update(state=State.DONE, parts=count)
    _note_of(file).unlink(missing_ok=True)


def progress_of(file: ClubFile) -> int:
    """How many per cent are done, as far as is known."""
    try:
        done, of = json.loads(_note_of(file).read_text("ascii"))
        return min(99, 100 * int(done) // max(int(of), 1))
    except (OSError, ValueError, TypeError):
        return 0


def _noting(file: ClubFile) -> Progress:
    note = _note_of(file)

    def noted(done: int, of: int) -> None:
        with suppress(OSError):
            note.write_text(json.dumps([done, of]), "ascii")

    return noted


def _note_of(file: ClubFile) -> Path:
    return path_of(file).with_suffix(".progress")


def _give_up(pk: int, error: str) -> None:
    for file in ClubFile.objects.filter(pk=pk, state=State.WANTED):
        ClubFile.objects.filter(pk=pk).update(state=State.FAILED, error=error)
        _note_of(file).unlink(missing_ok=True)


def _unfinished() -> Iterable[int]:
    return list(ClubFile.objects.filter(state=State.WANTED).values_list("pk", flat=True))


def _forget_old() -> None:
    for old in ClubFile.objects.filter(asked_at__lt=timezone.now() - FILE_LIFETIME):
        path_of(old).unlink(missing_ok=True)
        old.delete()


FILE = Kind(
    "club_file",
    title=gettext_lazy("a club's results for a folder"),
    lane=Lane.LATER,
    time_limit=1800,
    run=make_file,
    find_missing=_unfinished,
    on_failure=_give_up,
    club_of=owner_of(ClubFile.objects),
)
