"""Declarations of the navigation: main places, tabs, links and bars."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.functional import Promise

Word = str | Promise


@dataclass(frozen=True, slots=True)
class MainPlace:
    """An entry of the main navigation, with a label and an icon."""

    key: str
    word: Word
    icon: str
    home: str
    """The URL name of its page; inside an event, the key of the tab that it opens."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of a bar, and its pages."""

    key: str
    word: Word
    icon: str
    view: str
    pages: frozenset[str] = frozenset()
    is_for_scorers: bool = False
    """Whether logins with the role of scorer can open it."""
    is_for_owners: bool = False
    """Whether only a club's owners can open it."""

    @property
    def names(self) -> frozenset[str]:
        """The URL names of the pages on which this tab is the current one."""
        return self.pages | {self.view}


@dataclass(frozen=True, slots=True)
class RoomNavigation:
    """The navigation of an app: its pages, by URL name and main place."""

    bars: tuple[tuple[str, tuple[Tab, ...]], ...] = ()
    """The tabs of each bar, by the key of the main place of their pages."""
    pages: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The pages of each main place that are not tabs."""
    bare: frozenset[str] = frozenset()
    """Pages without navigation, such as secret links and big screens."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link with a word, an icon, a count, and the `aria-current` of the current page."""

    word: Word
    icon: str
    url: str  # "" if locked
    current: str = ""  # value of `aria-current`: "page", "true" or ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of an event or drive, with a link to its parent and tabs for its pages."""

    name: str
    url: str
    place: Link | None = None
    tabs: tuple[Link, ...] = ()
    sessions: tuple[Link, ...] = ()
    is_live: bool = False
    """Whether this is a bar on another page that links to the event being played."""
    others: tuple[Link, ...] = ()
    """The other events being played."""
    other_side: str = ""
    """The URL of the players' page of the same event, or of its director's page."""


def build_tab_link(tab: Tab, page: str, args: Iterable[str] = ()) -> Link:
    """Return the link to a tab's page; `page` is the URL name of the current page."""
    return Link(
        tab.word, tab.icon, reverse(tab.view, args=list(args)), compute_aria_current(tab, page)
    )


def build_tab_links(
    tabs: Iterable[Tab], page: str, address: str, is_directed: bool
) -> tuple[Link, ...]:
    """Return the links to the tabs that a director, or a scorer, may open."""
    return tuple(
        build_tab_link(tab, page, [address])
        for tab in tabs
        if is_directed or tab.is_for_scorers
    )


def compute_aria_current(tab: Tab, page: str) -> str:
    """Return a tab's `aria-current`: "page" on its own page, "true" on its others, or ""."""
    if page == tab.view:
        return "page"
    return "true" if page in tab.names else ""


def build_place_links(places: Iterable[MainPlace], place: str, page: str) -> tuple[Link, ...]:
    """Return the links to the main places; `place` is the key of the current one."""
    return tuple(
        Link(
            each.word,
            each.icon,
            reverse(each.home),
            ("page" if page == each.home else "true") if each.key == place else "",
        )
        for each in places
    )
