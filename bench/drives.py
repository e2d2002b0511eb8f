"""Draw the 360 evenings of docs/drives.md and compare each with its goal; run by hand.

python -m bench.drives [--rounds 6,8] [--players 24,25] [--seed HEX] [--nights 10000]

Prints each evening that is above a bound, its goal and its seconds, and the table of what
stayed above its bound. With --nights it plays so many nights of random results of each
result-driven form instead, and counts what breaks; with --search it looks for better starts
of each size and prints them as drives/draw/finds.py keeps them.
"""

import argparse
import random
import time
from collections import Counter, defaultdict
from itertools import pairwise

from drives.draw import finds
from drives.draw.company import Company
from drives.draw.evening import draw_evening
from drives.forms import FORMS
from drives.moves.state import Side, Table

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
"""  # noqa: E501 - a row a number of rounds, as the goals were set


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


def search(rounds: tuple[int, ...], players: tuple[int, ...], starts: int) -> None:
    """Try other starts for every size above a bound, and print the best of each."""
    for number in rounds:
        best = {}
        for size in players:
            found = []
            for start in range(starts):
                finds.FINDS = {number: {size: start}}
                given = draw_evening(Company(players=tuple(range(1, size + 1))), number, b"")
                each = given.figures
                over = 40 * (each.partners.coincidences - each.partners.bound)
                over += 10 * (each.opponents.coincidences - each.opponents.bound)
                found.append((over, start))
                if not over:
                    break
            if min(found)[1]:
                best[size] = min(found)[1]
            print(f"N {size} R {number}: {min(found)} of {len(found)}", flush=True)
        print(f"    {number}: {best},", flush=True)


def nights(count: int) -> None:
    """Play nights of 24 hands of each form; count what breaks, and what partners people have.

    Also tells the most that two people's rests differ by, by tables, with a half table.
    """
    for code in (code for code, form in FORMS.items() if form.moves and code != "cut"):
        chance, faults = random.Random(code), Counter[str]()
        apart: dict[int, int] = defaultdict(int)
        started = time.process_time()
        for _night in range(count):
            size, half = chance.randint(1, 20), chance.random() < 0.5
            rested = play(code, size, half, chance, faults)
            apart[size] = max(apart[size], rested)
        took = time.process_time() - started
        print(f"{code}: {count} nights, faults {dict(faults)}, {took:.0f} s")
        print(f"  rests differ by at most {dict(sorted(apart.items()))}")
        print(f"  ten tables: {partners_of_a_night(code, chance)}")


def play(code: str, size: int, half: bool, chance: random.Random, faults: Counter[str]) -> int:
    """Play one night of 24 hands by random results; return how far rests differ."""
    roles = {f"{'LG'[k % 2]}{k}": k % 2 for k in range(4 * size + 2 * half)}
    tables = start(size, half)
    rests = dict.fromkeys(roles, 0)
    move = FORMS[code].moves
    assert move is not None
    for _hand in range(24):
        won = [
            Table(t.number, t.seats, chance.choice(list(Side)) if t.is_full else None)
            for t in tables
        ]
        for table in won:
            if not table.is_full:
                rests.update({p: rests[p] + 1 for p in table.seats if p})
        moved = move(won, {}, rests)
        faults["people"] += sorted([*roles]) != sorted(
            [*(p for table in moved.tables for p in table), *moved.rest]
        )
        for table in moved.tables:
            faults["roles"] += [roles[p] for p in table] != [0, 0, 1, 1]
        faults["tables"] += len(moved.tables) != size or len(moved.rest) != 2 * half
        tables = [Table(n, seats) for n, seats in enumerate(moved.tables, start=1)]
        if half:
            tables.append(Table(size + 1, (moved.rest[0], None, moved.rest[1], None)))
    return max(rests.values()) - min(rests.values())


def start(size: int, half: bool) -> list[Table]:
    """The first tables: firsts are L, seconds are G."""
    tables = [
        Table(t + 1, tuple(f"{'LLGG'[s]}{4 * t + (0, 2, 1, 3)[s]}" for s in range(4)))
        for t in range(size)
    ]
    extra = Table(size + 1, (f"L{4 * size}", None, f"G{4 * size + 1}", None))
    return [*tables, extra] if half else tables


def partners_of_a_night(code: str, chance: random.Random, times: int = 200) -> str:
    """How many partners a player has at ten tables in 24 hands, and how often the same."""
    move = FORMS[code].moves
    assert move is not None
    different, most, twice = 0, 0, 0
    for _time in range(times):
        tables, had = start(10, False), defaultdict(list)
        for _hand in range(24):
            won = [Table(t.number, t.seats, chance.choice(list(Side))) for t in tables]
            for one, two, three, four in (t.seats for t in won):
                for a, b in ((one, three), (two, four)):
                    had[a].append(b)
                    had[b].append(a)
            moved = move(won, {}, None)
            tables = [Table(n, seats) for n, seats in enumerate(moved.tables, start=1)]
        different += sum(len(set(each)) for each in had.values())
        most += sum(max(Counter(each).values()) for each in had.values())
        twice += sum(a == b for each in had.values() for a, b in pairwise(each))
    people = 40 * times
    return (
        f"{different / people:.1f} partners, at most {most / people:.1f} hands with one, "
        f"twice running {twice / people:.2f} times"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", default=",".join(map(str, ROUNDS)))
    parser.add_argument("--players", default=",".join(map(str, PLAYERS)))
    parser.add_argument("--seed", default="00")
    parser.add_argument("--nights", type=int, default=0)
    parser.add_argument("--search", type=int, default=0, metavar="STARTS")
    given = parser.parse_args()
    if given.nights:
        nights(given.nights)
    elif given.search:
        search(
            tuple(map(int, given.rounds.split(","))),
            tuple(map(int, given.players.split(","))),
            given.search,
        )
    else:
        plans(
            tuple(map(int, given.rounds.split(","))),
            tuple(map(int, given.players.split(","))),
            bytes.fromhex(given.seed),
        )
