"""Second plays of a board, and their cards.

If `Event.other_suits` is on, the second play of a memory duplicate has the same hands with the
suits exchanged (`boards.whist.second_suits`). Scores are compared as usual.
"""

from boards.whist import Deal
from boards.whist.second_suits import build_second_play_deal
from scoring.session_snapshot import SeatedTable, SessionSnapshot


def is_played_in_other_suits(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int
) -> bool:
    """Return whether a table plays a board again with the suits exchanged."""
    return snapshot.session.event.other_suits and any(
        seated_table.section == table.section and seated_table.round < table.round
        for seated_table in snapshot.tables_by_board.get(board_number, ())
    )


def find_deal_as_played(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int, deal: Deal
) -> Deal:
    """Return the cards of a board as a table plays it: the deal, or its copy in other suits."""
    return (
        build_second_play_deal(deal)
        if is_played_in_other_suits(snapshot, table, board_number)
        else deal
    )
