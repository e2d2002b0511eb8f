"""The URL of a fragment, opened directly, redirects to its page in every state of an event."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import hall.helpers.services
from clubs.errors import ActionUnavailable
from server.fragments import HTMX_HEADER
from server.models import User
from tests import evenings
from tournaments.models import Event, Session

pytestmark = pytest.mark.django_db

PAGES_BY_FRAGMENT = {
    "standings": "event",
    "room_tables": "room",
    "helpers_state": "helpers",
    "typing_state": "typing",
    "deals_status": "deals",
    "papers_status": "papers",
}
SESSION_FACTORIES: dict[str, Callable[[], tuple[Any, User]]] = {
    "without a movement": evenings.create_event,
    "seated": evenings.seat_session,
    "in play": lambda: evenings.play_session(but=2),
}


@pytest.mark.slow
@pytest.mark.parametrize("session_state", SESSION_FACTORIES)
def test_fragment_opened_as_a_page_redirects_to_its_page(session_state: str) -> None:
    event_or_session, director = SESSION_FACTORIES[session_state]()
    session: Session = (
        event_or_session.sessions.get()
        if isinstance(event_or_session, Event)
        else event_or_session
    )
    client = Client()
    client.force_login(director)
    for fragment, page in PAGES_BY_FRAGMENT.items():
        gap = get_url_argument(fragment, session, director)
        if gap is None:
            continue
        response = client.get(reverse(fragment, args=[gap]))
        assert (response.status_code, response.headers["Location"]) == (
            302,
            reverse(page, args=[gap]),
        ), fragment
        whole = client.get(response.headers["Location"])
        assert whole.status_code == 200, fragment
        assert whole.content.decode().startswith("<!doctype html>"), fragment
        fragment_response = client.get(
            reverse(fragment, args=[gap]), headers={HTMX_HEADER: "true"}
        )
        assert fragment_response.status_code == 200, fragment
        assert "<html" not in fragment_response.content.decode(), fragment
        assert HTMX_HEADER in fragment_response.headers["Vary"], fragment


def get_url_argument(part: str, session: Session, director: User) -> str | None:
    """Return the slug or token in a fragment's URL; None if helpers cannot type yet."""
    if part != "typing_state":
        return str(session.event.slug)
    try:
        link = hall.helpers.services.create_hand_link(session=session, by=director)
    except ActionUnavailable:
        return None
    return link.path.strip("/").split("/")[1]
