"""If deals are overplayed from memory no change may remove the overplays."""

import pytest
from django.test import Client

from scoring.services import record_actual_board
from scoring.session_snapshot import SessionSnapshot
from tests.scoring.papers.test_two_plays import play_contest, play_four_individuals
from tournaments.errors import ActionUnavailable
from tournaments.models import Sitting
from tournaments.movements import UnplayableMovement, build_named_movement
from tournaments.movements.changes import ExchangedPlaces, TurnedTable, list_continuations
from tournaments.seating_snapshot import load_movement

pytestmark = pytest.mark.django_db


def create_memory_session() -> SessionSnapshot:
    """Create a session of two pairs who have played their originals."""
    return play_contest(
        "memory",
        [2, 2],
        build_named_movement("memory", pairs=2, rounds=4),
        missing_result_count=4,
    )


@pytest.mark.parametrize(
    "create_overplay_session", [create_memory_session, play_four_individuals]
)
def test_change_page_of_an_overplay_says_that_nothing_can_be_changed(
    client: Client, create_overplay_session
) -> None:
    event = create_overplay_session().session.event
    client.force_login(event.club.memberships.get().user)
    page = client.get(f"/director/events/{event.slug}/change/").content.decode()
    assert "so the seats can’t be changed" in page
    assert 'name="kind"' not in page


@pytest.mark.parametrize("change", [TurnedTable(1, 1, 2), ExchangedPlaces(1, 2, 1, 2)])
def test_changes_keep_the_overplays_of_four_individuals(
    change: TurnedTable | ExchangedPlaces,
) -> None:
    section = play_four_individuals().sections[0]
    with pytest.raises(UnplayableMovement, match="replay every deal"):
        list_continuations(load_movement(section), 2, change)


def test_boards_of_four_individuals_cannot_come_from_another_set() -> None:
    sitting = Sitting.objects.get(pk=play_four_individuals().tables[0].sitting_id)
    with pytest.raises(ActionUnavailable, match="every deal from memory"):
        record_actual_board(sitting=sitting, board=1, really=3, by=None)
