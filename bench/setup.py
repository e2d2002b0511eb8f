"""Shared by the measurements: a folder of their own, evenings of any size, and medians."""

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ROUNDS, BOARDS_A_ROUND = 7, 4


@contextmanager
def own_folder() -> Iterator[str]:
    """Set Django up with data in a new folder that is deleted afterwards."""
    import django
    from django.core.management import call_command
    from django.db import connections

    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        for elsewhere in ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "SITE_URL"):
            os.environ.pop(elsewhere, None)
        django.setup()
        call_command("migrate", interactive=False, verbosity=0)
        yield folder
        connections.close_all()


def night(
    sections: int,
    tables: int,
    *,
    left_out: int = 0,
    rounds_in: int = ROUNDS,
    method: str = "plus_minus",
) -> bytes:
    """Write the event file of a compass night: seven rounds of four boards at each table.

    The results are made up, always the same; `left_out` of them are still to come,
    or all of the rounds after `rounds_in`.
    """
    pairs = [f"{number}" for number in range(1, 2 * sections * tables + 1)]
    document = {
        "format": "whist-event/1",
        "club": {"name": "Bench"},
        "event": {"name": "Night", "date": "2026-03-10", "contest": "pairs", "method": method},
        "players": [
            {"id": f"{number}{seat}", "name": f"Player {number}{seat}"}
            for number in pairs
            for seat in "ab"
        ],
        "entries": [
            {
                "number": int(number),
                "name": f"Pair {number}",
                "players": [f"{number}a", f"{number}b"],
            }
            for number in pairs
        ],
        "sessions": [
            {
                "number": 1,
                "sections": [
                    _section(index, tables, left_out, rounds_in) for index in range(sections)
                ],
            }
        ],
    }
    return json.dumps(document).encode()


def median(work: Callable[[], object], runs: int = 5) -> float:
    """Return the median of the runs in seconds, after one that is not counted."""
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def show_ratio(words: str, seconds: float, bare: float) -> None:
    """Print a figure and its ratio to the bare block."""
    print(f"  {words:<44} {seconds * 1000:9.2f} ms   {seconds / bare:6.2f} x", flush=True)


def _section(index: int, tables: int, left_out: int, rounds_in: int) -> dict[str, Any]:
    from hall.rehearsal.script import plausible_tricks
    from tournaments.movements import build

    letter, first = chr(ord("A") + index), 1 + 2 * tables * index
    rounds = min(ROUNDS, tables)
    movement = "compass" if tables % 2 else "compass-skip"
    meetings = build(movement, tables=tables, rounds=rounds).meetings
    results = [
        {
            "round": meeting.round,
            "table": meeting.table,
            "board": board,
            "ns_tricks": plausible_tricks("bench", sat, board, None),
        }
        for meeting in meetings
        if meeting.round <= rounds_in
        for sat in [_sat(letter, first, meeting)]
        for board in sat.boards
    ]
    return {
        "letter": letter,
        "movement": {
            "name": movement,
            "tables": tables,
            "rounds": rounds,
            "boards_a_round": BOARDS_A_ROUND,
        },
        "seating": {f"{place + 1}NS": first + place for place in range(tables)}
        | {f"{place + 1}EW": first + tables + place for place in range(tables)},
        "results": results[: len(results) - left_out] if index == 0 else results,
    }


def _sat(letter: str, first: int, meeting: Any) -> Any:
    """Write who meets with which boards as results are made up for it."""
    from hall.rehearsal.script import At, Sat

    last = BOARDS_A_ROUND * meeting.board_group
    return Sat(
        At(letter, meeting.round, meeting.table),
        (first + meeting.north - 1,),
        (first + meeting.east - 1,),
        tuple(range(last - BOARDS_A_ROUND + 1, last + 1)),
    )
