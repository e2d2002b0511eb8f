"""Own guide cards are needed if places of a field move by different rules."""

import pytest

from tournaments.movements import build
from tournaments.movements.own_cards import needs_own_cards
from tournaments.movements.systems.custom import build_custom_movement


@pytest.mark.parametrize(
    ("name", "pairs", "is_needed"),
    [
        ("compass-skip", 12, False),
        ("compass-rover", 11, True),
        ("howell", 8, True),
    ],
)
def test_own_cards_are_needed_if_a_field_does_not_move_together(
    name: str, pairs: int, is_needed: bool
) -> None:
    assert needs_own_cards(build(name, pairs=pairs)) == is_needed


def test_players_who_all_stay_need_no_own_cards() -> None:
    rows = [
        {"round": round_, "table": 1, "ns": 1, "ew": 2, "group": round_} for round_ in (1, 2)
    ]
    assert not needs_own_cards(build_custom_movement(rows))
