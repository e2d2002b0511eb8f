"""The backups page: the list, how each was verified, and downloads."""

import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from server.backups import sealing, store
from server.backups.store import Kept
from server.backups.tasks import ASKED, BACKUP, enqueue_backup, last_failure
from server.fragments import fragment_of
from server.jobs.progress import read_progress
from server.logins.authentication import try_password
from server.logins.page import wait_words
from server.logins.passwords import has_no_password_yet
from server.logins.throttle import Wait
from server.models import User
from server.refusals import PageMissing

May = Callable[[HttpRequest], bool]
"""Returns whether a request's login may have all data: a backup leaves nothing out."""
SHOWN = 60


@require_safe
def backups(request: HttpRequest, may: May) -> HttpResponse:
    """List the backups."""
    _guard(request, may)
    return render(request, "server/backups.html", _shelf())


@require_safe
@fragment_of("backups")
def status(request: HttpRequest, may: May) -> HttpResponse:
    """Render only the list: a fragment that is polled while a backup is made."""
    _guard(request, may)
    return render(request, "server/_backups.html", _shelf())


def _shelf() -> dict[str, object]:
    job = read_progress(BACKUP, ASKED)
    return {
        "kept": store.list_backups(settings.BACKUP_DIR)[:SHOWN],
        "folder": settings.BACKUP_DIR,
        "is_being_made": job.is_waiting,
        "failed": job.error,
        "trouble": last_failure(settings.BACKUP_DIR),
    }


@require_POST
def make(request: HttpRequest, may: May) -> HttpResponse:
    """Order a backup."""
    _guard(request, may)
    enqueue_backup(ASKED)
    messages.success(request, _("A backup is being made and proved."))
    return redirect("backups")


@require_POST
def download(request: HttpRequest, may: May) -> HttpResponseBase:
    """Send a backup after the password was entered, encrypted if a passphrase is given."""
    _guard(request, may)
    kept = _asked_for(request)
    if error := _password_error(request):
        messages.error(request, error)
        return redirect("backups")
    passphrase = request.POST.get("passphrase", "").strip()
    if not passphrase or (kept.note is not None and kept.note.sealed):
        return FileResponse(kept.path.open("rb"), as_attachment=True, filename=kept.path.name)
    return FileResponse(
        _sealed(kept.path, passphrase), as_attachment=True, filename=kept.path.name
    )


def _password_error(request: HttpRequest) -> str:
    """Return why the entered password is not accepted, "" if it is right or there is none."""
    login = request.user
    assert isinstance(login, User)  # the login wall let it through
    if has_no_password_yet(login):
        return ""
    try:
        user = try_password(request, login.get_username(), request.POST.get("password", ""))
    except Wait as wait:
        return wait_words(wait)
    if user is None or user.pk != login.pk:
        return _("That is not your password, so nothing was handed out.")
    return ""


def _sealed(path: Path, passphrase: str) -> IO[bytes]:
    """Encrypt a backup into a file that is deleted once it is sent."""
    with ExitStack() as unless_it_succeeds:
        handed = unless_it_succeeds.enter_context(tempfile.TemporaryFile())
        with tempfile.TemporaryDirectory() as work:
            sealing.seal(path, Path(work) / "sealed", passphrase)
            with (Path(work) / "sealed").open("rb") as file:
                shutil.copyfileobj(file, handed)
        handed.seek(0)
        unless_it_succeeds.pop_all()
    return handed


def _guard(request: HttpRequest, may: May) -> None:
    if not may(request):
        raise PermissionDenied(
            _("A backup holds every club here: only who looks after all of them may have one.")
        )


def _asked_for(request: HttpRequest) -> Kept:
    """Return a backup of the folder by its name; no other file is ever read."""
    name = request.POST.get("name", "")
    for kept in store.list_backups(settings.BACKUP_DIR):
        if kept.path.name == name:
            return kept
    raise PageMissing(_("There is no such backup any more."))
