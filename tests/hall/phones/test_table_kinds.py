"""The guarantees of the phones of every kind of table, whatever the director does.

The kind of table × the phone's state × the director's act. An accepted entry is stored once;
nothing that the director entered is overwritten by a phone that has not seen it; a closed page
accepts nothing; and an error gives its reason and returns the table's current page.
"""

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Any, Protocol

import pytest
from django.db import transaction
from django.test import Client

import hall.phones.services
import scoring.services
from clubs.activities.services import revoke_table_links
from clubs.models import TableLink
from drives.models import Drive, Sheet, SheetVersion
from drives.services import (
    NewPlayer,
    begin_next_round,
    close_drive,
    create_drive,
    create_table_links,
    enter_sheet,
    reopen_drive,
)
from rubbers.models import HandVersion, RubberHand
from rubbers.services import correct_hand, enable_rubbers, record_hand
from scoring.models import Result, ResultVersion
from tests import evenings
from tests.browser.drives import DRIVE_DATE, NAMES, create_organiser
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db
SCRIPT_HEADERS = {"Accept": "application/json", "HX-Request": "true"}
REFUSAL_STATUSES = (400, 409, 422)


class Table(Protocol):
    """One table, with its phone and with the acts of its director."""

    link: TableLink

    def build_entry(self, value: str, *, key: str, shown: str = "") -> dict[str, str]:
        """Return the phone's request to enter a value; `shown` is what its page shows."""

    def enter(self, value: str) -> None:
        """Enter a value at the same place as the director, or correct the existing one."""

    def move_on(self) -> None:
        """Call the next round as the director, or enter its first result."""

    def close(self) -> None:
        """Close the session."""

    def reopen(self) -> None:
        """Reopen the session."""

    def withdraw(self) -> None:
        """Withdraw the link."""

    def read_stored(self) -> str:
        """Return the stored value; "" for none."""

    def count_versions(self) -> int:
        """Return the number of values that were ever stored at that place."""


class EventTable:
    """A table of an event: the first board of its first round."""

    def __init__(self) -> None:
        self.session, self.user = evenings.open_session(10)
        links = hall.phones.services.create_table_links(session=self.session, by=self.user)
        self.link = next(link for link in links if link.table == 1)
        self.sitting = self._sitting(1)
        self.board = self.session.get_group_boards(self.sitting.board_group)[0]

    def _sitting(self, round_: int) -> Sitting:
        return Sitting.objects.get(section__session=self.session, table=1, round=round_)

    def build_entry(self, value: str, *, key: str, shown: str = "") -> dict[str, str]:
        place = {"sitting": str(self.sitting.pk), "board": str(self.board)}
        return place | {"act": "enter", "value": value, "seen": shown, "side": "NS", "key": key}

    def enter(self, value: str) -> None:
        evenings.enter_result(self.session, self.sitting.pk, self.board, value, self.user)

    def move_on(self) -> None:
        next_sitting = self._sitting(2)
        board = self.session.get_group_boards(next_sitting.board_group)[0]
        evenings.enter_result(self.session, next_sitting.pk, board, "6", self.user)

    def close(self) -> None:
        scoring.services.close_session(session=self.session, by=self.user)

    def reopen(self) -> None:
        scoring.services.reopen_session(session=self.session, by=self.user)

    def withdraw(self) -> None:
        link = TableLink.objects.get(pk=self.link.pk)
        hall.phones.services.revoke_table_link(link=link, by=self.user)

    def read_stored(self) -> str:
        return str(Result.find_or_create_current_result(self.sitting, self.board).mark)

    def count_versions(self) -> int:
        return ResultVersion.objects.filter(result__board=self.board).count()


class DriveTable:
    """A table of a drive: the first hand of its first round."""

    def __init__(self) -> None:
        self.drive = self._drive()
        create_table_links(drive=self.drive, by=None)
        self.link = TableLink.objects.get(evening=self.drive.evening, table=1)

    def _drive(self) -> Drive:
        club = create_organiser().memberships.get().club
        players = [NewPlayer(name=name) for name in NAMES]
        return create_drive(
            club=club, name="Drive", date=DRIVE_DATE, form="social", players=players,
            by=None,
            rounds=3, hands=2,
        )  # fmt: skip

    def build_entry(self, value: str, *, key: str, shown: str = "") -> dict[str, str]:
        self.seats = getattr(self, "seats", "") or self._seats()
        seen_score = f"{shown},{13 - int(shown)}" if shown else ""
        place = {"round": "1", "hand": "1", "seats": self.seats}
        return place | {
            "act": "enter",
            "score": value,
            "seen": seen_score,
            "side": "A",
            "key": key,
        }

    def _seats(self) -> str:
        page = Client().get(self.link.path, headers=SCRIPT_HEADERS).json()["page"]
        return str(page["seats"])

    def enter(self, value: str) -> None:
        place = {"round_number": 1, "table": 1, "hand": 1}
        enter_sheet(drive=self.drive, **place, score=[int(value)], by=None)

    def move_on(self) -> None:
        begin_next_round(drive=self.drive, by=None)

    def close(self) -> None:
        close_drive(drive=self.drive, anyway=True, by=None)

    def reopen(self) -> None:
        reopen_drive(drive=self.drive, by=None)

    def withdraw(self) -> None:
        revoke_table_links(activity=self.drive, by=None)

    def read_stored(self) -> str:
        sheet = Sheet.objects.filter(round__number=1, table=1, hand=1).first()
        return str(sheet.score[0]) if sheet and sheet.score else ""

    def count_versions(self) -> int:
        return SheetVersion.objects.filter(sheet__round__number=1, sheet__table=1).count()


class RubberTable(DriveTable):
    """A table where rubbers are marked: the first hand of the first round of a drive."""

    def __init__(self) -> None:
        super().__init__()
        self.night = enable_rubbers(drive=self.drive, code="pole", by=None)

    def _drive(self) -> Drive:
        club = create_organiser().memberships.get().club
        players = [NewPlayer(name=name) for name in NAMES[:8]]
        return create_drive(
            club=club, name="Rubbers", date=DRIVE_DATE, form="lot", players=players, by=None,
            rounds=3, hands=1, score={"kind": "side", "sum": 0},
        )  # fmt: skip

    def build_entry(self, value: str, *, key: str, shown: str = "") -> dict[str, str]:
        place = {"round": "1", "spell": "1", "hand": "1", "made": f"A{value}"}
        if not shown:
            return place | {"act": "mark", "waited": "yes"}
        page = Client().get(f"{self.link.path}?spell=1&hand=1").content.decode()
        match = re.search(r'name="seen" value="([^"]+)"', page)
        assert match is not None
        return place | {"act": "correct", "seen": unescape(match.group(1))}

    def enter(self, value: str) -> None:
        hand_arguments = {
            "night": self.night,
            "table": 1,
            "round": 1,
            "spell": 1,
            "number": 1,
            "by": None,
        }
        act = correct_hand if self.read_stored() else record_hand
        act(**hand_arguments, hand={"tricks": {"A": int(value), "B": 13 - int(value)}})

    def read_stored(self) -> str:
        rubber_hand = RubberHand.objects.filter(
            table__number=1, table__round=1, number=1
        ).first()
        return str(rubber_hand.told["tricks"]["A"]) if rubber_hand and rubber_hand.told else ""

    def count_versions(self) -> int:
        return HandVersion.objects.filter(hand__table__number=1, hand__number=1).count()


KINDS: Mapping[str, Callable[[], Table]] = {
    "event": EventTable,
    "drive": DriveTable,
    "rubber": RubberTable,
}


def close_and_reopen(table: Table) -> None:
    table.close()
    table.reopen()


ACTS: Mapping[str, Callable[[Table], object]] = {
    "nothing": lambda table: None,
    "closed": lambda table: table.close(),
    "closed and opened": close_and_reopen,
    "moved on": lambda table: table.move_on(),
    "corrected": lambda table: table.enter("9"),
    "link withdrawn": lambda table: table.withdraw(),
}
ACCEPTED, REJECTED, GONE = "taken", "not taken", "gone"
Outcome = tuple[str, str]
"""The outcome of the phone's request, and the stored value afterwards."""
OUTCOMES: Mapping[str, Mapping[str, Outcome]] = {
    "offline": {  # the entry waits on the phone, and arrives twice after the act
        "nothing": (ACCEPTED, "8"),
        "closed": (GONE, ""),
        "closed and opened": (ACCEPTED, "8"),
        "moved on": (ACCEPTED, "8"),
        "corrected": (REJECTED, "9"),
        "link withdrawn": (GONE, ""),
    },
    "resent": {  # it was stored before the act, its response was lost, and it is resent
        "nothing": (ACCEPTED, "8"),
        "closed": (GONE, "8"),
        "closed and opened": (ACCEPTED, "8"),
        "moved on": (ACCEPTED, "8"),
        "corrected": (ACCEPTED, "9"),
        "link withdrawn": (GONE, "8"),
    },
    "stale": {  # the page still shows this phone's 5, and corrects it to 8
        "nothing": (ACCEPTED, "8"),
        "closed": (GONE, "5"),
        "closed and opened": (ACCEPTED, "8"),
        "moved on": (REJECTED, "5"),
        "corrected": (REJECTED, "9"),
        "link withdrawn": (GONE, "5"),
    },
}
RUBBER_OUTCOMES: Mapping[tuple[str, str], Outcome] = {
    ("resent", "corrected"): (REJECTED, "9"),  # identified by its number, not by a key
}


def prepare_phone_request(table: Table, phone: str) -> dict[str, str]:
    """Bring a phone into its state; return its request after the director's act."""
    if phone == "resent":
        phone_request = table.build_entry("8", key="a")
        assert send(table, phone_request, is_script=True) == ACCEPTED
        return phone_request
    if phone == "stale":
        assert send(table, table.build_entry("5", key="first"), is_script=True) == ACCEPTED
        return table.build_entry("8", key="a", shown="5")
    return table.build_entry("8", key="a")


def send(table: Table, phone_request: dict[str, str], *, is_script: bool) -> str:
    """Send an act as a phone does and check the response; return the outcome."""
    response: Any = Client().post(
        table.link.path, phone_request, headers=SCRIPT_HEADERS if is_script else {}
    )
    if response.status_code == 410:
        return GONE
    if "json" in response.headers.get("Content-Type", ""):
        data = response.json()
        now = Client().get(table.link.path, headers={"Accept": "application/json"}).json()
        assert data["page"] == now["page"]
        assert (response.status_code == 200) == (data["code"] == "ok")
        assert response.status_code == 200 or data["detail"]
    if response.status_code in REFUSAL_STATUSES:
        return REJECTED
    assert response.status_code == (200 if is_script else 302)
    return ACCEPTED


@pytest.mark.slow
@pytest.mark.parametrize("table_kind", KINDS)
def test_phone_submissions_after_directors_acts_have_the_listed_outcome(
    table_kind: str,
) -> None:
    table = KINDS[table_kind]()
    for phone, outcomes in OUTCOMES.items():
        for act, outcome in outcomes.items():
            expected = (
                RUBBER_OUTCOMES.get((phone, act), outcome)
                if table_kind == "rubber"
                else outcome
            )
            for is_script in (True, False):
                case_label = (
                    f"{table_kind} × {phone} × {act} × {'script' if is_script else 'form'}"
                )
                with transaction.atomic():
                    phone_request = prepare_phone_request(table, phone)
                    ACTS[act](table)
                    version_count_before = table.count_versions()
                    actual_outcome = send(table, phone_request, is_script=is_script)
                    assert (actual_outcome, table.read_stored()) == expected, case_label
                    assert send(table, phone_request, is_script=is_script) == actual_outcome, (
                        case_label
                    )
                    assert table.read_stored() == expected[1], (
                        case_label
                    )  # sent twice, stored once
                    assert table.count_versions() - version_count_before <= (
                        actual_outcome == ACCEPTED
                    ), case_label
                    transaction.set_rollback(True)
