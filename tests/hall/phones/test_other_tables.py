"""News of other tables on a phone: when its round is over, once, and nothing secret."""

from typing import Any

import pytest
from django.test import Client

import hall.phones.services
import scoring.services
from clubs.models import TableLink
from scoring.models import Result, Terms
from scoring.standings_engine import standings
from tests import evenings
from tournaments.models import Event, Session, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TRICKS_BY_TABLE = {1: 7, 2: 6, 3: 9}
JSON_HEADERS = {"Accept": "application/json"}


class Evening:
    """Three tables that share nothing: in each round a table plays two boards."""

    def __init__(self, **options: Any) -> None:
        self.session: Session
        self.session, self.user = evenings.open_session(**options)
        table_links = hall.phones.services.create_table_links(session=self.session, by=None)
        self.links: dict[int, TableLink] = {item.table: item for item in table_links}

    def sitting(self, table: int, round_: int) -> Sitting:
        return Sitting.objects.get(section__session=self.session, table=table, round=round_)

    def send(self, table: int, round_: int, board: int, **fields: object) -> dict[str, Any]:
        """Send one act of a table, and return the complete response."""
        form = {"sitting": self.sitting(table, round_).pk, "board": board, "seen": ""} | fields
        response = Client().post(self.links[table].path, form, headers=JSON_HEADERS)
        assert response.status_code == 200, response.content
        return response.json()

    def play(self, table: int, round_: int) -> list[dict[str, Any]]:
        """Enter and confirm a round at a table; return the responses to the confirmations."""
        group = self.sitting(table, round_).board_group
        tricks = TRICKS_BY_TABLE[table]
        responses = []
        for board in self.session.get_group_boards(group):
            self.send(table, round_, board, act="enter", value=tricks)
            responses.append(self.send(table, round_, board, act="confirm", seen=tricks))
        standings.update_standings(self.session.event)
        return responses

    def play_first_round(self) -> None:
        for table in (1, 2, 3):
            for response in self.play(table, 1):
                assert "others" not in response  # no one else has played these boards


def test_phone_shows_other_tables_results_only_after_its_round() -> None:
    evening = Evening()
    evening.play_first_round()
    first_response, last_response = evening.play(1, 2)
    assert (
        "others" not in first_response
    )  # the sum of both is public: one would reveal the other
    other_results = last_response["others"]
    boards = list(evening.session.get_group_boards(evening.sitting(1, 2).board_group))
    assert [one_board["board"] for one_board in other_results["boards"]] == boards
    other_table_results = Result.objects.filter(board=boards[0]).exclude(
        sitting=evening.sitting(1, 2)
    )
    (their_tricks,) = other_table_results.values_list("ns_tricks", flat=True)
    for board in other_results["boards"]:
        assert (board["ns"], board["ew"], board["others"]) == (7, 6, [their_tricks])
        assert board["gap"] == {6: "+0.50", 9: "−1"}[their_tricks]
    assert [who for who, _place, _score in other_results["places"]] == ["N-S", "E-W"]
    assert all(place.endswith("of 3") for _side, place, _score in other_results["places"])
    for page_data in (
        Client().get(evening.links[1].path, headers=JSON_HEADERS).json(),
        last_response["page"],
    ):
        assert "others" not in page_data
        assert all(not b["mark"] for b in page_data.get("page", page_data)["past"]["boards"])


def test_entry_awaiting_confirmation_shows_no_other_results() -> None:
    evening = Evening()
    evening.play_first_round()
    first, last = evening.session.get_group_boards(evening.sitting(1, 2).board_group)
    evening.send(1, 2, last, act="enter", value=7)
    evening.send(1, 2, last, act="confirm", seen=7)
    assert "others" not in evening.send(1, 2, first, act="enter", value=7)


@pytest.mark.parametrize(
    "standings_visibility", [Event.StandingsVisibility.AFTER, Event.StandingsVisibility.NEVER]
)
def test_no_other_results_are_shown_while_standings_are_hidden(
    standings_visibility: str,
) -> None:
    evening = Evening()
    Event.objects.update(standings_shown=standings_visibility)
    evening.play_first_round()
    assert all("others" not in response for response in evening.play(1, 2))


def test_one_board_rounds_show_no_other_results_before_the_close() -> None:
    evening = Evening(boards_a_round=1)
    evening.play_first_round()
    assert all("others" not in response for response in evening.play(1, 2))


def test_live_standings_show_other_results_after_each_board() -> None:
    evening = Evening()
    Terms.objects.update(totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT)
    evening.play_first_round()
    first, last = evening.play(1, 2)
    assert first["page"]["tells_each"]
    assert [len(item["others"]["boards"]) for item in (first, last)] == [1, 1]


def test_result_ruled_at_another_table_is_not_shown_as_played() -> None:
    evening = Evening()
    evening.play_first_round()
    boards = evening.session.get_group_boards(evening.sitting(1, 2).board_group)
    result = Result.objects.get(board=boards[0])
    scoring.services.make_ruling(
        kind="average", result=result, reason="fouled", by=evening.user
    )
    reported = evening.play(1, 2)[-1]["others"]
    assert [board["board"] for board in reported["boards"]] == [boards[1]]


def test_other_results_are_those_of_tables_with_the_same_deal() -> None:
    evening = Evening()
    Terms.objects.update(totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT)
    evening.play_first_round()
    board, _second = evening.session.get_group_boards(evening.sitting(1, 2).board_group)
    [first] = Result.objects.filter(board=board)
    round_two_sitting = evening.sitting(1, 2)
    scoring.services.make_ruling(
        kind="new_deal",
        sitting=round_two_sitting,
        board_number=board,
        law="IV.10",
        by=evening.user,
    )
    evening.send(1, 2, board, act="enter", value=7)
    answer = evening.send(1, 2, board, act="confirm", seen=7)
    assert "others" not in answer  # the earlier result is void
    sitting = Sitting.objects.exclude(pk__in=[round_two_sitting.pk, first.sitting_id]).get(
        section__session=evening.session, board_group=round_two_sitting.board_group
    )
    assert sitting.round == 3
    evening.play(sitting.table, 2)
    evening.send(sitting.table, sitting.round, board, act="enter", value=9)
    response = evening.send(sitting.table, sitting.round, board, act="confirm", seen=9)[
        "others"
    ]
    assert [(board["board"], board["others"]) for board in response["boards"]] == [(board, [7])]


@pytest.mark.parametrize("ruling_kind", ["average", "noted"])
@pytest.mark.parametrize("is_withdrawn", [True, False])
def test_played_result_is_hidden_only_if_a_ruling_in_effect_changes_it(
    ruling_kind: str, is_withdrawn: bool
) -> None:
    evening = Evening()
    Terms.objects.update(totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT)
    evening.play_first_round()
    board, _second = evening.session.get_group_boards(evening.sitting(1, 2).board_group)
    result = Result.objects.get(board=board)
    ruling = scoring.services.make_ruling(
        kind=ruling_kind, result=result, reason="so", by=evening.user
    )
    if is_withdrawn:
        scoring.services.withdraw_ruling(ruling=ruling, by=evening.user)
    evening.send(1, 2, board, act="enter", value=7)
    response = evening.send(1, 2, board, act="confirm", seen=7)
    assert ("others" in response) == (is_withdrawn or ruling_kind == "noted")
