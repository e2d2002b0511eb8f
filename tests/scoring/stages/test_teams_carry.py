"""A team's boards are scored alike in the qualifying session and in the final."""

from fractions import Fraction

import pytest

import scoring.services
import tournaments.services
from scoring.models import Final, Standing
from scoring.standings_engine.carry_over import compute_carry_overs
from tests.scoring.papers.test_two_plays import play_teams
from tournaments.movements import build_named_movement
from tournaments.services.seats import arrange_entries
from tournaments.stages.rules import CarryOverKind, StageRules

pytestmark = pytest.mark.django_db


def test_team_boards_count_in_final_as_in_qualifying() -> None:
    event = play_teams().session.event
    scoring.services.close_session(session=event.sessions.get(), by=None)
    rule = StageRules(
        (("A", 2), ("B", None)), carry_over_kind=CarryOverKind.SHARE, share=Fraction(1, 2)
    )
    scoring.services.set_stage_rules(event=event, stage_rules=rule, by=None)
    scoring.services.draw_finals(event=event, by=None)
    final = Final.objects.filter(stage__event=event).order_by("pk").first().event
    movement = build_named_movement("league-fours", teams=2)
    tournaments.services.seat_section(
        session=final.sessions.get(),
        movement=movement,
        entries_by_place=arrange_entries(movement, list(final.entries.order_by("number"))),
        boards_a_round=2,
        by=None,
    )
    board_counts = Standing.objects.filter(ranking__event=event).values_list(
        "boards", flat=True
    )
    assert set(board_counts) == {4 * 2 * 2}  # rounds, boards, tables
    for carry_over in compute_carry_overs(final).values():
        assert (carry_over.qualifying_board_count, carry_over.final_board_count) == (
            16,
            6 * 2 * 2,
        )
        assert carry_over.carried_tricks == carry_over.qualifying_tricks / 2 / 16 * 24
