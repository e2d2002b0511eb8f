"""The players at each table, for the page with the tables' QR codes."""

from collections.abc import Mapping

from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.current_round import find_current_round
from tournaments.models import Session

Sides = tuple[SeatedSide, SeatedSide]


def map_players_by_table(session: Session) -> Mapping[tuple[str, int], Sides]:
    """Return the sides that play at each table in the current round.

    The keys are section letters and table numbers; a table without play is left out.
    """
    snapshot = load_session_snapshot(session)
    if not snapshot.tables:
        return {}
    current_round = find_current_round(snapshot)
    next_rounds = {table.round for table in snapshot.tables} & {
        current_round.round_number + current_round.is_over
    }
    shown_round_number = max(next_rounds, default=current_round.round_number)
    return {
        (table.section, table.table_number): (table.ns, table.ew)
        for table in snapshot.tables
        if table.round == shown_round_number and table.is_played
    }
