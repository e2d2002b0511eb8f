"""The map of a session's boards, with the results that are missing."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from hall.closing.checks import describe_tables_without_result
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.score_slips import format_score_page_query


@dataclass(frozen=True, slots=True)
class BoardTile:
    """A board in the map: its missing results, and the link to its scores."""

    board_number: int
    expected_count: int
    missing_count: int
    state_text: str  # the state in words
    url: str

    @property
    def state(self) -> str:
        """The state of the board's results: "full", "part" or "none"."""
        if not self.missing_count:
            return "full"
        return "part" if self.missing_count < self.expected_count else "none"


def build_board_map(snapshot: SessionSnapshot, event_address: str) -> list[BoardTile]:
    """Return a tile for each board that is played; empty if no result is missing."""
    if not snapshot.missing_result_count:
        return []
    scores_url = reverse("scores", args=[event_address])
    tiles = []
    for board_number, tables in snapshot.tables_by_board.items():
        tables_without_result = [
            table for table in tables if not snapshot.has_result_or_ruling(table, board_number)
        ]
        url = scores_url + format_score_page_query("board", f"board-{board_number}")
        state_text = _("Board %(board)s: all in") % {"board": board_number}
        if tables_without_result:
            state_text = describe_tables_without_result(board_number, tables_without_result)
        if tables:
            tiles.append(
                BoardTile(
                    board_number, len(tables), len(tables_without_result), state_text, url
                )
            )
    return tiles
