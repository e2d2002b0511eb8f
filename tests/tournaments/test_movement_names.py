"""A movement is named in the history as on its own page, in any language."""

import pytest

from tests.languages import activate_marked_language
from tests.page_text import remove_marked_text
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    build_named_movement,
    build_stored_movement_values,
    rebuild_movement,
)
from tournaments.movements.systems.custom import build_rows
from tournaments.movements.systems.system import MovementSystem
from tournaments.sheets.movement_names import format_movement_size, format_movement_title


def build_stored_movement(movement: Movement, **options: object) -> dict[str, object]:
    """Return what the history stores of a section with a movement."""
    return {
        "movement": movement.name,
        "tables": movement.table_count,
        "rounds": movement.round_count,
        "places": movement.place_count,
        "absent": [movement.labels[place - 1] for place in sorted(movement.absent_places)],
        "options": options | build_stored_movement_values(movement),
    }


def list_sizes(system: MovementSystem) -> list[int]:
    return [size for size in range(1, 41) if system.fits_size(size)][:4]


@pytest.mark.parametrize("system_name", SYSTEMS_BY_NAME)
def test_stored_movement_has_same_title_as_built_movement(system_name: str) -> None:
    system = SYSTEMS_BY_NAME[system_name]
    for size in list_sizes(system):
        movement = build_named_movement(system_name, **{str(system.unit): size})
        assert format_movement_title(build_stored_movement(movement)) == movement.title


def test_stored_curtailed_movement_has_same_title_as_built_one() -> None:
    for name in ("compass", "howell"):
        curtailed_movement = build_named_movement(name, tables=7, rounds=5)
        assert (
            format_movement_title(build_stored_movement(curtailed_movement))
            == curtailed_movement.title
        )


def test_stored_title_includes_missing_pairs_and_arrow_switches() -> None:
    half_table_movement = build_named_movement("compass", pairs=9)
    assert (
        format_movement_title(build_stored_movement(half_table_movement))
        == half_table_movement.title
    )
    switched_movement = build_named_movement("compass", tables=7, switch=[6, 7])
    assert (
        format_movement_title(build_stored_movement(switched_movement, switch=[6, 7]))
        == switched_movement.title
    )
    assert format_movement_title(
        build_stored_movement(build_named_movement("compass", tables=7), one_winner=True)
    ).endswith(")")


def test_custom_movement_of_club_has_own_name() -> None:
    rows = build_rows(build_named_movement("howell", pairs=6))
    custom_movement = build_named_movement("custom", meetings=rows, title="Ours", sharing=True)
    stored_movement = build_stored_movement(
        custom_movement, meetings=rows, title="Ours", sharing=True
    )
    assert (format_movement_title(stored_movement), custom_movement.title) == ("Ours", "Ours")
    assert format_movement_size(stored_movement) == "Ours, 3 tables, 5 rounds"


def test_title_of_unknown_movement_uses_stored_values() -> None:
    unknown_movement = {
        "movement": "carousel",
        "tables": 3,
        "rounds": 5,
        "places": 6,
        "absent": [],
        "options": {},
    }
    assert format_movement_title(unknown_movement) == "carousel"
    assert (
        format_movement_title({**unknown_movement, "movement": "howell", "options": {"odd": 1}})
        == "Howell"
    )
    assert format_movement_size(unknown_movement) == "carousel, 3 tables, 5 rounds"


def test_movement_name_uses_language_of_reader() -> None:
    compass = build_stored_movement(build_named_movement("compass", tables=7))
    with activate_marked_language():
        assert remove_marked_text(format_movement_title(compass)) == ""
        assert remove_marked_text(format_movement_size(compass)) == ""
    assert format_movement_title(compass) == "Mitchell, 7 tables"


@pytest.mark.parametrize(
    ("name", "size"), [("howell", {"pairs": 13}), ("compass-hesitation", {"tables": 7})]
)
def test_movement_of_first_edition_keeps_its_title(name: str, size: dict[str, int]) -> None:
    first_edition = rebuild_movement(name, **size)
    assert first_edition.edition == 1
    assert format_movement_title(build_stored_movement(first_edition)) == first_edition.title
    assert first_edition.title != build_named_movement(name, **size).title
