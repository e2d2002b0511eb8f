"""Single boards that a table played instead of the boards of its group, or left out."""

from collections.abc import Sequence

BoardNumbers = range | tuple[int, ...]
"""The boards of a table in a round: the group's boards, or the boards played instead."""

LEFT_OUT_MARKER = 0
"""The number stored instead of a board that a table left out."""


def list_boards_played(
    planned_boards: range, stray_pairs: Sequence[Sequence[int]]
) -> BoardNumbers:
    """Return the boards that a table plays.

    Each of `stray_pairs` is a board of the table and the board played instead, or
    `LEFT_OUT_MARKER`.
    """
    if not stray_pairs:
        return planned_boards
    replacement_by_board = {
        planned_and_played_board[0]: planned_and_played_board[1]
        for planned_and_played_board in stray_pairs
    }
    played_board_numbers = (
        replacement_by_board.get(board_number, board_number) for board_number in planned_boards
    )
    return tuple(
        board_number for board_number in played_board_numbers if board_number != LEFT_OUT_MARKER
    )
