"""The views of the front page and of a club's public pages and feed."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.permissions import get_club
from seasons.club_pages.sheets.club_home import (
    load_club_home,
    load_optional_pages,
    search_clubs,
)
from seasons.club_pages.sheets.club_records import load_club_records
from seasons.club_pages.sheets.in_play import list_activities_in_play
from seasons.ladders.models import Season
from seasons.ladders.sheets.honours import load_honours
from seasons.people.sheets.people import has_many_clubs
from seasons.publishing.documents.values import DRIVE_KIND, EVENT_KIND, SEASON_KIND
from seasons.publishing.feed import build_feed, list_news, list_received_news
from server.errors import PageNotFound
from tournaments.models import Event
from tournaments.views.event_listing import build_listing
from tournaments.views.states import EventLine, build_event_line

MAX_NEWEST_EVENTS = 8
URL_NAME_SUFFIXES_BY_KIND = {EVENT_KIND: "evening", SEASON_KIND: "season", DRIVE_KIND: "drive"}
"""The ends of the URL names (`sent_…`) of pages for received documents, by kind of document."""


@dataclass(frozen=True, slots=True)
class ClubWithEvents:
    """A club with its newest events on the front page."""

    club: Club
    newest_events: tuple[Event, ...]
    has_more_events: bool

    @property
    def events(self) -> tuple[EventLine, ...]:
        """The club's newest events as lines of the list."""
        return tuple(build_event_line(event) for event in self.newest_events)


@login_not_required
@require_safe
def show_front_page(request: HttpRequest) -> HttpResponse:
    """Show the newest events of all clubs on the server, and the lessons.

    If the server has many clubs, show a search for clubs and today's events instead.
    """
    if has_many_clubs():
        search_text = request.GET.get("q", "").strip()[:100]
        search_result = search_clubs(search_text, request.GET.get("page"))
        return render(request, "seasons/clubs.html", {"here": search_result, "club": ""})
    clubs_with_events = _load_newest_events(_query_clubs_with_events())
    context: dict[str, object] = {"groups": clubs_with_events, "club": ""}
    clubs = list(Club.objects.all())  # including clubs that only have drives or rubber nights
    context |= {"activities": list_activities_in_play(clubs), "several_clubs": len(clubs) > 1}
    if len(clubs_with_events) == 1:
        (single_club_with_events,) = clubs_with_events
        timezone.activate(single_club_with_events.club.zone)
        season = (
            Season.objects.filter(club=single_club_with_events.club)
            .select_related("club")
            .first()
        )
        context |= {
            "club": single_club_with_events.club,
            "home": load_club_home(
                single_club_with_events.club, single_club_with_events.newest_events
            ),
        }
        context |= {"season": season, "more": load_optional_pages(single_club_with_events.club)}
        context |= {"picture": _build_logo_or_icon_url(request, single_club_with_events.club)}
    return render(request, "seasons/home.html", context)


@login_not_required
@require_safe
def show_club(request: HttpRequest, club: str) -> HttpResponse:
    """Show a club's home page: the event in play, the next event and the newest events."""
    clubs_with_events = _load_newest_events(
        Club.objects.filter(slug=club).annotate(listed=_build_listed_event_count())
    )
    if not clubs_with_events:
        raise PageNotFound(_("Club not found."))
    (single_club,) = clubs_with_events
    timezone.activate(single_club.club.zone)
    context: dict[str, object] = {
        "groups": clubs_with_events,
        "club": single_club.club,
        "home": load_club_home(single_club.club, single_club.newest_events),
        "activities": list_activities_in_play([single_club.club]),
        "season": Season.objects.filter(club=single_club.club).select_related("club").first(),
        "more": load_optional_pages(single_club.club),
        "picture": _build_logo_or_icon_url(request, single_club.club),
    }
    return render(request, "seasons/home.html", context)


@login_not_required
@require_safe
def list_events(request: HttpRequest) -> HttpResponse:
    """List events, the newest first: all events of one club, or the newest of several clubs."""
    club_slug = request.GET.get("club", "")
    if not club_slug and has_many_clubs():
        listing = build_listing(
            request, Event.objects.exclude_hidden(), _build_event_line_with_club
        )
        return render(request, "seasons/evenings.html", {"list": listing, "club": ""})
    clubs = _query_clubs_with_events()
    selected_clubs = list(clubs.filter(slug=club_slug) if club_slug else clubs)
    if len(selected_clubs) == 1:
        events = (
            Event.objects.filter(club=selected_clubs[0]).exclude_hidden().select_related("club")
        )
        context = {
            "club": selected_clubs[0],
            "several": bool(club_slug),
            "list": build_listing(request, events),
        }
        return render(request, "seasons/evenings.html", context)
    if club_slug:
        raise PageNotFound(_("Club not found."))
    return render(request, "seasons/evenings.html", {"groups": _load_newest_events(clubs)})


def _build_logo_or_icon_url(request: HttpRequest, club: Club) -> str:
    """Return the absolute URL of the club's logo, or of the program's icon."""
    logo_mark = club.logo_mark
    path = reverse("club_logo", args=[logo_mark]) if logo_mark else static("img/icon-512.png")
    return request.build_absolute_uri(path)


def _build_event_line_with_club(event: Event) -> EventLine:
    return replace(build_event_line(event), club_name=event.club.name)


def _query_clubs_with_events() -> QuerySet[Any]:
    return (
        Club.objects.annotate(listed=_build_listed_event_count())
        .filter(listed__gt=0)
        .order_by("name")
    )


def _build_listed_event_count() -> Count:
    return Count("events", filter=Q(events__put_away_at=None, events__is_rehearsal=False))


def _load_newest_events(clubs: QuerySet[Any]) -> list[ClubWithEvents]:
    newest_events = Event.objects.exclude_hidden().with_sessions()[:MAX_NEWEST_EVENTS]
    return [
        ClubWithEvents(club, tuple(club.newest), club.listed > MAX_NEWEST_EVENTS)
        for club in clubs.prefetch_related(Prefetch("events", newest_events, to_attr="newest"))
    ]


@login_not_required
@require_safe
def show_best_results(request: HttpRequest, club: str) -> HttpResponse:
    """Show the records of a club."""
    club_row = _get_club(club)
    context = {"club": club_row, "records": load_club_records(club_row)}
    return render(request, "seasons/club_records.html", context)


@login_not_required
@require_safe
def show_honours(request: HttpRequest, club: str) -> HttpResponse:
    """Show the winners of a club's trophies."""
    club_row = _get_club(club)
    return render(
        request, "seasons/honours.html", {"club": club_row, "honours": load_honours(club_row)}
    )


@login_not_required
@require_safe
def download_feed(request: HttpRequest, club: str) -> HttpResponse:
    """Return the club's Atom feed; status 304 if the client's cached version is current."""
    club_row = _get_club(club)

    def build_absolute_url(path: str) -> str:
        return request.build_absolute_uri(path)

    news = list_news(
        club_row,
        lambda event: build_absolute_url(reverse("event", args=[event.slug])),
        lambda season: build_absolute_url(season.get_absolute_url()),
    )
    news += list_received_news(
        club_row,
        lambda received: build_absolute_url(
            reverse(
                f"sent_{URL_NAME_SUFFIXES_BY_KIND[received.kind]}", args=[club, received.slug]
            )
        ),
    )
    feed_bytes = build_feed(
        feed_uid=str(club_row.uid),
        title=club_row.name,
        feed_url=build_absolute_url(reverse("club_feed", args=[club])),
        page_url=build_absolute_url(reverse("club_page", args=[club])),
        items=sorted(news, key=lambda feed_item: feed_item.updated_at, reverse=True),
    )
    etag = f'"{hashlib.sha256(feed_bytes).hexdigest()[:32]}"'
    known_etags = [
        known_etag.strip().removeprefix("W/") for known_etag in _list_known_etags(request)
    ]
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    if etag in known_etags:
        return HttpResponseNotModified(headers=headers)
    content_type = "application/atom+xml; charset=utf-8"
    return HttpResponse(feed_bytes, content_type=content_type, headers=headers)


def _list_known_etags(request: HttpRequest) -> list[str]:
    return request.headers.get("If-None-Match", "").split(",")


def _get_club(club_slug: str) -> Club:
    club = get_club(club_slug)
    timezone.activate(club.zone)
    return club
