"""A form loaded in one state of an event and sent in another causes no error 5xx.

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
from tests.refusals import short_error_responses
from tests.releases import walk
from tests.releases.database_contents import roll_back_afterwards
from tests.releases.forms import Form, parse_forms
from tests.worlds import ActivityScenario

pytestmark = pytest.mark.django_db

TEXT = "Ann One, Bob Two\nCarl Three, Dora Four"
EXCLUDED_ROUTES = {"logout", "scheme"}
STATEFUL_PATH_PATTERN = re.compile(r"^/(director/(events|drives|rubbers|calendar)|t|e|d|b)/")
"""Pages of objects with states: the director's pages and the secret links."""


STATE_CHANGES: list[Callable[[ActivityScenario], None]] = [
    lambda _world: None,
    ActivityScenario.seat,
    ActivityScenario.begin,
    ActivityScenario.close,
    ActivityScenario.archive,
    ActivityScenario.move,
]


@pytest.mark.slow
def test_form_loaded_in_any_state_and_sent_in_any_other_gives_no_error() -> None:
    with roll_back_afterwards():
        forms = list_forms_in_all_states()
    assert len(forms) > 110
    faults, codes, world = [], set(), ActivityScenario()
    for state_number, change_state in enumerate(STATE_CHANGES):
        change_state(world)
        client = sign_in(world.user)
        links = {get_first_path_part(path): path for path in walk.list_links()}
        for form, data in forms:
            code = submit_form(client, _replace_link_token(form.path, links), form, data)
            codes.add(code)
            if code >= 500:
                faults.append((state_number, form.path, data, code))
    assert codes >= {200, 302, 400}
    assert faults == []


def list_forms_in_all_states() -> list[tuple[Form, dict[str, str]]]:
    """Read each form once per route and button, from the pages of every state."""
    forms_by_kind: dict[object, tuple[Form, dict[str, str]]] = {}
    world = ActivityScenario()
    for follow in STATE_CHANGES:
        follow(world)
        for form in list_forms(sign_in(world.user)):
            for data in list_submissions(form):
                key = (resolve_route(form.path), tuple(sorted(data)), data.get("how"))
                forms_by_kind.setdefault(key, (form, data))
    return list(forms_by_kind.values())


def sign_in(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def list_forms(client: Client) -> Iterator[Form]:
    paths = set()
    for page in walk.list_pages():
        if page.path in paths or not STATEFUL_PATH_PATTERN.search(page.path):
            continue
        paths.add(page.path)
        with short_error_responses():
            response = client.get(page.path)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code == 200 and is_page and not response.streaming:
            for form in parse_forms(page.path, response.content.decode()):
                if form.method == "post" and resolve_route(form.path) not in EXCLUDED_ROUTES:
                    yield form


def list_submissions(form: Form) -> Iterator[dict[str, str]]:
    """Return the data of a form with each of its buttons, with its empty fields filled."""
    filled_data = {name: value or "7" for name, value in form.initial_data.items()}
    filled_data |= dict.fromkeys(form.text_area_names, TEXT)
    for name, value in form.buttons or [("", "")]:
        yield filled_data | ({name: value} if name else {})


def get_first_path_part(path: str) -> str:
    return path.split("/")[1]


def _replace_link_token(path: str, links: Mapping[str, str]) -> str:
    """Replace the token of a secret link with this world's token."""
    if get_first_path_part(path) not in links:
        return path
    parts = path.split("/")[3:]
    return links[get_first_path_part(path)] + "/".join(parts)


def submit_form(client: Client, path: str, form: Form, data: dict[str, str]) -> int:
    files = {name: SimpleUploadedFile("list.csv", TEXT.encode()) for name in form.files}
    login = client.cookies.copy()
    with roll_back_afterwards(), short_error_responses():
        code = client.post(path, data | files).status_code
    client.cookies = login  # some forms end the login
    return int(code)


def resolve_route(path: str) -> str:
    try:
        return resolve(path).view_name
    except Resolver404:
        return path


@pytest.mark.parametrize("how", ["typed", "pasted", "file"])
def test_pairs_sent_after_the_start_get_a_message(how: str) -> None:
    session, user = evenings.open_session()
    client = Client()
    client.force_login(user)
    form: dict[str, Any] = {"how": how, "player1": "Ann", "player2": "Bob", "text": TEXT}
    form["file"] = SimpleUploadedFile("list.csv", TEXT.encode())
    response = client.post(f"/director/events/{session.event.slug}/entries/", form)
    assert "Nothing was added." in response.content.decode()
    assert "The session has started." in response.content.decode()
    assert session.event.entries.count() == 6
