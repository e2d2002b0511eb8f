"""The undo button of a drive's Room names the last change; most undos need a confirmation.

The axes: the last act × who made it × its state (can be undone, already undone, blocked) × what
the director clicks.
"""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs import audit
from clubs.activities.services import build_shared_inverses, find_last_undoable_act
from clubs.audit import Actor, GuestAuthor
from clubs.models import Act, Membership, TableLink
from clubs.undo import LinkRevokingInverse, does_undo_revoke_links
from drives.models import Drive, Sheet
from drives.services import (
    begin_next_round,
    change_points,
    create_card_links,
    create_table_links,
    enter_sheet,
    undo_act,
    undo_last_act,
)
from drives.services.clock import set_round_minutes, start_clock
from drives.services.undo import get_inverses
from hall.history.inverses import CLUB_INVERSES, INVERSES
from tests.drives.games.test_hand_services import begin_drive
from tests.drives.test_table_phones import Phone, create_drive_with_links
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db
BUTTON_PATTERN = re.compile(
    r'id="undo-last" name="act" value="(\d+)">\s*(Undo: .*?)</button>', re.DOTALL
)
UNDONE_PATTERN = re.compile(r"data-said>Undone: (Table score, round 1, table 1, hand 1|Clock)<")
"""The message of success."""


class RoomBrowser:
    """A browser on the Room of a drive."""

    def __init__(self, drive: Drive, role: str = Membership.Role.DIRECTOR) -> None:
        self.drive = drive
        self.client = Client()
        self.user = MembershipFactory(club=drive.club, role=role).user
        self.client.force_login(self.user)
        self.url = f"/director/drives/{drive.slug}/"

    def read_button(self) -> tuple[int, str]:
        page = self.client.get(self.url).content.decode()
        buttons = BUTTON_PATTERN.findall(page)
        assert len(buttons) <= 1
        return (
            (int(buttons[0][0]), html.unescape(buttons[0][1]).strip()) if buttons else (0, "")
        )

    def click(self, **fields: Any) -> str:
        """Click the button or, with `anyway`, confirm; return the page that follows."""
        form = {"act": self.read_button()[0], "from": "desk"} | fields
        response = self.client.post(f"{self.url}history/undo/", form, follow=True)
        return " ".join(html.unescape(response.content.decode()).split())


def send_hand_from_phone(drive: Drive) -> None:
    phone = Phone(drive)
    assert phone.send(phone.entry("8"))[0] == 200


def enter_score(drive: Drive) -> None:
    enter_sheet(drive=drive, round_number=1, table=2, hand=1, score=[7], by=None)


def start_round(drive: Drive) -> None:
    begin_next_round(drive=drive, by=None)


def run_clock(drive: Drive) -> None:
    set_round_minutes(drive=drive, minutes=20, by=None)
    start_clock(drive=drive, by=None)


LAST_ACTS: dict[str, tuple[Callable[[Drive], None], str]] = {
    "hand by phone": (send_hand_from_phone, "Undo: Table score, round 1, table 1, hand 1"),
    "score": (enter_score, "Undo: Table score, round 1, table 2, hand 1"),
    "round": (start_round, "Undo: Next round, round 2"),
    "clock": (run_clock, "Undo: Clock"),
}
"""The act and the button's text; the page asks first, because the director did none of them."""


@pytest.mark.parametrize("links", ["before", "after"])
@pytest.mark.parametrize("name", LAST_ACTS)
def test_room_undoes_the_act_that_its_button_names(name: str, links: str) -> None:
    drive = create_drive_with_links()
    act_on_drive, text = LAST_ACTS[name]
    act_on_drive(drive)
    if links == "after":
        create_card_links(drive=drive, by=None)
        assert audit.list_acts(drive)[0].action == "drive.links_made"
    room = RoomBrowser(drive)
    valid_links = TableLink.objects.filter(revoked_at=None).count()
    act_key, button_text = room.read_button()
    assert button_text.startswith(text)
    name_text = button_text.removeprefix("Undo: ")
    page = room.click()
    assert "Undo this change?" in page
    assert name_text in page
    assert not Act.objects.filter(undoes=act_key).exists()
    assert f"Undone: {name_text}" in room.click(anyway="1")
    assert Act.objects.filter(undoes=act_key).count() == 1
    assert TableLink.objects.filter(revoked_at=None).count() == valid_links
    assert room.read_button()[0] != act_key


def record_act(drive: Drive, kind: str, by: Actor) -> Act:
    """Record a score of table 1 or a change of the clock, and return its act."""
    if kind == "score" and isinstance(by, GuestAuthor):
        send_hand_from_phone(drive)
    elif kind == "score":
        enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[8], by=by)
    else:
        set_round_minutes(drive=drive, minutes=20, by=by)
    act = audit.list_acts(drive)[0]
    assert act.by == audit.format_author_key(by)
    return act


def record_newer_act(drive: Drive, kind: str) -> None:
    """Record a change of the same score or of the clock."""
    if kind == "score":
        enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[6], by=None)
    else:
        set_round_minutes(drive=drive, minutes=25, by=None)


@pytest.mark.parametrize("state", ["fine", "undone", "blocked"])
@pytest.mark.parametrize("kind", ["score", "clock"])
@pytest.mark.parametrize("author", ["me", "another director", "phone"])
@pytest.mark.parametrize("page_name", ["Room", "History"])
@pytest.mark.parametrize("is_confirmed", [False, True])
def test_undo_is_confirmed_rejected_or_done(
    author: str, kind: str, state: str, page_name: str, is_confirmed: bool
) -> None:
    drive = create_drive_with_links()
    room = RoomBrowser(drive)
    authors: dict[str, Actor] = {
        "me": room.user,
        "another director": MembershipFactory(club=drive.club).user,
        "phone": GuestAuthor(GuestAuthor.Kind.TABLE, "1/A"),
    }
    act = record_act(drive, kind, authors[author])
    if state == "undone":
        undo_act(drive=drive, act=act, by=None)
    elif state == "blocked":
        record_newer_act(drive, kind)
    act_count = Act.objects.count()
    fields = {"act": act.pk, "from": "desk" if page_name == "Room" else "history"}
    page = room.click(**fields, **({"anyway": "1"} if is_confirmed else {}))
    has_question = (
        state == "fine"
        and page_name == "Room"
        and not is_confirmed
        and (author, kind) != ("me", "score")
    )
    is_undone = state == "fine" and not has_question
    blocked_text = (
        "This has changed since. See History."
        if page_name == "Room"
        else "Undo the newer change above first."
    )
    assert ("Undo this change?" in page) == has_question
    assert bool(UNDONE_PATTERN.search(page)) == is_undone
    assert ("Already undone." in page) == (state == "undone")
    assert (blocked_text in page) == (state == "blocked")
    assert Act.objects.count() == act_count + is_undone


def test_two_undos_at_once_claim_one_success(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = create_drive_with_links()
    room = RoomBrowser(drive)
    act = record_act(drive, "score", room.user)
    undo_act(drive=drive, act=act, by=None)
    monkeypatch.setattr("clubs.activities.views.describe_undo_refusal", lambda *_a, **_k: "")
    page = room.click(act=act.pk)
    assert "Already undone." in page
    assert "Undone:" not in page


@pytest.mark.parametrize("method", ["get", "head"])
def test_reloading_the_undo_question_redirects_to_the_history(method: str) -> None:
    room = RoomBrowser(create_drive_with_links())
    response = getattr(room.client, method)(f"{room.url}history/undo/")
    assert (response.status_code, response.url) == (302, f"{room.url}history/")
    assert Client().get(f"{room.url}history/undo/").url.startswith("/login")


@pytest.mark.parametrize("links", ["none", "new"])
def test_api_undoes_the_acts_of_staff_only(links: str) -> None:
    drive = create_drive_with_links()
    room = RoomBrowser(drive)
    enter_sheet(drive=drive, round_number=1, table=2, hand=1, score=[7], by=room.user)
    send_hand_from_phone(drive)
    if links == "new":
        create_card_links(drive=drive, by=room.user)
    assert room.client.post(f"/api/drives/{drive.slug}/undo/").status_code == 200
    scores = {sheet.table: sheet.score for sheet in Sheet.objects.filter(hand=1)}
    assert scores[1] == [8, 5]
    assert not scores.get(2)
    assert not TableLink.objects.exclude(revoked_at=None).exists()


def test_clicks_one_after_the_other_undo_older_acts_and_never_cancel_links() -> None:
    drive = create_drive_with_links()
    send_hand_from_phone(drive)
    enter_score(drive)
    room = RoomBrowser(drive)
    undone_texts = []
    while room.read_button()[0]:
        undone_texts.append(room.read_button()[1])
        room.click(anyway="1")
        assert len(undone_texts) < 20
    assert undone_texts[:3] == [
        "Undo: Table score, round 1, table 2, hand 1",
        "Undo: Table score, round 1, table 1, hand 1",
        "Undo: Draw and start, round 1",
    ]
    assert not Sheet.objects.exclude(score=[]).exists()
    assert not TableLink.objects.exclude(revoked_at=None).exists()


def test_changed_points_are_undone_only_after_a_question_that_shows_them() -> None:
    drive = begin_drive()
    misere = {"contract": "misere", "by": [2], "made": [True]}
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, contract=misere, by=None)
    house = {"contracts": {"misere": {"made": [10], "lost": [10]}}}
    change_points(drive=drive, custom=None, house=house, by=None)
    room = RoomBrowser(drive)
    assert room.read_button()[1].startswith("Undo: Contract points changed")
    stored_score = Sheet.objects.get(table=1, hand=1).score
    page = room.click()
    assert "Undo this change?" in page
    assert Sheet.objects.get(table=1, hand=1).score == stored_score
    assert "Undone: Contract points changed" in room.click(anyway="1")
    assert Sheet.objects.get(table=1, hand=1).score != stored_score


@pytest.mark.parametrize("create_links", [create_table_links, create_card_links])
def test_history_asks_before_it_cancels_links(create_links: Callable[..., object]) -> None:
    drive = begin_drive()
    create_links(drive=drive, by=None)
    act = audit.list_acts(drive)[0]
    shared_inverses = build_shared_inverses(drive)
    assert does_undo_revoke_links(act, {**shared_inverses, **get_inverses()})
    room = RoomBrowser(drive)
    url = f"{room.url}history/undo/"
    question = room.client.post(url, {"act": act.pk}).content.decode()
    assert "will stop working" in question
    assert not Act.objects.filter(undoes=act).exists()
    answer = room.client.post(url, {"act": act.pk, "anyway": "1"})
    assert (answer.status_code, answer.url) == (302, f"{room.url}history/")
    assert Act.objects.filter(undoes=act).exists()


def test_service_undoes_the_last_act_of_staff_but_no_links() -> None:
    drive = create_drive_with_links()
    enter_score(drive)
    send_hand_from_phone(drive)
    create_card_links(drive=drive, by=None)
    assert undo_last_act(drive=drive, by=None).where == {"round": 1, "table": 2, "hand": 1}


def test_every_inverse_that_cancels_links_is_known() -> None:
    all_inverses = [INVERSES, CLUB_INVERSES, get_inverses(), build_shared_inverses(Drive)]
    for inverses in all_inverses:
        declared_names = {
            name
            for name, inverse in inverses.items()
            if isinstance(inverse, LinkRevokingInverse)
        }
        assert declared_names == {name for name in inverses if "revoke" in name}


def test_acts_behind_many_undone_ones_are_found() -> None:
    drive = create_drive_with_links()
    enter_score(drive)
    first_act = audit.list_acts(drive)[0]
    for _time in range(30):
        enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[7], by=None)
        undo_act(drive=drive, act=audit.list_acts(drive)[0], by=None)
    assert find_last_undoable_act(drive, get_inverses()) == first_act


def test_scorers_see_no_undo_button_and_it_needs_few_queries() -> None:
    drive = create_drive_with_links()
    send_hand_from_phone(drive)
    assert RoomBrowser(drive, Membership.Role.SCORER).read_button() == (0, "")
    query_counts = []
    room = RoomBrowser(drive)
    for _time in range(2):
        enter_score(drive)
        with CaptureQueriesContext(connection) as queries:
            room.client.get(room.url)
        query_counts.append(len(queries))
        begin_next_round(drive=drive, by=None)
    assert query_counts[0] == query_counts[1]
