"""The details of one table for the director: its players, boards by round, and phone."""

from dataclasses import dataclass
from datetime import datetime

from hall.phones.disputes import Dispute, list_disputes
from hall.room.tiles import SessionInPlay, Tile, build_tiles
from scoring.models import Agreement
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable
from scoring.sheets.next_moves import format_board_range
from scoring.sheets.score_slips import format_score_page_query, format_score_slip_key
from scoring.sheets.table_links import TableLinkRow, list_table_rows


@dataclass(frozen=True, slots=True)
class BoardLine:
    """The result of one board of a round at a table."""

    board_number: int
    state: str  # "in", "asked" (queried), "awaits" (confirmation), "none"
    mark: str  # "8", "-" not played, "" missing
    ew: str  # the tricks of E-W, "" without a result


@dataclass(frozen=True, slots=True)
class TableRoundDetail:
    """The opponents and boards of one round at a table."""

    sitting_pk: int
    round_number: int
    ns: SeatedSide
    ew: SeatedSide
    boards_text: str  # "1–4"
    board_lines: tuple[BoardLine, ...]
    grid_url_suffix: str  # the end of the URL of its place in the score grid
    missing_count: int

    @property
    def results_to_check_count(self) -> int:
        """The number of results of this round that the director has to check."""
        return sum(board_line.state == "asked" for board_line in self.board_lines)


@dataclass(frozen=True, slots=True)
class TableDetail:
    """The details of one table for its page."""

    tile: Tile
    current_round_detail: TableRoundDetail | None  # the current round
    other_rounds: tuple[TableRoundDetail, ...]
    disputes: tuple[Dispute, ...]  # boards with different scores from its two sides
    link_pk: int | None  # the key of the link of the table's phone; None without a valid link
    seen_at: datetime | None  # the phone's last request


def build_table_detail(
    session_in_play: SessionInPlay, section_letter: str, table_number: int
) -> TableDetail | None:
    """Return the details of a table, or None if the section has no such table."""
    tile = next(
        (
            candidate_tile
            for candidate_tile in build_tiles(session_in_play, section_letter)
            if candidate_tile.table_number == table_number
        ),
        None,
    )
    if tile is None:
        return None
    table_key = section_letter, table_number
    round_details = [
        _build_round_detail(session_in_play, seated_table)
        for seated_table in session_in_play.snapshot.rounds_by_table[table_key]
        if seated_table.is_played
    ]
    current_round_number, table_link_row = (
        session_in_play.statuses_by_table[table_key].round_number,
        _find_table_link_row(session_in_play, table_key),
    )
    return TableDetail(
        tile=tile,
        current_round_detail=next(
            (
                round_detail
                for round_detail in round_details
                if round_detail.round_number == current_round_number
            ),
            None,
        ),
        other_rounds=tuple(
            round_detail
            for round_detail in round_details
            if round_detail.round_number != current_round_number
        ),
        disputes=list_disputes(
            session_in_play.snapshot, session_in_play.snapshot.rounds_by_table[table_key]
        ),
        link_pk=table_link_row.link_id if table_link_row else None,
        seen_at=table_link_row.last_seen_at if table_link_row else None,
    )


def _find_table_link_row(
    session_in_play: SessionInPlay, table_key: tuple[str, int]
) -> TableLinkRow | None:
    rows = list_table_rows(session_in_play.snapshot.session)
    return next(
        (row for row in rows if (row.section_letter, row.table_number) == table_key), None
    )


def _build_round_detail(session_in_play: SessionInPlay, table: SeatedTable) -> TableRoundDetail:
    return TableRoundDetail(
        sitting_pk=table.sitting_id,
        round_number=table.round,
        ns=table.ns,
        ew=table.ew,
        boards_text=format_board_range(table.boards),
        board_lines=tuple(
            _build_board_line(session_in_play, table, board_number)
            for board_number in table.boards
        ),
        grid_url_suffix=format_score_page_query("round", format_score_slip_key(table)),
        missing_count=session_in_play.count_missing_results(table),
    )


def _build_board_line(
    session_in_play: SessionInPlay, table: SeatedTable, board_number: int
) -> BoardLine:
    result = session_in_play.snapshot.find_result_to_replace(table, board_number)
    is_queried = (table.sitting_id, board_number) in session_in_play.queried_plays
    is_awaiting_agreement = result is not None and result.agreement == Agreement.AWAITED
    board_state = (
        "asked"
        if is_queried
        else "awaits"
        if is_awaiting_agreement
        else "in"
        if session_in_play.snapshot.has_result_or_ruling(table, board_number)
        else "none"
    )
    ns_tricks = result.ns_tricks if result else None
    return BoardLine(
        board_number=board_number,
        state=board_state,
        mark=result.mark if result else "",
        ew="" if ns_tricks is None else str(13 - ns_tricks),
    )
