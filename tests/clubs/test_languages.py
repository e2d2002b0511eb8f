"""Readers choose the language of public pages, clubs that of papers and directors' pages."""

import re
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation

import clubs.services
from clubs import audit
from clubs.errors import InvalidAppearance
from clubs.models import Club
from config.jobs import KINDS
from scoring.standings_engine import standings
from server.page_cache import PAGE_CACHE
from tests import evenings
from tests.browser.pages import create_full_event
from tests.languages import (
    LONG_LANGUAGE,
    MARKED_LANGUAGE,
    RIGHT_TO_LEFT_LANGUAGE,
    offer_pseudo_languages,
)

pytestmark = pytest.mark.django_db


def read_language(response: HttpResponse) -> str:
    """Return the `lang` attribute of a page."""
    match = re.search(r'<html lang="([^"]*)"', response.content.decode())
    assert match is not None
    return match[1]


@pytest.fixture(autouse=True)
def enable_pseudo_languages() -> Any:
    with offer_pseudo_languages(MARKED_LANGUAGE, LONG_LANGUAGE, RIGHT_TO_LEFT_LANGUAGE):
        yield
    translation.activate("en")


@pytest.mark.parametrize(
    ("accept_language", "cookie", "expected_language"),
    [
        ("", "", "en"),
        ("xx", "", MARKED_LANGUAGE),
        ("xx-BE, en;q=0.5", "", MARKED_LANGUAGE),
        ("fi, xl;q=0.3", "", LONG_LANGUAGE),
        ("fi", "", "en"),
        ("xx", LONG_LANGUAGE, LONG_LANGUAGE),
        ("xx", "fi", MARKED_LANGUAGE),
        ("xx", "en", "en"),
        ("", RIGHT_TO_LEFT_LANGUAGE, RIGHT_TO_LEFT_LANGUAGE),
    ],
)
def test_cookie_overrides_browser_language_and_browser_overrides_default(
    accept_language: str, cookie: str, expected_language: str
) -> None:
    client = Client(headers={"Accept-Language": accept_language} if accept_language else {})
    if cookie:
        client.cookies["language"] = cookie
    page = client.get("/laws/")
    assert read_language(page) == expected_language
    assert page.headers["Content-Language"] == expected_language
    assert "Accept-Language" in page.headers["Vary"]
    assert ('dir="rtl"' in page.content.decode()) is (
        expected_language == RIGHT_TO_LEFT_LANGUAGE
    )


def test_reader_chooses_a_language_in_the_footer_without_javascript() -> None:
    client = Client()
    page = client.get("/laws/").content.decode()
    assert f'name="language" value="{LONG_LANGUAGE}" lang="{LONG_LANGUAGE}"' in page
    response = client.post("/scheme/", {"language": LONG_LANGUAGE, "back": "/laws/"})
    assert (response.status_code, response["Location"]) == (302, "/laws/")
    assert response.cookies["language"].value == LONG_LANGUAGE
    assert response.cookies["language"]["max-age"] == 60 * 60 * 24 * 365
    repeated_response = client.get("/laws/")
    assert read_language(repeated_response) == LONG_LANGUAGE
    assert re.search(
        rf'value="{LONG_LANGUAGE}" lang="{LONG_LANGUAGE}"\s+aria-pressed="true"',
        repeated_response.content.decode(),
    )
    client.post("/scheme/", {"language": "no-such", "back": "/laws/"})
    assert read_language(client.get("/laws/")) == "en"


PAGES = ("event", "travellers", "recap", "event_deals", "screen")


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_never_cached_across_languages(name: str) -> None:
    session, _user = create_full_event()
    standings.update_standings(session.event)
    address = reverse(name, args=[session.event.slug])
    languages = ("en", MARKED_LANGUAGE, LONG_LANGUAGE, RIGHT_TO_LEFT_LANGUAGE)
    etags: dict[str, str] = {}
    for repetition in range(3):  # freshly rendered, from the cache, and in another order
        for language in languages if repetition < 2 else reversed(languages):
            for is_language_in_cookie in (False, True):
                client = Client(
                    headers={} if is_language_in_cookie else {"Accept-Language": language}
                )
                if is_language_in_cookie:
                    client.cookies["language"] = language
                response = client.get(address)
                assert read_language(response) == language, (
                    name,
                    language,
                    is_language_in_cookie,
                    repetition,
                )
                assert etags.setdefault(language, response.get("ETag", "")) == response.get(
                    "ETag", ""
                )
    if "ETag" in response.headers:
        assert len(set(etags.values())) == len(languages)
        assert len([key for key in PAGE_CACHE.pages if address in key]) == len(languages)
        other_client = Client(
            headers={"Accept-Language": LONG_LANGUAGE, "If-None-Match": etags[MARKED_LANGUAGE]}
        )
        assert other_client.get(address).status_code == 200
        cached_client = Client(
            headers={"Accept-Language": LONG_LANGUAGE, "If-None-Match": etags[LONG_LANGUAGE]}
        )
        assert cached_client.get(address).status_code == 304


def test_club_chooses_the_language_of_its_directors_and_its_big_screen() -> None:
    session, user = create_full_event(is_closed=False)
    club, event = session.event.club, session.event.slug
    clubs.services.set_language(club=club, language=LONG_LANGUAGE, by=user)
    client = Client(headers={"Accept-Language": MARKED_LANGUAGE})
    client.force_login(user)
    for address in (
        "/director/",
        reverse("room", args=[event]),
        reverse("history", args=[event]),
        reverse("papers", args=[event]),
        reverse("members"),
        reverse("club_look"),
        reverse("players"),
        reverse("account"),
    ):
        assert read_language(client.get(address)) == LONG_LANGUAGE, address
        assert (
            'name="language" value='
            not in client.get(address).content.decode().partition("<footer")[2]
        )
    for name in ("screen", "clock"):
        response = Client(headers={"Accept-Language": MARKED_LANGUAGE}).get(
            reverse(name, args=[event])
        )
        assert read_language(response) == LONG_LANGUAGE, name
    for name in ("event", "travellers"):
        response = Client(headers={"Accept-Language": MARKED_LANGUAGE}).get(
            reverse(name, args=[event])
        )
        assert read_language(response) == MARKED_LANGUAGE, name


def test_each_page_of_two_clubs_is_in_the_language_of_its_club() -> None:
    session, user = create_full_event(is_closed=False)
    clubs.services.set_language(club=session.event.club, language=LONG_LANGUAGE, by=user)
    other_club = clubs.services.create_club(name="Other club", owner=user, by=user)
    clubs.services.set_language(club=other_club, language=RIGHT_TO_LEFT_LANGUAGE, by=user)
    client = Client(headers={"Accept-Language": MARKED_LANGUAGE})
    client.force_login(user)
    assert (
        read_language(client.get(reverse("room", args=[session.event.slug]))) == LONG_LANGUAGE
    )
    assert read_language(client.get(reverse("account"))) == MARKED_LANGUAGE


def test_owner_chooses_the_language_on_a_page_and_can_undo_it() -> None:
    club, owner = evenings.create_club_with_director()
    client = Client()
    client.force_login(evenings.create_scorer(club))
    form = {"club": club.slug, "language": LONG_LANGUAGE}
    assert client.post(reverse("club_language"), form).status_code in (403, 404)
    client.force_login(owner)
    assert (
        f'<option value="{LONG_LANGUAGE}"' in client.get(reverse("club_look")).content.decode()
    )
    client.post(reverse("club_language"), form)
    client.post(reverse("club_language"), form)
    (act,) = audit.list_acts(club).filter(action="club.language")
    club.refresh_from_db()
    assert club.language == LONG_LANGUAGE
    client.post(reverse("club_act_undo", args=[club.slug, act.pk]))
    club.refresh_from_db()
    assert club.language == ""
    with pytest.raises(InvalidAppearance):
        clubs.services.set_language(club=club, language="fi", by=owner)


def test_background_jobs_run_in_the_language_of_the_club() -> None:
    session, _user = create_full_event(is_closed=False)
    club = session.event.club
    job_languages: list[str] = []
    kind = KINDS["result_letters"]
    with translation.override(MARKED_LANGUAGE):
        for language in (LONG_LANGUAGE, ""):
            Club.objects.filter(pk=club.pk).update(language=language)
            job_languages.append(record_job_language(kind, session.event.pk))
        assert translation.get_language() == MARKED_LANGUAGE
    assert job_languages == [LONG_LANGUAGE, "en"]


def record_job_language(kind: Any, event_id: int) -> str:
    """Return the active language while a job of this kind loads its objects."""
    languages: list[str] = []
    with patch("seasons.publishing.mailing.ResultsMail.objects.filter") as rows:
        rows.side_effect = lambda **_kw: (
            languages.append(translation.get_language() or ""),
            [],
        )[1]
        with pytest.raises(AttributeError):
            kind.run(event_id)
    return languages[0]


def test_api_is_the_same_in_all_languages() -> None:
    session, user = create_full_event(is_closed=False)
    clubs.services.set_language(club=session.event.club, language=LONG_LANGUAGE, by=user)
    addresses = [
        f"/api/events/{session.event.slug}/standings/",
        f"/api/events/{session.event.slug}/",
        "/api/events/no-such/",
        f"/api/events/{session.event.slug}/history/",
        f"/api/events/{session.event.slug}/export/",
    ]
    contents = []
    for language in ("en", MARKED_LANGUAGE):
        client = Client(headers={"Accept-Language": language})
        client.cookies["language"] = language
        client.force_login(user)
        contents.append([client.get(address).content for address in addresses])
    assert contents[0] == contents[1]
    assert not any("«" in item.decode() for item in contents[1])
    assert not mail.outbox
