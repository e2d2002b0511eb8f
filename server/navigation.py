"""Data classes of the navigation: items of the main navigation, tabs, links and bars."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.functional import Promise

LabelText = str | Promise


@dataclass(frozen=True, slots=True)
class MainNavItem:
    """An item of the main navigation, with a label and an icon."""

    key: str
    word: LabelText
    icon: str
    url_name_or_tab_key: str
    """The URL name of the page to open; inside an event, the key of the tab to open."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of a bar, which opens the page with the URL name `url_name`.

    `pages` are the URL names of the other pages on which the tab is the current one.
    """

    key: str
    word: LabelText
    icon: str
    url_name: str
    pages: frozenset[str] = frozenset()
    is_for_scorers: bool = False
    """Whether logins with the role of scorer can open it."""
    is_for_owners: bool = False
    """Whether only a club's owners can open it."""

    @property
    def page_names(self) -> frozenset[str]:
        """The URL names of the pages on which this tab is the current one."""
        return self.pages | {self.url_name}


@dataclass(frozen=True, slots=True)
class AppNavigation:
    """The pages that an app adds to the navigation.

    Pages are given by their URL names, and grouped by the key of their `MainNavItem`.
    """

    bars: tuple[tuple[str, tuple[Tab, ...]], ...] = ()
    """The tabs of each bar, by the key of the navigation item of their pages."""
    pages_by_nav_item: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The pages of each navigation item that are not tabs."""
    pages_without_navigation: frozenset[str] = frozenset()
    """Pages without navigation, such as secret links and big screens."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the navigation, with its label `word`, an icon, and a count (0 if none)."""

    word: LabelText
    icon: str
    url: str  # "" if the page cannot be opened yet
    aria_current: str = ""  # "page", "true" or ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of an event or drive, with a link to its parent and tabs for its pages."""

    name: str
    url: str
    parent_link: Link | None = None
    """The link to the parent."""
    tabs: tuple[Link, ...] = ()
    sessions: tuple[Link, ...] = ()
    """The links to the sessions of the event."""
    is_event_in_play: bool = False
    """Whether this is a bar on another page that links to the event being played."""
    other_links: tuple[Link, ...] = ()
    """The other events being played."""
    counterpart_url: str = ""
    """The URL of the players' page of the same event, or of its director's page."""


def build_tab_link(tab: Tab, current_url_name: str, args: Iterable[str] = ()) -> Link:
    """Return the link to a tab's page; `current_url_name` is that of the current page."""
    return Link(
        tab.word,
        tab.icon,
        reverse(tab.url_name, args=list(args)),
        compute_aria_current(tab, current_url_name),
    )


def build_tab_links(
    tabs: Iterable[Tab], page_name: str, url_argument: str, can_direct: bool
) -> tuple[Link, ...]:
    """Return the links to the tabs of a drive or rubber night.

    If `can_direct` is False, only the tabs for scorers are returned.
    """
    return tuple(
        build_tab_link(tab, page_name, [url_argument])
        for tab in tabs
        if can_direct or tab.is_for_scorers
    )


def compute_aria_current(tab: Tab, current_url_name: str) -> str:
    """Return a tab's `aria-current`: "page" on its own page, "true" on its others, or ""."""
    if current_url_name == tab.url_name:
        return "page"
    return "true" if current_url_name in tab.page_names else ""


def build_main_links(
    nav_items: Iterable[MainNavItem], current_item_key: str, page_name: str
) -> tuple[Link, ...]:
    """Return the main navigation's links; `current_item_key` is the current entry's key."""
    return tuple(
        Link(
            nav_item.word,
            nav_item.icon,
            reverse(nav_item.url_name_or_tab_key),
            ("page" if page_name == nav_item.url_name_or_tab_key else "true")
            if nav_item.key == current_item_key
            else "",
        )
        for nav_item in nav_items
    )
