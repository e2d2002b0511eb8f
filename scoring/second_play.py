"""Second plays of a board, and their cards.

Where a memory duplicate is played in other suits, the second play has the same hands with the
suits exchanged (`boards.whist.second_suits`). Scores are compared as usual.
"""

from boards.whist import Deal
from boards.whist.second_suits import second_deal
from scoring.sittings import SeatedSession, SeatedTable


def is_in_other_suits(room: SeatedSession, table: SeatedTable, board: int) -> bool:
    """Return whether a table plays a board in other suits, after its section has played it."""
    return room.session.event.other_suits and any(
        other.section == table.section and other.round < table.round
        for other in room.by_board.get(board, ())
    )


def deal_at_table(room: SeatedSession, table: SeatedTable, board: int, deal: Deal) -> Deal:
    """Return the cards of a board as one table plays it."""
    return second_deal(deal) if is_in_other_suits(room, table, board) else deal
