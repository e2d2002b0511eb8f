"""Requests of a table's phone cost the same in a small and in a large hall."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import hall.phones.services
from clubs.models import Club
from tests import evenings

pytestmark = pytest.mark.django_db
JSON_HEADERS = {"Accept": "application/json"}


def count_queries(client: Client, pairs: int) -> list[int]:
    """Count the queries of a look, an entry and a confirmation at one table."""
    session, user = evenings.open_session(pairs)
    path = hall.phones.services.create_table_links(session=session, by=user)[0].path
    query_counts = []

    def request_page(form: dict[str, object] | None = None) -> dict[str, object]:
        with CaptureQueriesContext(connection) as queries:
            response = (
                client.post(path, form, headers=JSON_HEADERS)
                if form
                else client.get(path, headers=JSON_HEADERS)
            )
        assert response.status_code == 200, response.content
        query_counts.append(len(queries))
        return response.json()["page"]

    request_page()
    query_counts.clear()  # the first poll records that the link is in use
    first_round = request_page()["rounds"][0]
    play = {"sitting": first_round["sitting"], "board": first_round["boards"][0]["board"]}
    page = request_page(play | {"act": "enter", "value": "7", "seen": "", "key": "a"})
    ticket = page["rounds"][0]["boards"][0]["ticket"]
    request_page(play | {"act": "confirm", "seen": "7", "ticket": ticket})
    return query_counts


def test_phone_executes_no_more_queries_in_a_large_hall(client: Client) -> None:
    small_hall_counts = count_queries(client, 6)
    Club.objects.update(name="Another", slug="another")
    assert count_queries(client, 30) == small_hall_counts
    page_query_count, entry, confirmation_query_count = small_hall_counts
    assert page_query_count <= 5
    assert entry <= 12
    assert confirmation_query_count <= 14
