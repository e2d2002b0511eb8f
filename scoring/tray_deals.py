"""The deal that is in a tray when a table plays a board, after new deals and fouled boards.

Sheets use this as `scoring.methods.apply_rulings` is used for scores: the results of two
tables are comparable only if both had the same cards.
"""

from collections.abc import Iterator

from scoring.models import Result
from scoring.session_snapshot import SeatedTable, SessionSnapshot

TrayKey = tuple[object, ...]
"""Identifies one deal of a board; empty for the original deal."""


def find_tray_key(
    snapshot: SessionSnapshot, table: SeatedTable, board: int, result: Result | None
) -> TrayKey | None:
    """Return the key of the deal that a table has played, or is still to play, on a board.

    Returns None if a new deal made the play void. A partial snapshot knows only its own
    boards.
    """
    other_deals = snapshot.other_deals.get(board)
    if not other_deals:  # the usual case, kept fast: large halls call this for every table
        return ()
    tables_by_sitting = {
        seated_table.sitting: seated_table
        for seated_table in snapshot.tables_by_board.get(board, ())
    }
    play_moment = table.round, result.deal if result else 1
    deals_begun: list[tuple[int, int]] = []
    for other in other_deals:
        ruled = tables_by_sitting.get(other.sitting)
        if ruled is None or ruled.section != table.section:
            continue
        last = ruled.round, other.deal
        if other.is_new and play_moment <= last:
            return None
        is_own = (ruled.sitting, other.deal) == (
            table.sitting,
            play_moment[1],
        ) and not other.is_new
        if play_moment > last or is_own:
            deals_begun.append(last)
    return (table.section, *max(deals_begun)) if deals_begun else ()


def iter_comparable_results(
    snapshot: SessionSnapshot, table: SeatedTable, board: int
) -> Iterator[tuple[SeatedTable, Result]]:
    """Yield the other tables that had the same cards on a board, with their results."""
    own_key = find_tray_key(snapshot, table, board, snapshot.find_result(table, board))
    for other in snapshot.tables_by_board.get(board, ()):
        result = snapshot.find_result(other, board)
        is_comparable = snapshot.session.across_sections or other.section == table.section
        if result is None or other.sitting == table.sitting or not is_comparable:
            continue
        if own_key is not None and find_tray_key(snapshot, other, board, result) == own_key:
            yield other, result
