"""The pages that show the results a club has sent to this server."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import get_club
from clubs.models import Club
from seasons.publishing.documents.values import (
    DRIVE,
    EVENT,
    SEASON,
    PublishedEvent,
    PublishedSeason,
    read_published,
)
from seasons.publishing.models import Received
from seasons.publishing.site.generator import render_season_page
from seasons.publishing.site.pages import (
    FRONT_PAGE,
    PageFrame,
    render_drive_page,
    render_evening_page,
)
from server.errors import PageNotFound

FRAME_TEMPLATE = "frames/public.html"


@login_not_required
@require_safe
def list_received(request: HttpRequest, club: str) -> HttpResponse:
    """List the documents that a club has sent to this server."""
    club_row = get_club(club)
    received_documents = Received.objects.filter(club=club_row, withdrawn_at=None).defer(
        "document"
    )
    context = {
        "club": club_row,
        "evenings": [
            received for received in received_documents if received.kind in (EVENT, DRIVE)
        ],
        "seasons": [received for received in received_documents if received.kind == SEASON],
    }
    return render(request, "seasons/sent_here.html", context)


@login_not_required
@require_safe
def show_received_evening(
    request: HttpRequest, club: str, slug: str, page: str = FRONT_PAGE
) -> HttpResponse:
    """Show one page of a received evening: standings, boards, or an entry's scorecard."""
    return _show_page(request, club, slug, EVENT, page)


@login_not_required
@require_safe
def show_received_season(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """Show a received season with its ladders."""
    return _show_page(request, club, slug, SEASON)


@login_not_required
@require_safe
def show_received_drive(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """Show a received drive or rubber night."""
    return _show_page(request, club, slug, DRIVE)


def _show_page(
    request: HttpRequest, club: str, slug: str, kind: str, page: str = FRONT_PAGE
) -> HttpResponse:
    received = _find_received(club, slug, kind)
    if received is None:
        context = {"club": Club.objects.get(slug=club)}
        return render(request, "seasons/sent_gone.html", context, status=410)
    frame = _build_frame(request, received)
    match read_published(received.document):
        case PublishedEvent() as published:
            html = render_evening_page(published, page, frame)
        case PublishedSeason() as published:
            html = render_season_page(published, frame)
        case published:
            html = render_drive_page(published, frame)
    if html is None:
        raise PageNotFound(_("Page not found."))
    return HttpResponse(html)


def _build_frame(request: HttpRequest, received: Received) -> PageFrame:
    extra_context = {"request": request, "club": received.club, "sent": received}
    return PageFrame(
        frame=FRAME_TEMPLATE,
        club=received.club.name,
        accent=received.club.accent,
        extra_context=extra_context,
    )


def _find_received(club: str, slug: str, kind: str) -> Received | None:
    """Return the received document with this slug, or None if it was withdrawn.

    Raises PageNotFound if no document with this slug was received.
    """
    received_documents = Received.objects.select_related("club")
    received = received_documents.filter(club__slug=club, slug=slug, kind=kind).first()
    if received is None:
        raise PageNotFound(_("Results not found."))
    timezone.activate(received.club.zone)
    return None if received.withdrawn_at else received
