"""The scale of victory points, published before play: the points for each margin."""

from dataclasses import dataclass

from printing.values import Heading
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading
from server.formatting import localize_decimal
from tournaments.swiss.victory_points import PAIRS_FACTOR, TEAMS_FACTOR, VictoryPointScale


@dataclass(frozen=True, slots=True)
class ScaleSheet:
    """The scale of a session's matches."""

    heading: Heading
    board_count: int
    rows: tuple[tuple[int, str, str], ...]  # margin, winner's points, loser's points


def build_scale_sheet(snapshot: SessionSnapshot) -> ScaleSheet:
    """Return the victory points for each margin of a match in the session, for a paper."""
    session = snapshot.session
    scale_rows = build_scale_rows(session.event.contest, session.boards_a_round)
    return ScaleSheet(build_heading(session), session.boards_a_round, tuple(scale_rows))


def build_scale_rows(contest: str, board_count: int) -> list[tuple[int, str, str]]:
    """Return the winner's and the loser's points for each whole margin of a match."""
    scale = VictoryPointScale(board_count, TEAMS_FACTOR if contest == "teams" else PAIRS_FACTOR)
    return [
        (
            margin,
            localize_decimal(f"{winner_points:.2f}"),
            localize_decimal(f"{20 - winner_points:.2f}"),
        )
        for margin, winner_points in scale.build_points_table()
    ]
