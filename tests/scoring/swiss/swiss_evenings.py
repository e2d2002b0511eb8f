"""Small Swiss events, created only through the services."""

from random import Random

import scoring.services
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import Section, Session
from tournaments.swiss.plan import SwissPlan


@build_once
def open_swiss(
    pairs: int = 8,
    rounds: int = 3,
    *,
    contest: str = "pairs",
    method: str = "",
    by_corrected: bool | None = None,
    **plan: object,
) -> tuple[Session, User]:
    """Return a Swiss event in play with its first round drawn."""
    event, user = evenings.create_event(0, contest=contest)
    letters = "abcd" if contest == "teams" else "ab"
    names = (
        [f"{evenings.SURNAMES[number]} {letter}" for letter in letters]
        for number in range(pairs)
    )
    evenings.enter_everybody(event, names, user)
    session = event.sessions.get()
    scoring.services.seat_swiss(
        session=session,
        plan=SwissPlan(rounds, **plan),
        boards_a_round=2,
        copy_count=4,
        method=method,
        by_corrected=by_corrected,
        random_seed="lot",
        by=user,
    )
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user), user


def reload_section(session: Session) -> Section:
    """Return the section, read again."""
    return session.sections.select_related("session__event__club").get()


def play_round(
    session: Session, round_: int, user: User, *, random_generator: Random | None = None
):
    """Enter all results of a round; without `lots` they follow from the numbers only."""
    plays = [
        (table, board)
        for table in load_session_snapshot(session).tables
        if table.is_played and table.round == round_
        for board in table.boards
    ]
    evenings.enter_all_results(
        [
            (
                table.sitting_id,
                board,
                str(
                    random_generator.randint(3, 10)
                    if random_generator
                    else (board + 3 * table.table_number) % 14
                ),
            )
            for table, board in plays
        ],
        user,
    )
