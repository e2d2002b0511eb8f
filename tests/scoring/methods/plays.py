"""Lines for tests: drawn at random, or made by a whole compass."""

from fractions import Fraction
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st

from scoring.methods import Line, averaged, played

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "scoring"
F = Fraction
modestly = settings(max_examples=25)


@st.composite
def lines(draw, *, averages=True, splits=True, partners=False, least=0):
    """Draw lines among a few entries and deals, now and then an average or a split score."""
    seats = 4 if partners else 2
    numbers = st.permutations(range(1, 9)).map(lambda order: tuple(order[:seats]))
    made = []
    for _ in range(draw(st.integers(least, 24))):
        around = draw(numbers)
        ns, ew = around[: seats // 2], around[seats // 2 :]
        deal = draw(st.integers(1, 4))
        kind = draw(
            st.sampled_from(["played"] * 6 + ["average"] * averages + ["split"] * splits)
        )
        if kind == "average":
            made.append(averaged(deal, ns, ew))
        elif kind == "split":
            made.append(Line(deal, ns, ew, draw(exact_tricks), draw(exact_tricks)))
        else:
            made.append(played(deal, ns, ew, draw(st.integers(0, 13))))
    return made


exact_tricks = st.builds(F, st.integers(0, 52), st.just(4))


@st.composite
def compass(draw):
    """Draw a complete compass of an odd number of tables, one deal a group.

    N-S pairs are 1 to n; the E-W pairs that start at the same tables n + 1 to 2n.
    """
    tables = draw(st.sampled_from([3, 5, 7]))
    made = []
    for round_ in range(tables):
        for table in range(tables):
            tricks = draw(st.integers(0, 13))
            group = (table + round_) % tables
            east_west = tables + 1 + (table - round_) % tables
            made.append(played(group + 1, (table + 1,), (east_west,), tricks))
    return tables, made


def night():
    """Read a whole evening: seven tables, 28 boards, N-S pairs 1-7 and E-W pairs 8-14."""
    rows = (GOLDEN / "compass_night.csv").read_text().splitlines()[1:]
    for row in rows:
        board, ns, ew, tricks = map(int, row.split(","))
        yield played(board, (ns,), (ew,), tricks)
