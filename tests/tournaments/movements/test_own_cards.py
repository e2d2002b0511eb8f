"""Own guide cards are needed if places of a field move by different rules."""

import pytest

from tournaments.movements import build_named_movement
from tournaments.movements.own_cards import needs_own_guide_cards
from tournaments.movements.systems.custom import build_custom_movement


@pytest.mark.parametrize(
    ("system_name", "pairs", "is_needed"),
    [
        ("compass-skip", 12, False),
        ("compass-rover", 11, True),
        ("howell", 8, True),
    ],
)
def test_own_guide_cards_are_needed_if_field_does_not_move_together(
    system_name: str, pairs: int, is_needed: bool
) -> None:
    assert needs_own_guide_cards(build_named_movement(system_name, pairs=pairs)) == is_needed


def test_stationary_players_need_no_own_guide_cards() -> None:
    rows = [
        {"round": round_, "table": 1, "ns": 1, "ew": 2, "group": round_} for round_ in (1, 2)
    ]
    assert not needs_own_guide_cards(build_custom_movement(rows))
