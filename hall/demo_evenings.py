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
from tournaments.movements import build_named_movement

BOARDS_PER_ROUND = 4


def pair_players(player_names: Sequence[str], *, distance: int) -> list[tuple[str, str]]:
    """Pair each player with the next free player at least `distance` places down the list."""
    unpaired_indexes = list(range(len(player_names)))
    name_pairs = []
    while unpaired_indexes:
        name_index = unpaired_indexes.pop(0)
        partner_index = next(
            (
                candidate_index
                for candidate_index in unpaired_indexes
                if candidate_index >= name_index + distance
            ),
            unpaired_indexes[0],
        )
        unpaired_indexes.remove(partner_index)
        name_pairs.append((player_names[name_index], player_names[partner_index]))
    return name_pairs


def create_event(
    club: Club, name: str, name_pairs: Sequence[tuple[str, str]], date: Date, by: User
) -> Event:
    """Create an event with its pairs, without a movement."""
    event = scoring.services.create_event(club=club, name=name, date=date, by=by)
    numbered_pairs = [
        (f"{pair_number}", player_names)
        for pair_number, player_names in enumerate(name_pairs, start=1)
    ]
    tournaments.services.create_entries(event=event, rows=numbered_pairs, by=by)
    return event


def create_evening(
    club: Club,
    name: str,
    name_pairs: Sequence[tuple[str, str]],
    date: Date,
    *,
    round_count: int,
    by: User,
) -> Session:
    """Create an event in play, a Mitchell with invented results of `round_count` rounds.

    The results depend only on the deals, which are new in each club.
    """
    event = create_event(club, name, name_pairs, date, by)
    session = event.sessions.get()
    movement = build_named_movement("compass", tables=len(name_pairs) // 2)
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=BOARDS_PER_ROUND, by=by
    )
    board_set = tournaments.services.request_dealing(session=session, by=by)
    boards.batches.deal_missing_boards(board_set)  # now, since there may be no worker
    session = scoring.services.open_session(session=session, by=by)
    hall.rehearsal.results.create_results(
        session=session, round_count=round_count, random_seed=DEMO_CLUB_NAME, by=by
    )
    standings.update_standings(event)
    return session
