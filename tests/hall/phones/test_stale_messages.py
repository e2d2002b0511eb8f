"""Messages from an old page on a phone, whatever the director did in the meantime.

The page's state × the director's act × whether that was undone × the message × the endpoint.
The invariants: no response fails; an error gives its reason, and the page with it shows the
table's current state; nothing is recorded at another place than the phone showed; and nothing
that the director entered or ruled is overwritten by a phone that has not seen it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

import hall.phones.services
import hall.room.services
import scoring.services
import tournaments.services
from clubs import audit
from clubs.models import TableLink
from hall.history.undo import undo_event_act
from scoring.models import Result, ResultVersion, Ruling
from server.models import User
from tests import evenings
from tournaments.models import Entry, Place, Session, Sitting
from tournaments.movements.changes import Incident, list_continuations
from tournaments.movements.changes.incidents import (
    ExchangedPlaces,
    TurnedTable,
    Withdrawal,
    WrongBoards,
)
from tournaments.seating_snapshot import load_movement

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
JSON_HEADERS = {"Accept": "application/json"}
CODES_BY_STATUS = {
    200: {"ok"},
    400: {"no_such_play", "not_now"},
    409: {"entered_meanwhile", "round_left"},
    410: {"gone"},
}


@dataclass
class Table:
    """Table 1 in its first round, with its phone and its director."""

    session: Session
    user: User
    link: TableLink

    @property
    def sitting(self) -> Sitting:
        return Sitting.objects.get(section__session=self.session, table=1, round=1)

    @property
    def boards(self) -> range:
        return self.session.get_group_boards(self.sitting.board_group)

    @property
    def result(self) -> Result:
        return Result.find_or_create_current_result(self.sitting, self.boards[0])

    def post(self, *, data: bool = True, **sent: object) -> Any:
        return Client().post(self.link.path, sent, headers=JSON_HEADERS if data else {})

    def page(self) -> dict[str, Any]:
        return dict(Client().get(self.link.path, headers=JSON_HEADERS).json()["page"])

    def enter(self, mark: str) -> None:
        evenings.enter_result(self.session, self.sitting.pk, self.boards[0], mark, self.user)

    def rule(self, kind: str) -> None:
        scoring.services.make_ruling(kind=kind, result=self.result, reason="so", by=self.user)

    def change(self, change: Incident, **what: object) -> None:
        section = self.session.sections.get()
        scoring.services.apply_seating_change(
            section=section,
            rounds_played=1,
            incident=change,
            continuation_key=list_continuations(load_movement(section), 1, change)[0].key,
            incident_data={"kind": "turned", "table": 1, "first": 1, "last": 1} | what,
            by=self.user,
        )

    def exchange_places(self) -> None:
        east = Sitting.objects.get(section__session=self.session, table=2, round=1).east_id
        numbers = [
            Place.objects.get(pk=place_id).number for place_id in (self.sitting.east_id, east)
        ]
        self.change(
            ExchangedPlaces(
                place=numbers[0], other_place=numbers[1], first_round=1, last_round=1
            )
        )

    def put_right(self) -> None:
        actual_board = self.session.get_group_boards(self.sitting.board_group % 5 + 1)[0]
        scoring.services.record_actual_board(
            sitting=self.sitting, board=self.boards[0], really=actual_board, by=self.user
        )

    def play_into_next_round(self) -> None:
        """Enter the whole round as the director, and the first board of the next."""
        for board in self.boards:
            evenings.enter_result(self.session, self.sitting.pk, board, "5", self.user)
        sitting_after = Sitting.objects.get(section__session=self.session, table=1, round=2)
        first_board = self.session.get_group_boards(sitting_after.board_group)[0]
        evenings.enter_result(self.session, sitting_after.pk, first_board, "6", self.user)

    def rename_entry(self) -> None:
        entry = Entry.objects.get(places=self.sitting.north_id)
        tournaments.services.rename_entry(entry=entry, names=["Ada O", "Bea O"], by=self.user)

    def close_session(self, *, again: bool = False) -> None:
        session = scoring.services.close_session(session=self.session, by=self.user)
        if again:
            scoring.services.reopen_session(session=session, by=self.user)

    def withdraw_east_place(self) -> None:
        place = Place.objects.get(pk=self.sitting.east_id).number
        self.change(Withdrawal(place=place), kind="left")

    def next_round(self) -> None:
        hall.room.services.start_clock(session=self.session, by=self.user)
        hall.room.services.end_phase(session=self.session, by=self.user)


ACTS: dict[str, Callable[[Table], object]] = {
    "nothing": lambda table: None,
    "another entered": lambda table: table.enter("9"),
    "cleared": lambda table: table.enter(""),
    "not played": lambda table: table.enter("-"),
    "average": lambda table: table.rule(Ruling.Kind.AVERAGE),
    "a new deal": lambda table: table.rule(Ruling.Kind.NEW_DEAL),
    "wrong boards": lambda table: table.change(
        WrongBoards(round=1, table=1, board_group=table.sitting.board_group % 5 + 1)
    ),
    "one wrong board": Table.put_right,
    "turned": lambda table: table.change(TurnedTable(table=1, first_round=1, last_round=1)),
    "exchanged": Table.exchange_places,
    "goes home": Table.withdraw_east_place,
    "renamed": Table.rename_entry,
    "played on": Table.play_into_next_round,
    "the clock goes on": Table.next_round,
    "closed": Table.close_session,
    "closed and opened": lambda table: table.close_session(again=True),
    "address taken back": lambda table: hall.phones.services.revoke_table_link(
        link=table.link, by=table.user
    ),
}
"""The director's acts while a phone is idle."""


@pytest.fixture(params=["to enter", "waits for a yes", "agreed"])
def table(request: pytest.FixtureRequest) -> Table:
    session, user = evenings.open_session(10)
    links: list[TableLink] = hall.phones.services.create_table_links(session=session, by=user)
    table = Table(session, user, next(link for link in links if link.table == 1))
    if request.param != "to enter":
        form = {"sitting": table.sitting.pk, "board": table.boards[0]}
        table.post(act="enter", value="8", seen="", side="NS", key="first", **form)
        if request.param == "agreed":
            table.post(act="confirm", seen="8", **form)
    return table


def list_page_messages(table: Table, round_data: dict[str, Any]) -> list[dict[str, object]]:
    """Return all messages that a page can send, with the fields that its script adds."""
    board = round_data["boards"][0]
    play = {
        "sitting": round_data["sitting"],
        "board": board["board"],
        "seats": round_data["seats"],
    }
    seen_fields = {"seen": board["mark"], "ticket": board["ticket"]}
    enter = {"act": "enter", "side": "NS"} | play | seen_fields
    return [
        {"act": "confirm"} | play | seen_fields,
        enter | {"value": "7", "key": "seven"},
        enter | {"value": "7", "key": "seven"},  # sent again, as its response was lost
        enter | {"value": "6"},
        {"act": "call"},
    ]


def read_stored_marks(table: Table) -> dict[tuple[int, int], str]:
    results = Result.objects.filter(sitting__section__session=table.session)
    return {(result.sitting_id, result.board): result.mark for result in results if result.mark}


def list_rulings_in_force(table: Table) -> list[tuple[str, int]]:
    rulings = Ruling.objects.exclude_withdrawn().filter(session=table.session)
    return sorted(rulings.values_list("kind", "result"))


def undo_later_changes(table: Table, act: int, version_id: int) -> None:
    """Undo everything after an act and a version, the last first."""
    event = table.session.event
    for later_act in [one_act for one_act in audit.list_acts(event) if one_act.pk > act]:
        if later_act.back.get("call") and not later_act.undoes_id:
            undo_event_act(event=event, act=later_act, by=table.user)
    for result_version in ResultVersion.objects.filter(pk__gt=version_id).order_by("-pk"):
        scoring.services.undo_result(version=result_version, by=table.user)


@pytest.mark.parametrize("is_undone", [False, True], ids=["done", "taken back"])
@pytest.mark.parametrize("act_name", ACTS)
def test_submission_from_stale_page_overwrites_nothing(
    table: Table, act_name: str, is_undone: bool
) -> None:
    stale_round = table.page()["rounds"][0]
    act = audit.list_acts(table.session.event)[0].pk
    version = max([0, *ResultVersion.objects.values_list("pk", flat=True)])
    ACTS[act_name](table)
    if is_undone:
        undo_later_changes(table, act, version)
    rulings, shown_result_key = (
        list_rulings_in_force(table),
        (stale_round["sitting"], stale_round["boards"][0]["board"]),
    )
    for page_message in list_page_messages(table, stale_round):
        for is_script in (True, False):  # and again as a page without a script sends it
            stored_marks_before = read_stored_marks(table)
            response = table.post(data=is_script, **page_message)
            stored_marks_after = read_stored_marks(table)
            is_accepted = response.status_code in (200, 302)
            if is_script:
                data = response.json()
                assert data["code"] in CODES_BY_STATUS[response.status_code], data
                assert is_accepted or data["detail"].endswith((".", "?"))
                assert response.status_code == 410 or data["page"] == table.page()
            else:
                assert is_accepted or response.status_code in (400, 410)
            assert list_rulings_in_force(table) == rulings
            keys = [
                result_key
                for result_key in stored_marks_before | stored_marks_after
                if stored_marks_before.get(result_key) != stored_marks_after.get(result_key)
            ]
            assert keys in ([], [shown_result_key])
            if keys:
                assert (page_message["act"], is_accepted) == ("enter", True)
                assert (
                    stored_marks_before.get(shown_result_key, ""),
                    stored_marks_after[shown_result_key],
                ) == (
                    page_message["seen"],
                    page_message["value"],
                )
