"""The demo club's evenings of duplicate: planned, in play or with all results."""

from collections.abc import Sequence
from datetime import date as Date

import boards.batches
import hall.rehearsal.results
import scoring.services
import tournaments.services
from clubs.models import Club
from hall.demo_club import DEMO_CLUB_NAME
from scoring.standings_engine import standings
from server.models import User
from tournaments.models import Event, Session
from tournaments.movements import build

BOARDS_PER_ROUND = 4


def pair_players(names: Sequence[str], *, apart: int) -> list[tuple[str, str]]:
    """Pair each player with the one `apart` places down the list; each plays once."""
    free = list(range(len(names)))
    pairs = []
    while free:
        one = free.pop(0)
        other = next((candidate for candidate in free if candidate >= one + apart), free[0])
        free.remove(other)
        pairs.append((names[one], names[other]))
    return pairs


def create_event(
    club: Club, name: str, pairs: Sequence[tuple[str, str]], date: Date, by: User
) -> Event:
    """Create an event with its pairs, without a movement."""
    event = scoring.services.create_event(club=club, name=name, date=date, by=by)
    rows = [(f"{place}", pair) for place, pair in enumerate(pairs, start=1)]
    tournaments.services.create_entries(event=event, rows=rows, by=by)
    return event


def create_evening(
    club: Club,
    name: str,
    pairs: Sequence[tuple[str, str]],
    date: Date,
    *,
    rounds: int,
    by: User,
) -> Session:
    """Create an event in play, a Mitchell with invented results of the first `rounds` rounds.

    The results depend only on the deals, which are new in each club.
    """
    event = create_event(club, name, pairs, date, by)
    session = event.sessions.get()
    movement = build("compass", tables=len(pairs) // 2)
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=BOARDS_PER_ROUND, by=by
    )
    board_set = tournaments.services.prepare_boards(session=session, by=by)
    boards.batches.deal_missing_boards(board_set)  # at once, as no worker may be running
    session = scoring.services.open_session(session=session, by=by)
    hall.rehearsal.results.create_results(
        session=session, rounds=rounds, seed=DEMO_CLUB_NAME, by=by
    )
    standings.update_standings(event)
    return session
