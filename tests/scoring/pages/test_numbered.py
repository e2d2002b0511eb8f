"""Standings by their number: a short question, and addresses that a cache may keep."""

import pytest
from django.test import Client

import tournaments.services
from scoring.reckoning import standings
from scoring.views.kept_pages import state_of
from server.shown import raise_number
from tests import evenings
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def session() -> Session:
    session, _ = evenings.played()
    standings.recompute(session.event)
    return session


def asked(session: Session, path: str = "now") -> str:
    return f"/events/{session.event.slug}/{path}"


def number(session: Session) -> int:
    return int(Client().get(asked(session)).json()["no"])


def test_who_has_seen_the_newest_is_told_nothing(session: Session) -> None:
    no = number(session)
    assert Client().get(f"{asked(session)}?seen={no}").status_code == 204
    raise_number(session.event.audit_key)
    later = Client().get(f"{asked(session)}?seen={no}")
    assert later.json()["no"] > no
    assert later.json()["state"] == "open"
    assert later.headers["Cache-Control"] == "no-cache"
    assert len(later.content) < 60


@pytest.mark.parametrize("subject", ["event", "club"])
def test_an_address_with_a_number_never_changes_what_it_answers(
    session: Session, subject: str
) -> None:
    no = number(session)
    path = asked(session, f"standings/v{no}")
    first = Client().get(path)
    assert "<table" in first.content.decode()
    assert "immutable" in first.headers["Cache-Control"]
    assert "s-maxage=60" in first.headers["Cache-Control"]
    assert Client().get(path).content == first.content
    key = session.event.audit_key if subject == "event" else session.event.club.audit_key
    raise_number(key)
    moved = Client().get(path)
    assert moved.status_code == 302
    assert moved.headers["Location"] == asked(session, f"standings/v{number(session)}")
    assert moved.headers["Cache-Control"] == "no-cache"


def test_what_is_hidden_by_now_is_gone_from_every_address(session: Session) -> None:
    no = number(session)
    tournaments.services.show_standings(event=session.event, shown="never", by=None)
    for each in (no, number(session)):
        answer = Client().get(asked(session, f"standings/v{each}"))
        assert (answer.status_code, answer.content) == (410, b"")


@pytest.mark.parametrize("asks", [("?seen={version}", {}), ("", {"HX-Request": "true"})])
def test_who_asks_first_alters_nothing_for_those_who_ask_the_same_number(
    session: Session, asks: tuple[str, dict[str, str]]
) -> None:
    path = asked(session, f"standings/v{number(session)}")
    state = state_of(session.event.slug)
    assert state is not None
    question, headers = asks
    first = Client().get(path + question.format(version=state.version), headers=headers)
    assert "<table" in first.content.decode()
    found = Client().get(path).content.decode()
    assert "<table" in found
    assert "hx-swap-oob" not in found


def test_standings_that_lack_results_are_kept_by_nobody(session: Session) -> None:
    session.event.sessions.update(revision=1000)
    answer = Client().get(asked(session, f"standings/v{number(session)}"))
    assert answer.status_code == 200
    assert "Cache-Control" not in answer.headers


def test_an_event_that_is_not_there_has_no_number(session: Session) -> None:
    for path in ("/events/nowhere/now", "/events/nowhere/standings/v1"):
        assert Client().get(path).status_code == 404
