"""The pages on which owners export, import and move a club."""

import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs import permissions
from clubs.archives.exporter import list_secret_event_names
from clubs.archives.importer import ImportOptions
from clubs.archives.relocation import mark_club_as_moved, unmark_club_as_moved
from clubs.archives.report import format_report, parse_import_result
from clubs.archives.requests import (
    get_archive_path,
    read_progress_percent,
    request_export,
    request_import,
)
from clubs.archives.spec import ArchiveSpec
from clubs.models import ClubArchive
from clubs.views.error_messages import show_errors_as_messages
from server.backups import encryption
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx
from server.logins.reauthentication import is_password_confirmed
from server.numbers import parse_whole_number
from server.work_folders import create_work_folder

ImportPermissionCheck = Callable[[HttpRequest], bool]
"""A function that returns whether the user of a request may import a club."""
MAX_ARCHIVES_SHOWN = 10
State, Direction = ClubArchive.State, ClubArchive.Direction


@dataclass(frozen=True, slots=True)
class ArchiveLine:
    """An archive in the page's list, with its progress, its file and the report of an
    import.
    """

    archive: ClubArchive
    percent: int
    is_file_present: bool
    report_lines: tuple[str, ...]

    @classmethod
    def from_row(cls, archive: ClubArchive) -> "ArchiveLine":
        """Build the list entry for a database row."""
        is_imported = archive.way == Direction.IMPORT and archive.state == State.DONE
        return cls(
            archive=archive,
            percent=read_progress_percent(archive),
            is_file_present=archive.way == Direction.EXPORT
            and get_archive_path(archive).exists(),
            report_lines=tuple(format_report(parse_import_result(archive.club, archive.told)))
            if is_imported and archive.club
            else (),
        )


@require_safe
def show_archives(
    request: HttpRequest, spec: ArchiveSpec, may_import: ImportPermissionCheck
) -> HttpResponse:
    """Show the user's own clubs for export, the recent archives, and the import form."""
    clubs = permissions.list_owned_clubs(request)
    context = {
        "clubs": clubs,
        "may_bring": may_import(request),
        **_build_context(request, may_import),
    }
    if not clubs.exists() and not context["may_bring"]:
        raise PermissionDenied(_("Only a club’s owner can move it."))
    return render(request, "clubs/archives.html", context)


@require_safe
@redirect_unless_htmx("club_archives")
def show_archives_status(
    request: HttpRequest, spec: ArchiveSpec, may_import: ImportPermissionCheck
) -> HttpResponse:
    """Return the list of archives as an HTML fragment, which the page polls."""
    return render(request, "clubs/_archives.html", _build_context(request, may_import))


def _build_context(
    request: HttpRequest, may_import: ImportPermissionCheck
) -> dict[str, object]:
    archives = ClubArchive.objects.select_related("club").filter(
        club__in=permissions.list_owned_clubs(request)
    )
    if may_import(request):
        archives = archives | ClubArchive.objects.select_related("club").filter(
            way=Direction.IMPORT
        )
    archive_lines = [ArchiveLine.from_row(archive) for archive in archives[:MAX_ARCHIVES_SHOWN]]
    has_pending_archive = any(
        archive_line.archive.state in (State.WAITING, State.RUNNING)
        for archive_line in archive_lines
    )
    return {"archives": archive_lines, "waits": has_pending_archive}


@require_POST
def request_archive(
    request: HttpRequest, spec: ArchiveSpec, may_import: ImportPermissionCheck
) -> HttpResponse:
    """Request the export of a club."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))
    should_include_logins = bool(request.POST.get("with_logins"))
    request_export(
        club=club,
        should_include_logins=should_include_logins,
        by=permissions.get_logged_in_user(request),
    )
    messages.success(request, _("Saving %(club)s to a file.") % {"club": club.name})
    return redirect("club_archives")


@require_POST
def download_archive(
    request: HttpRequest, spec: ArchiveSpec, may_import: ImportPermissionCheck
) -> HttpResponseBase:
    """Check the user's password and send an exported file, encrypted if a passphrase is
    given.
    """
    archive = (
        ClubArchive.objects.select_related("club")
        .filter(pk=_parse_archive_key(request), way=Direction.EXPORT, state=State.DONE)
        .filter(club__in=permissions.list_owned_clubs(request))
        .first()
    )
    if archive is None or archive.club is None or not get_archive_path(archive).exists():
        raise PageNotFound(_("That file no longer exists."))
    if not is_password_confirmed(request):
        messages.error(request, _("Wrong password. Nothing was downloaded."))
        return redirect("club_archives")
    file_name = f"{slugify(archive.club.name) or 'club'}.club"
    passphrase = request.POST.get("passphrase", "").strip()
    if not passphrase and (secret_names := list_secret_event_names(archive.club, spec)):
        message = _("Enter a passphrase: %(events)s still has boards to play.")
        messages.error(request, message % {"events": ", ".join(secret_names[:3])})
        return redirect("club_archives")
    file = (
        _encrypt_archive(get_archive_path(archive), passphrase)
        if passphrase
        else get_archive_path(archive).open("rb")
    )
    return FileResponse(file, as_attachment=True, filename=file_name)


@require_POST
def import_archive(
    request: HttpRequest, spec: ArchiveSpec, may_import: ImportPermissionCheck
) -> HttpResponse:
    """Store an uploaded archive, and request its import."""
    if not may_import(request):
        raise PermissionDenied(_("Only the server’s administrator can import a club."))
    upload = request.FILES.get("file")
    if not is_password_confirmed(request) or upload is None:
        messages.error(request, _("Choose a file and enter your password."))
        return redirect("club_archives")
    by = permissions.get_logged_in_user(request)
    options = ImportOptions(
        name=request.POST.get("name", ""),
        should_renew_links=bool(request.POST.get("new_links")),
        should_replace=bool(request.POST.get("replace")),
        owner=by,
    )
    passphrase = request.POST.get("passphrase", "").strip()
    with show_errors_as_messages(request):
        request_import(chunks=upload.chunks(), passphrase=passphrase, options=options, by=by)
    return redirect("club_archives")


@require_POST
def mark_club_moved(
    request: HttpRequest, spec: ArchiveSpec, may_import: ImportPermissionCheck
) -> HttpResponse:
    """Mark a club as moved to another site, or reverse this if `back` is sent."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))
    new_url = request.POST.get("to", "").strip()
    with show_errors_as_messages(request):
        if not is_password_confirmed(request):
            messages.error(request, _("Wrong password. Nothing was changed."))
        elif request.POST.get("back"):
            unmark_club_as_moved(club=club, spec=spec, by=request.user)
        else:
            mark_club_as_moved(club=club, new_url=new_url, spec=spec, by=request.user)
    return redirect("club_archives")


def _parse_archive_key(request: HttpRequest) -> int:
    return parse_whole_number(request.POST.get("archive", ""), maximum=10**15) or 0


def _encrypt_archive(path: Path, passphrase: str) -> IO[bytes]:
    """Return an encrypted temporary copy of a file; closing the copy deletes it."""
    with ExitStack() as cleanup:
        encrypted_file = cleanup.enter_context(tempfile.TemporaryFile())
        with create_work_folder(settings.DATA_DIR, "sending") as work_folder:
            encryption.encrypt_file(path, work_folder / "sealed", passphrase)
            with (work_folder / "sealed").open("rb") as file:
                shutil.copyfileobj(file, encrypted_file)
        encrypted_file.seek(0)
        cleanup.pop_all()
    return encrypted_file
