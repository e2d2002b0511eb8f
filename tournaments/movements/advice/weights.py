"""What a shape of an evening costs, in named terms and whole numbers: no term, no fault.

Each is in tenths of a thousandth. The weights hold the answers of experienced directors that
tests/golden/advice.json has, and may be changed as long as they do.
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
BROKEN = 100 * UNIT  # a usual limit is broken only where nothing else is left

Terms = Mapping[str, int]


def terms(system: System, figures: ScheduleFigures, boards: int, *, one_winner: bool) -> Terms:
    """Price a schedule with so many boards a round, but for the boards to be made ready."""
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
    """Price the boards that are made ready, and what is copied of them."""
    found = {
        "trays": 200 * max(boards - MANY_TRAYS, 0),
        "copies": 40 * boards * (copies - 1),
    }
    return {name: amount for name, amount in found.items() if amount}


def divided(sections: int, calls: int = 1) -> Terms:
    """Price the division of a field, and each further announcement that its sections need."""
    found = {"sections": 2_500 * (sections - 1), "announcing": 1_500 * (calls - 1)}
    return {name: amount for name, amount in found.items() if amount}


def broken(evening: Turnout, rounds: int, boards: int, plays: int) -> Terms:
    """Price the usual limits that an evening of such a length breaks."""
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
    """One is never played while two fit; above four the power 3/2 of what is above."""
    if boards == 1:
        return 20 * UNIT
    return isqrt(1_000_000 * max(boards - 4, 0) ** 3)


def _unplayed(figures: ScheduleFigures) -> int:
    could = figures.groups * figures.entrants
    return 4_000 * max(could - figures.plays, 0) // max(could, 1)


def _unmet(figures: ScheduleFigures) -> int:
    """Opponents missed; of single players half of it is the partners missed."""
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
    """From two tables to all of them, and much where somebody always waits."""
    if not figures.sharing:
        return 0
    each, tables = figures.sharing, figures.engaged  # both over all rounds
    beyond = max(each * figures.tables - 2 * tables, 0)
    could = max((figures.tables - 2) * tables, 1)
    spread = 3_500 * beyond // could if figures.tables > 2 else 3_500
    return 1_500 + spread + (2 * UNIT if boards == 1 else 0)


def _walking(figures: ScheduleFigures) -> int:
    """Where no field sits, those walk who have no seat of their own."""
    if figures.two_fields or figures.contest is not Contest.PAIRS:
        return 0
    walking = figures.entrants - figures.seated
    return 400 * max(figures.tables - 3, 0) * walking // figures.entrants


def _two_winners(figures: ScheduleFigures, *, one_winner: bool) -> int:
    if one_winner or figures.winners == 1:
        return 0
    return 1_200 * max(8 - figures.tables, 0)


def _idle(figures: ScheduleFigures) -> int:
    """Sit-outs that the number of competitors does not force."""
    each = 4 if figures.contest is Contest.INDIVIDUAL else 2
    if figures.contest is Contest.TEAMS:
        forced = 0
    else:
        forced = figures.rounds * (figures.entrants % each)
    seats = figures.entrants * figures.rounds - _seated_rounds(figures, each)
    return 15_000 if seats > forced else 0


def _seated_rounds(figures: ScheduleFigures, each: int) -> int:
    return figures.engaged * each
