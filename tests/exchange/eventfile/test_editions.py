"""A better schedule in a later release never changes an event played before."""

import pytest

from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from exchange.eventfile.sections import build_movement
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.hall_papers import build_announcements
from scoring.sheets.next_moves import describe_moves, list_round_notes
from tests import evenings
from tournaments.models import Event
from tournaments.movements import build_named_movement, rebuild_movement
from tournaments.seating_snapshot import load_movement

pytestmark = pytest.mark.django_db

IMPROVED_SCHEDULES = [
    ("reduced-howell", 16, {"rounds": 14}),
    ("howell", 13, {}),
    ("compass-hesitation", 14, {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pairs", "options"), IMPROVED_SCHEDULES)
@pytest.mark.parametrize("edition", [1, 2])
def test_session_keeps_the_schedule_edition_it_was_seated_with(
    name: str, pairs: int, options: dict[str, int], edition: int
) -> None:
    session, _user = evenings.seat_session(pairs, movement=name, edition=edition, **options)
    section = session.sections.get()
    expected = build_named_movement(name, pairs=pairs, edition=edition, **options)
    assert section.options == ({"edition": 2} if edition == 2 else {})
    assert load_movement(section).meetings == expected.meetings
    event = export_event(session.event, should_include_deals=False)
    movement = event["sessions"][0]["sections"][0]["movement"]
    assert (movement["name"], movement.get("edition", 1)) == (name, edition)
    repeated_event = import_event(document=event, by=None)
    assert isinstance(repeated_event, Event)
    stored_section = repeated_event.sessions.get().sections.get()
    assert load_movement(stored_section).meetings == expected.meetings
    assert export_event(repeated_event, should_include_deals=False) == event


def test_file_of_an_earlier_release_is_read_with_its_schedule() -> None:
    movement_data = {"name": "reduced-howell", "tables": 8, "rounds": 14, "boards_a_round": 2}
    first_movement = rebuild_movement("reduced-howell", tables=8, rounds=14)
    assert build_movement(movement_data, "pairs").meetings == first_movement.meetings
    newest_movement = build_movement(movement_data | {"edition": 2}, "pairs")
    assert (
        newest_movement.meetings
        == build_named_movement("reduced-howell", tables=8, rounds=14).meetings
    )
    assert newest_movement.meetings != first_movement.meetings


@pytest.mark.slow
def test_cards_of_a_web_movement_name_the_copy_and_its_next_table() -> None:
    session, _user = evenings.seat_session(16, movement="web", rounds=5)
    snapshot = load_session_snapshot(session)
    tables = snapshot.rounds_by_table["A", 1]
    assert "This table plays copy A of the boards." in describe_moves(snapshot, tables)
    round_notes = list_round_notes(snapshot, tables[0])
    assert "the boards wait until round 3, table 4" in round_notes
    assert not any(
        "share" in note
        for table in snapshot.tables
        for note in list_round_notes(snapshot, table)
    )
    second = snapshot.rounds_by_table["A", 2]
    assert "The boards go to table 1." in describe_moves(snapshot, second)
    (announcement,) = build_announcements(snapshot)
    assert any("Tables 5–8 use copy B" in line for line in announcement.paragraphs)
    assert export_event(session.event, should_include_deals=False)["sessions"][0]["sections"][
        0
    ]["movement"] == {"name": "web", "tables": 8, "rounds": 5, "boards_a_round": 2}
