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
from tournaments.movements import SYSTEMS_BY_NAME, Contest, Movement, UnplayableMovement, build

SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 12, 13)
MINIMUM_SIZES = {"rainbow": (20,), "evening-individual": (16, 18)}  # players: the smallest
SIDE_NAMES = {"N-S": "North-South", "E-W": "East-West"}
Goal = tuple[int, str]  # nothing at a sit-out

_WAYS = (
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
        for size in MINIMUM_SIZES.get(system.name, SIZES):
            for absent in ((), (2,)) if size in (5, 8, 9, 20) else ((),):
                try:
                    movement = build(system.name, absent=absent, **{str(system.unit): size})
                except (UnplayableMovement, ValueError):
                    continue
                movements.append(movement)
    return movements


def seat_unsaved(movement: Movement) -> tuple[rooms.SessionSnapshot, SectionSittings]:
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
    for key, meeting in enumerate(movement.meetings):
        by_round[meeting.round].append(
            Sitting(
                pk=key,
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


def read_seats(movement: Movement, number: int) -> dict[int, Goal]:
    """Return each place's table and side or chair in a round of the schedule."""
    single = movement.contest is Contest.INDIVIDUAL
    names = ("North", "East", "South", "West") if single else ("N-S", "E-W", "N-S", "E-W")
    return {
        place: (meeting.table, seat)
        for meeting in movement.list_round_meetings(number)
        for place, seat in zip(
            (meeting.north, meeting.east, meeting.south, meeting.west), names, strict=True
        )
        if place not in movement.absent_places
    }


def read_next_seats(movement: Movement, number: int) -> dict[Goal, Goal]:
    """Return where the player in each seat of a round sits in the next one."""
    seats, there = read_seats(movement, number), read_seats(movement, number + 1)
    return {seat: there.get(place, (0, "")) for place, seat in seats.items()}


def parse_moves(texts: list[str], table: int) -> dict[str, Goal]:
    """Parse the moves from a card's text, by who moves."""
    goals = {}
    for text in texts:
        for way, plays in _WAYS:
            match = re.fullmatch(way, text)
            if match:
                message = match.groupdict()
                goal = (int(message.get("table", table)), message.get("seat", message["who"]))
                goals[message["who"]] = goal if plays else (0, "")
                break
    return goals


def test_every_catalogue_movement_is_tested() -> None:
    assert {movement.name for movement in list_movements()} == set(SYSTEMS_BY_NAME)


@pytest.mark.slow
@pytest.mark.parametrize("movement", list_movements(), ids=lambda movement: movement.title)
def test_guide_card_and_phone_show_the_seats_of_the_schedule(
    movement: Movement,
) -> None:
    actual, seating = seat_unsaved(movement)
    for (_, number), tables in actual.rounds_by_table.items():
        moves = parse_moves(describe_moves(actual, tables), number)
        for table in tables:
            if table.round == movement.round_count:
                assert describe_table_moves(actual, table, seating) == []
                continue
            expected = {
                seat: goal
                for (here, seat), goal in read_next_seats(movement, table.round).items()
                if here == number
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
    movement: Movement, number: int, table: int, goals: dict[str, Goal]
) -> list[str]:
    """Return the expected text about the people at a table, in the order of the seats."""
    labels_by_seat = {
        seat: movement.labels[place - 1] for place, seat in read_seats(movement, number).items()
    }
    lines = []
    for seat in ("N-S", "North", "East", "E-W", "South", "West"):
        if seat not in goals:
            continue
        single, (goal, new) = seat not in SIDE_NAMES, goals[seat]
        name = f"{seat} ({labels_by_seat[table, seat]})" if single else SIDE_NAMES[seat]
        s = "s" if single else ""
        if movement.allows_replays and number == movement.round_count // 2:
            name += " is" if single else " are"
            lines.append(f"Arrow switch: {name} now {SIDE_NAMES.get(new, new)}.")
        elif not goal:
            lines.append(f"{name} sit{s} out.")
        elif (goal, new) == (table, seat):
            lines.append(f"{name} stay{s} here.")
        elif goal == table:
            chairs = f"stay{s} at this table and sit{s}"
            lines.append(f"{name} {chairs} {SIDE_NAMES.get(new, new)}.")
        else:
            lines.append(f"{name} move{s} to table {goal}, {SIDE_NAMES.get(new, new)}.")
    return lines


@pytest.mark.parametrize("players", [8, 9, 12, 13, 16])
def test_board_is_not_done_while_other_tables_still_play_it(players: int) -> None:
    movement = build("whist-individual", players=players)
    actual, seating = seat_unsaved(movement)
    for table in actual.tables:
        moves_text = describe_table_moves(actual, table, seating)
        if table.round == movement.round_count or not table.is_played:
            continue
        sharing = [
            meeting.table
            for meeting in movement.list_round_meetings(table.round)
            if meeting.board_group == table.board_group and meeting.table != table.table_number
        ]
        moves_texts = [text for text in moves_text if "too. Pass each on" in text]
        assert len(moves_texts) == bool(sharing)
        assert all(str(other) in moves_texts[0] for other in sharing)
        done = "Give the boards to the director." in moves_text
        assert not (done and sharing)


def test_individual_move_texts_direct_each_of_twelve_players_separately() -> None:
    movement = build("whist-individual", players=12)
    actual, _ = seat_unsaved(movement)
    moves_text = describe_moves(actual, actual.rounds_by_table["A", 1])
    assert [text.split()[0] for text in moves_text] == [
        "North",
        "East",
        "South",
        "West",
        "Collect",
    ]


def test_boards_waiting_at_an_idle_table_are_announced() -> None:
    movement = build("compass", pairs=9)
    actual, _ = seat_unsaved(movement)
    idle = [
        list_round_notes(actual, table)[0] for table in actual.tables if not table.is_played
    ]
    assert len(idle) == 5
    assert all(re.fullmatch(r"sit-out \(leave boards \d+–\d+ here\)", text) for text in idle)


@pytest.mark.parametrize(("name", "size"), [("rainbow", 20), ("whist-individual", 12)])
def test_clock_refers_individual_players_to_their_guide_cards(name: str, size: int) -> None:
    movement = build(name, **{str(SYSTEMS_BY_NAME[name].unit): size})
    actual, _ = seat_unsaved(movement)
    for number in range(1, movement.round_count):
        assert describe_section_moves(actual, actual.sections[0], number) == [
            "Follow the guide card on the table."
        ]
