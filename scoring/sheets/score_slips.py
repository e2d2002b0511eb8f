"""The slips of a session from which results are typed, and their division into pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.next_moves import format_board_range

MAX_ROWS_OF_WHOLE_SESSION = 300
"""A session with at most this many results is shown whole: 10 tables playing 28 boards."""
MAX_ROWS_OF_PART = 64
"""Rows of one part of a larger session: about 120 kB of HTML, with declared trumps 140 kB."""


@dataclass(frozen=True, slots=True)
class ResultSlip:
    """One slip of paper: a board's traveller in one section, or one table's round."""

    key: str
    title: str
    section: str
    round: int  # 0 on a traveller
    number: str  # in the map: the board, or the displayed table
    plays: tuple[tuple[SeatedTable, int], ...]  # table and board of each row

    @property
    def alternative_names(self) -> tuple[str, ...]:
        """The names that the slip shares with others: of its round, or of its board."""
        if not self.round:
            return (f"board-{self.plays[0][1]}",)
        return (f"round-{self.round}-{self.section}", f"round-{self.round}")


def list_result_slips(snapshot: SessionSnapshot, by: str) -> list[ResultSlip]:
    """List the slips of a session, travellers by section or score slips by round."""
    if by == "round":
        tables = sorted(
            snapshot.tables,
            key=lambda seated_table: (
                seated_table.round,
                seated_table.section,
                seated_table.table,
            ),
        )
        return [_build_score_slip(table) for table in tables if table.is_played]
    slips = [
        _build_traveller(snapshot, board, section, list(tables))
        for board, playing_tables in snapshot.tables_by_board.items()
        for section, tables in groupby(
            playing_tables, key=lambda seated_table: seated_table.section
        )
    ]
    return sorted(
        slips, key=lambda result_slip: result_slip.section
    )  # stable: boards stay in order


def _build_score_slip(table: SeatedTable) -> ResultSlip:
    placeholders = {
        "round": table.round,
        "table": table.label,
        "boards": format_board_range(table.boards),
    }
    return ResultSlip(
        key=format_round_key(table),
        title=ngettext(
            "Round %(round)s, table %(table)s, board %(boards)s",
            "Round %(round)s, table %(table)s, boards %(boards)s",
            len(table.boards),
        )
        % placeholders,
        section=table.section,
        round=table.round,
        number=table.label,
        plays=tuple((table, board) for board in table.boards),
    )


def _build_traveller(
    snapshot: SessionSnapshot, board: int, section: str, tables: Sequence[SeatedTable]
) -> ResultSlip:
    placeholders = {"board": board, "section": section}
    return ResultSlip(
        key=f"board-{section if snapshot.is_lettered else ''}{board}",
        title=_("Board %(board)s, section %(section)s") % placeholders
        if snapshot.is_lettered
        else _("Board %(board)s") % placeholders,
        section=section,
        round=0,
        number=str(board),
        plays=tuple((table, board) for table in tables),
    )


def format_round_key(table: SeatedTable) -> str:
    """Return the key of a table's score slip in the grid by rounds, for a link to it."""
    return f"round-{table.round}-{table.section}{table.table}"


def format_score_page_query(by: str, place: str) -> str:
    """Return the query string and fragment for a position on the score page.

    `place` is the key of a slip, "r-<sitting>-<board>" for a result, or
    "doubt-<sitting>-<board>" for a query about it.
    """
    return f"?by={by}&at={place}#{place}"


def divide_slips(slips: Sequence[ResultSlip], boards_a_round: int) -> list[list[ResultSlip]]:
    """Divide the slips of a session into parts, one for each page.

    A small session is one part. A larger one is divided by section and round, or by section and
    board sets; long runs of slips are divided evenly.
    """
    if sum(len(slip.plays) for slip in slips) <= MAX_ROWS_OF_WHOLE_SESSION:
        return [list(slips)] if slips else []
    runs = groupby(slips, key=lambda slip: (slip.round, slip.section))
    return [
        piece for _key, run in runs for piece in _iter_even_parts(list(run), boards_a_round)
    ]


def _iter_even_parts(
    run: Sequence[ResultSlip], boards_a_round: int
) -> Iterator[list[ResultSlip]]:
    rows = sum(len(slip.plays) for slip in run)
    size = max(1, len(run) * MAX_ROWS_OF_PART // rows)  # the most slips of a part
    size = -(-len(run) // -(-len(run) // size))  # the same number of parts, evenly filled
    if not run[0].round and size > boards_a_round:
        size -= size % boards_a_round  # board sets stay together
    for start in range(0, len(run), size):
        yield list(run[start : start + size])


def find_part(parts: Sequence[Sequence[ResultSlip]], place: str) -> tuple[int, str] | None:
    """Find a position in the parts: return the index of the part, and the key of the slip."""
    all_slips = [(index, slip) for index, part in enumerate(parts) for slip in part]
    kind, _dash, identifier = place.partition("-")
    if kind in ("r", "doubt"):
        for index, slip in all_slips:
            if any(f"{table.sitting}-{board}" == identifier for table, board in slip.plays):
                return index, slip.key
    matching_slips = [(index, slip.key) for index, slip in all_slips if slip.key == place]
    matching_slips += [
        (index, slip.key) for index, slip in all_slips if place in slip.alternative_names
    ]
    return matching_slips[0] if matching_slips else None
