"""The order in which tables play a deal: the original play, and the number of tables.

Tables that share the boards of a round play one and pass it on, so the round is not enough to
know the order. Sources: the laws' definition e; Laws III §2, IV §9-10 and V; rules F1.
"""

from collections.abc import Iterable, Sequence

from scoring.models import Outcome
from scoring.session_snapshot import SeatedTable, SessionSnapshot

DealPlays = Sequence[SeatedTable]
"""The plays of one deal in one section, by round."""


def list_deal_plays(
    snapshot: SessionSnapshot, section_letter: str, board_number: int
) -> list[SeatedTable]:
    """List the plays of the deal that is now in a section's board, e.g. after a redeal.

    A table that shared the boards in the round of the redeal, and had played the old deal, is
    left out, because it does not play the board again.
    """
    plays = [
        table
        for table in snapshot.tables_by_board.get(board_number, [])
        if table.section == section_letter
    ]
    new_deal_plays = [
        table
        for table in plays
        if (table.sitting_id, board_number) in snapshot.plays_with_new_deal
    ]
    if not new_deal_plays:
        return plays
    redealt_table = max(new_deal_plays, key=lambda table: table.round)
    return [
        table
        for table in plays
        if table.round > redealt_table.round
        or table.sitting_id == redealt_table.sitting_id
        or (
            table.round == redealt_table.round
            and not _has_played_replaced_deal(snapshot, table, board_number)
        )
    ]


def count_tables_in_play(plays: Iterable[SeatedTable]) -> int:
    """Count the tables at which a deal is to be played (Laws IV §9, V §1).

    Other players at the same table count as another table. Players who play a deal again at
    their own table, as in memory duplicate, do not.
    """
    return len(
        {
            (table.table_number, *sorted((*table.ns.entries, *table.ew.entries)))
            for table in plays
        }
    )


def list_possible_original_plays(
    snapshot: SessionSnapshot, deal_plays: DealPlays, board_number: int
) -> list[SeatedTable]:
    """Return the plays that may be the original play; several if it is unknown.

    If tables share the boards of a round, those with a result are taken to have played first.
    A table that did not play the deal at all is skipped.
    """
    new_deal_plays = [
        play
        for play in deal_plays
        if (play.sitting_id, board_number) in snapshot.plays_with_new_deal
    ]
    if new_deal_plays:
        return new_deal_plays[-1:]
    unskipped_plays = [
        play for play in deal_plays if not _has_skipped(snapshot, play, board_number)
    ] or list(deal_plays)
    first_round_number = min((play.round for play in unskipped_plays), default=0)
    first_round_plays = [play for play in unskipped_plays if play.round == first_round_number]
    return [
        play for play in first_round_plays if has_played(snapshot, play, board_number)
    ] or first_round_plays


def list_rulable_plays(
    snapshot: SessionSnapshot, deal_plays: DealPlays, table_number: int, board_number: int
) -> list[SeatedTable]:
    """Return the plays of a board at one table about which a ruling is possible now.

    Most tables have a board in one round only. A later play of the same table is due when the
    earlier one is played or skipped.
    """
    own_plays = [table for table in deal_plays if table.table_number == table_number]
    rulable_play_count = 1
    while rulable_play_count < len(own_plays) and _has_played_or_skipped(
        snapshot, own_plays[rulable_play_count - 1], board_number
    ):
        rulable_play_count += 1
    return own_plays[:rulable_play_count]


def has_played(snapshot: SessionSnapshot, table: SeatedTable, board_number: int) -> bool:
    """Return whether a table has a valid result for a deal."""
    result = snapshot.find_result(table, board_number)
    is_void = (table.sitting_id, board_number) in snapshot.plays_awaiting_new_deal
    return result is not None and result.outcome == Outcome.PLAYED and not is_void


def _has_played_replaced_deal(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int
) -> bool:
    result = snapshot.find_result(table, board_number)
    return result is not None and result.deal == 1


def _has_skipped(snapshot: SessionSnapshot, table: SeatedTable, board_number: int) -> bool:
    """Return whether a table did not play the deal and will not."""
    result = snapshot.find_result(table, board_number)
    if result is not None:
        return result.outcome != Outcome.PLAYED
    return (table.sitting_id, board_number) in snapshot.settled_plays


def _has_played_or_skipped(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int
) -> bool:
    return has_played(snapshot, table, board_number) or _has_skipped(
        snapshot, table, board_number
    )
