"""Combined sessions: which entries are ranked together, and the seats that fix the sides."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import evenings
from tournaments.models import Entry, Session
from tournaments.movements import build_named_movement
from tournaments.ranking_fields import (
    EntrySeat,
    choose_side_with_missing_pair,
    load_earlier_sides,
    map_entries_to_ranking_fields,
)
from tournaments.services import add_session, arrange_entries, assign_seats, seat_section
from tournaments.sheets.ranking_notice import format_ranking_notice

SEATS = st.lists(
    st.builds(
        EntrySeat,
        st.integers(1, 9),
        st.integers(1, 3),
        st.sampled_from("AB"),
        st.sampled_from(["NS", "EW", ""]),
    ),
    unique_by=lambda row: (row.entry_pk, row.session_number),
)


@given(SEATS, st.booleans())
def test_section_is_ranked_by_side_or_as_one_field(
    seats: list[EntrySeat], across: bool
) -> None:
    rows = sorted(seats, key=lambda row: (row.session_number, row.section_letter))
    fields = map_entries_to_ranking_fields(rows, is_ranked_across_sections=across)
    assert set(fields) == {row.entry_pk for row in rows}
    seat_sides_by_entry = {
        entry: {row.side for row in rows if row.entry_pk == entry} for entry in fields
    }
    for section in {section for section, _side in fields.values()}:
        sides_by_entry = {
            entry: side for entry, (field, side) in fields.items() if field == section
        }
        if "" in sides_by_entry.values():
            assert set(sides_by_entry.values()) == {""}
            assert any(
                seat_sides_by_entry[entry] not in ({"NS"}, {"EW"}) for entry in sides_by_entry
            )
        else:
            assert all(
                seat_sides_by_entry[entry] == {side} for entry, side in sides_by_entry.items()
            )
    if across:
        assert {section for section, _side in fields.values()} <= {""}


def test_entry_of_later_section_is_ranked_with_all_earlier_entries() -> None:
    first_entry_seats = [EntrySeat(1, 1, "A", "NS"), EntrySeat(2, 1, "A", "EW")]
    assert map_entries_to_ranking_fields([*first_entry_seats, EntrySeat(3, 2, "B", "NS")])[
        3
    ] == (
        "A",
        "NS",
    )
    two_section_seats = [
        *first_entry_seats,
        EntrySeat(4, 1, "B", "NS"),
        EntrySeat(5, 1, "B", "EW"),
    ]
    fields = map_entries_to_ranking_fields([*two_section_seats, EntrySeat(3, 2, "C", "EW")])
    assert {section for section, _side in fields.values()} == {""}
    assert fields[3] == ("", "EW")


SYSTEM_CASES = [
    *[("compass", 13), ("compass", 14), ("compass-rover", 15)],
    *product(["compass-skip", "compass-relay"], [15, 16]),
]


@pytest.mark.parametrize(("system_name", "pairs"), SYSTEM_CASES)
@pytest.mark.parametrize("how", ["list", "random", "fair"])
def test_entries_keep_their_sides_if_positions_allow(
    system_name: str, how: str, pairs: int
) -> None:
    movement = build_named_movement(system_name, pairs=pairs)
    room = {
        side: sum(movement.get_field_name(p) == side for p in movement.occupied_places)
        for side in _SIDES
    }
    entries = [Entry(pk=100 + number, number=number) for number in range(1, pairs + 1)]
    for ns, new_entry_count in product((5, 6, 7, 8, 9), (0, 1, 3)):
        ordered_entries = [entries[(7 * number) % pairs] for number in range(pairs)]
        known_entries = ordered_entries[new_entry_count:]
        sides = {
            item.pk: "NS" if index < ns else "EW" for index, item in enumerate(known_entries)
        }
        entries_by_place = arrange_entries(
            movement, entries, method=how, seed="s", sides_by_entry=sides
        )
        stored_entries = [
            entry
            for place, entry in entries_by_place.items()
            if movement.get_field_name(place) == sides.get(entry.pk)
        ]
        entry_counts_by_side = {side: list(sides.values()).count(side) for side in _SIDES}
        assert len(stored_entries) == sum(
            min(room[side], entry_counts_by_side[side]) for side in _SIDES
        )
        assert {entry.pk for entry in entries_by_place.values()} == {
            entry.pk for entry in entries
        }


def test_entry_changes_sides_if_needed_for_stationary_seat() -> None:
    movement = build_named_movement("compass", pairs=6)
    entries = [
        Entry(pk=number, number=number, stays_seated=number in (5, 6)) for number in range(1, 7)
    ]
    sides = {1: "EW", 2: "EW", 3: "EW", 4: "NS", 5: "NS", 6: "EW"}
    seated = arrange_entries(movement, entries, sides_by_entry=sides)
    side_by_entry_number = {
        entry.number: movement.get_field_name(place) for place, entry in seated.items()
    }
    assert side_by_entry_number == {1: "EW", 2: "EW", 3: "EW", 4: "NS", 5: "NS", 6: "NS"}


def test_missing_side_is_chosen_so_that_most_pairs_keep_their_side() -> None:
    assert choose_side_with_missing_pair({1: "NS", 2: "NS", 3: "EW"}) == "EW"
    assert choose_side_with_missing_pair({1: "NS", 2: "EW", 3: "EW"}) == "NS"
    assert choose_side_with_missing_pair({1: "NS", 2: "EW"}) == ""


@pytest.mark.django_db
def test_notice_explains_why_session_gives_one_ranking() -> None:
    session, user = evenings.play_session(6)
    second_session = add_session(event=session.event, by=user)
    for name, options, arguments in (
        ("compass", {}, ""),
        ("compass", {"one_winner": True}, "This movement has one winner"),
        ("howell", {}, "This movement has one winner"),
    ):
        movement = build_named_movement(name, pairs=6, **options)
        seat_section(session=second_session, movement=movement, boards_a_round=2, by=user)
        notice = format_ranking_notice(second_session)
        assert arguments in notice if arguments else not notice
    section = seat_section(
        session=second_session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=2,
        by=user,
    )
    assert len(load_earlier_sides(second_session)) == 6
    entries_by_place = {
        place.number: place.entry for place in section.places.select_related("entry")
    }
    entries_by_place[1], entries_by_place[4] = entries_by_place[4], entries_by_place[1]
    assign_seats(section=section, entries_by_place=entries_by_place, by=user)
    names = [str(entries_by_place[place]) for place in (4, 1)]
    assert format_ranking_notice(second_session) == (
        f"N-S and E-W are ranked together because {names[0]}, {names[1]} swap sides."
    )
    assert format_ranking_notice(Session.objects.get(pk=session.pk)) == ""


_SIDES = ("NS", "EW")
