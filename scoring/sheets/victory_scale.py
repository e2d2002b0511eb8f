"""The scale of victory points, published before play: the points for each margin."""

from dataclasses import dataclass

from printing.values import Heading
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading
from tournaments.swiss.victory_points import PAIRS, TEAMS, VictoryPointScale


@dataclass(frozen=True, slots=True)
class ScaleSheet:
    """The scale of a session's matches."""

    heading: Heading
    boards: int
    rows: tuple[tuple[int, str, str], ...]


def build_scale_sheet(snapshot: SessionSnapshot) -> ScaleSheet:
    """Return the scale for the matches of one round."""
    session = snapshot.session
    rows = build_scale_rows(session.event.contest, session.boards_a_round)
    return ScaleSheet(build_heading(session), session.boards_a_round, tuple(rows))


def build_scale_rows(contest: str, boards: int) -> list[tuple[int, str, str]]:
    """Return the winner's and the loser's points for each whole margin of a match."""
    scale = VictoryPointScale(boards, TEAMS if contest == "teams" else PAIRS)
    return [
        (margin, f"{winner_points:.2f}", f"{20 - winner_points:.2f}")
        for margin, winner_points in scale.table()
    ]
