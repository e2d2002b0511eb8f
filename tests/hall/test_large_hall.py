"""A hall of 100 tables: every page of the director and of the public stays light.

The pages are found by following links from the event, so new pages are included. Links that
differ only in numbers lead to the same page, which is opened once.
"""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from hall.rehearsal.staged_events import create_staged_session
from tests import evenings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MAX_BYTES = 300_000
MAX_BYTES_OF_SCORES = 150_000
MAX_QUERIES = 45
LINK = re.compile(r'(?:href|data-hx-get)="([^"#]+)')


@pytest.mark.parametrize("sections", [2, 3])
def test_every_page_of_a_hall_of_a_hundred_tables_is_light(
    client: Client, sections: int
) -> None:
    club, user = evenings.club()
    session = create_staged_session(
        club=club, tables=100, sections=sections, played=7, deals=False, by=user
    )
    slug = session.event.slug
    client.force_login(user)
    opened: dict[str, str] = {}
    waiting = [f"/director/events/{slug}/", f"/events/{slug}/"]
    while waiting:
        path = waiting.pop(0)
        if _kind(path) in opened:
            continue
        opened[_kind(path)] = path
        page = _light_page(client, path)
        links = [_absolute(path, each) for each in LINK.findall(page)]
        waiting += [each for each in links if f"/events/{slug}/" in each]
    assert len(opened) > 60
    assert {"scores", "recap", "papers", "seats", "standings", "screen", "closing"} <= {
        part for path in opened.values() for part in path.split("?")[0].split("/")
    }


def _light_page(client: Client, path: str) -> str:
    """Open a page and check its size and its queries; return "" if it is not a page."""
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
        assert answer.status_code < 500, path
        return ""
    most = MAX_BYTES_OF_SCORES if re.search(r"/scores/(\?|$)", path) else MAX_BYTES
    assert len(answer.content) <= most, f"{path}: {len(answer.content)} bytes"
    assert len(asked) <= MAX_QUERIES, f"{path}: {len(asked)} queries"
    return answer.content.decode()


def _absolute(path: str, link: str) -> str:
    link = link.replace("&amp;", "&")
    return path.split("?")[0] + link if link.startswith("?") else link


def _kind(path: str) -> str:
    return re.sub(r"\d+", "0", path)
