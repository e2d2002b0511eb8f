"""What else a club shows: its records, its honours, and a feed of what is new."""

import hashlib

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club
from seasons.club_pages.sheets.club_records import club_records
from seasons.ladders.sheets.honours import honours as honours_of
from seasons.publishing.documents.document import DRIVE, EVENT, SEASON
from seasons.publishing.feed import feed_of
from seasons.publishing.sheets.news import news_of, received_news
from server.refusals import Missing

SENT = {EVENT: "evening", SEASON: "season", DRIVE: "drive"}
"""How the addresses of documents are called, by their kinds."""


@login_not_required
@require_safe
def records(request: HttpRequest, club: str) -> HttpResponse:
    """Show a club's records."""
    found = _club(club)
    context = {"club": found, "records": club_records(found)}
    return render(request, "seasons/club_records.html", context)


@login_not_required
@require_safe
def honours(request: HttpRequest, club: str) -> HttpResponse:
    """Show who has won what."""
    found = _club(club)
    return render(
        request, "seasons/honours.html", {"club": found, "honours": honours_of(found)}
    )


@login_not_required
@require_safe
def feed(request: HttpRequest, club: str) -> HttpResponse:
    """Tell programs for news what is new; nothing where they have it already."""
    found = _club(club)

    def whole(path: str) -> str:
        return request.build_absolute_uri(path)

    news = news_of(
        found,
        lambda event: whole(reverse("event", args=[event.slug])),
        lambda season: whole(season.get_absolute_url()),
    )
    news += received_news(
        found,
        lambda row: whole(reverse(f"sent_{SENT[row.kind]}", args=[club, row.slug])),
    )
    content = feed_of(
        uid=str(found.uid),
        title=found.name,
        own=whole(reverse("club_feed", args=[club])),
        home=whole(reverse("club_page", args=[club])),
        news=sorted(news, key=lambda each: each.updated, reverse=True),
    )
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    known = [each.strip().removeprefix("W/") for each in _asked(request)]
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in known:
        return HttpResponseNotModified(headers=headers)
    kind = "application/atom+xml; charset=utf-8"
    return HttpResponse(content, content_type=kind, headers=headers)


def _asked(request: HttpRequest) -> list[str]:
    return request.headers.get("If-None-Match", "").split(",")


def _club(slug: str) -> Club:
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise Missing(_("Club not found."))
    timezone.activate(found.zone)
    return found
