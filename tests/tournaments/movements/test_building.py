"""Building by name: valid sizes are built, others are refused with one helpful line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    UnplayableMovement,
    build_movement_json,
    build_named_movement,
    list_suggestions_for_limits,
)

UNITS = ("tables", "pairs", "players", "teams")


def read_refusal(name: str, **fields: object) -> str:
    with pytest.raises(UnplayableMovement) as refusal:
        build_named_movement(name, **fields)
    return str(refusal.value)


def try_build(name: str, **fields: object) -> tuple[Movement | None, str]:
    try:
        return build_named_movement(name, **fields), ""
    except UnplayableMovement as refusal:
        return None, str(refusal)


def test_every_system_has_title_source_and_valid_sizes() -> None:
    for name, system in SYSTEMS_BY_NAME.items():
        assert system.name == name
        assert system.title
        assert system.source
        assert system.sizes
        assert any(system.fits_size(size) for size in range(1, 65))
        assert not system.fits_size(0)


@given(
    name=st.sampled_from(sorted(SYSTEMS_BY_NAME)),
    unit=st.sampled_from(UNITS),
    number=st.integers(-2, 40),
    rounds=st.none() | st.integers(-1, 12),
)
@settings(max_examples=150)
def test_any_name_and_number_give_movement_or_one_line_error(
    name: str, unit: str, number: int, rounds: int | None
) -> None:
    movement, refusal = try_build(name, **{unit: number}, rounds=rounds)
    if movement is None:
        assert refusal.endswith(".")
        assert "\n" not in refusal
    else:
        assert movement.name == name
        assert rounds in (None, movement.round_count)


def test_unknown_name_is_refused_with_known_names() -> None:
    refusal = read_refusal("howel", tables=4)
    assert refusal.startswith("Movement howel not found. Choose from compass, ")
    assert "howell" in refusal


def test_unsupported_size_is_refused_with_supported_sizes() -> None:
    assert "Or play compass-skip or compass-relay" in read_refusal("compass", tables=6)
    assert "Or play compass" in read_refusal("compass-relay", tables=7)
    assert "1 table. It needs" in read_refusal("compass", tables=1)
    assert "two per table and one more" in read_refusal("compass-rover", pairs=14)
    assert "Enter the number of tables" in read_refusal("compass")
    assert "7 tables and 9 pairs" in read_refusal("compass", tables=7, pairs=9)
    assert "no option called colour" in read_refusal("compass", tables=7, colour="red")


def test_consistent_tables_and_pairs_may_both_be_given() -> None:
    assert build_named_movement("compass", tables=7, pairs=13) == build_named_movement(
        "compass", pairs=13
    )
    assert build_named_movement("compass", tables=7, pairs=13).absent_places == {14}


@pytest.mark.parametrize(
    ("movement_options", "expected_absent_labels"),
    [
        ({"pairs": 13}, {"7EW"}),
        ({"pairs": 13, "absent": ["7NS"]}, {"7NS"}),
        ({"tables": 7, "absent": [3]}, {"3NS"}),
    ],
)
def test_missing_pair_may_belong_to_either_field(
    movement_options: dict, expected_absent_labels: set[str]
) -> None:
    movement: Movement = build_named_movement("compass", **movement_options)
    assert {
        movement.labels[place - 1] for place in movement.absent_places
    } == expected_absent_labels


def test_mitchell_json_has_sides_and_howell_json_has_pair_numbers() -> None:
    compass = build_movement_json(build_named_movement("compass", tables=7))
    assert compass["meetings"][7] == {
        "round": 2,
        "table": 1,
        "ns": "1NS",
        "ew": "7EW",
        "group": 2,
    }
    assert (compass["name"], compass["tables"], compass["rounds"]) == ("compass", 7, 7)
    assert (compass["groups"], compass["winners"]) == (7, 2)
    howell = build_movement_json(build_named_movement("howell", pairs=8))
    assert {type(row["ns"]) for row in howell["meetings"]} == {int}
    assert howell["balance"] == {
        "meetings": {"least": 1, "most": 1, "possible": 28, "met": 28},
        "comparisons": {"least": 3, "most": 3},
        "replays": 0,
        "shared": 0,
        "sit_outs": 0,
        "stationary": 1,
    }


def test_individual_and_team_movement_json_use_their_own_keys() -> None:
    players = build_movement_json(build_named_movement("whist-individual", players=13))
    assert set(players["meetings"][0]) == {"round", "table", "n", "e", "s", "w", "group"}
    assert players["balance"]["partners"] == {"least": 1, "most": 1}
    assert players["balance"]["opponents"] == {"least": 2, "most": 2}
    teams = build_movement_json(build_named_movement("gilman", teams=5))
    assert {row["ns"] for row in teams["meetings"]} == {1, 2, 3, 4, 5}
    assert "partners" not in teams["balance"]


def test_idle_tables_are_omitted() -> None:
    rows = build_movement_json(build_named_movement("howell", pairs=7))["meetings"]
    assert len(rows) == 21
    assert {row["ns"] for row in rows} | {row["ew"] for row in rows} == set(range(1, 8))
    assert build_movement_json(build_named_movement("compass", pairs=13))["absent"] == ["7EW"]


def test_rainbow_can_be_requested_by_number_of_players() -> None:
    assert build_named_movement("rainbow", players=20) == build_named_movement(
        "rainbow", tables=5
    )
    assert "rainbow" in {
        suggestion.name for suggestion in list_suggestions_for_limits(players=20)
    }
    assert "doesn’t fit 21 players" in read_refusal("rainbow", players=21)


def test_options_are_passed_to_their_system() -> None:
    movement_without_home = build_named_movement("gilman", teams=5, home=False)
    assert (
        movement_without_home.round_count < build_named_movement("gilman", teams=5).round_count
    )
