"""Events of any size with simulated results, for trials and benchmarks."""

from datetime import date as Date

from django.db import transaction

import boards.batches
import hall.rehearsal.results
import scoring.services
import tournaments.services
from clubs.audit import Actor
from clubs.models import Club
from clubs.today import get_club_date
from scoring.standings_engine import standings
from tournaments.models import Event, Session
from tournaments.movements import Movement, build
from tournaments.movements.formatting import format_table_count
from tournaments.services import PlannedSection, divide_entries

FIRST_NAMES = (
    *("Ada", "Ben", "Clara", "David", "Edith", "Frank", "Grace", "Henry", "Iris", "John"),
    *("Kate", "Leo", "Mary", "Noel", "Olive", "Peter", "Rosa", "Simon", "Tess", "Walter"),
)
LAST_NAMES = (
    *("Archer", "Barlow", "Carter", "Dalton", "Ellis", "Foster", "Gale", "Harper", "Irving"),
    *("Jarvis", "Kemp", "Lowe", "Marsh", "Norton", "Osborne", "Paine", "Quirk", "Rowe"),
    *("Snow", "Turner"),
)
DEFAULT_ROUNDS = 7
MAX_TABLES_PER_SECTION = 50  # in a section, unless the number of sections is given


def create_staged_session(
    *,
    club: Club,
    tables: int,
    played: int,
    sections: int = 0,
    rounds: int = DEFAULT_ROUNDS,
    boards_a_round: int = 4,
    with_deals: bool = True,
    seed: str = "stage",
    date: Date | None = None,
    by: Actor,
) -> Session:
    """Create an open Mitchell event with results for its first `played` rounds.

    If `sections` is 0, the event has as few sections as allow at most fifty tables each. Each
    step has its own transaction, because a running program may write at the same time. The
    first step makes all checks that can fail.
    """
    with transaction.atomic():
        session = _seat_event(club, tables, sections, rounds, boards_a_round, date, by)
    if with_deals:
        boards.batches.deal_missing_boards(
            tournaments.services.prepare_boards(session=session, by=by)
        )
    else:
        tournaments.services.shuffle_at_table(session=session, by=by)
    session = scoring.services.open_session(session=session, by=by)
    for number in range(1, played + 1):
        hall.rehearsal.results.create_results(session=session, rounds=number, seed=seed, by=by)
    standings.update_standings(session.event)
    return session


def _seat_event(
    club: Club,
    tables: int,
    sections: int,
    rounds: int,
    boards_a_round: int,
    date: Date | None,
    by: Actor,
) -> Session:
    event = scoring.services.create_event(
        club=club,
        name=format_table_count(tables),
        date=date or get_club_date(club),
        by=by,
    )
    rows = [(str(number + 1), get_pair_names(number)) for number in range(2 * tables)]
    tournaments.services.create_entries(event=event, rows=rows, by=by)
    session = event.sessions.get()
    tournaments.services.seat_sections(
        session=session,
        plans=_plan_sections(
            event, tables, sections or max(1, -(-tables // MAX_TABLES_PER_SECTION)), rounds
        ),
        boards_a_round=boards_a_round,
        by=by,
    )
    session.refresh_from_db()
    return session


def _plan_sections(
    event: Event, tables: int, sections: int, rounds: int
) -> list[PlannedSection]:
    """Plan a Mitchell for each section, with the same number of rounds where possible."""
    base_size, remainder = divmod(tables, sections)
    sizes = [base_size + (number < remainder) for number in range(sections)]
    entries = list(event.entries.order_by("number"))
    groups = divide_entries(entries, sections, sizes=[2 * size for size in sizes])
    movements = [_create_mitchell(size, rounds) for size in sizes]
    return [
        PlannedSection(movement, {"rounds": movement.rounds}, group)
        for movement, group in zip(movements, groups, strict=True)
    ]


def _create_mitchell(tables: int, rounds: int) -> Movement:
    has_half_table = tables % 2
    full_tables = tables - (not has_half_table)
    return build(
        "compass" if has_half_table else "compass-skip",
        tables=tables,
        rounds=min(rounds, full_tables),
    )


def get_pair_names(number: int) -> tuple[str, str]:
    """Return the names of the two players of a pair, which differ for each pair number."""
    return _get_name(2 * number), _get_name(2 * number + 1)


def get_copied_name(place: int, number: int) -> str:
    """Return a name for a player of a copied club, unique in that club.

    The names also differ between copies.
    """
    return _get_name((place + 31 * number) % (len(FIRST_NAMES) * len(LAST_NAMES)))


def _get_name(number: int) -> str:
    repetition, place = divmod(number, len(FIRST_NAMES) * len(LAST_NAMES))
    last_index, first = divmod(place, len(FIRST_NAMES))
    name = f"{FIRST_NAMES[first]} {LAST_NAMES[(first + last_index) % len(LAST_NAMES)]}"
    return f"{name} {repetition + 1}" if repetition else name
