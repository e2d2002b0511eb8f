"""The deal in a tray when a table plays a board; another one after a new deal or a fouled one.

This is the counterpart of `scoring.methods.adjust` for sheets: results of two tables are
comparable only if both had the same cards.
"""

from collections.abc import Iterator

from scoring.models import Result
from scoring.sittings import SeatedSession, SeatedTable

Tray = tuple[object, ...]
"""Identifies a deal of a board; empty for the one that was dealt first."""


def deal_at(
    seated: SeatedSession, table: SeatedTable, board: int, result: Result | None
) -> Tray | None:
    """Return the deal of a board that a table has played, or has still to play.

    Returns None if a new deal made the play void. In a session that was read in part, only
    boards of that part are known.
    """
    others = seated.other_deals.get(board)
    if not others:  # the usual case, kept fast: large halls call this for every table
        return ()
    here = {each.sitting: each for each in seated.by_board.get(board, ())}
    at = table.round, result.deal if result else 1
    begun: list[tuple[int, int]] = []
    for other in others:
        ruled = here.get(other.sitting)
        if ruled is None or ruled.section != table.section:
            continue
        last = ruled.round, other.deal
        if other.is_new and at <= last:
            return None
        is_own = (ruled.sitting, other.deal) == (table.sitting, at[1]) and not other.is_new
        if at > last or is_own:
            begun.append(last)
    return (table.section, *max(begun)) if begun else ()


def with_the_same_cards(
    seated: SeatedSession, table: SeatedTable, board: int
) -> Iterator[tuple[SeatedTable, Result]]:
    """Yield the other tables that are compared with one on a board, with their results."""
    own = deal_at(seated, table, board, seated.result(table, board))
    for other in seated.by_board.get(board, ()):
        result = seated.result(other, board)
        is_near = seated.session.across_sections or other.section == table.section
        if result is None or other.sitting == table.sitting or not is_near:
            continue
        if own is not None and deal_at(seated, other, board, result) == own:
            yield other, result
