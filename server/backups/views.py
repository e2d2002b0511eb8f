"""The backups page: the list of backups, how each was verified, and downloads."""

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

from server.backups import encryption, store
from server.backups.store import Backup
from server.backups.tasks import (
    BACKUP_JOB,
    REQUESTED_BACKUP_KEY,
    enqueue_backup,
    read_last_failure,
)
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx
from server.jobs.progress import read_progress
from server.logins.login_page import format_wait_message
from server.logins.reauthentication import is_own_password
from server.logins.throttle import AttemptLimitReached

BackupPermission = Callable[[HttpRequest], bool]
"""A function that returns whether the request's login may access all data of this installation.
"""
MAX_SHOWN_BACKUPS = 60


@require_safe
def show_backups(request: HttpRequest, has_permission: BackupPermission) -> HttpResponse:
    """Show the backups page."""
    _check_permission(request, has_permission)
    return render(request, "server/backups.html", _build_context())


@require_safe
@redirect_unless_htmx("backups")
def show_backup_list(request: HttpRequest, has_permission: BackupPermission) -> HttpResponse:
    """Render the list of backups, a fragment that the page polls while a backup is made."""
    _check_permission(request, has_permission)
    return render(request, "server/_backups.html", _build_context())


def _build_context() -> dict[str, object]:
    job_progress = read_progress(BACKUP_JOB, REQUESTED_BACKUP_KEY)
    return {
        "kept": store.list_backups(settings.BACKUP_DIR)[:MAX_SHOWN_BACKUPS],
        "folder": settings.BACKUP_DIR,
        "is_being_made": job_progress.is_waiting,
        "failed": job_progress.error,
        "trouble": read_last_failure(settings.BACKUP_DIR),
    }


@require_POST
def request_backup(request: HttpRequest, has_permission: BackupPermission) -> HttpResponse:
    """Enqueue the backup job."""
    _check_permission(request, has_permission)
    enqueue_backup(REQUESTED_BACKUP_KEY)
    messages.success(request, _("Making and checking a backup."))
    return redirect("backups")


@require_POST
def download_backup(request: HttpRequest, has_permission: BackupPermission) -> HttpResponseBase:
    """Check the password, and send a backup file, encrypted if a passphrase was entered."""
    _check_permission(request, has_permission)
    backup = _find_requested_backup(request)
    if error := _check_password(request):
        messages.error(request, error)
        return redirect("backups")
    passphrase = request.POST.get("passphrase", "").strip()
    if not passphrase or (backup.note is not None and backup.note.sealed):
        return FileResponse(
            backup.path.open("rb"), as_attachment=True, filename=backup.path.name
        )
    return FileResponse(
        _encrypt_to_temporary_file(backup.path, passphrase),
        as_attachment=True,
        filename=backup.path.name,
    )


def _check_password(request: HttpRequest) -> str:
    """Return the error message for the entered password, or "" if it is right."""
    try:
        is_password_correct = is_own_password(request, request.POST.get("password", ""))
    except AttemptLimitReached as attempt_limit:
        return format_wait_message(attempt_limit)
    return "" if is_password_correct else _("Wrong password. Nothing was downloaded.")


def _encrypt_to_temporary_file(path: Path, passphrase: str) -> IO[bytes]:
    """Encrypt a backup into a temporary file, which is deleted when the response is closed."""
    with ExitStack() as stack:
        encrypted_file = stack.enter_context(tempfile.TemporaryFile())
        with tempfile.TemporaryDirectory() as work_folder:
            encryption.encrypt_file(path, Path(work_folder) / "sealed", passphrase)
            with (Path(work_folder) / "sealed").open("rb") as file:
                shutil.copyfileobj(file, encrypted_file)
        encrypted_file.seek(0)
        stack.pop_all()
    return encrypted_file


def _check_permission(request: HttpRequest, has_permission: BackupPermission) -> None:
    if not has_permission(request):
        raise PermissionDenied(
            _(
                "A backup contains every club here. Only an administrator of "
                "all clubs can have one."
            )
        )


def _find_requested_backup(request: HttpRequest) -> Backup:
    """Return the backup with the requested name; paths outside the folder are never read."""
    name = request.POST.get("name", "")
    for backup in store.list_backups(settings.BACKUP_DIR):
        if backup.path.name == name:
            return backup
    raise PageNotFound(_("That backup no longer exists."))
