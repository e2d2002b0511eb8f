"""Draw the 360 drives of docs/drives.md and compare each with its goal.

Run manually: `python -m bench.drives`, some minutes; `--rounds 6,8 --players 24,25` draws
fewer. It prints each drive that exceeds its bound, with its goal and duration, and exits with 1
if one misses its goal.
"""

import argparse
import sys
import time

from drives.draw.evening import draw_evening
from drives.draw.participants import Participants

ROUND_COUNTS = (6, 8, 12, 16, 20, 24)
PLAYER_COUNTS = (*range(8, 65), 100, 200, 400)
GOAL_TOLERANCE = 2
"""The amount by which a draw may exceed a goal above 0."""
GOAL_TABLE = """
6: 9 10 11 12 +1; 13 +2
8: 15 18 +1; 16 20 +3; 17 +5
12: 19 21 30 32 +1; 10 +2; 22 28 +5; 26 +6; 23 24 +8; 25 +10
16: 39 41 +1; 12 18 29 +2; 27 38 40 +3; 35 +4; 14 37 +7; 15 +8; 34 +10; 36 +11; 30 +14; 33 +17; 32 +18
20: 12 51 54 56 +1; 13 50 52 53 +2; 15 +3; 47 +4; 46 +5; 49 +6; 48 +7; 22 35 +8; 37 +9; 45 +11; 43 +14; 18 +15; 19 +16; 42 +21; 44 +22; 38 +24; 39 +25; 40 +28; 41 +32
24: 13 19 36 42 +1; 27 61 62 63 +2; 29 59 64 +4; 58 +5; 60 +7; 57 +11; 55 +12; 43 54 56 +14; 26 45 +15; 22 51 +22; 23 53 +24; 50 +31; 46 +33; 52 +36; 48 +37; 49 +41; 47 +43
"""  # noqa: E501 - a row a number of rounds, as the goals were set
"""The allowed number of repeated opponents above the bound, by rounds and players."""


def parse_goals() -> dict[tuple[int, int], int]:
    """Parse GOAL_TABLE; return the goals by players and rounds."""
    goals = {}
    for line in GOAL_TABLE.strip().splitlines():
        rounds, _, goal_texts = line.partition(": ")
        for goal_text in goal_texts.split("; "):
            players, _, excess_text = goal_text.partition(" +")
            for player_count_text in players.split():
                goals[int(player_count_text), int(rounds)] = int(excess_text)
    return goals


def main() -> None:
    """Draw, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", default=",".join(map(str, ROUND_COUNTS)))
    parser.add_argument("--players", default=",".join(map(str, PLAYER_COUNTS)))
    options = parser.parse_args()
    goals, missed_goals, slowest_seconds, draw_count = parse_goals(), [], 0.0, 0
    for rounds in map(int, options.rounds.split(",")):
        for players in map(int, options.players.split(",")):
            started_at = time.process_time()
            plan = draw_evening(
                Participants(players=tuple(range(1, players + 1))), rounds, b"\0"
            )
            duration = time.process_time() - started_at
            statistics = plan.statistics
            partners = (
                statistics.partner_statistics.coincidence_count
                - statistics.partner_statistics.lower_bound
            )
            opponents = (
                statistics.opponent_statistics.coincidence_count
                - statistics.opponent_statistics.lower_bound
            )
            goal = goals.get((players, rounds), 0)
            is_missed = bool(
                partners
                or opponents > (goal + GOAL_TOLERANCE if goal else 0)
                or statistics.max_rest_count - statistics.min_rest_count > 1
            )
            draw_count, slowest_seconds = draw_count + 1, max(slowest_seconds, duration)
            missed_goals += [(players, rounds)] if is_missed else []
            if opponents or partners or goal:
                print(
                    f"{players} players, {rounds} rounds: partners +{partners}, opponents "
                    f"+{opponents}, goal +{goal}, {duration:.2f} s{' MISSED' * is_missed}",
                    flush=True,
                )
        print(f"{rounds} rounds drawn", flush=True)
    print(
        f"{draw_count} evenings, slowest {slowest_seconds:.2f} s; "
        f"missed their goal: {missed_goals or 'none'}"
    )
    sys.exit(bool(missed_goals))


if __name__ == "__main__":
    main()
