"""The slips of a session from which results are typed, and their division into pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.next_moves import format_board_range

MAX_ROWS_ON_SINGLE_PAGE = 300
"""A session with at most this many results is one page, e.g. 10 tables that play 28 boards."""
MAX_ROWS_PER_PART = 64
"""The maximum rows of a part: about 120 kB of HTML, or 140 kB with declared trumps."""


@dataclass(frozen=True, slots=True)
class ResultSlip:
    """One slip of paper: a board's traveller in one section, or one table's round."""

    key: str
    title: str
    section_letter: str
    round_number: int  # 0 on a traveller
    slip_label: str  # shown in the map of slips: the board, or the table label
    plays: tuple[tuple[SeatedTable, int], ...]  # the table and the board of each row

    @property
    def shared_keys(self) -> tuple[str, ...]:
        """Keys that this slip shares with others: the key of its round, or of its board."""
        if not self.round_number:
            return (f"board-{self.plays[0][1]}",)
        return (
            f"round-{self.round_number}-{self.section_letter}",
            f"round-{self.round_number}",
        )


def list_result_slips(snapshot: SessionSnapshot, layout: str) -> list[ResultSlip]:
    """List the slips of a session, travellers by section or score slips by round."""
    if layout == "round":
        tables = sorted(
            snapshot.tables,
            key=lambda table: (
                table.round,
                table.section,
                table.table_number,
            ),
        )
        return [_build_score_slip(table) for table in tables if table.is_played]
    slips = [
        _build_traveller(snapshot, board_number, section_letter, list(tables))
        for board_number, playing_tables in snapshot.tables_by_board.items()
        for section_letter, tables in groupby(playing_tables, key=lambda table: table.section)
    ]
    # `sorted` is stable, so the boards of each section stay in order.
    return sorted(slips, key=lambda result_slip: result_slip.section_letter)


def _build_score_slip(table: SeatedTable) -> ResultSlip:
    placeholders = {
        "round": table.round,
        "table": table.label,
        "boards": format_board_range(table.boards),
    }
    return ResultSlip(
        key=format_score_slip_key(table),
        title=ngettext(
            "Round %(round)s, table %(table)s, board %(boards)s",
            "Round %(round)s, table %(table)s, boards %(boards)s",
            len(table.boards),
        )
        % placeholders,
        section_letter=table.section,
        round_number=table.round,
        slip_label=table.label,
        plays=tuple((table, board_number) for board_number in table.boards),
    )


def _build_traveller(
    snapshot: SessionSnapshot,
    board_number: int,
    section_letter: str,
    tables: Sequence[SeatedTable],
) -> ResultSlip:
    placeholders = {"board": board_number, "section": section_letter}
    return ResultSlip(
        key=f"board-{section_letter if snapshot.has_section_letters else ''}{board_number}",
        title=_("Board %(board)s, section %(section)s") % placeholders
        if snapshot.has_section_letters
        else _("Board %(board)s") % placeholders,
        section_letter=section_letter,
        round_number=0,
        slip_label=str(board_number),
        plays=tuple((table, board_number) for table in tables),
    )


def format_score_slip_key(table: SeatedTable) -> str:
    """Return the key of a table's score slip in the grid by rounds, for a link to it."""
    return f"round-{table.round}-{table.section}{table.table_number}"


def format_score_page_query(layout: str, slip_key: str) -> str:
    """Return the query string and fragment for a position on the score page.

    `slip_key` is the key of a slip, "r-<sitting>-<board>" for a result, or
    "doubt-<sitting>-<board>" for a query about it.
    """
    return f"?by={layout}&at={slip_key}#{slip_key}"


def divide_slips(slips: Sequence[ResultSlip], boards_per_round: int) -> list[list[ResultSlip]]:
    """Divide the slips of a session into parts, one for each page.

    A small session is one part. A larger one is divided by section, and score slips also by
    round. A group that is too long for a page is divided evenly, between board sets.
    """
    if sum(len(slip.plays) for slip in slips) <= MAX_ROWS_ON_SINGLE_PAGE:
        return [list(slips)] if slips else []
    slip_groups = groupby(slips, key=lambda slip: (slip.round_number, slip.section_letter))
    return [
        part_slips
        for _key, consecutive_slips in slip_groups
        for part_slips in _iter_even_parts(list(consecutive_slips), boards_per_round)
    ]


def _iter_even_parts(
    consecutive_slips: Sequence[ResultSlip], boards_per_round: int
) -> Iterator[list[ResultSlip]]:
    row_count = sum(len(slip.plays) for slip in consecutive_slips)
    slip_count = len(consecutive_slips)
    max_slips_per_part = max(1, slip_count * MAX_ROWS_PER_PART // row_count)
    part_count = -(-slip_count // max_slips_per_part)
    slips_per_part = -(-slip_count // part_count)
    if not consecutive_slips[0].round_number and slips_per_part > boards_per_round:
        slips_per_part -= slips_per_part % boards_per_round  # board sets stay together
    for start_index in range(0, slip_count, slips_per_part):
        yield list(consecutive_slips[start_index : start_index + slips_per_part])


def find_part_and_slip_key(
    slips_by_part: Sequence[Sequence[ResultSlip]], slip_key: str
) -> tuple[int, str] | None:
    """Find the slip with a key: return the index of its part and its own key, or None."""
    indexed_slips = [
        (part_index, slip)
        for part_index, part_slips in enumerate(slips_by_part)
        for slip in part_slips
    ]
    key_kind, _dash, play_text = slip_key.partition("-")
    if key_kind in ("r", "doubt"):
        for part_index, slip in indexed_slips:
            if any(
                f"{table.sitting_id}-{board_number}" == play_text
                for table, board_number in slip.plays
            ):
                return part_index, slip.key
    matching_slips = [
        (part_index, slip.key) for part_index, slip in indexed_slips if slip.key == slip_key
    ]
    matching_slips += [
        (part_index, slip.key)
        for part_index, slip in indexed_slips
        if slip_key in slip.shared_keys
    ]
    return matching_slips[0] if matching_slips else None
