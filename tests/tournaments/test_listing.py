"""Events are searched by year and name and paginated, with a fixed number of queries."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import evenings
from tests.factories import SessionFactory
from tournaments.models import Event
from tournaments.views.event_listing import PAGE_SIZE

pytestmark = pytest.mark.django_db


def create_weekly_events_client(events: int = 60) -> Client:
    """Create this many weekly events back from the spring of 2026, all over."""
    club, user = evenings.create_club_with_director()
    new_events = Event.objects.bulk_create(
        Event(
            club=club,
            slug=f"week-{week}",
            name=f"Week {week:03d}",
            date=date(2026, 3, 10) - timedelta(weeks=week),
        )
        for week in range(events)
    )
    for event in new_events:
        SessionFactory(event=event, state="closed", closed_at="2026-03-10T22:00Z")
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/events/", "/director/"])
def test_events_are_paginated_and_all_are_reachable(address: str) -> None:
    client = create_weekly_events_client()
    seen_names: set[str] = set()
    for page in (1, 2, 3):
        text = client.get(address, {"page": page}).content.decode()
        names_on_page = {f"Week {week:03d}" for week in range(60) if f"Week {week:03d}" in text}
        assert len(names_on_page) == (PAGE_SIZE if page < 3 else 60 - 2 * PAGE_SIZE)
        assert not names_on_page & seen_names
        seen_names |= names_on_page
    assert len(seen_names) == 60


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/events/", "/director/"])
def test_search_by_year_and_word_finds_event(address: str) -> None:
    client = create_weekly_events_client()
    text = client.get(address, {"year": "2025", "q": "week 01"}).content.decode()
    assert "Week 010" in text  # of December 2025
    assert "Week 009" not in text  # of January 2026
    assert "Week 001" not in text


@pytest.mark.parametrize("address", ["/events/", "/director/"])
def test_empty_search_result_is_stated_and_links_to_all_events(address: str) -> None:
    text = create_weekly_events_client(3).get(address, {"q": "zebra"}).content.decode()
    assert "0 events found." in text
    assert "Show all" in text


@pytest.mark.parametrize(
    "invalid_query",
    [{"page": "x"}, {"page": "-1"}, {"page": "999"}, {"year": "abc"}, {"q": "\x00%_"}],
)
def test_invalid_query_parameters_still_show_a_page(invalid_query: dict[str, str]) -> None:
    client = create_weekly_events_client(30)
    for address in ("/events/", "/director/"):
        assert client.get(address, invalid_query).status_code == 200


@pytest.mark.slow
def test_many_events_need_no_more_queries_than_few(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = create_weekly_events_client(60)
    with django_assert_max_num_queries(7):
        client.get("/events/")
    with django_assert_max_num_queries(18):
        client.get(reverse("desk"))


def test_list_of_several_clubs_shows_newest_events_of_each_club() -> None:
    client = create_weekly_events_client(60)
    other_club, _user = evenings.create_club_with_director("Hillside", "another")
    SessionFactory(
        event__club=other_club, event__name="Hill night", event__date=date(2026, 3, 9)
    )
    text = client.get("/events/").content.decode()
    assert "Hill night" in text
    assert "All 60 events of this club" in text
    assert "Week 010" not in text
    html = client.get("/events/?club=riverside-whist-club&page=2").content.decode()
    assert "Hill night" not in html
    assert "Week 030" in html
    assert "club=riverside-whist-club&amp;page=3" in html
    assert client.get("/events/", {"club": "nobody"}).status_code == 404


@pytest.mark.slow
def test_past_unopened_event_is_not_listed_as_upcoming() -> None:
    event, _user = evenings.create_event(pairs=0)  # of March 2026
    text = Client().get("/").content.decode()
    assert event.slug in text
    assert "not started" in text
    assert "to come" not in text
