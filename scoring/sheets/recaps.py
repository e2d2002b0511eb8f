"""The recap on its page: the public results of all entries on every board."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from scoring.methods import METHODS
from scoring.secrecy import can_see_results
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.papers import build_partial_recap
from scoring.sheets.plays import EventPlays, load_plays
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.rulings import describe_play_rulings, describe_ruling
from scoring.sheets.short_names import shorten_to_surnames
from scoring.sheets.values import RankTable, Recap, RecapRow


def build_public_recap(snapshot: SessionSnapshot) -> Recap:
    """Return the recap of a session with public results only."""
    table = load_rank_table(snapshot.session.event)
    return build_partial_public_recap(snapshot, table, snapshot.boards, load_plays(snapshot))


def build_partial_public_recap(
    snapshot: SessionSnapshot, table: RankTable, boards: Sequence[int], plays: EventPlays
) -> Recap:
    """Return the public recap of some fields and boards.

    Boards that some table may still play are empty (rules D2).
    """
    recap = build_partial_recap(snapshot, table, boards, plays)
    visible_boards = [can_see_results(snapshot, board) for board in recap.boards]
    surnames = shorten_to_surnames(
        row.rank.name for field in recap.fields for row in field.rows
    )
    fields = tuple(
        replace(
            field,
            rows=tuple(
                _build_public_row(row, visible_boards, surnames[row.rank.name])
                for row in field.rows
            ),
        )
        for field in recap.fields
    )
    return replace(recap, fields=fields)


def list_rulings_as_text(snapshot: SessionSnapshot, plays: EventPlays) -> list[str]:
    """Return the rulings on visible boards, and the penalties, as lines of text."""
    tally = plays.tally
    lines = []
    for board, tables in snapshot.tables_by_board.items():
        if not can_see_results(snapshot, board):
            continue
        for table in tables:
            play = table.sitting, board
            ruling_texts = describe_play_rulings(
                tally.rulings.get(play, ()), tally.ruled_plays.get(play)
            )
            lines += (
                [f"{_format_play_label(table, board, tables)}: {' '.join(ruling_texts)}"]
                if ruling_texts
                else []
            )
    penalties = [
        ruling for ruling in tally.penalties if ruling.session_id == snapshot.session.pk
    ]
    return lines + [f"{ruling.entry}: {describe_ruling(ruling)}" for ruling in penalties]


def _format_play_label(table: SeatedTable, board: int, tables: Sequence[SeatedTable]) -> str:
    """Return the label of one play of a board: board and table, with the round if the table
    occurs more than once.
    """
    placeholders = {"board": board, "round": table.round, "table": table.label}
    if [seated_table.label for seated_table in tables].count(table.label) > 1:
        return _("Board %(board)s, round %(round)s, table %(table)s") % placeholders
    return _("Board %(board)s, table %(table)s") % placeholders


def is_ranked_by_board(recap: Recap) -> bool:
    """Return whether the method scores each board separately, so that pages can explain it."""
    return METHODS[recap.method].compute_line_scores is not None


def _build_public_row(row: RecapRow, visible_boards: list[bool], short_name: str) -> RecapRow:
    recap_cells = zip(row.cells, row.sides, visible_boards, strict=True)
    visible_cells = [
        (cell, side) if is_visible else ("", 0) for cell, side, is_visible in recap_cells
    ]
    return replace(
        row,
        cells=tuple(cell for cell, _side in visible_cells),
        sides=tuple(side for _cell, side in visible_cells),
        short_name=short_name,
    )
