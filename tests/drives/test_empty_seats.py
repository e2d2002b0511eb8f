"""Empty seats are filled by role and by the number of rests; all other players stay seated."""

import pytest

from drives.draw.participants import SeatedRound
from drives.errors import UnplayableDrive
from drives.moves.table_repair import repair_tables

ROUND = SeatedRound(((1, 2, 3, 4),))
TWO_TABLES = SeatedRound(((1, 2, 3, 4), (5, 6, 7, 8)))


@pytest.mark.parametrize(
    ("seats", "roles", "newcomer"),
    [
        ((1, None, 3, 4), {8: "second", 9: "first"}, 9),
        ((1, 2, 3, None), {8: "first", 9: "second"}, 9),
        ((1, None, 3, 4), {8: "second"}, 9),  # 9 has no role
        ((1, 2, None, 4), {8: "first"}, 9),
        ((1, None, 3, 4), {9: "first"}, 9),
        ((1, None, 3, 4), {8: "second", 9: "second"}, 8),
        ((1, None, 3, 4), {}, 8),
    ],
)
def test_empty_seat_goes_to_a_newcomer_of_the_same_role(
    seats: tuple[int | None, ...], roles: dict[int, str], newcomer: int
) -> None:
    present_players = [player for player in seats if player is not None] + [8, 9]
    repaired_round = repair_tables(ROUND, present_players, roles, {})
    filled_seats = tuple(newcomer if player is None else player for player in seats)
    assert repaired_round == SeatedRound((filled_seats,), (17 - newcomer,))


@pytest.mark.parametrize(
    ("roles", "rest_counts", "player"),
    [
        ({}, {8: 1, 9: 2}, 9),
        ({}, {8: 1, 9: 1}, 8),
        ({}, {9: 1}, 9),
        ({8: "first", 9: "second"}, {8: 1, 9: 2}, 8),  # the role comes before the rests
    ],
)
def test_empty_seat_goes_to_the_player_with_the_most_sit_outs(
    roles: dict[int, str], rest_counts: dict[int, int], player: int
) -> None:
    repaired_round = repair_tables(ROUND, [1, 3, 4, 8, 9], roles, rest_counts)
    assert repaired_round == SeatedRound(((1, player, 3, 4),), (17 - player,))


def test_last_table_is_split_up_if_no_one_is_left_for_an_empty_seat() -> None:
    """The empty seat of a second goes to the first listed second of table 2."""
    repaired_round = repair_tables(TWO_TABLES, [1, 2, 4, 5, 6, 7, 8], {}, {})
    assert repaired_round == SeatedRound(((1, 2, 7, 4),), (5, 6, 8))


def test_first_and_second_seats_of_a_table_go_to_players_of_their_role() -> None:
    roles = {5: "second", 6: "first", 7: "first", 8: "second"}
    repaired_round = repair_tables(ROUND, [2, 3, 5, 6], roles, {})
    assert repaired_round == SeatedRound(((6, 2, 3, 5),))
    repaired_round = repair_tables(ROUND, [1, 2, 3, 4, 5, 6, 7, 8], roles, {})
    assert repaired_round == SeatedRound(((1, 2, 3, 4), (6, 7, 5, 8)))


def test_complete_tables_do_not_change_while_fewer_than_four_sit_out() -> None:
    resting_round = SeatedRound(ROUND.tables, (5, 6, 7))
    assert repair_tables(resting_round, range(1, 8), {}, {}) == resting_round


def test_fewer_than_four_players_cannot_play() -> None:
    with pytest.raises(UnplayableDrive, match="Fewer than four players are left"):
        repair_tables(ROUND, [1, 2, 3], {}, {})
    assert repair_tables(TWO_TABLES, [1, 2, 5, 6], {}, {}).resting_players == ()
