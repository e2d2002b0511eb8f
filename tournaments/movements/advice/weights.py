"""The cost of playing an evening in a given way, as named terms; 0 means no drawback.

Costs are integers in units of 1/10,000. The weights reproduce the choices of expert directors
in tests/golden/advice.json. They may be changed as long as that test passes.
"""

from collections.abc import Mapping
from math import isqrt

from tournaments.movements.advice.statistics import ScheduleStatistics
from tournaments.movements.advice.turnout import (
    MINUTES_PER_BOARD,
    USUAL_BOARD_COUNT,
    Turnout,
    compute_minutes,
)
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.system import MovementSystem

COST_UNIT = 10_000
FEW_BOARDS_THRESHOLD = 20
MANY_ROUNDS_THRESHOLD, FEW_ROUNDS_THRESHOLD = 13, 5
MANY_PREPARED_BOARDS_THRESHOLD = 30
EXCEEDED_LIMIT_COST = 100 * COST_UNIT  # higher than the sum of all other terms

CostsByTerm = Mapping[str, int]


def rate_schedule(
    movement_system: MovementSystem,
    statistics: ScheduleStatistics,
    boards_a_round: int,
    *,
    has_one_winner: bool,
) -> CostsByTerm:
    """Return the cost of a schedule, by name of its term.

    The cost of preparing boards is not included; see `rate_board_preparation`.
    """
    costs_by_term = {
        "few-boards": _rate_few_boards(statistics, boards_a_round),
        "rounds": _rate_round_count(statistics.round_count),
        "boards-a-round": _rate_boards_per_round(boards_a_round),
        "unplayed": _rate_unplayed_boards(statistics),
        "unmet": _rate_unmet_opponents(statistics),
        "uneven": _rate_uneven_comparisons(
            movement_system, statistics, has_one_winner=has_one_winner
        ),
        "sharing": _rate_board_sharing(statistics, boards_a_round),
        "walking": _rate_walking(statistics),
        "explaining": movement_system.explanation_cost,
        "winners": _rate_two_winners(statistics, has_one_winner=has_one_winner),
        "idle": _rate_sit_outs(statistics),
    }
    return {term_name: cost for term_name, cost in costs_by_term.items() if cost}


def rate_board_preparation(board_count: int, copy_count: int) -> CostsByTerm:
    """Return the cost of preparing boards and their copies, by name of its term."""
    costs_by_term = {
        "trays": 200 * max(board_count - MANY_PREPARED_BOARDS_THRESHOLD, 0),
        "copies": 40 * board_count * (copy_count - 1),
    }
    return {term_name: cost for term_name, cost in costs_by_term.items() if cost}


def rate_sections(section_count: int, announcement_count: int = 1) -> CostsByTerm:
    """Return the cost of sections and of additional announcements, by name of its term."""
    costs_by_term = {
        "sections": 2_500 * (section_count - 1),
        "announcing": 1_500 * (announcement_count - 1),
    }
    return {term_name: cost for term_name, cost in costs_by_term.items() if cost}


def rate_exceeded_limits(
    turnout: Turnout, round_count: int, boards_a_round: int, played_board_count: int
) -> CostsByTerm:
    """Return a cost for each usual limit that an evening exceeds, by name of its term."""
    excess_by_limit_name = {
        "long-evening": _compute_excess(
            compute_minutes(round_count, boards_a_round), turnout.usual_max_minutes
        ),
        "many-boards": _compute_excess(played_board_count, turnout.usual_max_boards),
        "many-rounds": _compute_excess(round_count, turnout.usual_max_rounds),
    }
    return {
        limit_name: EXCEEDED_LIMIT_COST + COST_UNIT * excess // MINUTES_PER_BOARD
        for limit_name, excess in excess_by_limit_name.items()
        if excess
    }


def _compute_excess(value: int, limit: int | None) -> int:
    return 0 if limit is None else max(value - limit, 0)


def _rate_few_boards(statistics: ScheduleStatistics, boards_a_round: int) -> int:
    played_board_count = statistics.play_count * boards_a_round
    boards_below_usual = max(
        USUAL_BOARD_COUNT * statistics.entrant_count - played_board_count, 0
    )
    boards_below_threshold = max(
        FEW_BOARDS_THRESHOLD * statistics.entrant_count - played_board_count, 0
    )
    return (
        1_500 * boards_below_usual + 5_000 * boards_below_threshold
    ) // statistics.entrant_count


def _rate_round_count(round_count: int) -> int:
    return 1_500 * max(round_count - MANY_ROUNDS_THRESHOLD, 0) + 3_000 * max(
        FEW_ROUNDS_THRESHOLD - round_count, 0
    )


def _rate_boards_per_round(boards_a_round: int) -> int:
    """Rate the number of boards a round.

    The cost is high for one board. Above four boards, it increases with the power 3/2 of the
    excess over four.
    """
    if boards_a_round == 1:
        return 20 * COST_UNIT
    return isqrt(1_000_000 * max(boards_a_round - 4, 0) ** 3)


def _rate_unplayed_boards(statistics: ScheduleStatistics) -> int:
    possible_play_count = statistics.group_count * statistics.entrant_count
    return (
        4_000
        * max(possible_play_count - statistics.play_count, 0)
        // max(possible_play_count, 1)
    )


def _rate_unmet_opponents(statistics: ScheduleStatistics) -> int:
    """Return the cost of opponents that are never met.

    For single players, half of the cost is for partnerships that are never formed.
    """
    possible_pairing_count = max(statistics.possible_pairing_count, 1)
    unmet_pairing_count = possible_pairing_count - statistics.met_pairing_count
    if statistics.partnership_count < 0:
        return 6_000 * unmet_pairing_count // possible_pairing_count
    return (
        3_000
        * (unmet_pairing_count + possible_pairing_count - statistics.partnership_count)
        // possible_pairing_count
    )


def _rate_uneven_comparisons(
    system: MovementSystem, statistics: ScheduleStatistics, *, has_one_winner: bool
) -> int:
    if statistics.has_two_fields and statistics.contest is Contest.PAIRS:
        return 3_500 if has_one_winner else 0
    incompleteness_cost = (
        0 if statistics.is_complete or statistics.contest is Contest.TEAMS else 2_500
    )
    return incompleteness_cost + system.rate_unevenness(statistics.table_count)


def _rate_board_sharing(statistics: ScheduleStatistics, boards_a_round: int) -> int:
    """Return the cost of tables that share boards; 0 if no tables share them.

    With one board a round the cost is high, because one table must wait for the board.
    """
    if not statistics.sharing_table_count:
        return 0
    # both numbers are sums over all rounds
    sharing_meeting_count, played_meeting_count = (
        statistics.sharing_table_count,
        statistics.played_table_count,
    )
    excess = max(sharing_meeting_count * statistics.table_count - 2 * played_meeting_count, 0)
    max_excess = max((statistics.table_count - 2) * played_meeting_count, 1)
    excess_cost = 3_500 * excess // max_excess if statistics.table_count > 2 else 3_500
    return 1_500 + excess_cost + (2 * COST_UNIT if boards_a_round == 1 else 0)


def _rate_walking(statistics: ScheduleStatistics) -> int:
    """Return the cost of the pairs that move, if there is one field; else 0."""
    if statistics.has_two_fields or statistics.contest is not Contest.PAIRS:
        return 0
    moving_pair_count = statistics.entrant_count - statistics.stationary_count
    return (
        400 * max(statistics.table_count - 3, 0) * moving_pair_count // statistics.entrant_count
    )


def _rate_two_winners(statistics: ScheduleStatistics, *, has_one_winner: bool) -> int:
    if has_one_winner or statistics.winner_count == 1:
        return 0
    return 1_200 * max(8 - statistics.table_count, 0)


def _rate_sit_outs(statistics: ScheduleStatistics) -> int:
    """Return the cost of more sit-outs than the number of competitors requires."""
    competitors_per_table = 4 if statistics.contest is Contest.INDIVIDUAL else 2
    if statistics.contest is Contest.TEAMS:
        necessary_sit_out_count = 0
    else:
        necessary_sit_out_count = statistics.round_count * (
            statistics.entrant_count % competitors_per_table
        )
    sit_out_count = (
        statistics.entrant_count * statistics.round_count
        - _count_competitor_rounds(statistics, competitors_per_table)
    )
    return 15_000 if sit_out_count > necessary_sit_out_count else 0


def _count_competitor_rounds(statistics: ScheduleStatistics, competitors_per_table: int) -> int:
    return statistics.played_table_count * competitors_per_table
