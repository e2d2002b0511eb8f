"""The cost of playing an evening in a given way, as named terms; 0 means no drawback.

Costs are integers in units of 1/10,000. The weights reproduce the choices of expert directors
in tests/golden/advice.json. They may be changed as long as that test passes.
"""

from collections.abc import Mapping
from math import isqrt

from tournaments.movements.advice.statistics import ScheduleStatistics
from tournaments.movements.advice.turnout import (
    MINUTES_A_BOARD,
    USUAL_BOARDS,
    Turnout,
    compute_minutes,
)
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.system import System

UNIT = 10_000
FEW_BOARDS_THRESHOLD = 20
LONG, SHORT = 13, 5  # rounds
MANY_TRAYS_THRESHOLD = 30
EXCEEDED_LIMIT_COST = 100 * UNIT  # higher than the sum of all other terms

Terms = Mapping[str, int]


def rate_schedule(
    system: System, statistics: ScheduleStatistics, boards: int, *, one_winner: bool
) -> Terms:
    """Rate a schedule with a number of boards a round, without the work of preparing boards."""
    costs = {
        "few-boards": _rate_few_boards(statistics, boards),
        "rounds": _rate_rounds(statistics.rounds),
        "boards-a-round": _rate_boards_a_round(boards),
        "unplayed": _rate_unplayed(statistics),
        "unmet": _rate_unmet(statistics),
        "uneven": _rate_unevenness(system, statistics, one_winner=one_winner),
        "sharing": _rate_sharing(statistics, boards),
        "walking": _rate_walking(statistics),
        "explaining": system.explaining,
        "winners": _rate_two_winners(statistics, one_winner=one_winner),
        "idle": _rate_sit_outs(statistics),
    }
    return {name: amount for name, amount in costs.items() if amount}


def rate_trays(boards: int, copies: int) -> Terms:
    """Rate the work of preparing boards and their copies."""
    costs = {
        "trays": 200 * max(boards - MANY_TRAYS_THRESHOLD, 0),
        "copies": 40 * boards * (copies - 1),
    }
    return {name: amount for name, amount in costs.items() if amount}


def rate_division(sections: int, calls: int = 1) -> Terms:
    """Rate a division into sections, and the additional announcements it needs."""
    costs = {"sections": 2_500 * (sections - 1), "announcing": 1_500 * (calls - 1)}
    return {name: amount for name, amount in costs.items() if amount}


def rate_exceeded_limits(evening: Turnout, rounds: int, boards: int, plays: int) -> Terms:
    """Rate how far an evening of this length exceeds the usual limits."""
    excesses = {
        "long-evening": _excess(compute_minutes(rounds, boards), evening.usual_minutes),
        "many-boards": _excess(plays, evening.usual_boards),
        "many-rounds": _excess(rounds, evening.usual_rounds),
    }
    return {
        name: EXCEEDED_LIMIT_COST + UNIT * excess // MINUTES_A_BOARD
        for name, excess in excesses.items()
        if excess
    }


def _excess(value: int, limit: int | None) -> int:
    return 0 if limit is None else max(value - limit, 0)


def _rate_few_boards(statistics: ScheduleStatistics, boards: int) -> int:
    played = statistics.plays * boards
    missing_boards = max(USUAL_BOARDS * statistics.entrants - played, 0)
    very_few = max(FEW_BOARDS_THRESHOLD * statistics.entrants - played, 0)
    return (1_500 * missing_boards + 5_000 * very_few) // statistics.entrants


def _rate_rounds(rounds: int) -> int:
    return 1_500 * max(rounds - LONG, 0) + 3_000 * max(SHORT - rounds, 0)


def _rate_boards_a_round(boards: int) -> int:
    """Rate the number of boards a round: one is avoided, and above four the cost increases.

    It increases with the power 3/2 of the excess over four.
    """
    if boards == 1:
        return 20 * UNIT
    return isqrt(1_000_000 * max(boards - 4, 0) ** 3)


def _rate_unplayed(statistics: ScheduleStatistics) -> int:
    playable = statistics.groups * statistics.entrants
    return 4_000 * max(playable - statistics.plays, 0) // max(playable, 1)


def _rate_unmet(statistics: ScheduleStatistics) -> int:
    """Rate opponents that are never met; for single players half of it is missing partners."""
    possible = max(statistics.possible, 1)
    missed = possible - statistics.met
    if statistics.partnered < 0:
        return 6_000 * missed // possible
    return 3_000 * (missed + possible - statistics.partnered) // possible


def _rate_unevenness(
    system: System, statistics: ScheduleStatistics, *, one_winner: bool
) -> int:
    if statistics.two_fields and statistics.contest is Contest.PAIRS:
        return 3_500 if one_winner else 0
    incompleteness_cost = (
        0 if statistics.whole or statistics.contest is Contest.TEAMS else 2_500
    )
    return incompleteness_cost + system.uneven(statistics.tables)


def _rate_sharing(statistics: ScheduleStatistics, boards: int) -> int:
    """Rate the sharing of boards, high with one board a round as a table always waits."""
    if not statistics.sharing:
        return 0
    shared_groups, tables = (
        statistics.sharing,
        statistics.engaged,
    )  # both are sums over all rounds
    beyond = max(shared_groups * statistics.tables - 2 * tables, 0)
    could = max((statistics.tables - 2) * tables, 1)
    spread = 3_500 * beyond // could if statistics.tables > 2 else 3_500
    return 1_500 + spread + (2 * UNIT if boards == 1 else 0)


def _rate_walking(statistics: ScheduleStatistics) -> int:
    """Rate the number of moving pairs, if there is one field."""
    if statistics.two_fields or statistics.contest is not Contest.PAIRS:
        return 0
    walking = statistics.entrants - statistics.seated
    return 400 * max(statistics.tables - 3, 0) * walking // statistics.entrants


def _rate_two_winners(statistics: ScheduleStatistics, *, one_winner: bool) -> int:
    if one_winner or statistics.winners == 1:
        return 0
    return 1_200 * max(8 - statistics.tables, 0)


def _rate_sit_outs(statistics: ScheduleStatistics) -> int:
    """Rate the sit-outs that the number of competitors does not make necessary."""
    cost = 4 if statistics.contest is Contest.INDIVIDUAL else 2
    if statistics.contest is Contest.TEAMS:
        forced = 0
    else:
        forced = statistics.rounds * (statistics.entrants % cost)
    seats = statistics.entrants * statistics.rounds - _stationary_rounds(statistics, cost)
    return 15_000 if seats > forced else 0


def _stationary_rounds(statistics: ScheduleStatistics, each: int) -> int:
    return statistics.engaged * each
