"""What stands round a page: places, an evening's bar, what is in play, the other side.

Public and directors' pages have one frame; it is made here and drawn by `templates/frames`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from clubs.access import clubs_of
from clubs.models import Club
from config import navigation
from config.navigation import Place, Tab, Word
from drives.visits import DriveVisit, RubberVisit
from hall.desk.in_play import InPlay, in_play
from seasons.models import Season
from server.models import User
from tournaments.entry_words import words_of
from tournaments.models import Event
from tournaments.visits import Visit

SHORT = 14
"""Letters of a name for which a phone has room, as those of a short name that a club sets."""
OWN = "/director/"
"""Where the pages of directors begin."""
_LAST_OPENED = "evening_in_play"
"""Which of several evenings in play a login has opened last."""


@dataclass(frozen=True, slots=True)
class Link:
    """One way to go: a word, an icon, whether one is there, how many wait there."""

    word: Word
    icon: str
    url: str  # "" for what is locked
    current: str = ""  # as `aria-current` has it: "page", "true", or "" for not here
    count: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """An evening's bar: where one is on the left, its pages on the right."""

    name: str
    url: str
    place: Link | None = None
    tabs: tuple[Link, ...] = ()
    sessions: tuple[Link, ...] = ()
    is_live: bool = False
    """Whether it leads from another page to what is in play."""
    others: tuple[Link, ...] = ()
    """What is in play besides; the one that was opened last stays at hand."""


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
    if request is None:  # the program has failed, and nothing may be asked of it
        return PageFrame("public", places=_places(navigation.PUBLIC, "", ""))
    match = request.resolver_match
    page = (match.url_name or "") if match else ""
    visit = context.get("visit")
    visit = visit if isinstance(visit, Visit) else None
    user = getattr(request, "user", None) if request.path.startswith(OWN) else None
    if page in navigation.BARE:
        return PageFrame("bare", club=_club(context, visit), page=page)
    if isinstance(user, User):
        frame = _directors(request, user, page, visit, _club(context, visit))
        other = context.get("visit")
        if isinstance(other, RubberVisit):
            return _of_rubbers(frame, other)
        return _of_drive(frame, other) if isinstance(other, DriveVisit) else frame
    return _public(request, page, visit, _club(context, visit))


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
    place = navigation.place_of(page)
    places = _public_places(request, place, page, club)
    if visit is None:
        return PageFrame("public", club, page, places, other_side=reverse("desk"))
    bar = Bar(
        name=visit.event.name,
        url=reverse("event", args=[visit.address]),
        place=replace(places[1], current=""),
        tabs=tuple(_evening_tabs(visit, page)),
        sessions=_sessions(request, visit),
    )
    side = reverse("event_desk", args=[visit.address])
    return PageFrame("public", club, page, places, bar, other_side=side)


def _public_places(
    request: HttpRequest, place: str, page: str, club: Club | None
) -> tuple[Link, ...]:
    """The places of players; the ladder after the evenings, where the club has one.

    It opens the newest season that has ladders. Where there is none its pages are the club's.
    """
    ladder = navigation.LADDER
    season = Season.objects.filter(club=club, ladders__isnull=False).first() if club else None
    if season is None or club is None:
        return _places(navigation.PUBLIC, "club" if place == ladder.key else place, page)
    places = _places(navigation.PUBLIC, place, page)
    url = reverse("season", args=[club.slug, season.slug])
    here = "page" if request.path == url else "true"
    link = Link(ladder.word, ladder.icon, url, here if place == ladder.key else "")
    return (*places[:2], link, *places[2:])


def _evening_tabs(visit: Visit, page: str) -> Iterable[Link]:
    """What may be looked up of an evening; its hands are locked until the session is closed."""
    for tab in navigation.EVENING:
        if tab.key == "recap" and visit.state == "planned":
            continue
        url = reverse(tab.view, args=[visit.address])
        if tab.key == "hands" and visit.state != "closed" and page != tab.view:
            url = ""
        yield Link(tab.word, tab.icon if url else "lock", url, _current(tab, page))


def _directors(
    request: HttpRequest, user: User, page: str, visit: Visit | None, club: Club | None
) -> PageFrame:
    playing = in_play(user) if club or page == "desk" else []
    now, besides = _choose_live_event(request, playing, club, visit)
    place = navigation.place_of(page, visit.state if visit else "")
    directs = visit.is_directed if visit else clubs_of(request).exists()
    places = _directors_places(place, page, visit, now, directs)
    bar = _directors_bar(request, place, page, visit, places)
    if bar is None and place == "own_club" and directs:
        tabs = tuple(_link(tab, page, ()) for tab in navigation.CLUB)
        bar = Bar(name="", url="", place=None, tabs=tabs)
    bar, live = _add_live_event(bar, page, now, besides)
    return PageFrame(
        "director",
        club,
        page,
        places,
        bar,
        live,
        _groups(visit, page, places) if visit and directs else (),
        _players_side(page, visit),
    )


def _add_live_event(
    bar: Bar | None, page: str, now: InPlay | None, besides: Sequence[InPlay]
) -> tuple[Bar | None, Bar | None]:
    """Return the page's bar, and that of the event in play where the page is of another one.

    A page with a bar of its own shows the event in play as a menu in it, not as a second bar.
    """
    others = tuple(_to_evening(each) for each in besides)
    if now is None:
        return bar, Bar(name="", url="", tabs=others, is_live=True) if others else None
    if bar and bar.is_live:
        tabs = _tonight(now.address, page, now.calls, now.is_directed)
        return replace(bar, tabs=tabs, others=others), None
    desk = reverse("event_desk", args=[now.address])
    tabs = _tonight(now.address, "", now.calls, now.is_directed)
    return bar, Bar(now.name, desk, is_live=True, tabs=tabs, others=others)


def _of_drive(frame: PageFrame, visit: DriveVisit) -> PageFrame:
    """The frame of a drive's pages: its own bar, and the same drive as players see it."""
    tabs = [
        _link(tab, frame.page, [visit.address])
        for tab in navigation.DRIVE
        if visit.is_directed or tab.is_for_scorers
    ]
    place = replace(frame.places[0], current="", url=reverse("desk"))
    bar = Bar(
        name=visit.drive.name,
        url=reverse("drive_desk", args=[visit.address]),
        place=place,
        tabs=tuple(tabs),
        is_live=visit.drive.state == visit.drive.State.OPEN,
    )
    side = reverse("drive", args=[visit.address])
    groups = ((visit.drive.name, tuple(tabs)),)
    return replace(frame, bar=bar, groups=groups, other_side=side)


def _of_rubbers(frame: PageFrame, visit: RubberVisit) -> PageFrame:
    """The frame of a rubber night's pages: its own bar, and the night as players see it."""
    if visit.night.drive is not None:
        return _of_drive(frame, DriveVisit(visit.night.drive, visit.role))
    tabs = tuple(
        _link(tab, frame.page, [visit.address])
        for tab in navigation.RUBBERS
        if visit.is_directed or tab.is_for_scorers
    )
    bar = Bar(
        name=visit.night.name,
        url=reverse("rubber_desk", args=[visit.address]),
        place=replace(frame.places[0], current="", url=reverse("desk")),
        tabs=tabs,
        is_live=not visit.night.is_closed,
    )
    side = reverse("rubber_night", args=[visit.address])
    return replace(frame, bar=bar, groups=((visit.night.name, tabs),), other_side=side)


def _choose_live_event(
    request: HttpRequest, playing: list[InPlay], club: Club | None, visit: Visit | None
) -> tuple[InPlay | None, list[InPlay]]:
    """Choose the event in play that a page's frame leads to, and list the club's others.

    The page's own event comes first. Elsewhere it is the only one of the page's club, or of
    several the one opened last. Only the desk of a director of several clubs belongs to no
    club.
    """
    real = [each for each in playing if not each.is_rehearsal]
    here = [each for each in real if club is None or each.club == club.pk]
    found = _own(playing, visit)
    if found is not None:
        if len(real) > 1 and request.session.get(_LAST_OPENED) != found.address:
            request.session[_LAST_OPENED] = found.address
    elif len(here) == 1:
        found = here[0]
    else:
        last = request.session.get(_LAST_OPENED, "")
        found = next((each for each in here if each.address == last), None)
    return found, [each for each in here if each != found]


def _own(playing: list[InPlay], visit: Visit | None) -> InPlay | None:
    """The evening in play that a page is of: its session, else another of its event."""
    own = [each for each in playing if visit and each.slug == visit.event.slug]
    own.sort(key=lambda each: visit is not None and each.number != visit.number)
    return own[0] if own else None


def _to_evening(playing: InPlay) -> Link:
    return Link(playing.name, "tables", reverse("room", args=[playing.address]))


def _directors_places(
    place: str, page: str, visit: Visit | None, now: InPlay | None, directs: bool
) -> tuple[Link, ...]:
    """The places of whoever runs evenings; inside an evening they stay with it."""
    links = list(_places(navigation.DIRECTOR, place, page))
    if visit and visit.state == "open":
        links[0] = replace(links[0], url=reverse("room", args=[visit.address]))
    elif now and not now.is_rehearsal:
        links[0] = replace(links[0], url=reverse("room", args=[now.address]))
    if visit:
        own = "event_desk" if visit.state == "planned" else "entries"
        links[1] = replace(links[1], url=reverse(own, args=[visit.address]))
        links[2] = replace(links[2], url=reverse("director_standings", args=[visit.address]))
    return tuple(links if directs else links[:1])


def _directors_bar(
    request: HttpRequest,
    place: str,
    page: str,
    visit: Visit | None,
    places: tuple[Link, ...],
) -> Bar | None:
    if visit is None or not isinstance(visit.event, Event):
        return None
    keys = [each.key for each in navigation.DIRECTOR][: len(places)]
    here = place if place in navigation.TABS and place != "own_club" else ""
    here = here or navigation.OF_THE_EVENING[visit.state]
    at = keys.index(here) if here in keys else 0
    tabs = [
        _of_contest(tab, page, visit)
        for tab in navigation.TABS[here]
        if visit.is_directed or tab.is_for_scorers
    ]
    return Bar(
        name=visit.event.name,
        url=reverse("event_desk", args=[visit.address]),
        place=replace(places[at], current=""),
        tabs=tuple(tabs),
        sessions=_sessions(request, visit),
        is_live=here == "tonight" and visit.state == "open",
    )


def _tonight(address: str, page: str, calls: int, directs: bool) -> tuple[Link, ...]:
    return tuple(
        replace(_link(tab, page, [address]), count=calls if tab.key == "calls" else 0)
        for tab in navigation.TONIGHT
        if directs or tab.is_for_scorers
    )


def _groups(
    visit: Visit, page: str, places: tuple[Link, ...]
) -> tuple[tuple[Word, tuple[Link, ...]], ...]:
    return tuple(
        (place.word, tuple(_of_contest(tab, page, visit) for tab in navigation.TABS[key]))
        for place, key in zip(places, ("tonight", "prepare", "results"), strict=False)
    )


def _players_side(page: str, visit: Visit | None) -> str:
    """The same page as players have it; where there is none, the evening's standings."""
    if visit is None:
        return reverse("people" if page == "players" else "home")
    return reverse(navigation.OTHER_SIDE.get(page, "event"), args=[visit.address])


def _sessions(request: HttpRequest, visit: Visit) -> tuple[Link, ...]:
    """The sessions of an event, each at the same page of it; none where there is but one."""
    numbers = [session.number for session in visit.event.sessions.all()]
    head, mark, tail = request.path.partition(f"/events/{visit.address}/")
    if len(numbers) < 2 or not mark:
        return ()
    return tuple(
        Link(
            str(number),
            "",
            f"{head}/events/{visit.at(number).address}/{tail}",
            "true" if number == visit.number else "",
        )
        for number in sorted(numbers)
    )


def _places(places: Iterable[Place], place: str, page: str) -> tuple[Link, ...]:
    return tuple(
        Link(
            each.word,
            each.icon,
            reverse(each.home),
            ("page" if page == each.home else "true") if each.key == place else "",
        )
        for each in places
    )


def _of_contest(tab: Tab, page: str, visit: Visit) -> Link:
    """A tab of an evening; who is entered is called as the contest calls them."""
    link = _link(tab, page, [visit.address])
    is_named = tab.key == "entries" and isinstance(visit.event, Event)
    return replace(link, word=words_of(visit.event).many) if is_named else link


def _link(tab: Tab, page: str, args: Iterable[str]) -> Link:
    return Link(tab.word, tab.icon, reverse(tab.view, args=list(args)), _current(tab, page))


def _current(tab: Tab, page: str) -> str:
    if page == tab.view:
        return "page"
    return "true" if page in tab.names else ""
