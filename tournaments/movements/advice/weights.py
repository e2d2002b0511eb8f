"""The cost of playing an evening in a given way, in named terms; 0 means no drawback.

Costs are whole numbers in units of 1/10,000. The weights reproduce the choices of expert
directors in tests/golden/advice.json, and may be changed as long as they do.
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
EXCEEDED_LIMIT_COST = 100 * UNIT  # higher than all other terms together

Terms = Mapping[str, int]


def rate_schedule(
    system: System, figures: ScheduleStatistics, boards: int, *, one_winner: bool
) -> Terms:
    """Rate a schedule with a number of boards a round, without preparing the boards."""
    found = {
        "few-boards": _rate_few_boards(figures, boards),
        "rounds": _rate_rounds(figures.rounds),
        "boards-a-round": _rate_boards_a_round(boards),
        "unplayed": _rate_unplayed(figures),
        "unmet": _rate_unmet(figures),
        "uneven": _rate_unevenness(system, figures, one_winner=one_winner),
        "sharing": _rate_sharing(figures, boards),
        "walking": _rate_walking(figures),
        "explaining": system.explaining,
        "winners": _rate_two_winners(figures, one_winner=one_winner),
        "idle": _rate_sit_outs(figures),
    }
    return {name: amount for name, amount in found.items() if amount}


def rate_trays(boards: int, copies: int) -> Terms:
    """Rate the number of boards to prepare, and of their copies."""
    found = {
        "trays": 200 * max(boards - MANY_TRAYS_THRESHOLD, 0),
        "copies": 40 * boards * (copies - 1),
    }
    return {name: amount for name, amount in found.items() if amount}


def rate_division(sections: int, calls: int = 1) -> Terms:
    """Rate the division of a field into sections, and each additional announcement it needs."""
    found = {"sections": 2_500 * (sections - 1), "announcing": 1_500 * (calls - 1)}
    return {name: amount for name, amount in found.items() if amount}


def rate_exceeded_limits(evening: Turnout, rounds: int, boards: int, plays: int) -> Terms:
    """Rate the usual limits that an evening of this length exceeds."""
    over = {
        "long-evening": _excess(compute_minutes(rounds, boards), evening.usual_minutes),
        "many-boards": _excess(plays, evening.usual_boards),
        "many-rounds": _excess(rounds, evening.usual_rounds),
    }
    return {
        name: EXCEEDED_LIMIT_COST + UNIT * by // MINUTES_A_BOARD
        for name, by in over.items()
        if by
    }


def _excess(value: int, limit: int | None) -> int:
    return 0 if limit is None else max(value - limit, 0)


def _rate_few_boards(figures: ScheduleStatistics, boards: int) -> int:
    played = figures.plays * boards
    short = max(USUAL_BOARDS * figures.entrants - played, 0)
    very_short = max(FEW_BOARDS_THRESHOLD * figures.entrants - played, 0)
    return (1_500 * short + 5_000 * very_short) // figures.entrants


def _rate_rounds(rounds: int) -> int:
    return 1_500 * max(rounds - LONG, 0) + 3_000 * max(SHORT - rounds, 0)


def _rate_boards_a_round(boards: int) -> int:
    """Rate the boards a round: one is avoided if two fit; above four the cost grows.

    It grows with the power 3/2 of the excess over four.
    """
    if boards == 1:
        return 20 * UNIT
    return isqrt(1_000_000 * max(boards - 4, 0) ** 3)


def _rate_unplayed(figures: ScheduleStatistics) -> int:
    could = figures.groups * figures.entrants
    return 4_000 * max(could - figures.plays, 0) // max(could, 1)


def _rate_unmet(figures: ScheduleStatistics) -> int:
    """Rate missed opponents; for single players half of it is missed partners."""
    possible = max(figures.possible, 1)
    missed = possible - figures.met
    if figures.partnered < 0:
        return 6_000 * missed // possible
    return 3_000 * (missed + possible - figures.partnered) // possible


def _rate_unevenness(system: System, figures: ScheduleStatistics, *, one_winner: bool) -> int:
    if figures.two_fields and figures.contest is Contest.PAIRS:
        return 3_500 if one_winner else 0
    cut = 0 if figures.whole or figures.contest is Contest.TEAMS else 2_500
    return cut + system.uneven(figures.tables)


def _rate_sharing(figures: ScheduleStatistics, boards: int) -> int:
    """Rate the number of tables that share boards; very high if a table always has to wait."""
    if not figures.sharing:
        return 0
    each, tables = figures.sharing, figures.engaged  # both over all rounds
    beyond = max(each * figures.tables - 2 * tables, 0)
    could = max((figures.tables - 2) * tables, 1)
    spread = 3_500 * beyond // could if figures.tables > 2 else 3_500
    return 1_500 + spread + (2 * UNIT if boards == 1 else 0)


def _rate_walking(figures: ScheduleStatistics) -> int:
    """Rate the number of pairs without a fixed seat, if there is one field."""
    if figures.two_fields or figures.contest is not Contest.PAIRS:
        return 0
    walking = figures.entrants - figures.seated
    return 400 * max(figures.tables - 3, 0) * walking // figures.entrants


def _rate_two_winners(figures: ScheduleStatistics, *, one_winner: bool) -> int:
    if one_winner or figures.winners == 1:
        return 0
    return 1_200 * max(8 - figures.tables, 0)


def _rate_sit_outs(figures: ScheduleStatistics) -> int:
    """Rate the sit-outs beyond those that the number of competitors makes necessary."""
    each = 4 if figures.contest is Contest.INDIVIDUAL else 2
    if figures.contest is Contest.TEAMS:
        forced = 0
    else:
        forced = figures.rounds * (figures.entrants % each)
    seats = figures.entrants * figures.rounds - _stationary_rounds(figures, each)
    return 15_000 if seats > forced else 0


def _stationary_rounds(figures: ScheduleStatistics, each: int) -> int:
    return figures.engaged * each
