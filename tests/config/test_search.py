"""One search finds everything by parts of names, ignores accents, and hides hidden names."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import tournaments.services
from clubs.models import Player
from clubs.name_folding import fold_name, rank_match, split_search_words
from config import navigation
from config.search.hits import MAX_HITS, find_hits
from config.search.pages import CLUB_PAGES, EVENT_PAGES, PUBLIC_PAGES
from hall.navigation import TABS_BY_NAV_KEY
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.event_access import EventAccess
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> tuple[Session, User]:
    return create_event_in_play()


@build_once
def create_event_in_play() -> tuple[Session, User]:
    """Create an event in play with a pair whose names are hard to type."""
    session, user = evenings.open_session()
    entry = session.event.entries.get(number=1)
    names = ["Małgorzata Błaszczyk", "Zoë O’Farrell-Lefèvre"]
    tournaments.services.rename_entry(entry=entry, names=names, by=user)
    return session, user


def search_by_group(query: str, **options: Any) -> dict[str, list[str]]:
    """Return the results of a search by group."""
    return {
        str(group.title): [str(hit.title) for hit in group.hits]
        for group in find_hits(query, **options)
    }


def list_found_urls(query: str, **options: Any) -> list[str]:
    return [hit.url for group in find_hits(query, **options) for hit in group.hits]


@pytest.mark.parametrize(
    ("typed_value", "name", "expected_rank"),
    [
        ("blasz", "Małgorzata Błaszczyk", 2),
        ("MALGORZATA b", "Małgorzata Błaszczyk", 2),
        ("zoe", "Zoë O’Farrell-Lefèvre", 2),
        ("farrell lef", "Zoë O’Farrell-Lefèvre", 2),
        ("arrel", "Zoë O’Farrell-Lefèvre", 1),
        ("strasse", "Straße", 2),
        ("OSTBY", "Arne Østby", 2),
        ("иванова", "Ольга ИВАНОВА", 2),
        ("παπαδακης", "Νίκος Παπαδάκης", 2),
        ("zoe b", "Zoë O’Farrell-Lefèvre", 0),
        ("", "Zoë", 0),
    ],
)
def test_accents_and_case_make_no_difference(
    typed_value: str, name: str, expected_rank: int
) -> None:
    assert rank_match(split_search_words(typed_value), fold_name(name)) == expected_rank


@pytest.mark.slow
@pytest.mark.parametrize("query", ["blaszczyk", "Błasz", "malgorzata  b"])
def test_player_is_found_by_a_part_of_the_name(night: tuple[Session, User], query: str) -> None:
    assert search_by_group(query)["People"] == ["Małgorzata Błaszczyk"]


@pytest.mark.slow
@pytest.mark.parametrize("visibility", ["initials", "nobody"])
def test_player_not_shown_by_name_is_never_found(
    night: tuple[Session, User], visibility: str
) -> None:
    session, user = night
    player = Player.objects.get(name="Małgorzata Błaszczyk")
    tournaments.services.set_player_visibility(player=player, shown=visibility, by=user)
    access = EventAccess(session.event)
    assert search_by_group("malgorzata", access=access, is_director=False) == {}
    assert search_by_group("malgorzata", access=access, is_director=True) == {}
    assert "blaszczyk" not in fold_name(Client().get("/players/").content.decode())


@pytest.mark.slow
def test_name_without_a_public_appearance_is_not_found(
    night: tuple[Session, User],
) -> None:
    session, _user = night
    Player.objects.create(club=session.event.club, name="Nemo Nowhere")
    assert search_by_group("nemo") == {}
    for hiding_fields in ({"put_away_at": "2026-01-01T00:00Z"}, {"is_rehearsal": True}):
        Event.objects.filter(pk=session.event.pk).update(
            **{"put_away_at": None, "is_rehearsal": False} | hiding_fields
        )
        assert search_by_group("blaszczyk") == {}
        assert search_by_group("tuesday") == {}
        assert search_by_group("board 2") == {}
        assert "Małgorzata" not in Client().get("/players/").content.decode()


@pytest.mark.slow
@pytest.mark.parametrize("query", ["tuesday", "TUES", "10 march", "march 2026", "tuesday 2026"])
def test_event_is_found_by_its_name_and_its_day(
    night: tuple[Session, User], query: str
) -> None:
    assert search_by_group(query)["Evenings"] == ["Tuesday"]


@pytest.mark.parametrize("query", ["b2", "B 2", "board 2", "2"])
@pytest.mark.parametrize("is_director", [False, True])
def test_single_hit_redirects_to_its_page(
    night: tuple[Session, User], query: str, is_director: bool
) -> None:
    session, user = night
    client, slug = Client(), session.event.slug
    if is_director:
        client.force_login(user)
    search_url = "/director/search/" if is_director else "/search/"
    response = client.get(search_url, {"q": query, "in": slug})
    if query == "2" and response.status_code == 200:  # a day of the month may match too
        assert "Board 2" in response.content.decode()
        return
    board_scores_url = f"/director/events/{slug}/scores/?by=board&at=board-2#board-2"
    target_url = board_scores_url if is_director else f"/events/{slug}/boards/2/"
    assert (response.status_code, response.headers["Location"]) == (302, target_url)
    assert client.get(target_url).status_code == 200


@pytest.mark.slow
def test_unplayed_board_is_not_found(night: tuple[Session, User]) -> None:
    session, _user = night
    assert search_by_group("b99", access=EventAccess(session.event)) == {}
    assert search_by_group("board 99") == {}


@pytest.mark.slow
@pytest.mark.parametrize("query", ["b2", "board 2", "board 2 tuesday", "tues board 2"])
def test_board_is_found_from_any_page(night: tuple[Session, User], query: str) -> None:
    assert search_by_group(query)["Boards"] == ["Board 2"]
    assert "Boards" not in search_by_group("board 2 sunday")
    response = Client().get("/search/", {"q": query})
    assert response.headers["Location"] == f"/events/{night[0].event.slug}/boards/2/"


@pytest.mark.parametrize("query", ["last tuesday", "board 2 last tuesday", "tues last tue"])
def test_last_tuesday_is_the_newest_event_of_that_day(
    night: tuple[Session, User], query: str
) -> None:
    group = "Boards" if "board" in query else "Evenings"
    assert len(search_by_group(query)[group]) == 1
    assert group not in search_by_group(query.replace("last tue", "last wed"))


@pytest.mark.slow
def test_board_of_a_planned_event_is_not_found() -> None:
    evenings.seat_session(10)
    assert search_by_group("board 2") == {}


@pytest.mark.parametrize(
    ("query", "view"),
    [
        *(("late pair", "change/"), ("revoke", "ruling/"), ("table 2", "room/")),
        *(("A2", "room/tables/2/?section=A"), ("table a2", "room/tables/2/?section=A")),
    ],
)
def test_director_finds_pages_of_the_open_event_from_any_page(
    night: tuple[Session, User], query: str, view: str
) -> None:
    session, user = night
    client = Client()
    client.force_login(user)
    response = client.get("/director/search/", {"q": query})
    path = f"/director/events/{session.event.slug}/{view}"
    if response.status_code == 302:
        assert response.headers["Location"] == path
    else:
        assert f'href="{path}"' in response.content.decode()
    assert path not in Client().get("/search/", {"q": query}).content.decode()


@pytest.mark.slow
def test_director_of_another_club_gets_no_links_to_this_one(
    night: tuple[Session, User],
) -> None:
    session, _user = night
    client = Client()
    client.force_login(evenings.create_club_with_director("Hillside", "another")[1])
    page = client.get("/director/search/", {"q": "late pair", "in": session.event.slug})
    assert "/director/events/" not in page.content.decode()
    assert Client().get("/director/search/").status_code == 302  # to the login


@pytest.mark.parametrize("query", ["law 10", "X 4", "revoke", "mitchell", "plus", "rules"])
def test_laws_movements_and_help_are_found_by_anyone(query: str) -> None:
    client = Client()
    groups = find_hits(query)
    assert groups
    html_by_path: dict[str, str] = {}
    for hit in (hit for group in groups for hit in group.hits):
        page, _mark, fragment = hit.url.partition("#")
        if page not in html_by_path:
            response = client.get(page)
            assert response.status_code == 200
            html_by_path[page] = response.content.decode()
        assert not fragment or f'id="{fragment}"' in html_by_path[page]


@pytest.mark.slow
def test_group_has_at_most_ten_hits(night: tuple[Session, User]) -> None:
    groups = find_hits("a")
    assert max(len(group.hits) for group in groups) == MAX_HITS


@pytest.mark.parametrize(
    "search_text", ["", " ", "\x00", "%_", "<script>x</script>", "²", "a" * 500]
)
def test_any_search_text_gets_a_response(night: tuple[Session, User], search_text: str) -> None:
    response = Client().get("/search/", {"q": search_text, "in": search_text})
    assert response.status_code == 200
    assert "<script>x" not in response.content.decode()
    assert not response.cookies


def test_every_page_of_the_navigation_is_found_by_its_own_title(
    night: tuple[Session, User],
) -> None:
    access = EventAccess(night[0].event)
    pages = [(tab.word, reverse(tab.url_name)) for tab in navigation.CLUB_TABS]
    pages += [
        (item.word, reverse(item.url_name_or_tab_key)) for item in navigation.DIRECTOR_NAV_ITEMS
    ]
    pages += [
        (tab.word, reverse(tab.url_name, args=[access.address]))
        for tabs in TABS_BY_NAV_KEY.values()
        for tab in tabs
    ]
    missed_pages = [
        str(word)
        for word, url in pages
        if url not in list_found_urls(str(word), access=access, is_director=True)
    ]
    assert missed_pages == []


@pytest.mark.parametrize(
    ("typed_value", "view"),
    [
        *(("seasons", "own_seasons"), ("new season", "own_seasons"), ("league", "own_seasons")),
        *(("ladders", "own_seasons"), ("calendar", "own_calendar"), ("publish", "results_out")),
        *(("another computer", "club_archives"), ("transfer", "club_archives")),
        *(("memory stick", "backups"), ("usb", "backups"), ("backup", "backups")),
        *(("copy", "backups"), ("roles", "members"), ("move club", "club_archives")),
    ],
)
def test_director_finds_club_pages_by_everyday_words(typed_value: str, view: str) -> None:
    assert reverse(view) in list_found_urls(typed_value, is_director=True)


@pytest.mark.slow
def test_every_page_known_to_the_search_exists(night: tuple[Session, User]) -> None:
    session, user = night
    client = Client()
    client.force_login(user)
    broken_urls = []
    for page in (*PUBLIC_PAGES, *CLUB_PAGES, *EVENT_PAGES):
        (hit,) = [
            hit
            for group in find_hits(
                str(page.title), access=EventAccess(session.event), is_director=True
            )
            for hit in group.hits
            if hit.title == page.title
        ]
        if client.get(hit.url, follow=True).status_code != 200:
            broken_urls.append(hit.url)
    assert broken_urls == []


def test_search_form_works_without_javascript_and_keeps_the_event(
    night: tuple[Session, User],
) -> None:
    session, _user = night
    slug = session.event.slug
    page = Client().get(f"/events/{slug}/").content.decode()
    match = re.search(r'class="top__icon" href="([^"]+)"', page)
    assert match is not None
    assert match[1] == f"/search/?in={slug}"
    form = Client().get(match[1]).content.decode()
    assert f'<input type="hidden" name="in" value="{slug}">' in form
    assert re.search(r'<form[^>]* method="get"', form)
