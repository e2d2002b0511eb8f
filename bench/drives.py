"""Draw the 360 evenings of docs/drives.md and compare each with its goal; run by hand.

python -m bench.drives [--rounds 6,8] [--players 24,25] [--seed HEX] [--nights 10000]

Prints each evening that is above a bound, its goal and its seconds, and the table of what
stayed above its bound. With --nights it plays so many nights of random results of each
result-driven form instead, and counts what breaks.
"""

import argparse
import time
from collections import defaultdict

from drives.draw.company import Company
from drives.draw.evening import draw_evening

ROUNDS = (6, 8, 12, 16, 20, 24)
PLAYERS = (*range(8, 65), 100, 200, 400)
LUCK = 2
GOALS = """
6: 9 10 11 12 +1; 13 +2
8: 15 18 +1; 16 20 +3; 17 +5
12: 19 21 30 32 +1; 10 +2; 22 28 +5; 26 +6; 23 24 +8; 25 +10
16: 39 41 +1; 12 18 29 +2; 27 38 40 +3; 35 +4; 14 37 +7; 15 +8; 34 +10; 36 +11; 30 +14; 33 +17; 32 +18
20: 12 51 54 56 +1; 13 50 52 53 +2; 15 +3; 47 +4; 46 +5; 49 +6; 48 +7; 22 35 +8; 37 +9; 45 +11; 43 +14; 18 +15; 19 +16; 42 +21; 44 +22; 38 +24; 39 +25; 40 +28; 41 +32
24: 13 19 36 42 +1; 27 61 62 63 +2; 29 59 64 +4; 58 +5; 60 +7; 57 +11; 55 +12; 43 54 56 +14; 26 45 +15; 22 51 +22; 23 53 +24; 50 +31; 46 +33; 52 +36; 48 +37; 49 +41; 47 +43
"""  # noqa: E501


def goals() -> dict[tuple[int, int], int]:
    """By players and rounds: how far opponents may stay above their bound."""
    found = {}
    for line in GOALS.strip().splitlines():
        rounds, _, parts = line.partition(": ")
        for part in parts.split("; "):
            players, _, excess = part.partition(" +")
            for each in players.split():
                found[int(each), int(rounds)] = int(excess)
    return found


def plans(rounds: tuple[int, ...], players: tuple[int, ...], seed: bytes) -> None:
    """Draw every evening and print what is above a bound, then the table of it."""
    wanted, above, missed = goals(), defaultdict(list), []
    slowest, at_bound, count = 0.0, 0, 0
    for number in rounds:
        for size in players:
            started = time.process_time()
            plan = draw_evening(Company(players=tuple(range(1, size + 1))), number, seed)
            took = time.process_time() - started
            found = plan.figures
            partners = found.partners.coincidences - found.partners.bound
            opponents = found.opponents.coincidences - found.opponents.bound
            goal = wanted.get((size, number), 0)
            allowed = goal + LUCK if goal else 0
            rests = found.most_rests - found.least_rests
            bad = bool(partners) or opponents > allowed or rests > 1
            count, slowest = count + 1, max(slowest, took)
            at_bound += not opponents
            if bad:
                missed.append((size, number))
            if opponents:
                above[number, opponents].append(size)
            if opponents or partners or goal:
                mark = "MISSED" if bad else ""
                print(
                    f"N {size} R {number}: partners +{partners}, opponents +{opponents}, "
                    f"goal +{goal}, {took:.2f} s {mark}",
                    flush=True,
                )
    for (number, excess), sizes in sorted(above.items()):
        print(f"R {number} +{excess}: {' '.join(map(str, sizes))}")
    print(f"{count} evenings, {at_bound} with opponents at the bound, slowest {slowest:.2f} s")
    print(f"{len(missed)} missed their goal: {missed}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", default=",".join(map(str, ROUNDS)))
    parser.add_argument("--players", default=",".join(map(str, PLAYERS)))
    parser.add_argument("--seed", default="00")
    parser.add_argument("--nights", type=int, default=0)
    given = parser.parse_args()
    if given.nights:
        nights(given.nights)
    else:
        plans(
            tuple(map(int, given.rounds.split(","))),
            tuple(map(int, given.players.split(","))),
            bytes.fromhex(given.seed),
        )
