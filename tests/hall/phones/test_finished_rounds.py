"""A round that a table has left: no response reveals a result to the next players.

They may have those boards still to play (rules D2). The response must be the same for every
guess: endpoint × act × stored state × the guess.
"""

from typing import Any

import pytest
from django.test import Client

import hall.phones.services
import scoring.services
from clubs.models import TableLink
from scoring.models import Agreement, Result
from tests import evenings
from tournaments.models import Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
JSON_HEADERS = {"Accept": "application/json"}
TRICKS = 7


class Table:
    """Table 1 in its second round, with a given state of the first board of its first round."""

    def __init__(self, stands: str) -> None:
        self.session, self.user = evenings.open_session()
        self.link: TableLink = hall.phones.services.create_table_links(
            session=self.session, by=None
        )[0]
        self.left, self.on = self.sitting(1), self.sitting(2)
        self.board, *rest = self.session.get_group_boards(self.left.board_group)
        self.tickets: dict[int, str] = {}
        for board in [self.board, *rest] if stands != "nothing" else rest:
            self.post(self.left, board, act="enter", value=TRICKS, seen="", key=f"key {board}")
            self.tickets[board] = self.read_board_data(board)["ticket"]
            if board != self.board or stands != "awaits a yes":
                self.post(self.left, board, act="confirm", seen=TRICKS)
        first_board = self.session.get_group_boards(self.on.board_group)[0]
        evenings.enter_result(self.session, self.on.pk, first_board, "5", self.user)
        if stands == "ruled":
            result = Result.objects.get(sitting=self.left, board=self.board)
            scoring.services.make_ruling(
                kind="average", result=result, reason="fouled", by=self.user
            )

    def sitting(self, round_: int) -> Sitting:
        return Sitting.objects.get(section__session=self.session, table=1, round=round_)

    def post(self, sitting: Sitting, board: int, *, data: bool = True, **fields: object) -> Any:
        form = {"sitting": sitting.pk, "board": board} | fields
        return Client().post(self.link.path, form, headers=JSON_HEADERS if data else {})

    def read_board_data(self, board: int) -> dict[str, Any]:
        page = Client().get(self.link.path, headers=JSON_HEADERS).json()["page"]
        places = [round_ for round_ in page["rounds"] if round_["sitting"] == self.left.pk]
        return next(
            one_board for one_board in places[0]["boards"] if one_board["board"] == board
        )

    @property
    def result(self) -> Result | None:
        return Result.objects.filter(sitting=self.left, board=self.board).first()


def read_result_details(response: Any, data: bool) -> tuple[object, ...]:
    """Return all that a response reveals of a result, apart from the page, which never does."""
    if not data:
        problem = response.context["problem"] if response.context else ""
        return response.status_code, problem
    reported_data = response.json()
    page = reported_data.pop("page")
    assert all(not board["mark"] and not board["ticket"] for board in page["past"]["boards"])
    return response.status_code, *sorted(map(str, reported_data.items()))


@pytest.mark.parametrize("data", [True, False], ids=["script", "form"])
@pytest.mark.parametrize("act", ["enter", "correct", "confirm"])
@pytest.mark.parametrize("stands", ["agreed", "awaits a yes", "ruled"])
def test_every_guess_in_a_finished_round_has_same_response_and_changes_nothing(
    stands: str, act: str, data: bool
) -> None:
    table = Table(stands)
    result_before = table.result
    assert result_before is not None
    answers = set()
    for guess in (0, TRICKS - 1, TRICKS, TRICKS + 1, "-"):
        fields: dict[str, object] = {"act": "enter", "value": guess, "seen": ""}
        if act == "correct":
            fields = {"act": "enter", "value": 13, "seen": guess}
        elif act == "confirm":
            fields = {"act": "confirm", "seen": guess, "ticket": f"{guess}" * 16}
        answers.add(
            read_result_details(table.post(table.left, table.board, data=data, **fields), data)
        )
    assert len(answers) == 1
    result_after = table.result
    assert result_after is not None
    assert (result_after.mark, result_after.versions.count()) == (
        result_before.mark,
        result_before.versions.count(),
    )
    should_change_agreement = (
        act == "confirm" and stands == "awaits a yes"
    )  # never the correct one
    assert (result_after.agreement != result_before.agreement) == should_change_agreement


@pytest.mark.parametrize("data", [True, False], ids=["script", "form"])
def test_late_result_is_accepted_if_none_has_been_entered(data: bool) -> None:
    table = Table("nothing")
    response = table.post(
        table.left, table.board, data=data, act="enter", value=9, seen="", key="late"
    )
    assert response.status_code == (200 if data else 302)
    assert table.result is not None
    assert table.result.mark == "9"


def test_phone_retry_after_lost_response_is_accepted() -> None:
    table = Table("agreed")
    idempotency_key, ticket = f"key {table.board}", table.tickets[table.board]
    repeated_entry = table.post(
        table.left, table.board, act="enter", value=TRICKS, seen="", key=idempotency_key
    )
    assert (repeated_entry.status_code, repeated_entry.json()["code"]) == (200, "ok")
    confirmation = table.post(
        table.left, table.board, act="confirm", seen=TRICKS, ticket=ticket
    )
    assert (confirmation.status_code, confirmation.json()["code"]) == (200, "ok")
    assert "others" not in repeated_entry.json()
    assert "others" not in confirmation.json()


def test_confirmation_counts_after_round_if_phone_saw_the_result() -> None:
    table = Table("awaits a yes")
    ticket = table.tickets[table.board]
    confirmation = table.post(
        table.left, table.board, act="confirm", seen=TRICKS, ticket=ticket
    )
    assert (confirmation.status_code, confirmation.json()["code"]) == (200, "ok")
    assert table.result is not None
    assert table.result.agreement == Agreement.CONFIRMED


def test_ticket_is_valid_for_only_one_result() -> None:
    table = Table("agreed")
    assert table.result is not None
    evenings.enter_result(table.session, table.left.pk, table.board, "5", table.user)
    ticket = table.tickets[table.board]
    for seen_tricks in (5, TRICKS):
        response = table.post(
            table.left, table.board, act="confirm", seen=seen_tricks, ticket=ticket
        )
        assert (response.status_code, response.json()["code"]) == (409, "round_left")
