"""Strategies for lines: drawn at random, or those of a complete Mitchell."""

from fractions import Fraction
from itertools import permutations
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st

from scoring.methods import ResultLine, build_average_line, build_plain_line

GOLDEN_FOLDER = Path(__file__).resolve().parents[2] / "golden" / "scoring"
F = Fraction
with_few_examples = settings(max_examples=20)


quarter_tricks = st.integers(0, 52).map(lambda quarters: F(quarters, 4))
SEATED_ENTRIES = [list(permutations(range(1, 9), seats)) for seats in (2, 4)]
KINDS = [*["played"] * 6, "average", "split"]


def draw_lines(*, allow_averages=True, allow_splits=True, partners=False, min_line_count=0):
    """Draw lines among a few entries and deals, with occasional averages and split scores."""
    kinds = [
        kind
        for kind in KINDS
        if (allow_averages or kind != "average") and (allow_splits or kind != "split")
    ]
    line = st.builds(
        build_line,
        st.sampled_from(SEATED_ENTRIES[partners]),
        st.integers(1, 4),
        st.sampled_from(kinds),
        st.integers(0, 13),
        quarter_tricks,
    )
    return st.lists(line, min_size=min_line_count, max_size=12)


def build_line(around, deal, kind, tricks, exact):
    half = len(around) // 2
    ns, ew = around[:half], around[half:]
    if kind == "average":
        return build_average_line(deal, ns, ew)
    if kind == "split":
        return ResultLine(deal, ns, ew, tricks, exact)
    return build_plain_line(deal, ns, ew, tricks)


@st.composite
def draw_mitchell(draw):
    """Draw a complete Mitchell of an odd number of tables, one deal a group.

    N-S pairs are 1 to n; the E-W pairs that start at the same tables n + 1 to 2n.
    """
    tables = draw(st.sampled_from([3, 5, 7]))
    plain_lines = []
    for round_ in range(tables):
        for table in range(tables):
            tricks = draw(st.integers(0, 13))
            group = (table + round_) % tables
            east_west_pair = tables + 1 + (table - round_) % tables
            plain_lines.append(
                build_plain_line(group + 1, (table + 1,), (east_west_pair,), tricks)
            )
    return tables, plain_lines


def read_night_lines():
    """Read a complete event: seven tables, 28 boards, N-S pairs 1-7 and E-W pairs 8-14."""
    rows = (GOLDEN_FOLDER / "compass_night.csv").read_text().splitlines()[1:]
    for row in rows:
        board, ns, ew, tricks = map(int, row.split(","))
        yield build_plain_line(board, (ns,), (ew,), tricks)


def collect_lines(ruled_results):
    """Return the lines of the plays that have one."""
    return [result.result_line for result in ruled_results if result.result_line is not None]


def build_points_line(deal, ns, ew, won, lost):
    """Return the line of a plain result in points, from those N-S won and lost."""
    return ResultLine(deal, ns, ew, won - lost, lost - won, both_sides_total=0, points_won=won)
