"""Time from one entry to new standings, at 7 and at 500 tables, against a bare query.

Run manually: `python -m bench.entry`. An entry is the work for a scorer's key press. The result
is checked and written to disk with its history, then the standings are computed and written.
The bare block selects the event's results on the same connection and counts them by board. The
data are in a separate folder.
"""

import itertools
from collections import Counter
from typing import Any

from bench.setup import (
    BOARDS_A_ROUND,
    ROUNDS,
    median,
    own_folder,
    show_ratio,
    stage_evening,
)

SIZES = ((1, 7), (10, 50))  # sections and tables in each
SELECT = """
    SELECT section.id, result.board, result.ns_tricks FROM scoring_result result
    JOIN tournaments_sitting sitting ON sitting.id = result.sitting_id
    JOIN tournaments_section section ON section.id = sitting.section_id
    JOIN tournaments_session session ON session.id = section.session_id
    WHERE session.event_id = %s
"""


def main() -> None:
    """Print the measurements."""
    with own_folder():
        from server.memory import freeze_loaded_objects

        freeze_loaded_objects()  # as a worker does when it starts
        for sections, tables in SIZES:
            measure(sections, tables)


def measure(sections: int, tables: int) -> None:
    """Print the measurements of one size."""
    from scoring.standings_engine import standings

    event = stage_evening(sections * tables, sections, ROUNDS).event
    results = sections * tables * ROUNDS * BOARDS_A_ROUND
    print(f"{sections * tables} tables in {sections} sections, {results} results")
    bare = median(lambda: counted(event.pk))
    show_ratio("one select plus a counter", bare, bare)
    enter = entries(event)
    show_ratio("the entry, on the disk", median(enter), bare)

    def whole() -> None:
        enter()
        standings.update_standings(event)

    show_ratio("the entry and its new standings", median(whole), bare)


def counted(event: int) -> Counter[tuple[Any, ...]]:
    """Count the scores of every board: the minimum that any scoring needs."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(SELECT, [event])
        return Counter(cursor.fetchall())


def entries(event: Any) -> Any:
    """Return a function that enters a different score at the same table on each call."""
    from scoring.services import record_result
    from tournaments.models import Sitting

    sitting = Sitting.objects.filter(section__session__event=event).order_by("pk")[0]
    board = sitting.section.session.boards_of(sitting.board_group)[0]
    marks = itertools.cycle("56")

    def enter() -> None:
        record_result(sitting=sitting, board=board, mark=next(marks), seen=None, by=None)

    return enter


if __name__ == "__main__":
    main()
