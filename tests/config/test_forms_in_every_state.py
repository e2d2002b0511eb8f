"""A form opened in one state of an evening and sent in another causes no error 5xx.

A tab that was left open is enough: the session starts, or the evening closes, in between.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import Resolver404, resolve

from server.models import User
from tests import evenings
from tests.refusals import refused_in_a_line
from tests.releases import walk
from tests.releases.forms import Form, forms
from tests.releases.given import put_back
from tests.worlds import World

pytestmark = pytest.mark.django_db

TEXT = "Ann One, Bob Two\nCarl Three, Dora Four"
LEAVES = {"logout", "scheme"}
WITH_STATES = re.compile(r"^/(director/(events|drives|rubbers|calendar)|t|e|d|b)/")
"""Pages of objects with states: the director's pages and the secret links."""


STATES: list[Callable[[World], None]] = [
    lambda _world: None,
    World.seat,
    World.begin,
    World.close,
    World.archive,
    World.move,
]


@pytest.mark.slow
def test_a_form_opened_in_any_state_and_sent_in_any_other_gives_no_error() -> None:
    with put_back():
        found = _forms_of_all_states()
    assert len(found) > 110
    wrong, codes, world = [], set(), World()
    for number, follow in enumerate(STATES):
        follow(world)
        client = _client(world.user)
        links = {_kind(path): path for path in walk.links()}
        for form, data in found:
            code = _sent(client, _current_path(form.path, links), form, data)
            codes.add(code)
            if code >= 500:
                wrong.append((number, form.path, data, code))
    assert codes >= {200, 302, 400}
    assert wrong == []


def _forms_of_all_states() -> list[tuple[Form, dict[str, str]]]:
    """Read each form once per route and button, from the pages of every state."""
    found: dict[object, tuple[Form, dict[str, str]]] = {}
    world = World()
    for follow in STATES:
        follow(world)
        for form in _forms(_client(world.user)):
            for data in _sendings(form):
                key = (_route(form.path), tuple(sorted(data)), data.get("how"))
                found.setdefault(key, (form, data))
    return list(found.values())


def _client(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def _forms(client: Client) -> Iterator[Form]:
    seen = set()
    for page in walk.pages():
        if page.path in seen or not WITH_STATES.search(page.path):
            continue
        seen.add(page.path)
        with refused_in_a_line():
            answer = client.get(page.path)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if answer.status_code == 200 and is_page and not answer.streaming:
            for form in forms(page.path, answer.content.decode()):
                if form.method == "post" and _route(form.path) not in LEAVES:
                    yield form


def _sendings(form: Form) -> Iterator[dict[str, str]]:
    """Return the data of a form with each of its buttons, with its empty fields filled."""
    filled = {name: value or "7" for name, value in form.sent.items()}
    filled |= dict.fromkeys(form.areas, TEXT)
    for name, value in form.buttons or [("", "")]:
        yield filled | ({name: value} if name else {})


def _kind(path: str) -> str:
    return path.split("/")[1]


def _current_path(path: str, links: Mapping[str, str]) -> str:
    """Replace the token of a secret link with this world's token."""
    if _kind(path) not in links:
        return path
    rest = path.split("/")[3:]
    return links[_kind(path)] + "/".join(rest)


def _sent(client: Client, path: str, form: Form, data: dict[str, str]) -> int:
    files = {name: SimpleUploadedFile("list.csv", TEXT.encode()) for name in form.files}
    login = client.cookies.copy()
    with put_back(), refused_in_a_line():
        code = client.post(path, data | files).status_code
    client.cookies = login  # some forms end the login
    return int(code)


def _route(path: str) -> str:
    try:
        return resolve(path).view_name
    except Resolver404:
        return path


@pytest.mark.parametrize("how", ["typed", "pasted", "file"])
def test_pairs_sent_after_the_start_get_a_message_that_the_session_has_begun(how: str) -> None:
    session, user = evenings.opened()
    client = Client()
    client.force_login(user)
    sent: dict[str, Any] = {"how": how, "player1": "Ann", "player2": "Bob", "text": TEXT}
    sent["file"] = SimpleUploadedFile("list.csv", TEXT.encode())
    answer = client.post(f"/director/events/{session.event.slug}/entries/", sent)
    assert "Nothing was added." in answer.content.decode()
    assert "The session has started." in answer.content.decode()
    assert session.event.entries.count() == 6
