"""The guide card and the phone send everyone where the schedule seats them next."""

import re
from collections import defaultdict

import pytest

from hall.phones.table_moves import SectionSittings, describe_table_moves
from hall.room.clock import describe_section_moves
from scoring import session_snapshot as rooms
from scoring.seated_sides import SeatedSide, build_side
from scoring.sheets.next_moves import describe_moves, list_round_notes
from tournaments.models import Entry, Place, Section, Session, Sitting
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Contest,
    Movement,
    UnplayableMovement,
    build_named_movement,
)

SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 12, 13)
SIZES_BY_MOVEMENT = {"rainbow": (20,), "evening-individual": (16, 18)}  # players: the smallest
SIDE_NAMES = {"N-S": "North-South", "E-W": "East-West"}
TableSeat = tuple[int, str]  # nothing at a sit-out

_MOVE_PATTERNS = (
    (r"(?P<who>\S+) moves? to table (?P<table>\d+), (?P<seat>\S+)\.", True),
    (r"(?P<who>\S+) stays? and sits? (?P<seat>\S+)\.", True),
    (r"(?P<who>\S+) stays? here\.", True),
    (r"(?P<who>\S+) sits? out the next round\.", False),
    (r"then (?P<who>\S+) to table (?P<table>\d+) (?P<seat>\S+)", True),
    (r"then (?P<who>\S+) still here", True),
    (r"then a sit-out for (?P<who>\S+)", False),
)


def list_movements() -> list[Movement]:
    """Yield every movement of the catalogue at its small sizes, some with an empty place."""
    movements = []
    for system in SYSTEMS_BY_NAME.values():
        for size in SIZES_BY_MOVEMENT.get(system.name, SIZES):
            for absent_places in ((), (2,)) if size in (5, 8, 9, 20) else ((),):
                try:
                    movement = build_named_movement(
                        system.name, absent=absent_places, **{str(system.unit): size}
                    )
                except (UnplayableMovement, ValueError):
                    continue
                movements.append(movement)
    return movements


def build_unsaved_seating(movement: Movement) -> tuple[rooms.SessionSnapshot, SectionSittings]:
    """Seat a movement with unsaved rows."""
    session = Session(pk=1, boards_a_round=2)
    section = Section(
        pk=1, letter="A", rounds=movement.round_count, tables=movement.table_count
    )
    places = [
        Place(
            pk=number,
            section=section,
            label=label,
            entry=None
            if number in movement.absent_places
            else Entry(pk=number, number=number, name=f"Player {number}"),
        )
        for number, label in enumerate(movement.labels, start=1)
    ]
    by_round: dict[int, list[Sitting]] = defaultdict(list)
    for sitting_id, meeting in enumerate(movement.meetings):
        by_round[meeting.round].append(
            Sitting(
                pk=sitting_id,
                section=section,
                round=meeting.round,
                table=meeting.table,
                board_group=meeting.board_group,
                north_id=meeting.north,
                east_id=meeting.east,
                south_id=meeting.south,
                west_id=meeting.west,
            )
        )
    by_id = {place.pk: place for place in places}

    def build_table_side(one: int, other: int, line_up: str | None) -> SeatedSide:
        return build_side([by_id[pk] for pk in dict.fromkeys((one, other))], False, line_up)

    session_snapshot = rooms.SessionSnapshot(session, [section], [], places, results_by_play={})
    session_snapshot.tables = [
        rooms._build_table(session_snapshot, row, build_table_side, {})
        for rows in by_round.values()
        for row in rows
    ]
    return session_snapshot, SectionSittings(by_round, movement.absent_places)


def read_seats(movement: Movement, number: int) -> dict[int, TableSeat]:
    """Return each place's table and side or chair in a round of the schedule."""
    is_individual = movement.contest is Contest.INDIVIDUAL
    names = (
        ("North", "East", "South", "West") if is_individual else ("N-S", "E-W", "N-S", "E-W")
    )
    return {
        place: (meeting.table, seat)
        for meeting in movement.list_round_meetings(number)
        for place, seat in zip(
            (meeting.north, meeting.east, meeting.south, meeting.west), names, strict=True
        )
        if place not in movement.absent_places
    }


def read_next_seats(movement: Movement, number: int) -> dict[TableSeat, TableSeat]:
    """Return where the player in each seat of a round sits in the next one."""
    seats, next_seats = read_seats(movement, number), read_seats(movement, number + 1)
    return {seat: next_seats.get(place, (0, "")) for place, seat in seats.items()}


def parse_moves(texts: list[str], table: int) -> dict[str, TableSeat]:
    """Parse the moves from a card's text, by who moves."""
    next_seats_by_mover = {}
    for text in texts:
        for pattern, plays in _MOVE_PATTERNS:
            match = re.fullmatch(pattern, text)
            if match:
                message = match.groupdict()
                next_seat = (
                    int(message.get("table", table)),
                    message.get("seat", message["who"]),
                )
                next_seats_by_mover[message["who"]] = next_seat if plays else (0, "")
                break
    return next_seats_by_mover


def test_every_catalogue_movement_is_tested() -> None:
    assert {movement.name for movement in list_movements()} == set(SYSTEMS_BY_NAME)


@pytest.mark.slow
@pytest.mark.parametrize("movement", list_movements(), ids=lambda movement: movement.title)
def test_guide_card_and_phone_show_the_seats_of_the_schedule(
    movement: Movement,
) -> None:
    actual, seating = build_unsaved_seating(movement)
    for (_, number), tables in actual.rounds_by_table.items():
        moves = parse_moves(describe_moves(actual, tables), number)
        for table in tables:
            if table.round == movement.round_count:
                assert describe_table_moves(actual, table, seating) == []
                continue
            expected = {
                seat: goal
                for (seat_table, seat), goal in read_next_seats(movement, table.round).items()
                if seat_table == number
            }
            card = moves | parse_moves(list_round_notes(actual, table), number)
            assert {seat: card.get(seat) for seat in expected} == expected
            people = [
                text
                for text in describe_table_moves(actual, table, seating)
                if not re.search("boards .*[.:]", text)
            ]
            assert people == build_phone_texts(movement, table.round, number, expected)


def build_phone_texts(
    movement: Movement, number: int, table: int, goals: dict[str, TableSeat]
) -> list[str]:
    """Return the expected text about the people at a table, in the order of the seats."""
    labels_by_seat = {
        seat: movement.labels[place - 1] for place, seat in read_seats(movement, number).items()
    }
    lines = []
    for seat in ("N-S", "North", "East", "E-W", "South", "West"):
        if seat not in goals:
            continue
        single, (goal, new_seat) = seat not in SIDE_NAMES, goals[seat]
        subject = f"{seat} ({labels_by_seat[table, seat]})" if single else SIDE_NAMES[seat]
        s = "s" if single else ""
        if movement.allows_replays and number == movement.round_count // 2:
            subject += " is" if single else " are"
            lines.append(f"Arrow switch: {subject} now {SIDE_NAMES.get(new_seat, new_seat)}.")
        elif not goal:
            lines.append(f"{subject} sit{s} out.")
        elif (goal, new_seat) == (table, seat):
            lines.append(f"{subject} stay{s} here.")
        elif goal == table:
            stay_text = f"stay{s} at this table and sit{s}"
            lines.append(f"{subject} {stay_text} {SIDE_NAMES.get(new_seat, new_seat)}.")
        else:
            lines.append(
                f"{subject} move{s} to table {goal}, {SIDE_NAMES.get(new_seat, new_seat)}."
            )
    return lines


@pytest.mark.parametrize("players", [8, 9, 12, 13, 16])
def test_board_is_not_done_while_other_tables_still_play_it(players: int) -> None:
    movement = build_named_movement("whist-individual", players=players)
    actual, seating = build_unsaved_seating(movement)
    for table in actual.tables:
        moves_text = describe_table_moves(actual, table, seating)
        if table.round == movement.round_count or not table.is_played:
            continue
        sharing_tables = [
            meeting.table
            for meeting in movement.list_round_meetings(table.round)
            if meeting.board_group == table.board_group and meeting.table != table.table_number
        ]
        pass_on_texts = [text for text in moves_text if "too. Pass each on" in text]
        assert len(pass_on_texts) == bool(sharing_tables)
        assert all(str(other) in pass_on_texts[0] for other in sharing_tables)
        are_boards_done = "Give the boards to the director." in moves_text
        assert not (are_boards_done and sharing_tables)


def test_individual_move_texts_name_each_seat_separately() -> None:
    movement = build_named_movement("whist-individual", players=12)
    actual, _ = build_unsaved_seating(movement)
    moves_text = describe_moves(actual, actual.rounds_by_table["A", 1])
    assert [text.split()[0] for text in moves_text] == [
        "North",
        "East",
        "South",
        "West",
        "Collect",
    ]


def test_boards_waiting_at_an_idle_table_are_announced() -> None:
    movement = build_named_movement("compass", pairs=9)
    actual, _ = build_unsaved_seating(movement)
    idle_table_notes = [
        list_round_notes(actual, table)[0] for table in actual.tables if not table.is_played
    ]
    assert len(idle_table_notes) == 5
    assert all(
        re.fullmatch(r"sit-out \(leave boards \d+–\d+ here\)", text)
        for text in idle_table_notes
    )


@pytest.mark.parametrize(("name", "size"), [("rainbow", 20), ("whist-individual", 12)])
def test_clock_refers_individual_players_to_their_guide_cards(name: str, size: int) -> None:
    movement = build_named_movement(name, **{str(SYSTEMS_BY_NAME[name].unit): size})
    actual, _ = build_unsaved_seating(movement)
    for number in range(1, movement.round_count):
        assert describe_section_moves(actual, actual.sections[0], number) == [
            "Follow the guide card on the table."
        ]
