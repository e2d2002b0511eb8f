"""Test which boards are compared for personal statistics and for grades."""

import pytest

import scoring.services
import tournaments.services
from scoring.session_snapshot import load_session_snapshot
from seasons.grades.compared_boards import compute_entry_boards, iter_plays_by_board
from tests import evenings
from tournaments.models import Sitting
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_ranked_across_sections", [True, False])
def test_ruled_board_is_excluded_from_grades_but_not_from_personal_stats(
    is_ranked_across_sections: bool,
) -> None:
    event, user = evenings.create_event(12)
    entries = list(event.entries.order_by("number"))
    tournaments.services.seat_sections(
        session=event.sessions.get(),
        planned_sections=[
            tournaments.services.PlannedSection(
                build_named_movement("compass", pairs=6), {}, own_entry
            )
            for own_entry in (entries[:6], entries[6:])
        ],
        boards_a_round=2,
        is_ranked_across_sections=is_ranked_across_sections,
        by=user,
    )
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    plays = [
        (table.sitting_id, board, str((board + table.table_number) % 14))
        for table in load_session_snapshot(session).tables
        for board in table.boards
    ]
    evenings.enter_all_results(plays, user)
    sitting = Sitting.objects.get(section__letter="A", round=1, table=1)
    scoring.services.make_ruling(kind="average", sitting=sitting, board_number=1, by=user)
    graded_board_counts = dict.fromkeys((entry.pk for entry in entries), 0)
    for _event, board in iter_plays_by_board([event.pk]):
        for play in board:
            for entry in {play.north_entry_pk, play.east_entry_pk} - {None}:
                graded_board_counts[entry] += 1
    for entry in entries:
        assert len(compute_entry_boards(event)[entry.pk]) == 6
        assert (
            graded_board_counts[entry.pk] == 5
            if is_ranked_across_sections or entry.number <= 6
            else 6
        )
    ruled_entry = sitting.north.entry
    assert ruled_entry is not None
    assert 0 in [item.tricks_above for item in compute_entry_boards(event)[ruled_entry.pk]]
