"""Single boards that a table played instead of the boards of its group, or left out."""

from collections.abc import Sequence

Boards = range | tuple[int, ...]
"""The boards of a table in a round: the group's boards, or the boards played instead."""

LEFT_OUT_BOARD = 0
"""The number stored instead of a board that a table left out."""


def list_boards_played(own_boards: range, strays: Sequence[Sequence[int]]) -> Boards:
    """Return the boards that a table plays; `strays` are pairs of own board and replacement."""
    if not strays:
        return own_boards
    replacements_by_board = {stray[0]: stray[1] for stray in strays}
    played_boards = (replacements_by_board.get(board, board) for board in own_boards)
    return tuple(board for board in played_boards if board != LEFT_OUT_BOARD)
