"""No two slips send players to the same chair: tested over the whole catalogue."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from django.db.models import prefetch_related_objects

from scoring.papers import door_list
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.papers import build_score_slips
from scoring.sheets.values import ScoreSlip
from tests.factories import SessionFactory
from tests.scoring.papers import reading
from tournaments.models import Entry, Place, Section, Session
from tournaments.movements import Contest, Movement, build_named_movement
from tournaments.movements.systems.catalogue import SYSTEMS
from tournaments.movements.systems.system import MovementSystem, SizeUnit

MAX_MOVEMENT_SIZE = 20


def list_movements(system: MovementSystem) -> Iterator[Movement]:
    """Yield a system at its sizes up to twenty, with a half table where it can have one."""
    for size in filter(system.fits_size, range(1, MAX_MOVEMENT_SIZE + 1)):
        if system.extra_pair_count:
            yield build_named_movement(system.name, pairs=2 * size + system.extra_pair_count)
            continue
        yield build_named_movement(system.name, **{system.unit.value: size})
        pairs = 2 * size if system.unit is SizeUnit.TABLES else size
        if system.contest is Contest.PAIRS and pairs > 4:
            yield build_named_movement(system.name, pairs=pairs - 1)


@pytest.fixture
def session(db: None) -> Session:
    """Return a session whose event has its sessions prefetched."""
    session = SessionFactory.create(boards_a_round=1)
    prefetch_related_objects([session.event], "sessions")
    return session


def seat_unsaved(movement: Movement, session: Session) -> SessionSnapshot:
    """Seat a session by a movement, with unsaved rows."""
    session.event.contest = movement.contest
    section = Section(pk=1, session=session, letter="A", movement=movement.name)
    places = [
        Place(
            pk=place_number,
            section=section,
            number=place_number,
            label=label,
            entry=None
            if place_number in movement.absent_places
            else Entry(number=place_number, name=f"Who {place_number}"),
        )
        for place_number, label in enumerate(movement.labels, start=1)
    ]

    def build_side(chair: tuple[int, ...]) -> SeatedSide:
        seats = chair if movement.contest is Contest.INDIVIDUAL else chair[:1]
        entries = () if movement.absent_places.intersection(seats) else seats
        labels = " & ".join(movement.labels[place - 1] for place in seats)
        return SeatedSide(entries, seats, labels, labels, "")

    tables = [
        SeatedTable(
            sitting_id=index,
            section="A",
            round=meeting.round,
            table_number=meeting.table,
            label=str(meeting.table),
            board_group=meeting.board_group,
            boards=range(meeting.board_group, meeting.board_group + 1),
            ns=build_side((meeting.north, meeting.south)),
            ew=build_side((meeting.east, meeting.west)),
        )
        for index, meeting in enumerate(movement.meetings)
    ]
    return SessionSnapshot(session, [section], tables, places, results_by_play={})


def parse_slip(slip: ScoreSlip) -> tuple[int, str]:
    """Return the round and the chair on a slip, as its holder reads it."""
    rests = re.match(r"sits out rounds? (?:1–)?(\d+), then (.*)", slip.start_text)
    return (int(rests[1]) + 1, rests[2]) if rests else (1, slip.start_text)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: str(system.name))
def test_no_two_slips_name_the_same_chair_in_the_same_round(
    system: MovementSystem, session: Session
) -> None:
    has_movement = False
    for movement in list_movements(system):
        has_movement = True
        slips = build_score_slips(seat_unsaved(movement, session))
        assert len(slips) == len(movement.occupied_places)
        assert max(Counter(parse_slip(slip) for slip in slips).values()) == 1
        for place, slip in zip(movement.occupied_places, slips, strict=True):
            plays = [meeting for meeting in movement.played_meetings if place in meeting.places]
            assert parse_slip(slip)[0] == plays[0].round
            assert parse_slip(slip)[1].startswith(f"table {plays[0].table}, ")
    assert has_movement


def test_door_list_tells_the_rover_to_sit_out_round_one(session: Session) -> None:
    slips = build_score_slips(
        seat_unsaved(build_named_movement("compass-rover", pairs=15), session)
    )
    rover = next(slip for slip in slips if slip.label == "8 N-S")
    assert rover.start_text == "sits out round 1, then table 2, N-S"
    text = " ".join(reading.read_texts(door_list.draw_pdf(slips)))
    assert "sits out round 1, then table 2, N-S" in text


def test_slip_of_an_entry_that_never_plays_says_it_sits_out(session: Session) -> None:
    snapshot = seat_unsaved(build_named_movement("compass", tables=3), session)
    snapshot.tables = [table for table in snapshot.tables if 1 not in table.ns.places]
    assert build_score_slips(snapshot)[0].start_text == "sits out all rounds"
