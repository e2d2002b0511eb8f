"""The cost of an evening's shape in named terms and whole numbers; a term of 0 is no drawback.

Each is in tenths of a thousandth. The weights reproduce the choices of expert directors in
tests/golden/advice.json, and may be changed as long as they do.
"""

from collections.abc import Mapping
from math import isqrt

from tournaments.movements.advice.figures import ScheduleFigures
from tournaments.movements.advice.turnout import (
    MINUTES_A_BOARD,
    USUAL_BOARDS,
    Turnout,
    minutes_of,
)
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.system import System

UNIT = 10_000
FEW_BOARDS = 20
LONG, SHORT = 13, 5  # rounds
MANY_TRAYS = 30
BROKEN = 100 * UNIT  # higher than all other terms together

Terms = Mapping[str, int]


def terms(system: System, figures: ScheduleFigures, boards: int, *, one_winner: bool) -> Terms:
    """Rate a schedule with a number of boards a round, without the cost of preparing boards."""
    found = {
        "few-boards": _few_boards(figures, boards),
        "rounds": _rounds(figures.rounds),
        "boards-a-round": _boards_a_round(boards),
        "unplayed": _unplayed(figures),
        "unmet": _unmet(figures),
        "uneven": _uneven(system, figures, one_winner=one_winner),
        "sharing": _sharing(figures, boards),
        "walking": _walking(figures),
        "explaining": system.explaining,
        "winners": _two_winners(figures, one_winner=one_winner),
        "idle": _idle(figures),
    }
    return {name: amount for name, amount in found.items() if amount}


def trays(boards: int, copies: int) -> Terms:
    """Rate the number of boards to prepare, and of their copies."""
    found = {
        "trays": 200 * max(boards - MANY_TRAYS, 0),
        "copies": 40 * boards * (copies - 1),
    }
    return {name: amount for name, amount in found.items() if amount}


def divided(sections: int, calls: int = 1) -> Terms:
    """Rate the division of a field, and each further announcement that its sections need."""
    found = {"sections": 2_500 * (sections - 1), "announcing": 1_500 * (calls - 1)}
    return {name: amount for name, amount in found.items() if amount}


def broken(evening: Turnout, rounds: int, boards: int, plays: int) -> Terms:
    """Rate the usual limits that an evening of this length exceeds."""
    over = {
        "long-evening": _over(minutes_of(rounds, boards), evening.usual_minutes),
        "many-boards": _over(plays, evening.usual_boards),
        "many-rounds": _over(rounds, evening.usual_rounds),
    }
    return {name: BROKEN + UNIT * by // MINUTES_A_BOARD for name, by in over.items() if by}


def _over(value: int, limit: int | None) -> int:
    return 0 if limit is None else max(value - limit, 0)


def _few_boards(figures: ScheduleFigures, boards: int) -> int:
    played = figures.plays * boards
    short = max(USUAL_BOARDS * figures.entrants - played, 0)
    very_short = max(FEW_BOARDS * figures.entrants - played, 0)
    return (1_500 * short + 5_000 * very_short) // figures.entrants


def _rounds(rounds: int) -> int:
    return 1_500 * max(rounds - LONG, 0) + 3_000 * max(SHORT - rounds, 0)


def _boards_a_round(boards: int) -> int:
    """Rate the boards a round: one is avoided if two fit; above four the cost grows.

    It grows with the power 3/2 of the excess over four.
    """
    if boards == 1:
        return 20 * UNIT
    return isqrt(1_000_000 * max(boards - 4, 0) ** 3)


def _unplayed(figures: ScheduleFigures) -> int:
    could = figures.groups * figures.entrants
    return 4_000 * max(could - figures.plays, 0) // max(could, 1)


def _unmet(figures: ScheduleFigures) -> int:
    """Rate missed opponents; for single players half of it is missed partners."""
    possible = max(figures.possible, 1)
    missed = possible - figures.met
    if figures.partnered < 0:
        return 6_000 * missed // possible
    return 3_000 * (missed + possible - figures.partnered) // possible


def _uneven(system: System, figures: ScheduleFigures, *, one_winner: bool) -> int:
    if figures.two_fields and figures.contest is Contest.PAIRS:
        return 3_500 if one_winner else 0
    cut = 0 if figures.whole or figures.contest is Contest.TEAMS else 2_500
    return cut + system.uneven(figures.tables)


def _sharing(figures: ScheduleFigures, boards: int) -> int:
    """Rate sharing by the number of tables, and highly if one of them always waits."""
    if not figures.sharing:
        return 0
    each, tables = figures.sharing, figures.engaged  # both over all rounds
    beyond = max(each * figures.tables - 2 * tables, 0)
    could = max((figures.tables - 2) * tables, 1)
    spread = 3_500 * beyond // could if figures.tables > 2 else 3_500
    return 1_500 + spread + (2 * UNIT if boards == 1 else 0)


def _walking(figures: ScheduleFigures) -> int:
    """Rate, where there is one field, the number of pairs without a fixed seat."""
    if figures.two_fields or figures.contest is not Contest.PAIRS:
        return 0
    walking = figures.entrants - figures.seated
    return 400 * max(figures.tables - 3, 0) * walking // figures.entrants


def _two_winners(figures: ScheduleFigures, *, one_winner: bool) -> int:
    if one_winner or figures.winners == 1:
        return 0
    return 1_200 * max(8 - figures.tables, 0)


def _idle(figures: ScheduleFigures) -> int:
    """Rate sit-outs that the number of competitors does not require."""
    each = 4 if figures.contest is Contest.INDIVIDUAL else 2
    if figures.contest is Contest.TEAMS:
        forced = 0
    else:
        forced = figures.rounds * (figures.entrants % each)
    seats = figures.entrants * figures.rounds - _seated_rounds(figures, each)
    return 15_000 if seats > forced else 0


def _seated_rounds(figures: ScheduleFigures, each: int) -> int:
    return figures.engaged * each
