"""The deal that is in a tray when a table plays a board, after new deals and fouled boards.

Two tables are comparable only if both had the same cards. This module is for sheets; for
scores, `scoring.methods.apply_rulings` does the same.
"""

from collections.abc import Iterator

from scoring.models import Result
from scoring.session_snapshot import SeatedTable, SessionSnapshot

TrayKey = tuple[object, ...]
"""The key of one deal of a board; empty for the original deal."""


def find_tray_key(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int, result: Result | None
) -> TrayKey | None:
    """Return the key of the deal that a table has played, or is still to play, on a board.

    Returns None if a new deal made the play void. Only the rulings in the snapshot are
    considered, which may be partial.
    """
    deal_rulings = snapshot.deal_rulings_by_board.get(board_number)
    if not deal_rulings:  # the usual case, kept fast: large halls call this for every table
        return ()
    tables_by_sitting = {
        seated_table.sitting_id: seated_table
        for seated_table in snapshot.tables_by_board.get(board_number, ())
    }
    own_round_and_deal = table.round, result.deal if result else 1
    earlier_rounds_and_deals: list[tuple[int, int]] = []
    for deal_ruling in deal_rulings:
        ruled_table = tables_by_sitting.get(deal_ruling.sitting_id)
        if ruled_table is None or ruled_table.section != table.section:
            continue
        ruled_round_and_deal = ruled_table.round, deal_ruling.deal_number
        if deal_ruling.is_new_deal and own_round_and_deal <= ruled_round_and_deal:
            return None
        is_own_play = (ruled_table.sitting_id, deal_ruling.deal_number) == (
            table.sitting_id,
            own_round_and_deal[1],
        ) and not deal_ruling.is_new_deal
        if own_round_and_deal > ruled_round_and_deal or is_own_play:
            earlier_rounds_and_deals.append(ruled_round_and_deal)
    return (table.section, *max(earlier_rounds_and_deals)) if earlier_rounds_and_deals else ()


def iter_comparable_results(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int
) -> Iterator[tuple[SeatedTable, Result]]:
    """Yield the other tables that had the same cards on a board, with their results."""
    own_tray_key = find_tray_key(
        snapshot, table, board_number, snapshot.find_result(table, board_number)
    )
    if own_tray_key is None:
        return
    is_scored_across_sections = snapshot.session.across_sections
    for other_table in snapshot.tables_by_board.get(board_number, ()):
        # This is tested first, because in a large hall most tables are in other sections.
        is_comparable = is_scored_across_sections or other_table.section == table.section
        if other_table.sitting_id == table.sitting_id or not is_comparable:
            continue
        result = snapshot.find_result(other_table, board_number)
        if (
            result is not None
            and find_tray_key(snapshot, other_table, board_number, result) == own_tray_key
        ):
            yield other_table, result
