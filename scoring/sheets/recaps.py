"""The recap on its page: the public results of all entries on every board."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from scoring.methods import METHODS_BY_NAME
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
    rank_table = load_rank_table(snapshot.session.event)
    return build_partial_public_recap(
        snapshot, rank_table, snapshot.boards, load_plays(snapshot)
    )


def build_partial_public_recap(
    snapshot: SessionSnapshot,
    rank_table: RankTable,
    boards: Sequence[int],
    event_plays: EventPlays,
) -> Recap:
    """Return the public recap of some fields and boards.

    Boards that some table may still play are empty (rules D2).
    """
    recap = build_partial_recap(snapshot, rank_table, boards, event_plays)
    is_visible_by_column = [
        can_see_results(snapshot, board_number) for board_number in recap.boards
    ]
    surnames_by_name = shorten_to_surnames(
        row.rank.name for recap_group in recap.fields for row in recap_group.rows
    )
    recap_groups = tuple(
        replace(
            recap_group,
            rows=tuple(
                _build_public_row(row, is_visible_by_column, surnames_by_name[row.rank.name])
                for row in recap_group.rows
            ),
        )
        for recap_group in recap.fields
    )
    return replace(recap, fields=recap_groups)


def list_rulings_as_text(snapshot: SessionSnapshot, event_plays: EventPlays) -> list[str]:
    """Return the rulings on visible boards, and the penalties, as lines of text."""
    tally = event_plays.tally
    text_lines = []
    for board_number, tables in snapshot.tables_by_board.items():
        if not can_see_results(snapshot, board_number):
            continue
        for table in tables:
            play = table.sitting_id, board_number
            ruling_texts = describe_play_rulings(
                tally.rulings_by_play.get(play, ()), tally.ruled_results_by_play.get(play)
            )
            text_lines += (
                [f"{_format_play_label(table, board_number, tables)}: {' '.join(ruling_texts)}"]
                if ruling_texts
                else []
            )
    penalties = [
        ruling for ruling in tally.penalties if ruling.session_id == snapshot.session.pk
    ]
    return text_lines + [f"{ruling.entry}: {describe_ruling(ruling)}" for ruling in penalties]


def _format_play_label(
    table: SeatedTable, board_number: int, tables: Sequence[SeatedTable]
) -> str:
    """Return the label of one play of a board: board and table, with the round if the table
    occurs more than once.
    """
    placeholders = {"board": board_number, "round": table.round, "table": table.label}
    if [seated_table.label for seated_table in tables].count(table.label) > 1:
        return _("Board %(board)s, round %(round)s, table %(table)s") % placeholders
    return _("Board %(board)s, table %(table)s") % placeholders


def is_scored_by_board(recap: Recap) -> bool:
    """Return whether the method scores each board separately, so that pages can explain it."""
    return METHODS_BY_NAME[recap.method].compute_line_scores is not None


def _build_public_row(
    row: RecapRow, is_visible_by_column: list[bool], short_name: str
) -> RecapRow:
    recap_cells = zip(row.cells, row.average_comparisons, is_visible_by_column, strict=True)
    masked_cells = [
        (cell, average_comparison) if is_visible else ("", 0)
        for cell, average_comparison, is_visible in recap_cells
    ]
    return replace(
        row,
        cells=tuple(cell for cell, _average_comparison in masked_cells),
        average_comparisons=tuple(
            average_comparison for _cell, average_comparison in masked_cells
        ),
        short_name=short_name,
    )
