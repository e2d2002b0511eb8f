"""Best play of whist boards, ours against endplay's own batch, on the same deals in one run.

Run by hand: `python -m bench.solver`, about a minute; `--boards 10` is short. Ours reads whist
deals and returns the tricks of N/S; the other is one call of endplay's `solve_all_boards` with
`SolveMode.OptimalOne` on prepared deals. The runs take turns, so other work on the machine
slows both. Prints medians, and their ratio, which should be 0.9 or more, and how long single
boards take.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from importlib import import_module

from endplay.dds.solve import SolveMode, solve_all_boards
from endplay.types import Deal as EndplayDeal
from endplay.types import Denom, Player

from boards import solver
from boards.whist import Deal
from boards.whist.dealing import make_deal
from boards.whist.notation import hands_text

RUNS = 5
SECRET = bytes(range(32))


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=100)
    count = parser.parse_args().boards
    deals = [make_deal(SECRET, number) for number in range(1, count + 1)]
    ready = [endplay_deal(deal) for deal in deals]
    for threads in (1, 2):
        print(f"{count} boards, threads: {threads}", flush=True)
        bare, ours = take_turns(
            lambda threads=threads: solve_bare(ready, threads),
            lambda threads=threads: solver.best_tricks(deals, threads=threads),
        )
        for name, seconds in (("endplay's batch", bare), ("ours", ours)):
            print(f"  {name:16} {count / seconds:6.1f} boards/s")
        print(f"  ratio            {bare / ours:6.2f}")
    times = [measure(lambda deal=deal: solver.best_tricks([deal], threads=1)) for deal in deals]
    times.sort()
    print(f"{count} boards one by one, 1 thread:")
    for words, share in (("half within", 0.5), ("nine of ten", 0.9), ("all", 1.0)):
        print(f"  {words:12} {1000 * times[min(int(share * count), count - 1)]:6.0f} ms")


def take_turns(*works: Callable[[], object]) -> list[float]:
    """Return each function's median of seconds; the first turn is not counted."""
    turns = [[measure(work) for work in works] for _run in range(RUNS + 1)][1:]
    return [statistics.median(times) for times in zip(*turns, strict=True)]


def measure(work: Callable[[], object]) -> float:
    """Return the seconds that a function takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def solve_bare(ready: list[EndplayDeal], threads: int) -> list[int]:
    """Solve deals as users of endplay do, and read the one number of each."""
    # endplay has no public API for this; it loads a second copy of the library.
    import_module("endplay._dds").SetMaxThreads(threads)
    solved = solve_all_boards(ready, SolveMode.OptimalOne)
    return [max(tricks for _, tricks in solved[number]) for number in range(len(ready))]


def endplay_deal(deal: Deal) -> EndplayDeal:
    """Convert a deal to endplay's."""
    there = EndplayDeal(hands_text(deal))
    there.first = Player.find(deal.leader.value)
    there.trump = Denom.find(deal.trumps.value)
    return there


if __name__ == "__main__":
    main()
