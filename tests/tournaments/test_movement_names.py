"""A movement is named in the history as on its own page, in any language."""

import pytest

from tests.languages import activate_marked_language
from tests.page_text import remove_marked_text
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    build,
    build_stored_values,
    rebuild_movement,
)
from tournaments.movements.systems.custom import build_rows
from tournaments.movements.systems.system import System
from tournaments.sheets.movement_names import format_movement_size, format_movement_title


def read_stored_movement(movement: Movement, **options: object) -> dict[str, object]:
    """Return what the history stores of a section with a movement."""
    return {
        "movement": movement.name,
        "tables": movement.table_count,
        "rounds": movement.round_count,
        "places": movement.place_count,
        "absent": [movement.labels[place - 1] for place in sorted(movement.absent_places)],
        "options": options | build_stored_values(movement),
    }


def list_sizes(system: System) -> list[int]:
    return [size for size in range(1, 41) if system.fits_size(size)][:4]


@pytest.mark.parametrize("name", SYSTEMS_BY_NAME)
def test_every_system_gets_its_name_from_stored_data(name: str) -> None:
    system = SYSTEMS_BY_NAME[name]
    for size in list_sizes(system):
        movement = build(name, **{str(system.unit): size})
        assert format_movement_title(read_stored_movement(movement)) == movement.title


def test_curtailed_movement_is_named_as_such() -> None:
    for name in ("compass", "howell"):
        short = build(name, tables=7, rounds=5)
        assert format_movement_title(read_stored_movement(short)) == short.title


def test_name_includes_missing_pairs_and_changed_sides() -> None:
    half = build("compass", pairs=9)
    assert format_movement_title(read_stored_movement(half)) == half.title
    one = build("compass", tables=7, switch=[6, 7])
    assert format_movement_title(read_stored_movement(one, switch=[6, 7])) == one.title
    assert format_movement_title(
        read_stored_movement(build("compass", tables=7), one_winner=True)
    ).endswith(")")


def test_custom_movement_of_club_has_own_name() -> None:
    rows = build_rows(build("howell", pairs=6))
    own = build("custom", meetings=rows, title="Ours", sharing=True)
    repeated_stored_movement = read_stored_movement(
        own, meetings=rows, title="Ours", sharing=True
    )
    assert (format_movement_title(repeated_stored_movement), own.title) == ("Ours", "Ours")
    assert format_movement_size(repeated_stored_movement) == "Ours, 3 tables, 5 rounds"


def test_unknown_movement_is_named_by_remaining_data() -> None:
    gone = {
        "movement": "carousel",
        "tables": 3,
        "rounds": 5,
        "places": 6,
        "absent": [],
        "options": {},
    }
    assert format_movement_title(gone) == "carousel"
    assert (
        format_movement_title({**gone, "movement": "howell", "options": {"odd": 1}}) == "Howell"
    )
    assert format_movement_size(gone) == "carousel, 3 tables, 5 rounds"


def test_movement_name_uses_language_of_reader() -> None:
    compass = read_stored_movement(build("compass", tables=7))
    with activate_marked_language():
        assert remove_marked_text(format_movement_title(compass)) == ""
        assert remove_marked_text(format_movement_size(compass)) == ""
    assert format_movement_title(compass) == "Mitchell, 7 tables"


@pytest.mark.parametrize(
    ("name", "size"), [("howell", {"pairs": 13}), ("compass-hesitation", {"tables": 7})]
)
def test_movement_played_before_improvement_keeps_its_name(
    name: str, size: dict[str, int]
) -> None:
    first = rebuild_movement(name, **size)
    assert first.edition == 1
    assert format_movement_title(read_stored_movement(first)) == first.title
    assert first.title != build(name, **size).title
