"""Table phones in a drive send entries and keep their state while the organiser acts.

The axes: the state of the phone (nothing, an entry on its way, a correction, a confirmation) ×
the organiser's act in the meantime. Each pair has one outcome; an accepted score is never lost
or doubled.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from clubs import audit
from clubs.activities.secrecy import format_full_name
from clubs.activities.services import revoke_table_links
from clubs.models import DirectorCall, Membership, TableLink
from drives.models import Drive, Seat, Sheet, SheetVersion
from drives.services import (
    NewPlayer,
    begin_next_round,
    close_drive,
    create_drive,
    create_table_links,
    enter_sheet,
    reopen_drive,
    substitute_player,
    undo_act,
    undo_last_act,
)
from drives.sheets.people import Person, build_person
from drives.sheets.table_phone import build_table_phone_page
from drives.snapshot import load_drive_snapshot
from tests.browser.drives import DRIVE_DATE, NAMES, create_organiser
from tests.copies import build_once

pytestmark = pytest.mark.django_db
JSON_REQUEST = {"headers": {"Accept": "application/json"}}


@build_once
def create_drive_with_links(form: str = "lot", **terms: Any) -> Drive:
    """Create a drive of nine in its first round of two hands, with a code for each table."""
    member = Membership.objects.first()
    user = member.user if member else create_organiser()
    drive = create_drive(
        club=user.memberships.get().club,
        name="Friday drive",
        date=DRIVE_DATE,
        form=form,
        players=[NewPlayer(name=name) for name in NAMES],
        by=user,
        **({"rounds": 3, "hands": 2} | terms),
    )
    create_table_links(drive=drive, by=user)
    return drive


class Phone:
    """The phone of table 1, with the state of its last page."""

    def __init__(self, drive: Drive) -> None:
        self.drive = drive
        self.link = TableLink.objects.get(evening=drive.evening, table=1)
        self.client = Client()
        self.page: dict[str, Any] = {}
        self.load_page()

    def load_page(self) -> int:
        response = self.client.get(self.link.path, **JSON_REQUEST)
        self.page = response.json().get("page", self.page)
        return int(response.status_code)

    def entry(self, score: str, *, hand: int = 1, key: str = "k1", side: str = "A") -> Any:
        stored_hand = next(
            one_hand for one_hand in self.page["hands"] if one_hand["hand"] == hand
        )
        return self.act("enter", hand, stored_hand["score"]) | {
            "score": score, "key": key, "side": side, "extras": "",
        }  # fmt: skip

    def build_confirmation(self, *, hand: int = 1) -> Any:
        stands = next(one_hand for one_hand in self.page["hands"] if one_hand["hand"] == hand)
        return self.act("confirm", hand, stands["score"])

    def act(self, name: str, hand: int, seen: list[int]) -> dict[str, Any]:
        return {
            "act": name,
            "round": self.page["round"],
            "hand": hand,
            "seats": self.page["seats"],
            "seen": ",".join(map(str, seen)),
        }

    def send(self, act: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        response = self.client.post(self.link.path, act, **JSON_REQUEST)
        data = response.json()
        self.page = data.get("page", self.page)
        return response.status_code, data


def read_stored_score(drive: Drive, hand: int = 1, round_number: int = 1) -> list[int]:
    sheet = Sheet.objects.filter(
        round__drive=drive, round__number=round_number, table=1, hand=hand
    )
    return sheet.get().score if sheet.exists() else []


def test_two_taps_enter_a_hand_and_the_other_side_confirms() -> None:
    drive = create_drive_with_links()
    phone = Phone(drive)
    assert phone.page["pad"] == list(range(14))
    assert [hand["hand"] for hand in phone.page["hands"]] == [1, 2]
    assert {hand["trumps"] for hand in phone.page["hands"]} == {"Hearts", "Clubs"}
    code, data = phone.send(phone.entry("8"))
    hand = data["page"]["hands"][0]
    assert (code, hand["score"], hand["awaits"], hand["by"]) == (200, [8, 5], True, "A")
    assert phone.send(phone.entry("8"))[0] == 200  # a retry after a lost response
    assert SheetVersion.objects.filter(sheet__round__drive=drive).count() == 1
    code, data = phone.send(phone.build_confirmation())
    assert (code, data["page"]["hands"][0]["awaits"]) == (200, False)
    assert phone.send(phone.build_confirmation())[0] == 200
    data = phone.send(phone.entry("7", key="k2", side="B"))[1]
    assert data["page"]["hands"][0]["by"] == "B"
    acts = [(act.action, audit.describe_author(act.by)) for act in audit.list_acts(drive)]
    assert acts[:3] == [
        ("drive.sheet", "table 1, side B"),
        ("drive.sheet_agreed", "table 1"),
        ("drive.sheet", "table 1, side A"),
    ]


def take_back(drive: Drive, action: str) -> None:
    act = audit.list_acts(drive).filter(action=action).first()
    assert act is not None
    undo_act(drive=drive, act=act, by=None)


def test_undone_confirmation_is_requested_again() -> None:
    drive = create_drive_with_links()
    phone = Phone(drive)
    phone.send(phone.entry("8"))
    phone.send(phone.build_confirmation())
    take_back(drive, "drive.sheet_agreed")
    phone.load_page()
    assert phone.page["hands"][0]["awaits"]
    take_back(drive, "drive.sheet")
    phone.load_page()
    assert phone.page["hands"][0]["score"] == []


# ------------------------------- the phone's state × the organiser's act

RequestBuilder = Callable[[Phone], dict[str, Any]]


def send_entry(phone: Phone) -> dict[str, Any]:
    return phone.entry("8", key="on its way")


def send_correction(phone: Phone) -> dict[str, Any]:
    phone.send(phone.entry("8"))
    return phone.entry("6", key="on its way")


def send_confirmation(phone: Phone) -> dict[str, Any]:
    phone.send(phone.entry("8"))
    return phone.build_confirmation()


def do_nothing(drive: Drive) -> None: ...


def correct_score(drive: Drive) -> None:
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[10], by=None)


def enter_same_score(drive: Drive) -> None:
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[8], by=None)


def clear_score(drive: Drive) -> None:
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[4], by=None)
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[], by=None)


def enter_round_total(drive: Drive) -> None:
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[], by=None)
    enter_sheet(drive=drive, round_number=1, table=1, hand=0, score=[14], by=None)


def begin_next(drive: Drive) -> None:
    begin_next_round(drive=drive, by=None)


def begin_and_undo_round(drive: Drive) -> None:
    begin_next_round(drive=drive, by=None)
    undo_last_act(drive=drive, by=None)


def substitute_second_player(drive: Drive) -> None:
    seat = Seat.objects.get(round__drive=drive, round__number=1, table=1, seat=1)
    enter_sheet(drive=drive, round_number=1, table=1, hand=1, score=[], by=None)
    substitute_player(
        player=seat.player,
        new_player=NewPlayer(name="Sue"),
        should_take_over_score=False,
        by=None,
    )


def revoke_links(drive: Drive) -> None:
    revoke_table_links(activity=drive, by=None)


def close_drive_anyway(drive: Drive) -> None:
    close_drive(drive=drive, anyway=True, by=None)


def close_and_reopen(drive: Drive) -> None:
    close_drive_anyway(drive)
    reopen_drive(drive=drive, by=None)


Outcome = tuple[Callable[[Drive], None], int, list[int]]

OUTCOMES: dict[RequestBuilder, list[Outcome]] = {
    send_entry: [
        (do_nothing, 200, [8, 5]),
        (correct_score, 409, [10, 3]),
        (enter_same_score, 200, [8, 5]),
        (clear_score, 200, [8, 5]),
        (enter_round_total, 400, []),
        (begin_next, 200, [8, 5]),
        (begin_and_undo_round, 200, [8, 5]),
        (substitute_second_player, 400, []),
        (revoke_links, 410, []),
        (close_drive_anyway, 410, []),
        (close_and_reopen, 200, [8, 5]),
    ],
    send_correction: [
        (do_nothing, 200, [6, 7]),
        (correct_score, 409, [10, 3]),
        (enter_same_score, 200, [6, 7]),
        (clear_score, 409, []),
        (enter_round_total, 400, []),
        (begin_next, 400, [8, 5]),
        (begin_and_undo_round, 200, [6, 7]),
        (substitute_second_player, 400, []),
        (revoke_links, 410, [8, 5]),
        (close_drive_anyway, 410, [8, 5]),
        (close_and_reopen, 200, [6, 7]),
    ],
    send_confirmation: [
        (do_nothing, 200, [8, 5]),
        (correct_score, 409, [10, 3]),
        (enter_same_score, 200, [8, 5]),
        (clear_score, 409, []),
        (enter_round_total, 400, []),
        (begin_next, 200, [8, 5]),
        (begin_and_undo_round, 200, [8, 5]),
        (substitute_second_player, 400, []),
        (revoke_links, 410, [8, 5]),
        (close_drive_anyway, 410, [8, 5]),
        (close_and_reopen, 200, [8, 5]),
    ],
}


@pytest.mark.slow
def test_phone_request_sent_before_an_organisers_act_gets_the_right_response() -> None:
    drive = create_drive_with_links("social")
    for send_from_phone, outcomes in OUTCOMES.items():
        with transaction.atomic():
            phone = Phone(drive)
            act = send_from_phone(phone)
            for organiser_act, status, score in outcomes:
                text = f"{send_from_phone.__name__} × {organiser_act.__name__}"
                with transaction.atomic():
                    organiser_act(Drive.objects.get(pk=drive.pk))
                    code, data = phone.send(act)
                    assert (code, read_stored_score(drive)) == (status, score), text
                    if code == 410:
                        assert "page" not in data, text
                    else:
                        assert data["page"] == Phone(drive).page, text
                    assert code == 200 or data["detail"], text
                    keys = SheetVersion.objects.filter(key="on its way").count()
                    assert keys <= 1, text
                    transaction.set_rollback(True)
            transaction.set_rollback(True)


def test_repeated_request_is_recognised_after_later_changes() -> None:
    drive = create_drive_with_links()
    phone = Phone(drive)
    phone.send(phone.entry("8"))
    act = phone.entry("6", key="lost answer")
    assert phone.send(act)[0] == 200
    begin_next_round(drive=drive, by=None)
    assert phone.send(act)[0] == 200  # its response was lost, and the round is over
    assert read_stored_score(drive) == [6, 7]
    assert phone.page["round"] == 2


def test_phone_shows_and_enters_only_its_own_table() -> None:
    drive = create_drive_with_links()
    phone = Phone(drive)
    message = str(phone.page)
    numbered_names = {p.numbered_name for p in list_people(drive, 1)}
    names_at_table_2 = {p.numbered_name for p in list_people(drive, 2)}
    assert all(name in message for name in numbered_names)
    assert not any(name in message for name in names_at_table_2)
    invalid_changes = [
        ({"seats": "1.2.3.4"}, 400, "Different players"),
        ({"score": "14"}, 400, "between"),
        ({"score": "x"}, 400, "whole numbers"),
        ({"score": ""}, 400, "Ask the organiser to remove"),
        ({"hand": "3"}, 400, "2 hands"),
        ({"hand": "nonsense"}, 400, "Hand not found"),
        ({"round": "2"}, 400, "isn’t in play"),
        ({"score": "1,2,3"}, 400, "scores"),
        ({"score": "7,7"}, 400, "add up to 14"),
    ]
    for change, status, text in invalid_changes:
        code, data = phone.send(phone.entry("8") | change)
        assert (code, text in data["detail"]) == (status, True), (change, data["detail"])
    assert read_stored_score(drive) == []
    assert phone.send({"act": "call"})[0] == 200
    assert DirectorCall.objects.get(evening=drive.evening).table == 1


def list_people(drive: Drive, table: int) -> list[Person]:
    loaded_drive = load_drive_snapshot(drive)
    assert loaded_drive.current_round is not None
    return [
        build_person(loaded_drive, who, format_full_name)
        for who in loaded_drive.current_round.seats_by_table[table]
    ]


def test_negative_scores_have_a_minus_sign() -> None:
    phone = Phone(
        create_drive_with_links(score={"kind": "side", "low": -520, "high": 520, "step": 10})
    )
    act = phone.act("enter", 0, [])
    response = phone.client.post(phone.link.path, act | {"score": ["-480", "340"]})
    assert response.status_code == 302
    html = " ".join(phone.client.get(phone.link.path).content.decode().split())
    assert "Yes, −480 / 340" in html
    assert "<b>−480</b>" in html


def test_table_page_works_without_javascript_and_shows_errors() -> None:
    drive = create_drive_with_links(
        score={"kind": "side", "extras": 10, "sum": 162, "low": 0, "high": 162}
    )
    phone = Phone(drive)
    assert phone.page["pad"] == []
    assert phone.page["is_whole"]
    html = phone.client.get(phone.link.path).content.decode()
    assert html.count('name="extras"') == 2
    act = phone.act("enter", 0, [])
    response = phone.client.post(phone.link.path, act | {"score": ["", "100"]})
    assert response.status_code == 400
    assert "first side" in response.content.decode()
    entry_response = phone.client.post(
        phone.link.path, act | {"score": ["200", ""], "extras": ["20", ""]}
    )
    assert entry_response.status_code == 302
    sheet = Sheet.objects.get(round__drive=drive, table=1)
    assert (sheet.hand, sheet.score, sheet.extras) == (0, [200, 124], [20, 0])
    html = " ".join(phone.client.get(phone.link.path).content.decode().split())
    assert "Yes, 200–124" in html
    confirmation_response = phone.client.post(
        phone.link.path, phone.act("confirm", 0, [200, 124])
    )
    assert confirmation_response.status_code == 302
    sheet.refresh_from_db()
    assert sheet.agreement == "given"


def test_confirmation_and_correction_cover_the_extras_shown() -> None:
    drive = create_drive_with_links(
        score={"kind": "side", "extras": 10, "sum": 162, "low": 0, "high": 162}, hands=1
    )
    phone = Phone(drive)
    entry_data = phone.act("enter", 0, []) | {"score": "100,62", "side": "A"}
    assert phone.send(entry_data | {"extras": "40,0", "key": "k1"})[0] == 200
    html = phone.client.get(phone.link.path).content.decode()
    assert 'name="seen" value="100,62,40,0"' in html
    assert "<b>100 + 40</b>" in html
    shown_score = [100, 62, 40, 0]
    yes, correction = phone.act("confirm", 0, shown_score), phone.act("enter", 0, shown_score)
    enter_sheet(
        drive=drive, round_number=1, table=1, score=[100, 62], extras=[400, 0], by=None,
        agreement="awaited",
    )  # fmt: skip
    code, data = phone.send(yes)
    assert (code, data["seen"]) == (409, "100,62,400,0")
    assert "someone has just entered 100–62, extras 400–0" in data["detail"]
    assert Sheet.objects.get().agreement == "awaited"
    for seen in (shown_score, [100, 62], [100, 62, 0, 0], []):
        late_correction = correction | {
            "seen": ",".join(map(str, seen)),
            "score": "90,72",
            "key": "k2",
        }
        assert phone.send(late_correction)[0] == 409, seen
    assert (
        phone.send(correction | {"seen": data["seen"], "score": "90,72", "key": "k3"})[0] == 200
    )
    sheet = Sheet.objects.get()
    assert (sheet.score, sheet.extras, sheet.agreement) == ([90, 72], [], "awaited")
    assert phone.send(phone.act("confirm", 0, [90, 72, 0, 0]))[0] == 200
    assert Sheet.objects.get().agreement == "given"


def test_next_seats_are_shown_by_name_or_by_the_rule_for_moves() -> None:
    drive = create_drive_with_links("social")
    assert all("table" in move or "sits out" in move for move in Phone(drive).page["moves"])
    assert len(Phone(drive).page["moves"]) == 4
    moved_drive = create_drive_with_links("progressive")
    assert "osers" in Phone(moved_drive).page["moves"][0]
    assert Phone(create_drive_with_links("lot")).page["moves"] == []


def test_papers_page_warns_if_table_cards_would_have_no_codes(settings: Any) -> None:
    drive = create_drive_with_links()
    client = Client()
    client.force_login(drive.club.memberships.get().user)
    drive_url = f"/director/drives/{drive.slug}/"

    def read_warning() -> str:
        form = (
            client.get(f"{drive_url}papers/").content.decode().partition("Copies per card")[2]
        )
        return form.partition(">Print<")[0]

    settings.PHONE_ADDRESSES = []
    assert "Table cards have no QR codes: phones can’t connect yet." in read_warning()
    settings.PHONE_ADDRESSES = ["http://192.168.1.5:8000/"]
    assert "QR codes" not in read_warning()
    TableLink.objects.filter(table=2).update(revoked_at=timezone.now())
    assert "Table cards have no QR codes yet." in read_warning()
    assert f'href="{drive_url}tables/"' in read_warning()
    close_drive(drive=drive, anyway=True, by=None)
    assert "QR codes" not in read_warning()


def test_organiser_creates_shows_and_revokes_the_codes() -> None:
    drive = create_drive_with_links()
    user = drive.club.memberships.get().user
    client = Client()
    client.force_login(user)
    base = f"/director/drives/{drive.slug}/"
    page = client.get(f"{base}tables/?table=2").content.decode()
    assert "<svg" in page
    assert TableLink.objects.get(table=2).path in page
    pdf = client.get(f"{base}papers/print/?paper=table-cards")
    assert pdf.status_code == 200
    phone = Phone(drive)
    phone.send({"act": "call"})
    desk = client.get(base).content.decode()
    assert "Table 1 called at" in " ".join(desk.split())
    client.post(f"{base}calls/answer/", {"call": DirectorCall.objects.get().pk})
    phone.load_page()
    assert (phone.page["called"], phone.page["coming"]) == ("", True)
    client.post(f"{base}tables/act/", {"act": "revoke"})
    assert phone.load_page() == 410
    response = phone.client.get(phone.link.path)
    assert response.status_code == 410
    assert "cancelled this link" in response.content.decode()
    client.post(f"{base}tables/act/", {})
    assert TableLink.objects.filter(revoked_at=None).count() == 2
    history = client.get(f"{base}history/").content.decode()
    assert "QR codes created" in history
    assert "QR codes cancelled" in history
    assert Client().get(f"{base}tables/").status_code in (302, 403)


def test_organiser_undo_skips_steps_sent_by_phones() -> None:
    drive = create_drive_with_links("social")
    phone = Phone(drive)
    phone.send(phone.entry("8"))
    begin_next_round(drive=drive, by=None)
    late = phone.entry("7", hand=2, key="late")  # of the previous round
    assert phone.send(late)[0] == 200
    undo_last_act(drive=drive, by=None)
    drive.refresh_from_db()
    assert drive.at_round == 1
    assert (read_stored_score(drive, 1), read_stored_score(drive, 2)) == ([8, 5], [7, 6])


def test_page_says_if_no_round_has_started_or_the_table_is_not_in_use() -> None:
    drive = create_drive_with_links("cut", is_started=False)
    phone = Phone(drive)
    assert (phone.page["round"], phone.page["seats"]) == (0, "")
    begin_next_round(drive=drive, by=None)
    last_table_link = TableLink.objects.get(evening=drive.evening, table=2)
    winners = {1: "A", 2: "A"}
    begin_next_round(drive=drive, winners_by_table=winners, by=None)
    drive.refresh_from_db()
    page = build_table_phone_page(load_drive_snapshot(drive), last_table_link)
    assert (page.seats, page.hands, page.moves) == ("", (), ())
    html = Client().get(last_table_link.path).content.decode()
    assert "No one plays here this round." in html
