"""Pages of a club without congress features name none, except in the notice about them."""

import re

import pytest
from django.test import Client

import scoring.services
from clubs.models import Club
from tests import evenings
from tests.factories import SeasonFactory

pytestmark = pytest.mark.django_db

FEATURE_PATTERN = re.compile(
    r"swiss|barometer|knock-?out|strat(um|a)\b|\bseeds?\b|\bprizes?\b|memory duplicate|"
    r"custom movement|movement of your own|several sections|\bflights?\b|\btokens?\b|\bapi\b|"
    r"\bgrades?\b|bridge program",
    re.IGNORECASE,
)
NOTICE_PATTERN = re.compile(r"Swiss, knock-out, finals and more:\s*<a[^>]*>[^<]*</a>")
INVISIBLE_PATTERN = re.compile(r"<(script|style|svg).*?</\1>", re.DOTALL)
EVENT_PAGES = (
    *("", "movement/", "edit/", "entries/", "seats/", "deals/", "papers/", "tables/"),
    *("room/", "room/clock/", "scores/", "change/", "closing/", "rulings/", "challenges/"),
    *("history/", "standings/", "calls/"),
)
CLUB_PAGES = (
    *("", "new/", "events/new/", "events/import/", "players/", "account/", "seasons/"),
    *("seasons/spring/ladders/", "seasons/spring/new-ladder/", "seasons/spring/handicap/"),
    *("results-out/", "calendar/", "calendar/new-series/", "calendar/new/", "club/"),
    *("club/archives/", "history/", "trophies/", "players/list/", "hall/", "jobs/"),
)
PUBLIC_PAGES = ("", "boards/", "boards/1/", "entries/1/", "hands/", "recap/", "deals/")


def find_congress_features(client: Client, address: str) -> set[str]:
    """Return the congress features that the text of a page names."""
    response = client.get(address)
    assert response.status_code == 200, address
    page = NOTICE_PATTERN.sub("", INVISIBLE_PATTERN.sub("", response.content.decode()))
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    return {match[0].lower() for match in FEATURE_PATTERN.finditer(text)}


@pytest.mark.parametrize("state", ["planned", "open", "closed"])
def test_event_and_club_pages_name_no_congress_feature(state: str) -> None:
    session, user = evenings.seat_session() if state == "planned" else evenings.play_session()
    if state == "closed":
        session = scoring.services.close_session(session=session, by=user)
    event = session.event
    SeasonFactory(club=event.club, slug="spring")
    Club.objects.update(has_congress_features=False)
    client = Client()
    client.force_login(user)
    pages = [f"/director/events/{event.slug}/{page}" for page in EVENT_PAGES]
    pages += [f"/director/{page}" for page in CLUB_PAGES]
    if state == "closed":
        pages += [f"/events/{event.slug}/{page}" for page in PUBLIC_PAGES]
    named_features_by_page = {page: find_congress_features(client, page) for page in pages}
    assert {page: names for page, names in named_features_by_page.items() if names} == {}
