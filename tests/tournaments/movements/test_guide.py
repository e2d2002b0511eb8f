"""Guide cards list each round of a competitor or table and say where to go next."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    build_named_movement,
    build_place_guide,
    build_table_guide,
)
from tournaments.movements.guide import PlaceRound

HALF_TABLE_MOVEMENT = build_named_movement("compass", pairs=13, absent=["7NS"])


def list_guide_lines(movement: Movement, place_label: str) -> list[str]:
    return [
        place_round.next_destination
        for place_round in build_place_guide(movement, movement.find_place(place_label))
    ]


def test_pair_guide_says_where_to_go_next() -> None:
    movement = build_named_movement("compass", tables=5)
    assert list_guide_lines(movement, "4EW") == [
        "Go to table 5, East-West.",
        "Go to table 1, East-West.",
        "Go to table 2, East-West.",
        "Go to table 3, East-West.",
        "That was the last round.",
    ]
    assert list_guide_lines(movement, "4NS")[0] == "Stay at table 4, North-South."


def test_guide_announces_sit_out_and_where_to_wait() -> None:
    place_rounds = build_place_guide(HALF_TABLE_MOVEMENT, HALF_TABLE_MOVEMENT.find_place("6EW"))
    assert place_rounds[0].next_destination == "Sit out round 2 at table 7."
    assert place_rounds[1] == PlaceRound(
        2, 7, "East-West", "", (), None, True, "Go to table 1, East-West."
    )


def test_rover_without_table_sits_out_and_joins_later() -> None:
    movement = build_named_movement("compass-rover", tables=7)
    stops = build_place_guide(movement, movement.find_place("8NS"))
    assert (stops[0].table, stops[0].is_sit_out) == (None, True)
    assert stops[0].next_destination == "Go to table 2, North-South."
    assert list_guide_lines(movement, "2NS")[:2] == [
        "Sit out round 2.",
        "Go to table 2, North-South.",
    ]


def test_guide_announces_switched_sides() -> None:
    movement = build_named_movement("compass", tables=5, switch=[2])
    assert list_guide_lines(movement, "1NS")[0] == "Stay at table 1, but sit East-West."
    assert list_guide_lines(movement, "1EW")[0] == "Go to table 2, North-South."


def test_guide_names_seat_and_partner_of_single_players() -> None:
    movement = build_named_movement("whist-individual", players=4)
    stop = build_place_guide(movement, 4)[0]
    assert stop.seat in ("North", "East", "South", "West")
    assert {stop.partner, *stop.opponents, "4"} == {"1", "2", "3", "4"}


def test_table_guide_lists_arriving_pairs_and_boards() -> None:
    relay_movement = build_named_movement("compass-relay", tables=6)
    rows = build_table_guide(relay_movement, 6)
    assert [row.board_group for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {row.sharing_tables for row in rows} == {(1,)}
    assert rows[0].ns == ("6NS",)
    idle_flags = [row.is_idle for row in build_table_guide(HALF_TABLE_MOVEMENT, 7)]
    assert idle_flags == [True] * 7


@given(
    system_name=st.sampled_from(
        ["compass", "compass-skip", "compass-rover", "howell", "four-pairs"]
    ),
    tables=st.integers(2, 9),
    data=st.data(),
)
@settings(max_examples=60)
def test_pair_guides_agree_with_table_guides(
    system_name: str, tables: int, data: st.DataObject
) -> None:
    system_size = 2 * tables if SYSTEMS_BY_NAME[system_name].unit == "pairs" else tables
    if not SYSTEMS_BY_NAME[system_name].fits_size(system_size):
        return
    movement = build_named_movement(system_name, tables=tables)
    place = data.draw(st.integers(1, movement.place_count))
    label = movement.labels[place - 1]
    for stop in build_place_guide(movement, place):
        if stop.table is not None:
            row = build_table_guide(movement, stop.table)[stop.round - 1]
            own_labels = row.ns if stop.seat == "North-South" else row.ew
            assert own_labels == (label,)
            assert (row.board_group, row.ns + row.ew) in [
                (stop.board_group, (label, *stop.opponents)),
                (stop.board_group, (*stop.opponents, label)),
            ]


@given(name=st.sampled_from(["compass", "howell", "compass-skip"]), tables=st.integers(4, 9))
@settings(max_examples=30)
def test_guide_instruction_matches_seat_in_next_row(name: str, tables: int) -> None:
    if name != "howell" and not SYSTEMS_BY_NAME[name].fits_size(tables):
        return
    movement = build_named_movement(name, tables=tables, absent=[1])
    for place in movement.occupied_places:
        stops = build_place_guide(movement, place)
        for now, next_place_round in pairwise(stops):
            assert f"table {next_place_round.table}" in now.next_destination
            assert next_place_round.is_sit_out == now.next_destination.startswith("Sit out")
            assert next_place_round.is_sit_out or next_place_round.seat in now.next_destination
