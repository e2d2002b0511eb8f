"""Best play of whist boards, ours against endplay's own batch, on the same deals in one run.

Run by hand: `python -m bench.solver`. Ours reads whist deals and gives back the tricks of N/S;
the other is one call of endplay's `solve_all_boards` with `SolveMode.OptimalOne` on deals made
ready beforehand. The runs take turns, so that the machine's moods fall on both. Prints medians
of the time that passed and of the processors' own time, their ratios, which are to stay at 0.9
or more, and how long the hardest boards take.
"""

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

BOARDS, RUNS, TAIL = 100, 7, 200
SECRET = bytes(range(32))


def main() -> None:
    """Print the figures."""
    deals = [make_deal(SECRET, number) for number in range(1, BOARDS + 1)]
    for threads in (1, 2):
        ready = [endplay_deal(deal) for deal in deals]
        bare, ours = turns(
            lambda threads=threads, ready=ready: solve_bare(ready, threads),
            lambda threads=threads: solver.best_tricks(deals, threads=threads),
        )
        print(f"{BOARDS} boards, {threads} thread{'s' if threads > 1 else ''}")
        for name, each in (("endplay's batch", bare), ("ours", ours)):
            print(f"  {name:16} {BOARDS / each[0]:6.1f} boards/s, {each[1]:.2f} s of processor")
        ratios = bare[0] / ours[0], bare[1] / ours[1]
        print("  ratio            {:6.2f} by time, {:.2f} by processor".format(*ratios))
    tail()


def turns(*works: Callable[[], object]) -> list[tuple[float, float]]:
    """Return each work's median of time and processor time in seconds, the works in turns.

    The first turn is not counted.
    """
    times: list[list[tuple[float, float]]] = [[] for _ in works]
    for run in range(RUNS + 1):
        for work, taken in zip(works, times, strict=True):
            start, worked = time.perf_counter(), time.process_time()
            work()
            if run:
                taken.append((time.perf_counter() - start, time.process_time() - worked))
    return [(median(0, taken), median(1, taken)) for taken in times]


def median(place: int, taken: list[tuple[float, float]]) -> float:
    """Return the median of one of the two times."""
    return statistics.median(each[place] for each in taken)


def solve_bare(ready: list[EndplayDeal], threads: int) -> list[int]:
    """Solve deals as endplay's users do, and read the one number of each."""
    # endplay has no public way; it loads a second copy of the library.
    import_module("endplay._dds").SetMaxThreads(threads)
    solved = solve_all_boards(ready, SolveMode.OptimalOne)
    return [max(tricks for _, tricks in solved[number]) for number in range(len(ready))]


def endplay_deal(deal: Deal) -> EndplayDeal:
    """Make a deal ready for endplay."""
    there = EndplayDeal(hands_text(deal))
    there.first = Player.find(deal.leader.value)
    there.trump = Denom.find(deal.trumps.value)
    return there


def tail() -> None:
    """Print how long single boards take."""
    times = []
    for number in range(1, TAIL + 1):
        deal = make_deal(SECRET, number)
        start = time.perf_counter()
        solver.best_tricks([deal], threads=1)
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    marks = {"half": 0.5, "nine of ten": 0.9, "99 of 100": 0.99, "all": 1.0}
    print(f"{TAIL} boards one by one, 1 thread: within")
    for words, share in marks.items():
        print(f"  {words:12} {times[min(int(share * TAIL), TAIL - 1)]:6.0f} ms")


if __name__ == "__main__":
    main()
