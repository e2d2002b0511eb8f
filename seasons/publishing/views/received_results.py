"""The pages that show the results a club has sent to this server."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.permissions import get_club
from seasons.publishing.documents.values import (
    DRIVE_KIND,
    EVENT_KIND,
    SEASON_KIND,
    PublishedEvent,
    PublishedSeason,
    read_published_document,
)
from seasons.publishing.models import Received
from seasons.publishing.site.generator import render_season_page
from seasons.publishing.site.pages import (
    FRONT_PAGE_FILE_NAME,
    PageFrame,
    render_drive_page,
    render_evening_page,
)
from server.errors import PageNotFound

FRAME_TEMPLATE = "frames/public.html"


@login_not_required
@require_safe
def list_received_documents(request: HttpRequest, club: str) -> HttpResponse:
    """List the documents that a club has sent to this server."""
    club_row = get_club(club)
    received_documents = Received.objects.filter(club=club_row, withdrawn_at=None).defer(
        "document"
    )
    context = {
        "club": club_row,
        "evenings": [
            received_document
            for received_document in received_documents
            if received_document.kind in (EVENT_KIND, DRIVE_KIND)
        ],
        "seasons": [
            received_document
            for received_document in received_documents
            if received_document.kind == SEASON_KIND
        ],
    }
    return render(request, "seasons/sent_here.html", context)


@login_not_required
@require_safe
def show_received_evening(
    request: HttpRequest, club: str, slug: str, page: str = FRONT_PAGE_FILE_NAME
) -> HttpResponse:
    """Show one page of a received evening: standings, boards, or an entry's scorecard."""
    return _show_page(request, club, slug, EVENT_KIND, page)


@login_not_required
@require_safe
def show_received_season(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """Show a received season with its ladders."""
    return _show_page(request, club, slug, SEASON_KIND)


@login_not_required
@require_safe
def show_received_drive(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """Show a received drive or rubber night."""
    return _show_page(request, club, slug, DRIVE_KIND)


def _show_page(
    request: HttpRequest,
    club_slug: str,
    document_slug: str,
    document_kind: str,
    page_file_name: str = FRONT_PAGE_FILE_NAME,
) -> HttpResponse:
    received_document = _find_received_document(club_slug, document_slug, document_kind)
    if received_document is None:
        context = {"club": Club.objects.get(slug=club_slug)}
        return render(request, "seasons/sent_gone.html", context, status=410)
    page_frame = _build_page_frame(request, received_document)
    match read_published_document(received_document.document):
        case PublishedEvent() as published:
            html = render_evening_page(published, page_file_name, page_frame)
        case PublishedSeason() as published:
            html = render_season_page(published, page_frame)
        case published:
            html = render_drive_page(published, page_frame)
    if html is None:
        raise PageNotFound(_("Page not found."))
    return HttpResponse(html)


def _build_page_frame(request: HttpRequest, received_document: Received) -> PageFrame:
    extra_context = {
        "request": request,
        "club": received_document.club,
        "sent": received_document,
    }
    return PageFrame(
        frame_template=FRAME_TEMPLATE,
        club_name=received_document.club.name,
        accent=received_document.club.accent,
        extra_context=extra_context,
    )


def _find_received_document(
    club_slug: str, document_slug: str, document_kind: str
) -> Received | None:
    """Return the received document with this slug, or None if it was withdrawn.

    Raises PageNotFound if no document with this slug was received.
    """
    received_documents = Received.objects.select_related("club")
    received_document = received_documents.filter(
        club__slug=club_slug, slug=document_slug, kind=document_kind
    ).first()
    if received_document is None:
        raise PageNotFound(_("Results not found."))
    timezone.activate(received_document.club.zone)
    return None if received_document.withdrawn_at else received_document
