"""The time to solve whist boards, against endplay's own batch with the same deals in one run.

Run manually: `python -m bench.solver`, about a minute; `--boards 10` is short. Ours reads whist
deals and returns the tricks of N/S. The other is one call of endplay's `solve_all_boards` with
`SolveMode.OptimalOne` on prepared deals. The runs alternate: other work on the machine slows
both. It prints medians, their ratio, which should be at least 0.9, and the time for single
boards.
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
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hands

RUN_COUNT = 5
DEAL_SECRET = bytes(range(32))


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=100)
    board_count = parser.parse_args().boards
    deals = [deal_board(DEAL_SECRET, number) for number in range(1, board_count + 1)]
    endplay_deals = [to_endplay_deal(deal) for deal in deals]
    for thread_count in (1, 2):
        print(f"{board_count} boards, threads: {thread_count}", flush=True)
        bare_seconds, our_seconds = measure_alternately(
            lambda thread_count=thread_count: solve_with_endplay(endplay_deals, thread_count),
            lambda thread_count=thread_count: solver.compute_best_tricks(
                deals, thread_count=thread_count
            ),
        )
        for name, seconds in (("endplay's batch", bare_seconds), ("ours", our_seconds)):
            print(f"  {name:16} {board_count / seconds:6.1f} boards/s")
        print(f"  ratio            {bare_seconds / our_seconds:6.2f}")
    times = [
        measure_seconds(lambda deal=deal: solver.compute_best_tricks([deal], thread_count=1))
        for deal in deals
    ]
    times.sort()
    print(f"{board_count} boards one by one, 1 thread:")
    for arguments, fraction in (("half within", 0.5), ("nine of ten", 0.9), ("all", 1.0)):
        time_index = min(int(fraction * board_count), board_count - 1)
        print(f"  {arguments:12} {1000 * times[time_index]:6.0f} ms")


def measure_alternately(*functions: Callable[[], object]) -> list[float]:
    """Run the functions alternately; return each one's median in seconds."""
    durations = [
        [measure_seconds(function) for function in functions] for _run in range(RUN_COUNT + 1)
    ][1:]
    return [statistics.median(times) for times in zip(*durations, strict=True)]


def measure_seconds(function: Callable[[], object]) -> float:
    """Return the seconds that a function takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def solve_with_endplay(deals: list[EndplayDeal], threads: int) -> list[int]:
    """Solve deals as users of endplay do, and read the tricks of each."""
    # endplay has no public API for this; it loads a second copy of the library.
    import_module("endplay._dds").SetMaxThreads(threads)
    solved_boards = solve_all_boards(deals, SolveMode.OptimalOne)
    return [max(tricks for _, tricks in solved_boards[number]) for number in range(len(deals))]


def to_endplay_deal(deal: Deal) -> EndplayDeal:
    """Convert a deal to endplay's."""
    endplay_deal = EndplayDeal(format_hands(deal))
    endplay_deal.first = Player.find(deal.leader.value)
    endplay_deal.trump = Denom.find(deal.trumps.value)
    return endplay_deal


if __name__ == "__main__":
    main()
