"""The standings as lines of plain text, for a terminal."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import METHODS_BY_NAME
from scoring.methods.steps import choose_plural_number
from scoring.sheets.totals import choose_total_format, format_total, is_method_in_points
from scoring.sheets.values import RankedGroup, RankRow, RankTable
from server import formatting

SIDE_NAMES = {"NS": "N-S", "EW": "E-W", "": ""}


def format_standings(rank_table: RankTable) -> list[str]:
    """Format the standings, each field under its own title."""
    text_lines = [f"{rank_table.heading.event_name}, {rank_table.heading.date.isoformat()}"]
    section_count = len({ranked_group.section for ranked_group in rank_table.fields})
    rows = [row for ranked_group in rank_table.fields for row in ranked_group.rows]
    is_signed = METHODS_BY_NAME[rank_table.method].is_signed
    score_format = formatting.choose_column_format(
        (row.score for row in rows), has_sign=is_signed
    )
    tricks_format = choose_total_format(rank_table.method, (row.tricks for row in rows))
    per_board_format = formatting.choose_column_format(
        (row.a_board for row in rows), has_sign=is_signed
    )
    corrected_format = formatting.choose_column_format(
        (row.corrected for row in rows), has_sign=is_signed
    )
    for ranked_group in rank_table.fields:
        ranking_note = describe_ranking_score(ranked_group.rows, rank_table.method)
        text_lines += [
            "",
            _format_title(ranked_group, section_count, rank_table.method),
            *([ranking_note] if ranking_note else []),
        ]
        cells = [
            [
                *_format_cells(row, score_format),
                *_format_optional_cells(
                    rank_table.method, row, tricks_format, per_board_format, corrected_format
                ),
            ]
            for row in ranked_group.rows
        ]
        text_lines += _align_cells(cells)
    for footer in (
        _format_winners(rows, is_final=rank_table.is_final),
        _format_missing_results(rank_table),
    ):
        text_lines += ["", footer] if footer else []
    return text_lines


def _format_winners(rows: Sequence[RankRow], *, is_final: bool) -> str:
    """Return the overall winners or leaders as text; "" with a single field."""
    winner_names = ", ".join(f"{row.entry} {row.name}" for row in rows if row.wins_overall)
    template = _("Overall winner: %(names)s") if is_final else _("Leading: %(names)s")
    return template % {"names": winner_names} if winner_names else ""


def _format_missing_results(rank_table: RankTable) -> str:
    if rank_table.complete:
        return ""
    if rank_table.has_round_to_draw:
        return _("Provisional: more rounds to play.")
    template = ngettext(
        "Provisional: %(count)s result missing.",
        "Provisional: %(count)s results missing.",
        rank_table.missing,
    )
    return template % {"count": rank_table.missing}


def describe_ranking_score(rows: Sequence[RankRow], method: str) -> str:
    """Describe the score that ranks a field; "" if all played equal numbers of boards."""
    if any(row.by_corrected for row in rows):
        return _("Ranked by the corrected total.")
    if len({row.boards for row in rows}) < 2:
        return ""
    if any(row.a_board is not None for row in rows):
        note = _("Some played more boards, so ranked by score per board.")
        if any(row.counted_boards != row.boards for row in rows):
            note += " " + _("Boards of earlier sessions count in part, like their scores.")
        return note
    if METHODS_BY_NAME[method].compute_available_points is not None:
        return _("Unequal boards, so ranked by percentage.")
    return _("Unequal boards, so ranked by total score.")


def _format_title(ranked_group: RankedGroup, section_count: int, method: str) -> str:
    title_parts = (
        [_("Section %(letter)s") % {"letter": ranked_group.section}]
        if section_count > 1
        else []
    )
    title_parts += [SIDE_NAMES[ranked_group.field]] if ranked_group.field else []
    if ranked_group.average is not None:
        average = format_total(method, ranked_group.average)
        title_parts.append(_("average %(tricks)s") % {"tricks": average})
    return ", ".join(title_parts) or _("Standings")


def _format_cells(row: RankRow, score_format: formatting.ColumnFormat) -> list[str]:
    return [
        formatting.format_rank(row.rank, is_tied=row.tied, has_rank=row.boards > 0),
        str(row.entry),
        row.name,
        score_format.format_number(row.score)
        if row.percent is None
        else formatting.format_percent(row.percent),
    ]


def _format_optional_cells(
    method: str,
    row: RankRow,
    tricks_format: formatting.ColumnFormat,
    per_board_format: formatting.ColumnFormat,
    corrected_format: formatting.ColumnFormat,
) -> list[str]:
    plural_number = choose_plural_number(row.tricks)
    total_template = ngettext("%(tricks)s trick", "%(tricks)s tricks", plural_number)
    if is_method_in_points(method):
        total_template = ngettext("%(tricks)s point", "%(tricks)s points", plural_number)
    boards_template = ngettext("%(boards)s board", "%(boards)s boards", row.boards)
    cells = [
        total_template % {"tricks": tricks_format.format_number(row.tricks)},
        boards_template % {"boards": row.boards},
    ]
    if row.by_corrected:
        return [
            *cells,
            _("%(total)s corrected") % {"total": corrected_format.format_number(row.corrected)},
        ]
    if row.a_board is None:
        return cells
    return [
        *cells,
        _("%(score)s per board") % {"score": per_board_format.format_number(row.a_board)},
    ]


def _align_cells(rows: list[list[str]]) -> list[str]:
    """Align cells in columns: numbers to the right, names to the left."""
    widths = [max(map(len, column_cells)) for column_cells in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column_index == 2 else cell.rjust(width)
            for column_index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
