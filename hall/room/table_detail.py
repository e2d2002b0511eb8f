"""The details of one table for the director: its players, boards by round, and phone."""

from dataclasses import dataclass
from datetime import datetime

from hall.phones.disputes import Dispute, list_disputes
from hall.room.tiles import Hall, Tile, build_tiles
from scoring.models import Agreement
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable
from scoring.sheets.next_moves import format_board_range
from scoring.sheets.score_slips import format_round_key, format_score_page_query
from scoring.sheets.table_links import TableRow, list_table_rows


@dataclass(frozen=True, slots=True)
class BoardLine:
    """The result of one board of a round at a table."""

    board: int
    state: str  # "in", "asked" (queried), "awaits" (confirmation), "none"
    mark: str  # "8", "-" not played, "" missing
    ew: str  # the tricks of E-W, "" without a result


@dataclass(frozen=True, slots=True)
class RoundLines:
    """The opponents and boards of one round at a table."""

    sitting: int
    round: int
    ns: SeatedSide
    ew: SeatedSide
    boards: str  # "1–4"
    lines: tuple[BoardLine, ...]
    grid_query: str  # the query string of its position in the score grid
    missing: int

    @property
    def query_count(self) -> int:
        """The number of results of this round that the director has to check."""
        return sum(line.state == "asked" for line in self.lines)


@dataclass(frozen=True, slots=True)
class TableDetail:
    """The details of one table for its page."""

    tile: Tile
    now: RoundLines | None  # the current round
    others: tuple[RoundLines, ...]
    disputed: tuple[Dispute, ...]  # boards with different scores from its two sides
    link: int | None  # the key of its phone's link; None without a valid link
    seen_at: datetime | None  # the phone's last request


def build_table_detail(hall: Hall, section: str, table: int) -> TableDetail | None:
    """Return the details of a table, or None if the section has no such table."""
    tile = next(
        (candidate for candidate in build_tiles(hall, section) if candidate.table == table),
        None,
    )
    if tile is None:
        return None
    table_key = section, table
    rounds = [
        _build_round_lines(hall, seated_table)
        for seated_table in hall.snapshot.rounds_by_table[table_key]
        if seated_table.is_played
    ]
    current_round, phone = hall.table_states[table_key].round, _find_phone(hall, table_key)
    return TableDetail(
        tile=tile,
        now=next(
            (round_lines for round_lines in rounds if round_lines.round == current_round), None
        ),
        others=tuple(
            round_lines for round_lines in rounds if round_lines.round != current_round
        ),
        disputed=list_disputes(hall.snapshot, hall.snapshot.rounds_by_table[table_key]),
        link=phone.link if phone else None,
        seen_at=phone.seen_at if phone else None,
    )


def _find_phone(hall: Hall, table_key: tuple[str, int]) -> TableRow | None:
    rows = list_table_rows(hall.snapshot.session)
    return next((row for row in rows if (row.letter, row.table) == table_key), None)


def _build_round_lines(hall: Hall, table: SeatedTable) -> RoundLines:
    return RoundLines(
        sitting=table.sitting,
        round=table.round,
        ns=table.ns,
        ew=table.ew,
        boards=format_board_range(table.boards),
        lines=tuple(_build_board_line(hall, table, board) for board in table.boards),
        grid_query=format_score_page_query("round", format_round_key(table)),
        missing=hall.count_missing(table),
    )


def _build_board_line(hall: Hall, table: SeatedTable, board: int) -> BoardLine:
    result = hall.snapshot.find_result_to_enter(table, board)
    is_queried = (table.sitting, board) in hall.queried_plays
    is_awaited = result is not None and result.agreement == Agreement.AWAITED
    state = (
        "asked"
        if is_queried
        else "awaits"
        if is_awaited
        else "in"
        if hall.snapshot.has_result_or_ruling(table, board)
        else "none"
    )
    ns = result.ns_tricks if result else None
    return BoardLine(
        board=board,
        state=state,
        mark=result.mark if result else "",
        ew="" if ns is None else str(13 - ns),
    )
