"""Single boards that a table played in place of its own, or leaves out."""

from collections.abc import Sequence

Boards = range | tuple[int, ...]
"""The boards of a table in a round: those of its group, or what was played instead."""

LEFT_OUT = 0
"""What stands in place of a board that a table leaves out."""


def boards_played(own: range, strays: Sequence[Sequence[int]]) -> Boards:
    """Say which boards a table plays; each stray is its own board and what took its place."""
    if not strays:
        return own
    instead = {stray[0]: stray[1] for stray in strays}
    played = (instead.get(board, board) for board in own)
    return tuple(board for board in played if board != LEFT_OUT)
