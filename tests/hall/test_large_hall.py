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
LINK_PATTERN = re.compile(r'(?:href|data-hx-get)="([^"#]+)')


@pytest.mark.parametrize("sections", [2, 3])
def test_every_page_with_a_hundred_tables_is_small(client: Client, sections: int) -> None:
    club, user = evenings.create_club_with_director()
    session = create_staged_session(
        club=club,
        table_count=100,
        section_count=sections,
        played_round_count=7,
        should_deal=False,
        by=user,
    )
    slug = session.event.slug
    client.force_login(user)
    paths: dict[str, str] = {}
    pending_paths = [f"/director/events/{slug}/", f"/events/{slug}/"]
    while pending_paths:
        path = pending_paths.pop(0)
        if replace_numbers(path) in paths:
            continue
        paths[replace_numbers(path)] = path
        page = check_page_costs(client, path)
        links = [make_link_absolute(path, raw_link) for raw_link in LINK_PATTERN.findall(page)]
        pending_paths += [link for link in links if f"/events/{slug}/" in link]
    assert len(paths) > 60
    assert {"scores", "recap", "papers", "seats", "standings", "screen", "closing"} <= {
        path_segment
        for path in paths.values()
        for path_segment in path.split("?")[0].split("/")
    }


def check_page_costs(client: Client, path: str) -> str:
    """Open a page and check its size and its queries; return "" if it is not a page."""
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
    if response.status_code != 200 or "text/html" not in response.headers["Content-Type"]:
        assert response.status_code < 500, path
        return ""
    max_bytes = MAX_BYTES_OF_SCORES if re.search(r"/scores/(\?|$)", path) else MAX_BYTES
    assert len(response.content) <= max_bytes, f"{path}: {len(response.content)} bytes"
    assert len(queries) <= MAX_QUERIES, f"{path}: {len(queries)} queries"
    return response.content.decode()


def make_link_absolute(path: str, link: str) -> str:
    link = link.replace("&amp;", "&")
    return path.split("?")[0] + link if link.startswith("?") else link


def replace_numbers(path: str) -> str:
    return re.sub(r"\d+", "0", path)
