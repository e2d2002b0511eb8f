"""The front page, and a club's own pages: its evenings, records, honours and feed."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import get_club
from clubs.models import Club
from seasons.club_pages.sheets.club_home import club_home, club_more, clubs_here
from seasons.club_pages.sheets.club_records import club_records
from seasons.ladders.models import Season
from seasons.ladders.sheets.honours import honours as honours_of
from seasons.people.sheets.people import many_clubs_here
from seasons.publishing.documents.values import DRIVE, EVENT, SEASON
from seasons.publishing.feed import feed_of, news_of, received_news
from server.refusals import PageMissing
from tournaments.models import Event
from tournaments.views.event_listing import build_listing
from tournaments.views.states import EventLine, build_event_line

NEWEST = 8
SENT = {EVENT: "evening", SEASON: "season", DRIVE: "drive"}
"""The URL name of the page of a sent document, by the kind of document."""


@dataclass(frozen=True, slots=True)
class Newest:
    """A club with its newest events, and whether there are more."""

    club: Club
    rows: tuple[Event, ...]
    more: bool

    @property
    def events(self) -> tuple[EventLine, ...]:
        """The club's newest events, as lines of a list."""
        return tuple(build_event_line(event) for event in self.rows)


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the newest evenings of the server's clubs, and the lessons.

    On a server with many clubs, show a search for clubs and the events of today.
    """
    if many_clubs_here():
        words = request.GET.get("q", "").strip()[:100]
        here = clubs_here(words, request.GET.get("page"))
        return render(request, "seasons/clubs.html", {"here": here, "club": ""})
    groups = _newest(_clubs())
    context: dict[str, object] = {"groups": groups, "club": ""}
    if len(groups) == 1:
        (only,) = groups
        timezone.activate(only.club.zone)
        season = Season.objects.filter(club=only.club).select_related("club").first()
        context |= {"club": only.club, "home": club_home(only.club, only.rows)}
        context |= {"season": season, "more": club_more(only.club)}
    return render(request, "seasons/home.html", context)


@login_not_required
@require_safe
def club_page(request: HttpRequest, club: str) -> HttpResponse:
    """Show a club's home page: the event in play, the next one, and its newest events."""
    groups = _newest(Club.objects.filter(slug=club).annotate(listed=_listed()))
    if not groups:
        raise PageMissing(_("Club not found."))
    (only,) = groups
    timezone.activate(only.club.zone)
    context: dict[str, object] = {
        "groups": groups,
        "club": only.club,
        "home": club_home(only.club, only.rows),
        "season": Season.objects.filter(club=only.club).select_related("club").first(),
        "more": club_more(only.club),
    }
    return render(request, "seasons/home.html", context)


@login_not_required
@require_safe
def evenings(request: HttpRequest) -> HttpResponse:
    """List events, newest first: all of one club in pages, or the newest of each of several."""
    chosen = request.GET.get("club", "")
    if not chosen and many_clubs_here():
        everywhere = build_listing(request, Event.objects.exclude_hidden(), _with_club)
        return render(request, "seasons/evenings.html", {"list": everywhere, "club": ""})
    clubs = _clubs()
    found = list(clubs.filter(slug=chosen) if chosen else clubs)
    if len(found) == 1:
        events = Event.objects.filter(club=found[0]).exclude_hidden().select_related("club")
        one = {
            "club": found[0],
            "several": bool(chosen),
            "list": build_listing(request, events),
        }
        return render(request, "seasons/evenings.html", one)
    if chosen:
        raise PageMissing(_("Club not found."))
    return render(request, "seasons/evenings.html", {"groups": _newest(clubs)})


def _with_club(event: Event) -> EventLine:
    return replace(build_event_line(event), club=event.club.name)


def _clubs() -> QuerySet[Any]:
    return Club.objects.annotate(listed=_listed()).filter(listed__gt=0).order_by("name")


def _listed() -> Count:
    return Count("events", filter=Q(events__put_away_at=None, events__is_rehearsal=False))


def _newest(clubs: QuerySet[Any]) -> list[Newest]:
    newest = Event.objects.exclude_hidden().with_sessions()[:NEWEST]
    return [
        Newest(club, tuple(club.newest), club.listed > NEWEST)
        for club in clubs.prefetch_related(Prefetch("events", newest, to_attr="newest"))
    ]


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
    """Show the winners of trophies."""
    found = _club(club)
    return render(
        request, "seasons/honours.html", {"club": found, "honours": honours_of(found)}
    )


@login_not_required
@require_safe
def feed(request: HttpRequest, club: str) -> HttpResponse:
    """Return the club's Atom feed, or 304 if the client has this version."""
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
    found = get_club(slug)
    timezone.activate(found.zone)
    return found
