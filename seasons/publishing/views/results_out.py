"""The director's pages to publish results: zip exports, e-mails, and uploads to a server."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import clubs.services
from boards.whist import WhistError
from clubs import permissions
from clubs.models import Club
from clubs.name_order import get_sort_key, sort_by_name
from clubs.views.error_messages import show_errors_as_messages
from scoring import page_loaders
from scoring.sheets.ranks import load_ranking_version
from seasons.publishing.club_files import (
    get_club_file_path,
    queue_club_file,
    read_zip_progress,
)
from seasons.publishing.mailing import (
    MAIL_JOB,
    find_player_by_token,
    query_mail_recipients,
    queue_mails,
)
from seasons.publishing.models import ClubFile, ResultsMail
from seasons.publishing.services import (
    delete_destination,
    queue_upload,
    queue_withdrawal,
    requeue_document,
    set_destination,
)
from seasons.publishing.sheets.sending import load_upload_state
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx
from server.jobs.progress import read_progress
from server.numbers import parse_whole_number

MAX_SHOWN_FILES = 6


@dataclass(frozen=True, slots=True)
class ClubFileLine:
    """A zip in the list of exports, with its progress and whether its file exists."""

    club_file: ClubFile
    percent: int
    is_file_present: bool


@require_safe
def show_publishing_page(request: HttpRequest) -> HttpResponse:
    """Show a club's zip exports and the state of its uploads."""
    club = _get_club(request)
    is_owner = permissions.list_owned_clubs(request).filter(pk=club.pk).exists()
    context = {
        "club": club,
        "owns": is_owner,
        "seasons": club.seasons.all(),
        **_build_downloads_context(club),
    }
    context |= load_upload_state(club)
    context["shows_server"] = club.has_congress_features or context.get("to") is not None
    return render(request, "seasons/results_out.html", context)


@require_safe
@redirect_unless_htmx("results_out")
def show_club_files(request: HttpRequest) -> HttpResponse:
    """Render the list of zips, which the page polls while one is being created."""
    return render(request, "seasons/_files.html", _build_downloads_context(_get_club(request)))


@require_POST
def request_club_file(request: HttpRequest) -> HttpResponse:
    """Queue the zip export of one season or the whole club: its public pages, or its tables."""
    club = _get_posted_club(request)
    file_kind = request.POST.get("kind", "")
    season = club.seasons.filter(slug=request.POST.get("season", "")).first()
    has_full_names = bool(request.POST.get("in_full"))
    if file_kind not in ClubFile.Kind.values:
        raise PageNotFound(_("File not found."))
    if has_full_names and not permissions.list_owned_clubs(request).filter(pk=club.pk).exists():
        raise PermissionDenied(_("Only an owner of the club can use full names."))
    queue_club_file(
        club=club,
        file_kind=file_kind,
        season=season,
        has_full_names=has_full_names,
        by=request.user,
    )
    messages.success(request, _("The file will appear below."))
    return redirect("results_out")


@require_safe
def download_club_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return a finished zip for download."""
    club_files = ClubFile.objects.filter(club__in=permissions.list_directed_clubs(request))
    club_file = club_files.filter(pk=parse_whole_number(str(pk), maximum=10**15) or 0).first()
    if club_file is None or not get_club_file_path(club_file).exists():
        raise PageNotFound(_("File not found. Create it again."))
    if (
        club_file.in_full
        and not permissions.list_owned_clubs(request).filter(pk=club_file.club_id).exists()
    ):
        raise PermissionDenied(_("Only an owner of the club can use full names."))
    file_name = f"{club_file.club.slug}-{club_file.kind}.zip"
    return FileResponse(
        get_club_file_path(club_file).open("rb"), as_attachment=True, filename=file_name
    )


def _build_downloads_context(club: Club) -> dict[str, object]:
    club_files = ClubFile.objects.filter(club=club).select_related("season")[:MAX_SHOWN_FILES]
    file_lines = [
        ClubFileLine(
            club_file, read_zip_progress(club_file), get_club_file_path(club_file).exists()
        )
        for club_file in club_files
    ]
    return {
        "files": file_lines,
        "waits": any(file_line.club_file.state == "wanted" for file_line in file_lines),
    }


def _get_posted_club(request: HttpRequest) -> Club:
    return _get_club(request, request.POST.get("club", ""))


def _get_club(request: HttpRequest, slug: str = "") -> Club:
    club = permissions.get_current_club(request, slug)
    if club is None:
        raise PermissionDenied(_("You aren’t a director of any club."))
    return club


@require_safe
@redirect_unless_htmx("results_out")
def show_upload_state(request: HttpRequest) -> HttpResponse:
    """Render the state of uploads, which the page polls during an upload."""
    club = _get_posted_club(request)
    return render(request, "seasons/_sending.html", {"club": club, **load_upload_state(club)})


@require_POST
def set_upload_server(request: HttpRequest) -> HttpResponse:
    """Set or delete the server to which results are uploaded; for owners of the club."""
    club = _get_posted_club(request)
    if not permissions.list_owned_clubs(request).filter(pk=club.pk).exists():
        raise PermissionDenied(_("Only an owner of the club can change the server."))
    if request.POST.get("forget"):
        delete_destination(club=club, by=request.user)
        return redirect("results_out")
    token = request.POST.get("token", "").strip()
    if not token and not hasattr(club, "destination"):
        messages.error(request, _("Enter the token from the server."))
        return redirect("results_out")
    try:
        set_destination(
            club=club,
            address=request.POST.get("address", "")[:200],
            token=token,
            is_automatic=bool(request.POST.get("automatic")),
            by=request.user,
        )
    except (WhistError, ValueError) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Saved. Nothing has been sent yet."))
    return redirect("results_out")


@require_POST
def start_upload(request: HttpRequest) -> HttpResponse:
    """Queue the upload of waiting documents."""
    queue_upload(club=_get_posted_club(request), by=request.user)
    return redirect("results_out")


@require_POST
def withdraw_document(request: HttpRequest) -> HttpResponse:
    """Queue the withdrawal of a document from the server."""
    queue_withdrawal(club=_get_posted_club(request), uid=_parse_uid(request), by=request.user)
    messages.success(request, _("Withdrawing the results."))
    return redirect("results_out")


@require_POST
def resend_document(request: HttpRequest) -> HttpResponse:
    """Queue a withdrawn or refused document again."""
    requeue_document(club=_get_posted_club(request), uid=_parse_uid(request), by=request.user)
    return redirect("results_out")


def _parse_uid(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("uid", ""))
    except ValueError:
        raise PageNotFound(_("Document not found.")) from None


@require_safe
def show_results_mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the recipients of an event's results e-mail, and those to whom sending failed."""
    access = page_loaders.load_director_event(request, slug)
    mails = ResultsMail.objects.filter(event=access.event).select_related("player")
    current_mails = mails.filter(version=load_ranking_version(access.event))
    recipients = query_mail_recipients(access.event)
    context = {
        "access": access,
        "event": access.event,
        "has_mail": settings.HAS_MAIL,
        "count": recipients.exclude(pk__in=current_mails.values("player")).count(),
        "names": sorted(recipients.values_list("name", flat=True), key=get_sort_key),
        "rows": sort_by_name(current_mails, lambda mail: mail.player.name),
        "job": read_progress(MAIL_JOB, access.event.pk),
    }
    return render(request, "seasons/results_mail.html", context)


@require_POST
def send_results_mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue the results e-mails that have not been sent yet."""
    access = page_loaders.load_director_event(request, slug)
    with show_errors_as_messages(request):
        mail_count = queue_mails(event=access.event, by=request.user)
        message = ngettext(
            "Sending %(count)d e-mail.", "Sending %(count)d e-mails.", mail_count
        )
        messages.success(request, message % {"count": mail_count})
    return redirect("results_mail", access.address)


@require_POST
def record_bounced_mail(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Withdraw a person's consent to results e-mails after one bounced."""
    access = page_loaders.load_director_event(request, slug)
    mail = (
        ResultsMail.objects.filter(event=access.event, pk=pk).select_related("player").first()
    )
    if mail is None:
        raise PageNotFound(_("E-mail not found."))
    player = permissions.get_player_for_director(request, mail.player_id)
    with show_errors_as_messages(request):
        clubs.services.update_person(
            player=player, details={}, consents={"mail": False}, by=request.user
        )
        message = _(
            "%(name)s won’t get any more e-mails. Correct the address and ask for consent "
            "again."
        )
        messages.success(request, message % {"name": player.name})
    return redirect("results_mail", access.address)


@csrf_exempt  # mail clients send this POST for their user; only the token authorizes it
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe a person from results e-mails (POST), or show the button for it (GET).

    A GET must not unsubscribe, because mail scanners open every link.
    """
    player = find_player_by_token(token)
    if player is None:
        raise PageNotFound(_("Link not found."))
    is_forgotten = player.forgotten_on is not None  # no consent is stored for such a person
    if request.method == "POST" and not is_forgotten:
        clubs.services.update_person(
            player=player, details={}, consents={"mail": False}, by=None
        )
    response = render(
        request,
        "seasons/mail_off.html",
        {"club": player.club, "is_off": is_forgotten or request.method == "POST"},
    )
    response["Referrer-Policy"] = "no-referrer"
    return response
