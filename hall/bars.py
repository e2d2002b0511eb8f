"""The navigation bars of event pages, for directors and for the public."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.http import HttpRequest
from django.urls import reverse

from clubs.models import Club
from hall.desk.in_play import EventInPlay
from hall.navigation import (
    NAV_KEYS_BY_SESSION_STATE,
    PLAYER_PAGES_BY_DIRECTOR_PAGE,
    PUBLIC_EVENT_TABS,
    TABS_BY_NAV_KEY,
    TONIGHT_TABS,
)
from server.navigation import Bar, LabelText, Link, Tab, build_tab_link, compute_aria_current
from tournaments.entry_words import get_entry_texts
from tournaments.event_access import EventAccess

_LAST_EVENT_KEY = "evening_in_play"
"""The key in `request.session` for the address of the event that the user opened last."""


def build_public_bar(
    request: HttpRequest, page_name: str, access: EventAccess, public_link: Link
) -> Bar:
    """Return the navigation bar of an event's public pages.

    `public_link` is the link back to the list of events.
    """
    return Bar(
        name=access.event.name,
        url=reverse("event", args=[access.address]),
        parent_link=replace(public_link, aria_current=""),
        tabs=tuple(_list_public_event_tabs(access, page_name)),
        sessions=_list_session_links(request, access),
        counterpart_url=reverse("event_desk", args=[access.address]),
    )


def _list_public_event_tabs(access: EventAccess, current_url_name: str) -> Iterable[Link]:
    """Return the tabs of an event's public pages; the hands tab is locked until closing."""
    for tab in PUBLIC_EVENT_TABS:
        if tab.key == "recap" and access.state == "planned":
            continue
        url = reverse(tab.url_name, args=[access.address])
        if tab.key == "hands" and access.state != "closed" and current_url_name != tab.url_name:
            url = ""
        yield Link(
            tab.word,
            tab.icon if url else "lock",
            url,
            compute_aria_current(tab, current_url_name),
        )


def choose_live_event(
    request: HttpRequest,
    events_in_play: list[EventInPlay],
    club: Club | None,
    access: EventAccess | None,
) -> tuple[EventInPlay | None, list[EventInPlay]]:
    """Return the event in play for a page's frame, and the club's other events in play.

    If the page belongs to an event in play, that event is chosen. Otherwise it is the club's
    only event in play, or the one that the user opened last. `club` is None only on the desk of
    a director of several clubs.
    """
    real_events = [
        event_in_play for event_in_play in events_in_play if not event_in_play.is_rehearsal
    ]
    club_events = [
        event_in_play
        for event_in_play in real_events
        if club is None or event_in_play.club_pk == club.pk
    ]
    live_event = _find_event_of_page(events_in_play, access)
    if live_event is not None:
        if len(real_events) > 1 and request.session.get(_LAST_EVENT_KEY) != live_event.address:
            request.session[_LAST_EVENT_KEY] = live_event.address
    elif len(club_events) == 1:
        live_event = club_events[0]
    else:
        last_event_address = request.session.get(_LAST_EVENT_KEY, "")
        live_event = next(
            (
                event_in_play
                for event_in_play in club_events
                if event_in_play.address == last_event_address
            ),
            None,
        )
    return live_event, [
        event_in_play for event_in_play in club_events if event_in_play != live_event
    ]


def _find_event_of_page(
    events_in_play: list[EventInPlay], access: EventAccess | None
) -> EventInPlay | None:
    """Return an open session of the page's event, preferably the one that the page shows."""
    sessions_of_event = [
        event for event in events_in_play if access and event.event_slug == access.event.slug
    ]
    sessions_of_event.sort(
        key=lambda event: access is not None and event.session_number != access.session_number
    )
    return sessions_of_event[0] if sessions_of_event else None


def list_director_links(
    main_links: tuple[Link, ...], access: EventAccess | None, live_event: EventInPlay | None
) -> tuple[Link, ...]:
    """Return the directors' three main links, to pages of the event that the page shows.

    The first link, "Tonight", leads to the page's event if it is open, or else to `live_event`.
    """
    links = list(main_links)
    if access and access.state == "open":
        links[0] = replace(links[0], url=reverse("room", args=[access.address]))
    elif live_event and not live_event.is_rehearsal:
        links[0] = replace(links[0], url=reverse("room", args=[live_event.address]))
    if access:
        entries_url_name = "event_desk" if access.state == "planned" else "entries"
        links[1] = replace(links[1], url=reverse(entries_url_name, args=[access.address]))
        links[2] = replace(links[2], url=reverse("director_standings", args=[access.address]))
    return tuple(links)


def build_director_bar(
    request: HttpRequest,
    main_nav_key: str,
    page_name: str,
    access: EventAccess,
    main_links: tuple[Link, ...],
) -> Bar:
    """Return an event's bar for directors and scorers, with the tabs of one group of pages.

    The groups, such as "prepare" and "results", are the keys of `TABS_BY_NAV_KEY`.
    `main_nav_key` may be another key. Then the group depends on the state of the event.
    """
    current_nav_key = (
        main_nav_key
        if main_nav_key in TABS_BY_NAV_KEY
        else NAV_KEYS_BY_SESSION_STATE[access.state]
    )
    nav_index = list(TABS_BY_NAV_KEY).index(current_nav_key)
    tabs = [
        _build_event_tab_link(tab, page_name, access)
        for tab in TABS_BY_NAV_KEY[current_nav_key]
        if access.can_direct or tab.is_for_scorers
    ]
    return Bar(
        name=access.event.name,
        url=reverse("event_desk", args=[access.address]),
        parent_link=replace(
            main_links[nav_index if nav_index < len(main_links) else 0], aria_current=""
        ),
        tabs=tuple(tabs),
        sessions=_list_session_links(request, access),
        is_event_in_play=current_nav_key == "tonight" and access.state == "open",
    )


def add_live_event_links(
    bar: Bar | None,
    page_name: str,
    live_event: EventInPlay | None,
    other_events: Sequence[EventInPlay],
) -> tuple[Bar | None, Bar | None]:
    """Return the bar of the page's event, and a second bar for the event in play or None.

    A bar with `is_event_in_play` already belongs to the event in play. It gets the tabs of that
    event, and there is no second bar.
    """
    other_links = tuple(_build_event_in_play_link(event) for event in other_events)
    if live_event is None:
        return bar, Bar(
            name="", url="", tabs=other_links, is_event_in_play=True
        ) if other_links else None
    if bar and bar.is_event_in_play:
        tabs = _list_tonight_tab_links(
            live_event.address, page_name, live_event.call_count, live_event.can_direct
        )
        return replace(bar, tabs=tabs, other_links=other_links), None
    desk_url = reverse("event_desk", args=[live_event.address])
    tabs = _list_tonight_tab_links(
        live_event.address, "", live_event.call_count, live_event.can_direct
    )
    return bar, Bar(
        live_event.event_name,
        desk_url,
        is_event_in_play=True,
        tabs=tabs,
        other_links=other_links,
    )


def _build_event_in_play_link(event_in_play: EventInPlay) -> Link:
    return Link(
        event_in_play.event_name, "tables", reverse("room", args=[event_in_play.address])
    )


def _list_tonight_tab_links(
    event_address: str, page_name: str, call_count: int, is_director: bool
) -> tuple[Link, ...]:
    return tuple(
        replace(
            build_tab_link(tab, page_name, [event_address]),
            count=call_count if tab.key == "calls" else 0,
        )
        for tab in TONIGHT_TABS
        if is_director or tab.is_for_scorers
    )


def list_event_pages(
    access: EventAccess, page_name: str, main_links: tuple[Link, ...]
) -> tuple[tuple[LabelText, tuple[Link, ...]], ...]:
    """Return links to all pages of an event, under the titles of the main links."""
    return tuple(
        (
            main_link.word,
            tuple(
                _build_event_tab_link(tab, page_name, access)
                for tab in TABS_BY_NAV_KEY[nav_key]
            ),
        )
        for main_link, nav_key in zip(main_links, TABS_BY_NAV_KEY, strict=False)
    )


def get_public_page_url(page_name: str, access: EventAccess | None) -> str:
    """Return the URL of the public page that corresponds to a director's page.

    The default is the event's standings.
    """
    if access is None:
        return reverse("people" if page_name == "players" else "home")
    return reverse(PLAYER_PAGES_BY_DIRECTOR_PAGE.get(page_name, "event"), args=[access.address])


def _list_session_links(request: HttpRequest, access: EventAccess) -> tuple[Link, ...]:
    """Return links to the current page for each session; an event with one session has none."""
    session_numbers = [session.number for session in access.event.sessions.all()]
    path_prefix, separator, path_suffix = request.path.partition(f"/events/{access.address}/")
    if len(session_numbers) < 2 or not separator:
        return ()
    return tuple(
        Link(
            str(session_number),
            "",
            f"{path_prefix}/events/{access.with_session(session_number).address}/{path_suffix}",
            "true" if session_number == access.session_number else "",
        )
        for session_number in sorted(session_numbers)
    )


def _build_event_tab_link(tab: Tab, page_name: str, access: EventAccess) -> Link:
    """Return the link of an event's tab; the entries tab is named pairs, players or teams."""
    link = build_tab_link(tab, page_name, [access.address])
    is_entries_tab = tab.key == "entries"
    return replace(link, word=get_entry_texts(access.event).plural) if is_entries_tab else link
