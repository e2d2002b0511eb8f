"""An error page gives the reason and a way to continue."""

import ast
from pathlib import Path

import pytest
from django.test import Client

from tests import evenings
from tests.rooms import ROOMS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "heading", "reason"),
    [
        ("events/{slug}/boards/99/", "Page not found", "Board 99 not found in this session."),
        ("events/{slug}/?session=7", "", ""),
        ("events/{slug}/boards/1/?session=7", "Page not found", "This event has no session 7."),
        ("events/{slug}/deals/proof.json", "Not yet", "secret is published after the session"),
        ("worked-hands/nobody/", "Page not found", "Worked hand nobody not found"),
        ("nowhere/", "Page not found", "The address may be mistyped"),
    ],
)
def test_page_shows_reason_for_refusal(page, heading, reason):
    session, _user = evenings.open_session()
    response = Client().get("/" + page.format(slug=session.event.slug))
    text = response.content.decode()
    assert response.status_code == (404 if heading else 200)
    assert heading in text
    assert reason in text


@pytest.mark.django_db
def test_api_returns_reason_for_refusal():
    session, user = evenings.open_session()
    client = Client()
    client.force_login(user)
    response = client.get(f"/api/events/{session.event.slug}/sessions/9/travellers/")
    assert response.status_code == 404
    assert response.json()["detail"] == "This event has no session 9."


@pytest.mark.parametrize("room", [*ROOMS, "config"])
def test_http404_is_raised_without_message(room):
    faults = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Http404"
        and node.args
        and room != "laws"  # does not import server, and papers have two sizes
    ]
    assert not faults
