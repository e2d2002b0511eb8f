"""Combined sessions: which entries are ranked together, and the seats that fix the sides."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import evenings
from tournaments.models import Entry, Session
from tournaments.movements import build
from tournaments.ranking_fields import (
    EntrySeat,
    choose_missing_side,
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
def test_section_has_two_fields_by_side_or_one_field(
    seats: list[EntrySeat], across: bool
) -> None:
    rows = sorted(seats, key=lambda row: (row.session_number, row.section_letter))
    fields = map_entries_to_ranking_fields(rows, is_ranked_across_sections=across)
    assert set(fields) == {row.entry_pk for row in rows}
    sides_of = {entry: {row.side for row in rows if row.entry_pk == entry} for entry in fields}
    for section in {section for section, _side in fields.values()}:
        sides_by_entry = {
            entry: side for entry, (field, side) in fields.items() if field == section
        }
        if "" in sides_by_entry.values():
            assert set(sides_by_entry.values()) == {""}
            assert any(sides_of[entry] not in ({"NS"}, {"EW"}) for entry in sides_by_entry)
        else:
            assert all(sides_of[entry] == {side} for entry, side in sides_by_entry.items())
    if across:
        assert {section for section, _side in fields.values()} <= {""}


def test_entry_of_section_added_after_first_session_is_ranked_with_all() -> None:
    first_entry_seats = [EntrySeat(1, 1, "A", "NS"), EntrySeat(2, 1, "A", "EW")]
    assert map_entries_to_ranking_fields([*first_entry_seats, EntrySeat(3, 2, "B", "NS")])[
        3
    ] == (
        "A",
        "NS",
    )
    several = [*first_entry_seats, EntrySeat(4, 1, "B", "NS"), EntrySeat(5, 1, "B", "EW")]
    fields = map_entries_to_ranking_fields([*several, EntrySeat(3, 2, "C", "EW")])
    assert {section for section, _side in fields.values()} == {""}
    assert fields[3] == ("", "EW")


SYSTEMS = [
    *[("compass", 13), ("compass", 14), ("compass-rover", 15)],
    *product(["compass-skip", "compass-relay"], [15, 16]),
]


@pytest.mark.parametrize(("name", "pairs"), SYSTEMS)
@pytest.mark.parametrize("how", ["list", "random", "fair"])
def test_entries_keep_their_sides_if_positions_allow(name: str, how: str, pairs: int) -> None:
    movement = build(name, pairs=pairs)
    room = {
        side: sum(movement.get_field_name(p) == side for p in movement.occupied_places)
        for side in _SIDES
    }
    entries = [Entry(pk=100 + number, number=number) for number in range(1, pairs + 1)]
    for ns, new in product((5, 6, 7, 8, 9), (0, 1, 3)):
        order = [entries[(7 * number) % pairs] for number in range(pairs)]
        known_order = order[new:]
        sides = {
            item.pk: "NS" if index < ns else "EW" for index, item in enumerate(known_order)
        }
        seated = arrange_entries(movement, entries, method=how, seed="s", sides_by_entry=sides)
        stored_entries = [
            entry
            for place, entry in seated.items()
            if movement.get_field_name(place) == sides.get(entry.pk)
        ]
        had = {side: list(sides.values()).count(side) for side in _SIDES}
        assert len(stored_entries) == sum(min(room[side], had[side]) for side in _SIDES)
        assert {entry.pk for entry in seated.values()} == {entry.pk for entry in entries}


def test_stationary_entry_changes_sides_only_without_own_stationary_seat() -> None:
    movement = build("compass", pairs=6)
    entries = [
        Entry(pk=number, number=number, stays_seated=number in (5, 6)) for number in range(1, 7)
    ]
    sides = {1: "EW", 2: "EW", 3: "EW", 4: "NS", 5: "NS", 6: "EW"}
    seated = arrange_entries(movement, entries, sides_by_entry=sides)
    where = {entry.number: movement.get_field_name(place) for place, entry in seated.items()}
    assert where == {1: "EW", 2: "EW", 3: "EW", 4: "NS", 5: "NS", 6: "NS"}


def test_proposed_half_table_lets_most_pairs_keep_their_side() -> None:
    assert choose_missing_side({1: "NS", 2: "NS", 3: "EW"}) == "EW"
    assert choose_missing_side({1: "NS", 2: "EW", 3: "EW"}) == "NS"
    assert choose_missing_side({1: "NS", 2: "EW"}) == ""


@pytest.mark.django_db
def test_seats_giving_one_ranking_are_announced_unlike_proposed_seats() -> None:
    session, user = evenings.play_session(6)
    second_session = add_session(event=session.event, by=user)
    for name, options, arguments in (
        ("compass", {}, ""),
        ("compass", {"one_winner": True}, "This movement has one winner"),
        ("howell", {}, "This movement has one winner"),
    ):
        movement = build(name, pairs=6, **options)
        seat_section(session=second_session, movement=movement, boards_a_round=2, by=user)
        notice = format_ranking_notice(second_session)
        assert arguments in notice if arguments else not notice
    section = seat_section(
        session=second_session, movement=build("compass", pairs=6), boards_a_round=2, by=user
    )
    assert len(load_earlier_sides(second_session)) == 6
    by_place = {place.number: place.entry for place in section.places.select_related("entry")}
    by_place[1], by_place[4] = by_place[4], by_place[1]
    assign_seats(section=section, entries_by_place=by_place, by=user)
    names = [str(by_place[place]) for place in (4, 1)]
    assert format_ranking_notice(second_session) == (
        f"N-S and E-W are ranked together because {names[0]}, {names[1]} swap sides."
    )
    assert format_ranking_notice(Session.objects.get(pk=session.pk)) == ""


_SIDES = ("NS", "EW")
