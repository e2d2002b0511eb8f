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
from tournaments.movements import Movement, build_named_movement
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
DEFAULT_ROUND_COUNT = 7
MAX_TABLES_PER_SECTION = 50  # the number of sections can be given instead


def create_staged_session(
    *,
    club: Club,
    table_count: int,
    played_round_count: int,
    section_count: int = 0,
    round_count: int = DEFAULT_ROUND_COUNT,
    boards_a_round: int = 4,
    should_deal: bool = True,
    random_seed: str = "stage",
    date: Date | None = None,
    by: Actor,
) -> Session:
    """Create an open Mitchell event with results for its first `played_round_count` rounds.

    If `section_count` is 0, the event has as few sections as possible, with at most fifty
    tables each. Each step has its own transaction, because a running program may write at the
    same time. The first step makes all checks that can fail.
    """
    with transaction.atomic():
        session = _create_seated_session(
            club, table_count, section_count, round_count, boards_a_round, date, by
        )
    if should_deal:
        boards.batches.deal_missing_boards(
            tournaments.services.request_dealing(session=session, by=by)
        )
    else:
        tournaments.services.set_table_shuffling(session=session, by=by)
    session = scoring.services.open_session(session=session, by=by)
    for round_number in range(1, played_round_count + 1):
        hall.rehearsal.results.create_results(
            session=session, round_count=round_number, random_seed=random_seed, by=by
        )
    standings.update_standings(session.event)
    return session


def _create_seated_session(
    club: Club,
    table_count: int,
    section_count: int,
    round_count: int,
    boards_a_round: int,
    date: Date | None,
    by: Actor,
) -> Session:
    event = scoring.services.create_event(
        club=club,
        name=format_table_count(table_count),
        date=date or get_club_date(club),
        by=by,
    )
    numbered_pairs = [
        (str(pair_index + 1), get_pair_names(pair_index))
        for pair_index in range(2 * table_count)
    ]
    tournaments.services.create_entries(event=event, rows=numbered_pairs, by=by)
    session = event.sessions.get()
    tournaments.services.seat_sections(
        session=session,
        planned_sections=_plan_sections(
            event,
            table_count,
            section_count or max(1, -(-table_count // MAX_TABLES_PER_SECTION)),
            round_count,
        ),
        boards_a_round=boards_a_round,
        by=by,
    )
    session.refresh_from_db()
    return session


def _plan_sections(
    event: Event, table_count: int, section_count: int, round_count: int
) -> list[PlannedSection]:
    """Plan a Mitchell for each section, with the same number of rounds where possible."""
    base_size, larger_section_count = divmod(table_count, section_count)
    section_sizes = [
        base_size + (section_index < larger_section_count)
        for section_index in range(section_count)
    ]
    entries = list(event.entries.order_by("number"))
    entries_by_section = divide_entries(
        entries, section_count, sizes=[2 * section_size for section_size in section_sizes]
    )
    movements = [_create_mitchell(section_size, round_count) for section_size in section_sizes]
    return [
        PlannedSection(movement, {"rounds": movement.round_count}, section_entries)
        for movement, section_entries in zip(movements, entries_by_section, strict=True)
    ]


def _create_mitchell(table_count: int, round_count: int) -> Movement:
    is_odd = table_count % 2
    max_rounds = table_count - (not is_odd)
    return build_named_movement(
        "compass" if is_odd else "compass-skip",
        tables=table_count,
        rounds=min(round_count, max_rounds),
    )


def get_pair_names(pair_index: int) -> tuple[str, str]:
    """Return the names of the two players of a pair, which differ for each pair number."""
    return _get_name(2 * pair_index), _get_name(2 * pair_index + 1)


def get_copied_name(name_index: int, copy_number: int) -> str:
    """Return a name for a player of a copied club, unique in that club.

    The same player has a different name in each copy of the club (`copy_number`).
    """
    return _get_name((name_index + 31 * copy_number) % (len(FIRST_NAMES) * len(LAST_NAMES)))


def _get_name(player_index: int) -> str:
    repetition, name_index = divmod(player_index, len(FIRST_NAMES) * len(LAST_NAMES))
    last_name_shift, first_name_index = divmod(name_index, len(FIRST_NAMES))
    last_name_index = (first_name_index + last_name_shift) % len(LAST_NAMES)
    name = f"{FIRST_NAMES[first_name_index]} {LAST_NAMES[last_name_index]}"
    return f"{name} {repetition + 1}" if repetition else name
