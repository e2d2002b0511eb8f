"""The time to score 10,000 pairs on 30 boards each, against one query plus a counter.

Run manually: `python -m bench.scoring`. Both read the same 150,000 rows from SQLite in memory.
The bare block counts the scores of each board and adds up plain matchpoints as integers. Ours
builds lines from the rows and scores them exactly.
"""

import random
import sqlite3
from collections import Counter, defaultdict

from django.conf import settings

from bench.setup import measure_median, show_ratio
from scoring.methods import ResultLine, rank_entries
from scoring.methods.matchpoints import compute_percentages, score_matchpoints
from scoring.methods.plus_minus import score_plus_minus
from scoring.methods.result_line import build_plain_line as played_line
from server.memory import freeze_loaded_objects

PAIRS, BOARDS = 10_000, 30
SELECT_RESULTS_SQL = "SELECT board, ns, ew, ns_tricks FROM result"


def main() -> None:
    """Print the measurements."""
    settings.configure(USE_I18N=False)  # the steps of a score have texts for pages
    freeze_loaded_objects()  # as a page and a worker do when they start
    rows = create_result_database()
    bare_seconds = measure_median(lambda: compute_baseline_scores(rows))
    print(f"{PAIRS:,} pairs, {BOARDS} boards, {PAIRS * BOARDS // 2:,} results")
    show_ratio("one select plus a counter", bare_seconds, bare_seconds)
    show_ratio(
        "lines from rows", measure_median(lambda: build_result_lines(rows)), bare_seconds
    )
    show_ratio(
        "matchpoints from rows",
        measure_median(lambda: score_matchpoints(build_result_lines(rows))),
        bare_seconds,
    )
    show_ratio(
        "plus and minus from rows",
        measure_median(lambda: score_plus_minus(build_result_lines(rows))),
        bare_seconds,
    )
    show_ratio(
        "percentages from rows, ranked",
        measure_median(lambda: rank_entries(compute_percentages(build_result_lines(rows)))),
        bare_seconds,
    )


def create_result_database() -> sqlite3.Connection:
    """Create the rows: half of the pairs sit North-South, and all play every board."""
    rows = sqlite3.connect(":memory:")
    rows.execute("CREATE TABLE result (board, ns, ew, ns_tricks)")
    random_source = random.Random(1)
    half_count = PAIRS // 2
    rows.executemany(
        "INSERT INTO result VALUES (?, ?, ?, ?)",
        (
            (
                board,
                ns,
                half_count + (ns + board) % half_count,
                min(13, max(0, round(random_source.gauss(6.5, 2)))),
            )
            for board in range(1, BOARDS + 1)
            for ns in range(half_count)
        ),
    )
    return rows


def compute_baseline_scores(connection: sqlite3.Connection) -> dict[int, int]:
    """Score matchpoints with only a counter for each board."""
    boards: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for board, ns, ew, tricks in connection.execute(SELECT_RESULTS_SQL):
        boards[board].append((ns, ew, tricks))
    totals: dict[int, int] = defaultdict(int)
    for board_results in boards.values():
        counts = Counter(tricks for _, _, tricks in board_results)
        points_by_score, lower_count = {}, 0
        for tricks, count in sorted(counts.items()):
            points_by_score[tricks] = 2 * lower_count + count - 1
            lower_count += count
        top = 2 * (lower_count - 1)
        for ns, ew, tricks in board_results:
            totals[ns] += points_by_score[tricks]
            totals[ew] += top - points_by_score[tricks]
    return totals


def build_result_lines(rows: sqlite3.Connection) -> list[ResultLine]:
    """Build the lines that the methods score; lines of a sitting share their sides."""
    sides = [(entry,) for entry in range(PAIRS + 1)]
    return [
        played_line(board, sides[ns], sides[ew], tricks)
        for board, ns, ew, tricks in rows.execute(SELECT_RESULTS_SQL)
    ]


if __name__ == "__main__":
    main()
