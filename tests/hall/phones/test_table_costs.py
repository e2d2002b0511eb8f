"""Requests of a table's phone cost the same in a small and in a large hall."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import hall.phones.services
from clubs.models import Club
from tests import evenings

pytestmark = pytest.mark.django_db
DATA = {"Accept": "application/json"}


def costs(client: Client, pairs: int) -> list[int]:
    """Count the queries of a look, an entry and a confirmation at one table."""
    session, user = evenings.opened(pairs)
    path = hall.phones.services.create_table_links(session=session, by=user)[0].path
    found = []

    def ask(form: dict[str, object] | None = None) -> dict[str, object]:
        with CaptureQueriesContext(connection) as asked:
            answer = (
                client.post(path, form, headers=DATA)
                if form
                else client.get(path, headers=DATA)
            )
        assert answer.status_code == 200, answer.content
        found.append(len(asked))
        return answer.json()["page"]

    ask()
    found.clear()  # the first poll records that the link is in use
    first = ask()["rounds"][0]
    play = {"sitting": first["sitting"], "board": first["boards"][0]["board"]}
    page = ask(play | {"act": "enter", "value": "7", "seen": "", "key": "a"})
    ticket = page["rounds"][0]["boards"][0]["ticket"]
    ask(play | {"act": "confirm", "seen": "7", "ticket": ticket})
    return found


def test_a_phone_asks_the_database_no_more_often_in_a_large_hall(client: Client) -> None:
    small = costs(client, 6)
    Club.objects.update(name="Another", slug="another")
    assert costs(client, 30) == small
    look, entry, yes = small
    assert look <= 5
    assert entry <= 12
    assert yes <= 14
