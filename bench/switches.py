"""The rounds to switch for one winner that are written down, found again.

Run by hand: `python -m bench.switches`, half a minute; `--write` prints the rows as they stand
in `tournaments/movements/systems/switches.py`. Ends with 1 where a row is not what the search
finds, or is lacking.
"""

import sys
from collections.abc import Iterator

LEAST = 14
"""Tables from which rows are written down: below the search takes a few milliseconds."""
NAMES = ("compass", "compass-skip", "compass-relay", "compass-rover")

Key = tuple[str, int, int]


def found() -> Iterator[tuple[Key, str]]:
    """Search for every system and size: the whole movement, and with a half table."""
    from tournaments.movements import CATALOGUE, build
    from tournaments.movements.arrow import best_switch

    for name in NAMES:
        system = CATALOGUE[name]
        for tables in filter(system.fits, range(LEAST, 61)):
            whole = build(name, tables=tables)
            both = [whole] if system.extra else [whole, build(name, pairs=2 * tables - 1)]
            rows = [" ".join(map(str, sorted(best_switch(each)))) for each in both]
            yield (name, tables, whole.rounds), "; ".join(rows)


def main() -> None:
    """Compare, or print."""
    from tournaments.movements.systems.switches import SWITCHES

    if "--write" in sys.argv:
        for (name, tables, rounds), row in found():
            print(f'    ("{name}", {tables}, {rounds}): "{row}",')
        return
    rows = dict(found())
    wrong = [key for key in rows.keys() | SWITCHES.keys() if rows.get(key) != SWITCHES.get(key)]
    for key in sorted(wrong):
        print(f"{key}: written {SWITCHES.get(key)}, found {rows.get(key)}")
    print(f"{len(rows)} rows, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
