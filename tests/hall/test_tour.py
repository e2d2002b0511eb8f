"""The tour practises on rehearsals and in the demo club, never on a club's real events."""

import pytest
from django.test import Client

from hall.rehearsal.services import create_rehearsal, run_rehearsal
from scoring.services import close_session
from tests import evenings

pytestmark = pytest.mark.django_db


def list_tour_urls(user) -> list[str]:
    client = Client()
    client.force_login(user)
    return [stop.url for stop in client.get("/director/tour/").context["stops"]]


def test_tour_links_to_no_real_event() -> None:
    _session, user = evenings.open_session()
    assert set(list_tour_urls(user)) == {""}


def test_rehearsal_provides_every_tour_step_before_the_close() -> None:
    session, user = evenings.open_session()
    rehearsal = create_rehearsal(session=session, by=user)
    run_rehearsal(rehearsal=rehearsal, by=user)
    stops = list_tour_urls(user)
    assert all(f"/{rehearsal.event.slug}/" in url for url in stops[:8])
    assert stops[8:] == ["", ""]


def test_tour_links_to_a_demo_event() -> None:
    session, user = evenings.play_session()
    close_session(session=session, by=user)
    type(session.event.club).objects.update(is_demo=True)
    assert f"/{session.event.slug}/" in list_tour_urls(user)[8]
