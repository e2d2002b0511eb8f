"""The frame around the content of each page: main navigation, tabs, and events in play.

Public and directors' pages have the same kind of frame, built from the apps' navigation and
rendered by `templates/frames`. A "bar" is the row of tabs of an event or of a club.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

import rubbers.navigation
from clubs.languages import is_director_page
from clubs.models import Club
from clubs.names.club_names import shorten_club_name
from clubs.permissions import is_club_owner, is_director_of_any_club
from config import navigation
from hall import bars
from hall.desk.in_play import list_events_in_play
from seasons.club_pages.navigation import PUBLIC_NAV_ITEMS, build_public_links
from server.models import User
from server.navigation import Bar, LabelText, Link, build_main_links, build_tab_link
from tournaments.event_access import EventAccess


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The content of a page's frame for templates."""

    kind: str  # "public", "director" or "bare" (without navigation)
    club: Club | None = None
    page_name: str = ""
    main_links: tuple[Link, ...] = ()
    bar: Bar | None = None
    live_bar: Bar | None = None
    page_groups: tuple[tuple[LabelText, tuple[Link, ...]], ...] = field(default=())
    """The pages of the current event by navigation item, for the menu on a phone."""
    counterpart_url: str = ""
    """The URL of the players' page of the same event, or of its director's page."""

    @property
    def short_name(self) -> str:
        """The club's name on a phone: its short name, or else the first words of its name."""
        if not self.club:
            return "Overplay"
        return self.club.short_name or shorten_club_name(self.club.name)

    @property
    def logo_url(self) -> str:
        """The URL of the club's logo, or ""."""
        if not self.club or not self.club.logo_mark:
            return ""
        return reverse("club_logo", args=[self.club.logo_mark])

    @property
    def manifest_url(self) -> str:
        """The URL of the web manifest, for a phone's home screen."""
        if not self.club:
            return reverse("app_manifest")
        return reverse("club_app_manifest", args=[self.club.slug])

    @property
    def search_url(self) -> str:
        """The URL of the directors' search on a director's page, else of the public search."""
        return reverse("own_search" if self.kind == "director" else "search")

    @property
    def dock_links(self) -> tuple[Link, ...]:
        """The links at the bottom of a phone's screen.

        They are the first five tabs of the event in play or, without one, the main navigation.
        """
        live_bar = self.bar if self.bar and self.bar.is_event_in_play else self.live_bar
        return live_bar.tabs[:5] if live_bar else self.main_links


def build_frame(request: HttpRequest | None, context: Mapping[Any, Any]) -> PageFrame:
    """Build the frame of a page from its request and its template context."""
    if request is None:  # An error page has no request, and must not query the database.
        return PageFrame("public", main_links=build_main_links(PUBLIC_NAV_ITEMS, "", ""))
    url_match = request.resolver_match
    page_name = (url_match.url_name or "") if url_match else ""
    context_access = context.get("access")
    access = context_access if isinstance(context_access, EventAccess) else None
    club = _find_club(context, access)
    user = getattr(request, "user", None) if is_director_page(request) else None
    if page_name in navigation.PAGES_WITHOUT_NAVIGATION:
        return PageFrame("bare", club=club, page_name=page_name)
    if not isinstance(user, User):
        return _build_public_frame(request, page_name, access, club)
    director_frame = _build_director_frame(request, user, page_name, access, club)
    bar = rubbers.navigation.find_bar(context_access, page_name)
    if bar is None:
        return director_frame
    desk_link = replace(director_frame.main_links[0], aria_current="", url=reverse("desk"))
    # "Tonight" must not appear twice in a bar.
    if all(tab.word != desk_link.word for tab in bar.tabs):
        bar = replace(bar, parent_link=desk_link)
    page_groups = ((bar.name, bar.tabs),)
    return replace(
        director_frame, bar=bar, page_groups=page_groups, counterpart_url=bar.counterpart_url
    )


def _find_club(context: Mapping[Any, Any], access: EventAccess | None) -> Club | None:
    """Return the club of a page, else the only club in the database; None if there are more."""
    if access is not None:
        return access.event.club
    context_club = context.get("club")
    if isinstance(context_club, Club):
        return context_club
    first_clubs = list(Club.objects.all()[:2])
    return first_clubs[0] if len(first_clubs) == 1 else None


def _build_public_frame(
    request: HttpRequest, page_name: str, access: EventAccess | None, club: Club | None
) -> PageFrame:
    main_links = build_public_links(
        request, navigation.find_main_nav_key(page_name), page_name, club
    )
    if access is None:
        return PageFrame("public", club, page_name, main_links, counterpart_url=reverse("desk"))
    bar = bars.build_public_bar(request, page_name, access, main_links[1])
    return PageFrame(
        "public", club, page_name, main_links, bar, counterpart_url=bar.counterpart_url
    )


def _build_director_frame(
    request: HttpRequest,
    user: User,
    page_name: str,
    access: EventAccess | None,
    club: Club | None,
) -> PageFrame:
    events_in_play = list_events_in_play(user) if club or page_name == "desk" else []
    live_event, other_events = bars.choose_live_event(request, events_in_play, club, access)
    main_nav_key = navigation.find_main_nav_key(page_name, access.state if access else "")
    is_director = access.can_direct if access else is_director_of_any_club(request)
    main_links = bars.list_director_links(
        build_main_links(navigation.DIRECTOR_NAV_ITEMS, main_nav_key, page_name),
        access,
        live_event,
    )[: None if is_director else 1]
    bar = (
        bars.build_director_bar(request, main_nav_key, page_name, access, main_links)
        if access
        else None
    )
    if bar is None and main_nav_key == "own_club" and is_director:
        bar = _build_club_bar(page_name, is_owner=is_club_owner(request))
    bar, live_bar = bars.add_live_event_links(bar, page_name, live_event, other_events)
    page_groups = (
        bars.list_event_pages(access, page_name, main_links) if access and is_director else ()
    )
    players_url = bars.get_public_page_url(page_name, access)
    return PageFrame(
        "director", club, page_name, main_links, bar, live_bar, page_groups, players_url
    )


def _build_club_bar(page_name: str, *, is_owner: bool) -> Bar:
    """Return the tabs of a club's pages; only an owner gets the tabs that are for owners."""
    tabs = [tab for tab in navigation.CLUB_TABS if is_owner or not tab.is_for_owners]
    return Bar("", "", tabs=tuple(build_tab_link(tab, page_name) for tab in tabs))
