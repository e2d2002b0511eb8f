"""What stands round a page: places, an event's bar, what is in play, the other side.

Public and directors' pages have one frame; it is made here, of what the rooms hand in, and
drawn by `templates/frames`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

import rubbers.navigation
from clubs.access import clubs_of
from clubs.models import Club
from config import navigation
from hall import bars
from hall.desk.in_play import in_play
from seasons.club_pages.navigation import PUBLIC, public_places
from server.models import User
from server.navigation import Bar, Link, Word, link_to_tab, links_to_places
from tournaments.visits import Visit

SHORT = 14
"""Letters of a name for which a phone has room, as those of a short name that a club sets."""
OWN = "/director/"
"""Where the pages of directors begin."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """All that a page's frame says."""

    kind: str  # "public", "director" or "bare"
    club: Club | None = None
    page: str = ""
    places: tuple[Link, ...] = ()
    bar: Bar | None = None
    live: Bar | None = None
    groups: tuple[tuple[Word, tuple[Link, ...]], ...] = field(default=())
    """Every page of the evening at hand, place by place: the map in a phone's menu."""
    other_side: str = ""
    """The same evening as players see it, or as its director does."""

    @property
    def short_name(self) -> str:
        """What a phone calls the club: its short name, else the first words of its name."""
        if not self.club:
            return "Overplay"
        return self.club.short_name or _first_words(self.club.name)

    @property
    def logo(self) -> str:
        """The address of the club's picture; "" where the shield stands for it."""
        if not self.club or not self.club.logo_mark:
            return ""
        return reverse("club_logo", args=[self.club.logo_mark])

    @property
    def search(self) -> str:
        """The search of this side of the house."""
        return reverse("own_search" if self.kind == "director" else "search")

    @property
    def dock(self) -> tuple[Link, ...]:
        """What a phone has at its lower edge: the evening in play, else the places."""
        playing = self.bar if self.bar and self.bar.is_live else self.live
        return playing.tabs[:5] if playing else self.places


def _first_words(name: str) -> str:
    """As many first words of a name as a phone's line on top has room for; one at least."""
    first, *others = name.split() or [name]
    for word in others:
        if len(f"{first} {word}") > SHORT:
            break
        first = f"{first} {word}"
    return first


def frame_of(request: HttpRequest | None, context: Mapping[Any, Any]) -> PageFrame:
    """Make the frame of a page from its request and what its view has said."""
    if request is None:  # the program has failed, and no query may be executed
        return PageFrame("public", places=links_to_places(PUBLIC, "", ""))
    match = request.resolver_match
    page = (match.url_name or "") if match else ""
    own = context.get("visit")
    visit = own if isinstance(own, Visit) else None
    club = _club(context, visit)
    user = getattr(request, "user", None) if request.path.startswith(OWN) else None
    if page in navigation.BARE:
        return PageFrame("bare", club=club, page=page)
    if not isinstance(user, User):
        return _public(request, page, visit, club)
    frame = _directors(request, user, page, visit, club)
    bar = rubbers.navigation.bar_of(own, page)
    if bar is None:
        return frame
    bar = replace(bar, place=replace(frame.places[0], current="", url=reverse("desk")))
    groups = ((bar.name, bar.tabs),)
    return replace(frame, bar=bar, groups=groups, other_side=bar.other_side)


def _club(context: Mapping[Any, Any], visit: Visit | None) -> Club | None:
    """Find the club that a page is of; the only one here where the page is of none."""
    if visit is not None:
        return visit.event.club
    named = context.get("club")
    if isinstance(named, Club):
        return named
    found = list(Club.objects.all()[:2])
    return found[0] if len(found) == 1 else None


def _public(
    request: HttpRequest, page: str, visit: Visit | None, club: Club | None
) -> PageFrame:
    places = public_places(request, navigation.place_of(page), page, club)
    if visit is None:
        return PageFrame("public", club, page, places, other_side=reverse("desk"))
    bar = bars.public_bar(request, page, visit, places[1])
    return PageFrame("public", club, page, places, bar, other_side=bar.other_side)


def _directors(
    request: HttpRequest, user: User, page: str, visit: Visit | None, club: Club | None
) -> PageFrame:
    playing = in_play(user) if club or page == "desk" else []
    now, besides = bars.choose_live_event(request, playing, club, visit)
    place = navigation.place_of(page, visit.state if visit else "")
    directs = visit.is_directed if visit else clubs_of(request).exists()
    places = bars.director_places(
        links_to_places(navigation.DIRECTOR, place, page), visit, now
    )[: None if directs else 1]
    bar = bars.director_bar(request, place, page, visit, places) if visit else None
    if bar is None and place == "own_club" and directs:
        bar = Bar("", "", tabs=tuple(link_to_tab(tab, page) for tab in navigation.CLUB))
    bar, live = bars.add_live_event(bar, page, now, besides)
    groups = bars.event_groups(visit, page, places) if visit and directs else ()
    side = bars.players_side(page, visit)
    return PageFrame("director", club, page, places, bar, live, groups, side)
