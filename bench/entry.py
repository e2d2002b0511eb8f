"""The time from one entry to new standings, with 7 and with 500 tables, against a bare query.

Run manually: `python -m bench.entry`. An entry is the work after a scorer's key press: the
result is checked and stored with its history, then the standings are computed and stored. The
bare query selects the event's results on the same connection and counts them by board. The data
are in a separate folder.
"""

import itertools
from collections import Counter
from typing import Any

from bench.setup import (
    BOARDS_PER_ROUND,
    ROUNDS,
    measure_median,
    set_up_folder,
    show_ratio,
    stage_evening,
)

EVENING_SIZES = ((1, 7), (10, 50))  # sections and tables in each
SELECT_RESULTS_SQL = """
    SELECT section.id, result.board, result.ns_tricks FROM scoring_result result
    JOIN tournaments_sitting sitting ON sitting.id = result.sitting_id
    JOIN tournaments_section section ON section.id = sitting.section_id
    JOIN tournaments_session session ON session.id = section.session_id
    WHERE session.event_id = %s
"""


def main() -> None:
    """Print the measurements."""
    with set_up_folder():
        from server.memory import freeze_loaded_objects

        freeze_loaded_objects()  # as a worker does when it starts
        for sections, tables in EVENING_SIZES:
            measure_event(sections, tables)


def measure_event(sections: int, tables: int) -> None:
    """Print the measurements for one size of event."""
    from scoring.standings_engine import standings

    event = stage_evening(sections * tables, sections, ROUNDS).event
    results = sections * tables * ROUNDS * BOARDS_PER_ROUND
    print(f"{sections * tables} tables in {sections} sections, {results} results")
    baseline_seconds = measure_median(lambda: count_scores(event.pk))
    show_ratio("one select plus a counter", baseline_seconds, baseline_seconds)
    enter_result = build_entry_function(event)
    show_ratio("the entry, on the disk", measure_median(enter_result), baseline_seconds)

    def whole() -> None:
        enter_result()
        standings.update_standings(event)

    show_ratio("the entry and its new standings", measure_median(whole), baseline_seconds)


def count_scores(event: int) -> Counter[tuple[Any, ...]]:
    """Count the scores of every board: the minimum work of any scoring method."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(SELECT_RESULTS_SQL, [event])
        return Counter(cursor.fetchall())


def build_entry_function(event: Any) -> Any:
    """Return a function that enters a different score at the same table on each call."""
    from scoring.services import record_result
    from tournaments.models import Sitting

    sitting = Sitting.objects.filter(section__session__event=event).order_by("pk")[0]
    board = sitting.section.session.get_group_boards(sitting.board_group)[0]
    marks = itertools.cycle("56")

    def enter() -> None:
        record_result(
            sitting=sitting, board_number=board, mark=next(marks), seen_score=None, by=None
        )

    return enter


if __name__ == "__main__":
    main()
