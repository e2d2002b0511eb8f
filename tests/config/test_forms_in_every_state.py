"""A form that was opened in one state of an evening and is sent in another gives no error 5xx.

A tab that was left open is enough: the session begins, or the evening closes, in between.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import Resolver404, resolve

import drives.services
import drives.services.rubbers
import hall.challenges.services
import hall.phones.services
import scoring.services
import tournaments.services
from clubs.archives.moving import move_away
from clubs.models import Club
from config.archives import KNOWN
from drives.models import Drive, RubberNight
from scoring.sittings import read_sittings
from server.models import User
from tests import evenings
from tests.browser.drives import NAMES
from tests.refusals import refused_in_a_line
from tests.releases import walk
from tests.releases.forms import Form, forms
from tests.releases.given import put_back
from tournaments.models import Event
from tournaments.movements import build

pytestmark = pytest.mark.django_db

TEXT = "Ann One, Bob Two\nCarl Three, Dora Four"
LEAVES = {"logout", "scheme"}
WITH_STATES = re.compile(r"^/(director/(events|drives|rubbers|calendar)|t|e|d|b)/")
"""Pages of what has states: a director's pages and the secret links."""


class World:
    """A club with an event, a drive and a rubber night, that change their states together."""

    def __init__(self) -> None:
        event, self.user = evenings.event()
        self.club: Club = event.club
        self.event: Event = event
        day = {"club": self.club, "date": date(2026, 3, 10), "by": self.user}
        self.drive: Drive = drives.services.begin_drive(
            **day,
            name="Drive",
            form="social",
            rounds=2,
            starts=False,
            players=[drives.services.NewPlayer(name=name) for name in NAMES],
        )
        self.night: RubberNight = drives.services.rubbers.begin_rubbers(
            **day,
            name="Rubbers",
            code="pole",
            players=[drives.services.rubbers.Guest(name=name) for name in NAMES[:5]],
        )

    def seat(self) -> None:
        """Choose a movement."""
        tournaments.services.seat_section(
            session=self.event.sessions.get(),
            movement=build("compass", pairs=6),
            boards_a_round=2,
            by=self.user,
        )

    def begin(self) -> None:
        """Start to play, with one result, one score and one hand in."""
        session = scoring.services.open_session(session=self.event.sessions.get(), by=self.user)
        table = next(each for each in read_sittings(session).tables if each.is_played)
        evenings.enter(session, table.sitting, table.boards[0], "7", self.user)
        drives.services.next_round(drive=self.drive, at=0, by=self.user)
        hall.phones.services.make_links(session=session, by=self.user)
        drives.services.enter_sheet(
            drive=self.drive, round_number=1, table=1, score=[7], by=self.user
        )
        at: dict[str, Any] = {"night": self.night, "table": 1, "spell": 1, "by": self.user}
        drives.services.rubbers.seat_next(**at, how="", seats=[1, 2, 3, 4])
        hand = {"tricks": {"A": 9, "B": 4}}
        drives.services.rubbers.mark_hand(**at, number=1, hand=hand)
        hall.challenges.services.make_entry_links(event=self.event, by=self.user)
        drives.services.make_card_links(drive=self.drive, by=self.user)
        drives.services.rubbers.make_marker_links(night=self.night, by=self.user)

    def close(self) -> None:
        """End everything."""
        scoring.services.close_session(session=self.event.sessions.get(), by=self.user)
        drives.services.close_drive(drive=self.drive, anyway=True, by=self.user)
        drives.services.rubbers.close_rubbers(night=self.night, by=self.user)

    def archive(self) -> None:
        """Put everything away."""
        tournaments.services.put_away_event(event=self.event, by=self.user)
        drives.services.put_away_drive(drive=self.drive, by=self.user)
        drives.services.rubbers.put_away_rubbers(night=self.night, by=self.user)

    def move(self) -> None:
        """Move the club to another server."""
        to = "https://whist.example.org"
        move_away(club=self.club, to=to, known=KNOWN, by=self.user)


STATES: list[Callable[[World], None]] = [
    lambda _world: None,
    World.seat,
    World.begin,
    World.close,
    World.archive,
    World.move,
]


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
    """Read each form once a route and button, from the pages of every state."""
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
    """What a form sends with each of its buttons, with its empty fields filled."""
    filled = {name: value or "7" for name, value in form.sent.items()}
    filled |= dict.fromkeys(form.areas, TEXT)
    for name, value in form.buttons or [("", "")]:
        yield filled | ({name: value} if name else {})


def _kind(path: str) -> str:
    return path.split("/")[1]


def _current_path(path: str, links: Mapping[str, str]) -> str:
    """Replace the token of a secret link by the one that this world has."""
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
def test_pairs_sent_after_the_start_are_answered_that_the_session_has_begun(how: str) -> None:
    session, user = evenings.opened()
    client = Client()
    client.force_login(user)
    sent: dict[str, Any] = {"how": how, "player1": "Ann", "player2": "Bob", "text": TEXT}
    sent["file"] = SimpleUploadedFile("list.csv", TEXT.encode())
    answer = client.post(f"/director/events/{session.event.slug}/entries/", sent)
    assert "Nothing was added." in answer.content.decode()
    assert "The session has begun." in answer.content.decode()
    assert session.event.entries.count() == 6
