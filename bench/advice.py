"""Advice for a field, cold and warm, against building the schedules that it puts first.

Run by hand: `python -m bench.advice`. Each cold figure is taken in a process of its own, in
processor time; prints the best of three.
"""

import subprocess
import sys
import time
from itertools import pairwise

FIELDS = (
    {"pairs": 14},
    {"pairs": 60},
    {"pairs": 60, "winners": 1},
    {"pairs": 60, "sections": 1},
    {"teams": 40},
    {"players": 64},
)
TIMES = 3


def once(field: dict[str, int]) -> tuple[float, float, float]:
    """Take the milliseconds of one cold and one warm advice, and of the schedules alone."""
    from tournaments.movements import build, suggest

    taken = [time.process_time()]
    found = suggest(**field)
    taken.append(time.process_time())
    suggest(**field)
    taken.append(time.process_time())
    for part in found[0].parts:
        build(part.name, **part.options)
    taken.append(time.process_time())
    cold, warm, bare = (1000 * (b - a) for a, b in pairwise(taken))
    return cold, warm, bare


def main() -> None:
    """Print a line a field."""
    if len(sys.argv) > 1:
        print(*once(FIELDS[int(sys.argv[1])]))
        return
    print(f"{'field':36}{'cold ms':>9}{'warm ms':>9}{'bare ms':>9}{'ratio':>7}")
    for number, field in enumerate(FIELDS):
        command = [sys.executable, "-m", "bench.advice", str(number)]
        runs = [
            [float(x) for x in subprocess.check_output(command, text=True).split()]
            for _time in range(TIMES)
        ]
        cold, warm, bare = map(min, zip(*runs, strict=True))
        told = ", ".join(f"{name} {value}" for name, value in field.items())
        print(f"{told:36}{cold:9.1f}{warm:9.1f}{bare:9.1f}{cold / bare:7.1f}")


if __name__ == "__main__":
    main()
