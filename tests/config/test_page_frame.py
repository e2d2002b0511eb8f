"""All pages share one frame; every page has its place, and no link is dead."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

import clubs.evenings.services
import scoring.services
import tournaments.services
from clubs.languages import DIRECTOR_PATH_PREFIX
from clubs.models import Membership
from config import navigation
from hall.navigation import EVENT_PAGES
from hall.phones import services as phones
from server.models import User
from tests import evenings
from tests.browser.pages import create_full_event, render_pages
from tests.config.test_languages import find_english_words
from tests.copies import build_once
from tests.factories import LadderFactory, SeasonFactory
from tests.house import markup
from tests.languages import activate_marked_language
from tournaments.models import Session

pytestmark = pytest.mark.django_db

TONIGHT_TABS = ["Room", "Scores", "Fix a problem", "Clock", "Calls"]
TAB_PAGE_NAMES = {
    name for _place, tabs in navigation.TAB_BARS for tab in tabs for name in tab.page_names
}


def list_route_names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name or ""
        elif not str(pattern.pattern).startswith(("admin/", "api/")):
            yield from list_route_names(pattern.url_patterns)


def read_page(address: str, user: User | None = None, **options: str) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(address, options).content.decode()


def find_part(page: str, pattern: str) -> str:
    match = re.search(pattern, page, re.DOTALL)
    return match[0] if match else ""


def list_links(html_part: str) -> list[tuple[str, str, str]]:
    """Return the URL, the `aria-current_state` state and the visible words of each link."""
    cleaned_html = re.sub(
        r'<span class="visually-hidden">.*?</span>|<svg.*?</svg>', "", html_part, flags=re.S
    )
    link_parts = re.findall(
        r'<a href="([^"]*)"(?: aria-current="(\w+)")?[^>]*>(.*?)</a>', cleaned_html, re.S
    )
    return [
        (url, current_state, " ".join(re.sub(r"<[^>]*>", " ", cleaned_html).split()))
        for url, current_state, cleaned_html in link_parts
    ]


def list_place_links(page: str) -> list[tuple[str, str, str]]:
    return list_links(find_part(page, r'<nav class="places".*?</nav>'))


def list_bar_parts(page: str) -> list[str]:
    return re.findall(
        r'<div role="region" class="bar[" ].*?</nav>\s*</div>\s*</div>', page, re.DOTALL
    )


def list_tabs(page: str) -> list[tuple[str, str, str]]:
    return [
        link
        for bar in list_bar_parts(page)
        for link in list_links(find_part(bar, r'<nav class="tabs".*'))
    ]


def list_frame_parts(page: str) -> list[str]:
    """Return the frame's parts in their order."""
    return re.findall("|".join([*FRAME_PARTS, DOCK]), page)


DOCK = '<nav class="dock__in"'
FRAME_PARTS = ['<a class="skip"', '<header class="top"', "<main", "<h1", '<footer class="foot"']


@build_once
def create_event_with_call() -> tuple[Session, User]:
    """Create an event in play with a call for the director."""
    session, user = create_full_event(is_closed=False)
    link = phones.create_table_links(session=session, by=user)[0]
    clubs.evenings.services.call_director(link=link)
    return session, user


PATHS_WITHOUT_EVENT = (
    "/director/account/",
    "/reset/",
    "/laws/",
    "/learn/",
    "/movements/",
    "/worked-hands/",
)
"""Pages that are the same whatever is played: they are checked while play is on."""


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True])
def test_every_page_has_the_frame_one_current_place_and_only_translated_texts(
    closed: bool,
) -> None:
    """Each page has the same frame in another language, and every word is translated.

    During play tonight's pages are one click from every director's page, and no tab is dead.
    """
    session, user = create_full_event(is_closed=True) if closed else create_event_with_call()
    faults: list[str] = []
    pages: dict[str, str] = {}
    for visitor, path_prefix in ((None, "/"), (user, DIRECTOR_PATH_PREFIX)):
        with activate_marked_language():
            pages = render_pages(
                session,
                visitor,
                below=path_prefix,
                excluded_prefixes=PATHS_WITHOUT_EVENT if closed else (),
            )
        assert len(pages) > 12
        assert find_english_words(pages) == {}
        for address, page in pages.items():
            name = resolve(address).url_name or ""
            has_no_navigation = name in navigation.PAGES_WITHOUT_NAVIGATION
            expected_parts = FRAME_PARTS if has_no_navigation else [*FRAME_PARTS, DOCK]
            places = [link for link in list_place_links(page) if link[1]]
            tabs = [link for link in list_tabs(page) if link[1]]
            has_place = name not in navigation.PAGES_WITHOUT_NAV_ITEM and not has_no_navigation
            if (list_frame_parts(page), len(places), len(tabs)) != (
                expected_parts,
                has_place,
                name in TAB_PAGE_NAMES,
            ):
                faults.append(f"{address}: {list_frame_parts(page)}, {places}, {tabs}")
            faults += [f"{address}: {fault}" for fault in markup.find_faults(page)]
            if (
                '<meta name="description"' not in page
                and not has_no_navigation
                and visitor is None
            ):
                faults.append(f"{address}: no description")
            if any(
                (url == address) is not (current_state == "page")
                for url, current_state, _words in tabs
            ):
                faults.append(f"{address}: {tabs}")
    assert faults == []
    if not closed:
        assert list_incomplete_director_pages(pages) == []
        assert list_dead_links(pages, user) == []


def list_incomplete_director_pages(pages: dict[str, str]) -> list[str]:
    """Return the director's pages whose tabs or dock lack one of tonight's pages."""
    night, incomplete_pages = [*TONIGHT_TABS[:4], "Calls 1"], list[str]()
    for address, page in pages.items():
        live_links = list_links(
            find_part(page, r'<details class="pick pick--live".*?</details>')
        )
        link_texts = [
            strip_marks(word) for _url, _current, word in (*list_tabs(page), *live_links)
        ]
        links = list_links(find_part(page, r'<nav class="dock__in".*?</nav>'))
        dock_texts = [strip_marks(word) for *_rest, word in links]
        if not set(night) <= set(link_texts) or dock_texts != night:
            incomplete_pages.append(f"{address}: {link_texts} {dock_texts}")
    return incomplete_pages


def strip_marks(word: str) -> str:
    return word.replace("«", "").replace("»", "")


def list_dead_links(pages: dict[str, str], user: User) -> list[str]:
    """Return the links of tabs and places that lead to no page."""
    urls = {
        url
        for page in pages.values()
        for url, *_rest in (*list_tabs(page), *list_place_links(page))
    }
    assert len(urls) > 20
    client = Client()
    client.force_login(user)
    other_urls = sorted(urls - set(pages))
    return [url for url in other_urls if client.get(url, follow=True).status_code != 200]


def test_ladder_is_in_the_navigation_only_if_the_club_has_one() -> None:
    session, _user = create_full_event(is_closed=True)
    evenings_path = "/events/"  # a public event page may be ten minutes old
    basic_places = ["Club", "Evenings", "Players", "Learn"]
    season = SeasonFactory(club=session.event.club)
    own_path = f"/clubs/{season.club.slug}/seasons/"
    assert [word for *_rest, word in list_place_links(read_page(evenings_path))] == basic_places
    assert [
        word for _url, current, word in list_place_links(read_page(own_path)) if current
    ] == ["Club"]
    ladder = LadderFactory(season=season)
    season_url = f"{own_path}{season.slug}/"
    assert [word for *_rest, word in list_place_links(read_page(evenings_path))] == [
        *(*basic_places[:2], "Ladder", *basic_places[2:])
    ]
    for address, current in (
        (season_url, "page"),
        (f"{season_url}{ladder.slug}/", "true"),
        (own_path, "true"),
    ):
        places = list_place_links(read_page(address))
        assert [place for place in places if place[1]] == [(season_url, current, "Ladder")], (
            address
        )
    SeasonFactory(club=session.event.club, last_day=season.last_day + timedelta(days=365))
    # The newer season has no ladder.
    assert (season_url, "page", "Ladder") in list_place_links(read_page(season_url))


def test_navigation_has_only_existing_routes_and_none_twice() -> None:
    names = [
        name for _place, tabs in navigation.TAB_BARS for tab in tabs for name in tab.page_names
    ]
    names += [
        name
        for app_navigation in navigation.APP_NAVIGATIONS
        for names in app_navigation.pages_by_nav_item.values()
        for name in names
    ]
    names += [
        name for room in navigation.APP_NAVIGATIONS for name in room.pages_without_navigation
    ]
    names += [*navigation.PAGES_WITHOUT_NAV_ITEM, *EVENT_PAGES]
    assert sorted(names) == sorted(set(names))
    assert set(names) <= set(list_route_names(get_resolver().url_patterns))


def test_navigation_keeps_open_events_and_a_rehearsal_separate() -> None:
    session, user = create_full_event(is_closed=False)
    club = session.event.club
    other_session, _user = evenings.open_session()
    type(other_session.event).objects.filter(pk=other_session.event.pk).update(club=club)
    path = f"/director/events/{session.event.slug}/scores/"
    assert all(
        session.event.slug in url for url, _current, _words in list_tabs(read_page(path, user))
    )
    Session.objects.filter(pk=session.pk).update(state="planned")
    assert any(
        other_session.event.slug in url
        for url, *_rest in list_tabs(read_page("/director/", user))
    )
    type(other_session.event).objects.filter(pk=other_session.event.pk).update(
        is_rehearsal=True
    )
    assert not list_tabs(read_page("/director/", user))


def test_bar_shows_the_current_club_and_the_chosen_event() -> None:
    session, user = create_full_event(is_closed=False)
    other_session, _user = evenings.open_session()
    other_club = evenings.create_club_with_director("Hilltop Whist Club", "other")[0]
    type(other_session.event).objects.filter(pk=other_session.event.pk).update(club=other_club)
    Membership.objects.create(club=other_club, user=user, role="director")
    other_event_slug, slugs = (
        other_session.event.slug,
        (session.event.slug, other_session.event.slug),
    )
    client = Client()
    client.force_login(user)

    def list_linked_events(address: str) -> list[bool]:
        """Return for each of the two events whether the page's tabs link to it."""
        page = client.get(address).content.decode()
        live = list_links(find_part(page, r'<details class="pick pick--live".*?</details>'))
        tabs = [url for url, *_rest in (*list_tabs(page), *live)]
        return [any(f"/{slug}/" in url for url in tabs) for slug in slugs]

    # No event is chosen yet: both are linked.
    assert list_linked_events("/director/") == [
        True,
        True,
    ]
    event, _user = evenings.create_event(6, name="To come")
    type(event).objects.filter(pk=event.pk).update(club=other_club)
    assert list_linked_events(f"/director/events/{event.slug}/entries/") == [False, True]
    own_event = session.event.club.events.exclude(pk=session.event_id).first()
    own_event = own_event or scoring.services.create_event(
        club=session.event.club, name="Own", date=session.event.date, by=user
    )
    assert list_linked_events(f"/director/events/{own_event.slug}/entries/") == [True, False]
    # The event is chosen now.
    assert list_linked_events(f"/director/events/{other_event_slug}/scores/") == [
        False,
        True,
    ]
    assert list_linked_events("/director/") == [False, True]
    page = client.get("/director/").content.decode()
    assert "1 more in play" in page
    assert list_linked_events(f"/director/events/{slugs[0]}/room/") == [True, False]
    assert list_linked_events("/director/") == [True, False]
    assert list_linked_events(f"/director/?club={other_club.slug}") == [False, True]
    scoring.services.close_session(session=other_session, by=user)
    assert list_linked_events(f"/director/?club={other_club.slug}") == [False, False]


def test_hall_phone_pages_link_back_to_their_event() -> None:
    session, user = create_full_event(is_closed=False)
    base_url = f"/director/events/{session.event.slug}/"
    for name in ("tables/", "challenges/"):
        page = read_page(f"{base_url}{name}", user)
        return_url = quote(f"{base_url}{name}", safe="")
        assert f'href="/director/hall/?next={return_url}"' in page or "/hall/" not in page
    page = read_page("/director/hall/", user, next=f"{base_url}tables/")
    assert f'href="{base_url}tables/"' in page
    assert read_page("/director/hall/", user, event="nowhere").count("<h1") == 1
    stranger = evenings.create_club_with_director("Hilltop Whist Club", "other")[1]
    assert session.event.name not in read_page(
        "/director/hall/", stranger, event=session.event.slug
    )


def test_scorer_gets_no_link_to_a_forbidden_page() -> None:
    session, _owner = create_full_event(is_closed=False)
    scorer = evenings.create_scorer(session.event.club)
    client = Client()
    client.force_login(scorer)
    status_code_by_url: dict[str, int] = {}
    for name in ("", "scores/", "room/", "calls/", "room/clock/", "standings/", "history/"):
        page = client.get(f"/director/events/{session.event.slug}/{name}").content.decode()
        links = [
            *list_place_links(page),
            *list_tabs(page),
            *list_links(find_part(page, r'<details class="menu".*?</details>')),
        ]
        for url, *_rest in links:
            if url not in status_code_by_url:
                status_code_by_url[url] = client.get(url, follow=True).status_code
        urls = [url for url, *_rest in links if status_code_by_url[url] != 200]
        assert (urls, len(links) > 4) == ([], True), name


def test_hands_tab_is_locked_until_the_session_is_closed() -> None:
    session, user = create_full_event(is_closed=False)
    page = read_page(f"/events/{session.event.slug}/")
    assert [word for *_rest, word in list_tabs(page)] == ["Standings", "Boards", "Recap"]
    locked_tab_html = find_part(page, r'<span class="tabs__locked">.*?</nav>')
    assert "Hands" in locked_tab_html
    assert "after the session" in locked_tab_html
    scoring.services.close_session(session=session, by=user)
    arguments = [
        word for *_rest, word in list_tabs(read_page(f"/events/{session.event.slug}/"))
    ]
    assert arguments == ["Standings", "Boards", "Recap", "Hands"]


@pytest.mark.parametrize(
    ("page", "public_path"),
    [
        ("scores/", "boards/"),
        ("room/", ""),
        ("room/clock/", "clock/"),
        ("entries/", ""),
        ("standings/", ""),
    ],
)
def test_other_view_link_keeps_the_event_and_the_page(page: str, public_path: str) -> None:
    session, user = create_full_event(is_closed=False)
    slug = session.event.slug
    director_page = read_page(f"/director/events/{slug}/{page}", user)
    public_view_match = re.search(
        r'<a href="([^"]+)">[^<]*<svg[^>]*><use[^>]*></svg>Players’ view', director_page
    )
    assert public_view_match is not None
    assert public_view_match[1] == f"/events/{slug}/{public_path}"
    assert f'class="you" href="/director/events/{slug}/"' in read_page(
        f"/events/{slug}/{public_path}"
    ) or (public_path == "clock/")


def test_session_menu_keeps_the_page() -> None:
    session, user = create_full_event(is_closed=False)
    scores_path = f"/director/events/{session.event.slug}/scores/"
    assert 'class="pick"' not in read_page(scores_path, user)
    tournaments.services.add_session(event=session.event, by=user)
    menu = list_links(
        find_part(read_page(scores_path, user), r'<nav class="pick__list".*?</nav>')
    )
    second_path = f"/director/events/{session.event.slug}/session-2/scores/"
    assert menu == [(scores_path, "true", "Session 1"), (second_path, "", "Session 2")]


@pytest.mark.parametrize("state", ["planned", "open", "closed"])
def test_event_page_highlights_the_tab_of_its_state(state: str) -> None:
    session, user = create_full_event(is_closed=state == "closed")
    if state == "planned":
        Session.objects.filter(pk=session.pk).update(state="planned")
    page = read_page(f"/director/events/{session.event.slug}/", user)
    current = [word for _url, here, word in list_place_links(page) if here]
    assert current == [{"planned": "Prepare", "open": "Tonight", "closed": "Results"}[state]]


def test_error_page_has_its_frame_without_queries(
    django_assert_num_queries: Any,
) -> None:
    from config.page_frame import build_frame

    with django_assert_num_queries(0):
        frame = build_frame(None, {})
    assert [str(link.word) for link in frame.main_links] == [
        "Club",
        "Evenings",
        "Players",
        "Learn",
    ]
    assert frame.dock_links == frame.main_links


def test_robots_favicon_and_fragments_of_every_state_are_served() -> None:
    event, user = evenings.create_event()
    client = Client()
    for address in ("/robots.txt", "/favicon.ico"):
        assert client.get(address).status_code in (200, 301), address
    client.force_login(user)
    base_url = f"/director/events/{event.slug}/deals/helpers/"
    for address in (base_url, f"{base_url}state/"):  # the boards are unknown without a movement
        assert client.get(address, follow=True).status_code == 200, address
