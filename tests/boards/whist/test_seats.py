"""Seats are in clockwise order, and the dealer changes with the board number."""

import pytest

from boards.whist import Seat, Side


def test_play_passes_to_the_left():
    seat, seat_order = Seat.NORTH, ""
    for _ in range(4):
        seat_order += seat
        seat = seat.left_neighbour
    assert seat_order == "NESW"
    assert seat is Seat.NORTH


@pytest.mark.parametrize("seat", Seat)
def test_partners_face_each_other_and_share_a_side(seat):
    assert seat.partner.partner is seat
    assert seat.right_neighbour.left_neighbour is seat
    assert seat.partner.side is seat.side
    assert seat.left_neighbour.side is seat.side.opposing_side
    assert seat.side.opposing_side.opposing_side is seat.side


def test_dealer_rotates_with_the_board_number():
    assert "".join(Seat.find_dealer(board) for board in range(1, 10)) == "NESWNESWN"


def test_seats_and_sides_have_readable_names():
    assert [seat.word for seat in Seat] == ["North", "East", "South", "West"]
    assert [side.word for side in Side] == ["North-South", "East-West"]
