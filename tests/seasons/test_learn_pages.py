"""Test the five Learn pages, which link to each other, and the tour for directors."""

import re
from typing import Any

import pytest

from clubs.models import Club
from hall.desk.tour import TOUR_STOPS
from scoring.services import close_session
from seasons.club_pages.learn import EXAMPLE_TRICKS, LESSONS
from tests import evenings

pytestmark = pytest.mark.django_db
MAX_WORDS = 450


def list_page_words(page: str) -> list[str]:
    main = page[page.index("<main") : page.index("</main")]
    return re.sub(r"<[^>]*>", " ", main).split()


def test_each_page_is_short_and_links_to_next(client: Any) -> None:
    url, visited_urls = "/learn/game/", []
    while url:
        page = client.get(url).content.decode()
        assert len(list_page_words(page)) < MAX_WORDS, url
        visited_urls.append(url)
        next_link = re.search(r'class="button" href="([^"]+)">\s*Next', page)
        url = next_link[1] if next_link else ""
    first_html = client.get("/learn/").content.decode()
    assert re.findall(r'list__main" href="(/learn/[^"]+)"', first_html) == visited_urls
    assert len(visited_urls) == len(LESSONS) == 5


def test_worked_example_adds_up(client: Any) -> None:
    assert sum(EXAMPLE_TRICKS) == 7 * len(EXAMPLE_TRICKS)
    rows = client.get("/learn/figures/").context["example"]
    assert [ns + ew for _at, ns, _plus, ew, _minus in rows] == [13] * 7
    assert rows[4] == (5, 8, "+1", 5, "−1")


def test_tour_links_to_existing_pages_and_marks_missing_ones(client: Any) -> None:
    session, user = evenings.play_session(but=3)
    Club.objects.update(is_demo=True)
    client.force_login(user)
    page = client.get("/director/tour/")
    kinds = {one_stop.stop.url_name: bool(one_stop.url) for one_stop in page.context["stops"]}
    assert kinds == {stop.url_name: stop.session_state == "open" for stop in TOUR_STOPS}
    assert "Create a rehearsal first" in page.content.decode()
    for stop in page.context["stops"]:
        if stop.url:
            assert client.get(stop.url).status_code == 200, stop.url
    close_session(session=session, by=user)
    kinds = {
        one_stop.stop.url_name: bool(one_stop.url)
        for one_stop in client.get("/director/tour/").context["stops"]
    }
    assert kinds == {stop.url_name: stop.session_state == "closed" for stop in TOUR_STOPS}


def test_each_director_page_links_to_next_stop_of_tour(client: Any) -> None:
    """Buttons at a stop keep the tour going; the list of stops ends it."""
    _session, user = evenings.play_session(but=3)
    Club.objects.update(is_demo=True)
    client.force_login(user)
    stops = client.get("/director/tour/").context["stops"]
    stop = next(one_stop for one_stop in stops if one_stop.stop.url_name == "scores")
    assert "tour-bar" not in client.get(stop.url).content.decode()
    response = client.get(stop.tour_url)
    assert response.headers["Location"] == stop.url
    for page in (stop.url, "/director/"):
        page_html = client.get(page, follow=True).content.decode()
        assert "Tour, 5 of 10: Scores" in page_html
        assert 'href="/director/tour/?stop=6">Next: A pair is late</a>' in page_html
    missing_stop_response = client.get("/director/tour/?stop=1")
    assert "Create a rehearsal first" in missing_stop_response.content.decode()
    assert "tour-bar" not in client.get(stop.url).content.decode()
