"""What each change is asked, and what waits for a release.

What waits is named in a file that `python -m tests.reach` writes: whatever is not named there,
a new test before all, is asked at each change (docs/testing.md, "What each change is asked").
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from zlib import crc32

WAITING = Path(__file__).with_name("for_release.txt")
HEAD = "# What waits for a release. Written by `python -m tests.reach`; see docs/testing.md.\n"
TEST, ROW = "  ", "    "
"""What stands before a test of the file named above it, and before a row of the table."""
LOTS = 10
"""Of what waits, one part in so many is drawn at each change."""


def table_of(test: str) -> str:
    """The table of cases that a test is a row of: its name without the row's."""
    return test.partition("[")[0]


def write(waiting: Iterable[str], every: Iterable[str], file: Path = WAITING) -> None:
    """Write down what waits: a test or a whole table, or a table and those rows that wait."""
    tables: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    many = Counter(map(table_of, every))
    for test in sorted(waiting):
        module, _, name = table_of(test).partition("::")
        tables[module][name].append(_row(test))
    lines = [HEAD]
    for module, names in tables.items():
        lines.append(f"{module}\n")
        for name, rows in names.items():
            lines.append(f"{TEST}{name}\n")
            if len(rows) < many[f"{module}::{name}"]:
                lines += [f"{ROW}{row}\n" for row in rows]
    file.write_text("".join(lines), encoding="utf-8")


def read(file: Path = WAITING) -> dict[str, set[str]]:
    """The tests that wait, each with its rows that do; with none it waits whole."""
    rows: dict[str, set[str]] = {}
    module = table = ""
    for line in file.read_text(encoding="utf-8").removeprefix(HEAD).splitlines():
        if line.startswith(ROW):
            rows[table].add(line.removeprefix(ROW))
        elif line.startswith(TEST):
            table = f"{module}::{line.removeprefix(TEST)}"
            rows[table] = set()
        else:
            module = line
    return rows


def waits(file: Path = WAITING) -> Callable[[str], bool]:
    """Tell of a test, by its name, whether it waits for a release."""
    tables = read(file)

    def waits(test: str) -> bool:
        rows = tables.get(table_of(test))
        return rows is not None and (not rows or _row(test) in rows)

    return waits


def is_drawn(test: str, lot: str) -> bool:
    """Tell whether a change draws this test of what waits; `lot` is the name of its commit."""
    return bool(lot) and crc32(f"{lot} {test}".encode()) % LOTS == 0


def _row(test: str) -> str:
    return test.partition("[")[2].removesuffix("]")
