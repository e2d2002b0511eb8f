"""The URL of a fragment, opened directly, redirects to its page in every state of an event."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import hall.helpers.services
from clubs.errors import NotNow
from server.fragments import HTMX_HEADER
from server.models import User
from tests import evenings
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db

PARTS = {
    "standings": "event",
    "room_tables": "room",
    "helpers_state": "helpers",
    "typing_state": "typing",
    "deals_status": "deals",
    "papers_status": "papers",
}
STATES: dict[str, Callable[[], tuple[Any, User]]] = {
    "without a movement": evenings.create_event,
    "seated": evenings.seat_session,
    "in play": lambda: evenings.play_session(but=2),
}


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_fragment_opened_as_a_page_redirects_to_its_page(state: str) -> None:
    made, director = STATES[state]()
    session: Session = made.sessions.get() if isinstance(made, Event) else made
    client = Client()
    client.force_login(director)
    for part, page in PARTS.items():
        gap = fill_gap(part, session, director)
        if gap is None:
            continue
        response = client.get(reverse(part, args=[gap]))
        assert (response.status_code, response.headers["Location"]) == (
            302,
            reverse(page, args=[gap]),
        ), part
        whole = client.get(response.headers["Location"])
        assert whole.status_code == 200, part
        assert whole.content.decode().startswith("<!doctype html>"), part
        requested_response = client.get(
            reverse(part, args=[gap]), headers={HTMX_HEADER: "true"}
        )
        assert requested_response.status_code == 200, part
        assert "<html" not in requested_response.content.decode(), part
        assert HTMX_HEADER in requested_response.headers["Vary"], part


def fill_gap(part: str, session: Session, director: User) -> str | None:
    """Return the slug or token in a fragment's URL; None if helpers cannot type yet."""
    if part != "typing_state":
        return str(session.event.slug)
    try:
        link = hall.helpers.services.create_hand_link(session=session, by=director)
    except NotNow:
        return None
    return link.path.strip("/").split("/")[1]
