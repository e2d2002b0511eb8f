"""Small evenings for tests, created only through the services."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

import clubs.services
import scoring.services
import tournaments.services
from clubs.models import Club, Membership
from scoring.models import Terms
from scoring.services import NewScore
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests.copies import build_once
from tournaments.models import Entry, Event, Session, Sitting
from tournaments.movements import Movement, build_named_movement

SURNAMES = [
    "Pole",
    "Nowak",
    "Jones",
    "Briain",
    "Wheelock",
    "Zähringer",
    "Trist",
    "Cohen",
    "Señor",
    "Østby",
    "Paine",
    "Lefèvre",
    "Gale",
    "Papadakis",
    "Matthews",
    "Иванова",
    "Mott",
    "Davies",
    "Clay",
    "Novák",
    "Barney",
    "Conceição",
    "Snow",
    "Whitfield",
]


def create_club_with_director(
    name: str = "Riverside Whist Club", login: str = "director"
) -> tuple[Club, User]:
    """Create a club with congress features, and the login that directs it."""
    user, _ = User.objects.get_or_create(username=login)
    club = clubs.services.create_club(name=name, owner=user, by=user)
    club.has_congress_features = True
    club.save(update_fields=["has_congress_features"])
    return club, user


def create_scorer(club: Club, login: str = "scorer") -> User:
    """Create a login that may only enter a club's scores."""
    user = User.objects.create(username=login)
    Membership.objects.create(club=club, user=user, role=Membership.Role.SCORER)
    return user


def enter_everybody(
    event: Event, names: Iterable[Sequence[str]], user: User | None
) -> list[Entry]:
    """Enter pairs, players or teams, each by the names of its players."""
    rows = [("", name) for name in names]
    return tournaments.services.create_entries(event=event, rows=rows, by=user)


@build_once
def create_event(pairs: int = 6, **changes: object) -> tuple[Event, User]:
    """Create an event with pairs entered and nothing else."""
    club, user = create_club_with_director()
    event = scoring.services.create_event(
        **{"club": club, "name": "Tuesday", "date": date(2026, 3, 10), "by": user} | changes
    )
    enter_everybody(event, (make_names(number, 2) for number in range(pairs)), user)
    return event, user


def make_names(number: int, players: int) -> list[str]:
    return [f"{SURNAMES[(2 * number + k) % 24]} {number}{'ab'[k]}" for k in range(players)]


@build_once
def seat_session(
    pairs: int = 6, *, movement: str = "compass", boards_a_round: int = 2, **options: object
) -> tuple[Session, User]:
    """Create a session whose pairs have their seats."""
    event, user = create_event(pairs)
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session,
        movement=build_named_movement(movement, pairs=pairs, **options),
        boards_a_round=boards_a_round,
        by=user,
    )
    session.refresh_from_db()
    return session, user


@build_once
def open_session(pairs: int = 6, **options: object) -> tuple[Session, User]:
    """Create a session in play."""
    session, user = seat_session(pairs, **options)
    return scoring.services.open_session(session=session, by=user), user


@build_once
def play_session(pairs: int = 6, *, but: int = 0, **options: object) -> tuple[Session, User]:
    """Create a session with all results but the last few.

    N-S take (board + table) mod 14 tricks.
    """
    session, user = open_session(pairs, **options)
    snapshot = load_session_snapshot(session)
    plays = [
        (table, board) for table in snapshot.tables if table.is_played for board in table.boards
    ]
    enter_all_results(
        [
            (table.sitting_id, board, str((board + table.table_number) % 14))
            for table, board in plays[: len(plays) - but]
        ],
        user,
    )
    return session, user


@build_once
def player_count(number: int) -> tuple[Session, User]:
    """Create a whist tournament of single players in play, two boards a round."""
    home, user = create_club_with_director()
    event = scoring.services.create_event(
        club=home, name="Singles", date=date(2026, 3, 10), contest="individual", by=user
    )
    enter_everybody(
        event, ([f"{SURNAMES[number % 24]} {number}"] for number in range(number)), user
    )
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session,
        movement=build_named_movement("whist-individual", players=number),
        boards_a_round=2,
        options={"players": number},
        by=user,
    )
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user), user


@build_once
def play_points_event(
    contest: str = "pairs",
    method: str = "",
    *,
    limit: int = 2000,
    empty: bool = False,
) -> tuple[Session, User]:
    """Create an event in points with all results, or none if `empty`: see `points_of`.

    Six pairs in a Mitchell, eight individual players, or two pairs at one table.
    """
    sizes, movement = _POINTS_SETUPS[contest]
    home, user = create_club_with_director()
    event = scoring.services.create_event(
        club=home,
        name="Points",
        date=date(2026, 3, 10),
        contest=contest,
        method=method,
        most_points=limit,
        by=user,
    )
    tournaments.services.set_trumps(event=event, trumps="declared", is_agreed=True, by=user)
    enter_everybody(
        event, (make_names(number, size) for number, size in enumerate(sizes)), user
    )
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session, movement=movement(), boards_a_round=2, by=user
    )
    session.refresh_from_db()
    session = scoring.services.open_session(session=session, by=user)
    snapshot = load_session_snapshot(session)
    plays = [
        (table, board) for table in snapshot.tables if table.is_played for board in table.boards
    ]
    enter_all_results(
        [
            (
                table.sitting_id,
                board,
                "{}-{}".format(*compute_points(board, table.table_number, table.round)),
            )
            for table, board in plays
            if not empty
        ],
        user,
    )
    return session, user


def compute_points(board: int, table: int, round_: int) -> tuple[int, int]:
    """Return what N-S and E-W win on a board at a table of an event in points."""
    return 20 * board + 30 * table, 10 * round_ if board % 2 else 200


_POINTS_SETUPS: dict[str, tuple[list[int], Callable[[], Movement]]] = {
    "pairs": ([2] * 6, lambda: build_named_movement("compass", pairs=6)),
    "individual": ([1] * 8, lambda: build_named_movement("whist-individual", players=8)),
    "memory": ([2, 2], lambda: build_named_movement("memory", pairs=2, rounds=4)),
}


def build_service_arguments(session: Session) -> dict[str, Any]:
    """Return the arguments that the services of an evening need for a session."""
    return {"evening": session.evening, "subject": session.event}


def show_growing_totals(event: Event) -> None:
    """Let public totals grow with every result, whatever can be concluded from them."""
    scoring.services.set_scoring_terms(
        event=event,
        method=event.terms.method,
        totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT,
        by=None,
    )


def end_correction_period(session: Session) -> None:
    """Set the club's correction period to zero, so that a closed session is over."""
    Club.objects.filter(pk=session.event.club_id).update(correction_hours=0)


def enter_all_results(plays: Iterable[tuple[int, int, str]], user: User | None) -> None:
    """Enter many results at once, each as a sitting, a board and the typed text."""
    play_list = list(plays)
    sittings = Sitting.objects.in_bulk([sitting for sitting, _board, _mark in play_list])
    scores = [NewScore(sittings[sitting], board, mark) for sitting, board, mark in play_list]
    errors = scoring.services.record_results(scores=scores, by=user).errors
    assert not errors, errors


def enter_result(session: Session, sitting: int, board: int, mark: str, user: User) -> None:
    """Enter a result, whatever was recorded before."""
    scoring.services.record_result(
        sitting=Sitting.objects.get(pk=sitting),
        board_number=board,
        mark=mark,
        seen_score=None,
        by=user,
    )
