"""Options for one section: each system that fits and each number of rounds, with the cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tournaments.movements.advice import weights
from tournaments.movements.advice.statistics import (
    ScheduleStatistics,
    compute_schedule_statistics,
)
from tournaments.movements.advice.turnout import (
    MAX_BOARDS_PER_ROUND,
    Turnout,
    compute_minutes,
    count_tables,
)
from tournaments.movements.builder import convert_size
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME
from tournaments.movements.systems.system import MovementSystem, SizeUnit

# Schedules of these contests are never shortened. No results can be compared after half a
# match of teams, or before the second play of memory duplicate.
CONTESTS_WITH_FIXED_LENGTH = (
    Contest.TEAMS,
    Contest.MEMORY,
)
CONTESTS_BY_UNIT = {
    SizeUnit.PAIRS: (Contest.PAIRS, Contest.MEMORY),
    SizeUnit.TABLES: (Contest.PAIRS,),
    SizeUnit.PLAYERS: (Contest.INDIVIDUAL,),
    SizeUnit.TEAMS: (Contest.TEAMS,),
}
LATE_PAIR_NEEDS_OTHER_MOVEMENT_COST = (
    3 * weights.COST_UNIT
)  # added if a late pair would need another movement


@dataclass(frozen=True, slots=True)
class SectionOption:
    """A movement for one section: its system, rounds and boards a round, and the cost terms."""

    system: MovementSystem
    entry_count: int
    options: dict[str, Any]
    statistics: ScheduleStatistics
    boards_a_round: int
    winner_count: int
    costs_by_term: weights.CostsByTerm

    @property
    def cost(self) -> int:
        """The total cost: the sum of all weighted costs in `costs_by_term`."""
        return sum(self.costs_by_term.values())

    @property
    def round_count(self) -> int:
        """The number of rounds."""
        return self.statistics.round_count

    @property
    def board_count(self) -> int:
        """The number of different boards."""
        return self.statistics.group_count * self.boards_a_round

    @property
    def max_boards_played(self) -> int:
        """The most boards that any competitor plays."""
        return (
            self.statistics.round_count - self.statistics.min_sit_outs
        ) * self.boards_a_round

    @property
    def min_boards_played(self) -> int:
        """The fewest boards that any competitor plays."""
        return (
            self.statistics.round_count - self.statistics.max_sit_outs
        ) * self.boards_a_round


def list_section_options(
    turnout: Turnout, entry_count: int, *, should_fit_usual_limits: bool
) -> list[SectionOption]:
    """List the options for a number of entries within the director's limits.

    If `should_fit_usual_limits` is True, they are also within the usual limits.
    """
    section_options = [
        option
        for system in SYSTEMS_BY_NAME.values()
        if _is_candidate_system(
            system,
            turnout,
            count_tables(turnout.unit, entry_count) if should_fit_usual_limits else 0,
        )
        for option in _iter_system_section_options(
            system, turnout, entry_count, should_fit_usual_limits=should_fit_usual_limits
        )
    ]
    if turnout.late_pair and turnout.unit is SizeUnit.PAIRS:
        return [_add_late_pair_cost(option, turnout) for option in section_options]
    return section_options


def _is_candidate_system(
    movement_system: MovementSystem, turnout: Turnout, table_count: int
) -> bool:
    if movement_system.contest not in CONTESTS_BY_UNIT[turnout.unit]:
        return False
    if turnout.systems is not None:
        return movement_system.name in turnout.systems
    return table_count <= movement_system.max_tables and (
        movement_system.is_recommended or turnout.clubs
    )


def _iter_system_section_options(
    movement_system: MovementSystem,
    turnout: Turnout,
    entry_count: int,
    *,
    should_fit_usual_limits: bool,
) -> Iterator[SectionOption]:
    size_and_missing_count = convert_size(movement_system, turnout.unit, entry_count)
    if (
        size_and_missing_count is None
        or not movement_system.fits_size(size_and_missing_count[0])
        or (size_and_missing_count[1] and _cannot_have_missing_pair(movement_system))
    ):
        return
    options: dict[str, Any] = {str(turnout.unit): entry_count}
    if (
        movement_system.find_other_vacant_place
        and size_and_missing_count[0] % 2
        and turnout.stationary
    ):
        # Movements for an odd number of pairs have no stationary pair. Use the movement for one
        # pair more, and leave a place empty.
        size_and_missing_count = (size_and_missing_count[0] + 1, 1)
        options[str(turnout.unit)] = size_and_missing_count[0]
    if (
        movement_system.find_other_vacant_place
        and size_and_missing_count[1]
        and turnout.stationary
    ):
        options["absent"] = [movement_system.find_other_vacant_place(size_and_missing_count[0])]
    max_rounds = turnout.rounds or (
        turnout.usual_max_rounds if should_fit_usual_limits else None
    )
    for movement_options, statistics_by_round_count in _iter_options_and_statistics(
        movement_system,
        size_and_missing_count[0],
        options,
        max_rounds,
        is_system_requested=turnout.systems is not None,
    ):
        for statistics in statistics_by_round_count:
            if _is_worth_suggesting(turnout, statistics, max_rounds):
                yield from _iter_rated_options(
                    movement_system,
                    turnout,
                    entry_count,
                    movement_options,
                    statistics,
                    should_fit_usual_limits=should_fit_usual_limits,
                )


def _is_worth_suggesting(
    turnout: Turnout, statistics: ScheduleStatistics, max_rounds: int | None
) -> bool:
    """Return whether a schedule is worth suggesting for an evening.

    The schedule must have the requested number of rounds. If no number is requested, it must
    have at least two and at most `max_rounds` rounds. Some of its results must be comparable,
    unless the director has chosen the systems.
    """
    if turnout.systems is None and not _has_comparable_results(statistics):
        return False
    if statistics.met_pairing_count == 0 or statistics.round_count < min(
        2, turnout.rounds or 2
    ):
        return False
    if turnout.rounds is not None:
        return statistics.round_count == turnout.rounds
    return max_rounds is None or statistics.round_count <= max_rounds


def _has_comparable_results(statistics: ScheduleStatistics) -> bool:
    """Return whether results can be compared, because some board is played at least twice.

    In teams and memory duplicate each board is played twice.
    """
    are_groups_played_once = statistics.played_table_count <= statistics.group_count
    return not are_groups_played_once or statistics.contest not in (
        Contest.PAIRS,
        Contest.INDIVIDUAL,
    )


def _cannot_have_missing_pair(movement_system: MovementSystem) -> bool:
    return movement_system.extra_pair_count > 0 or movement_system.contest is Contest.MEMORY


def _iter_options_and_statistics(
    movement_system: MovementSystem,
    system_size: int,
    options: dict[str, Any],
    max_rounds: int | None,
    *,
    is_system_requested: bool,
) -> Iterator[tuple[dict[str, Any], tuple[ScheduleStatistics, ...]]]:
    """Yield build options, with the statistics for each number of rounds that they allow.

    Options without "rounds" allow several numbers of rounds if the movement may stop early.
    """
    if movement_system.list_round_counts is None:
        can_end_early = (
            movement_system.can_end_early or is_system_requested
        ) and movement_system.contest not in CONTESTS_WITH_FIXED_LENGTH
        statistics_by_round_count = compute_schedule_statistics(
            movement_system.name, _make_options_hashable(options)
        )
        yield (
            options,
            statistics_by_round_count if can_end_early else statistics_by_round_count[-1:],
        )
        return
    for round_count in movement_system.list_round_counts(system_size):
        if max_rounds is None or round_count <= max_rounds:
            length_options = options | {"rounds": round_count}
            statistics = compute_schedule_statistics(
                movement_system.name, _make_options_hashable(length_options)
            )
            yield length_options, statistics[-1:]


def _make_options_hashable(options: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in options.items()
    )


def _iter_rated_options(
    movement_system: MovementSystem,
    turnout: Turnout,
    entry_count: int,
    options: dict[str, Any],
    statistics: ScheduleStatistics,
    *,
    should_fit_usual_limits: bool,
) -> Iterator[SectionOption]:
    if not statistics.is_complete:
        options = options | {"rounds": statistics.round_count}
    for boards_a_round in range(1, MAX_BOARDS_PER_ROUND + 1):
        if not _fits_limits(
            turnout, statistics, boards_a_round, should_fit_usual_limits=should_fit_usual_limits
        ):
            continue
        for winner_count in _list_winner_counts(statistics):
            if turnout.winners in (None, winner_count):
                is_combined_ranking = winner_count < statistics.winner_count
                yield SectionOption(
                    system=movement_system,
                    entry_count=entry_count,
                    options=options | {"one_winner": True} if is_combined_ranking else options,
                    statistics=statistics,
                    boards_a_round=boards_a_round,
                    winner_count=winner_count,
                    costs_by_term=weights.rate_schedule(
                        movement_system,
                        statistics,
                        boards_a_round,
                        has_one_winner=is_combined_ranking,
                    ),
                )


def _list_winner_counts(statistics: ScheduleStatistics) -> tuple[int, ...]:
    return (2, 1) if statistics.winner_count == 2 else (1,)


def _fits_limits(
    turnout: Turnout,
    statistics: ScheduleStatistics,
    boards_a_round: int,
    *,
    should_fit_usual_limits: bool,
) -> bool:
    played_board_count = (statistics.round_count - statistics.min_sit_outs) * boards_a_round
    minutes = compute_minutes(statistics.round_count, boards_a_round)
    values_and_limits = [(played_board_count, turnout.boards), (minutes, turnout.minutes)]
    values_and_limits.append((statistics.group_count * boards_a_round, turnout.boards_at_hand))
    values_and_limits.append((statistics.copy_count, turnout.sets))
    if should_fit_usual_limits:
        values_and_limits += [
            (played_board_count, turnout.usual_max_boards),
            (minutes, turnout.usual_max_minutes),
        ]
    return all(limit is None or value <= limit for value, limit in values_and_limits)


def _add_late_pair_cost(option: SectionOption, turnout: Turnout) -> SectionOption:
    """Return a copy of the option with the cost of one late pair among its terms.

    The late pair plays in the same system for one more pair, or as a rover.
    """
    late_pair_costs = [
        late_option.cost
        for system in SYSTEMS_BY_NAME.values()
        if system.name == option.system.name or _is_rover_version(system, option)
        for late_option in _iter_system_section_options(
            system,
            _add_one_pair(turnout, option),
            option.entry_count + 1,
            should_fit_usual_limits=False,
        )
        if late_option.boards_a_round == option.boards_a_round
        and late_option.winner_count == option.winner_count
    ]
    late_pair_cost = min(late_pair_costs, default=LATE_PAIR_NEEDS_OTHER_MOVEMENT_COST)
    return SectionOption(
        system=option.system,
        entry_count=option.entry_count,
        options=option.options,
        statistics=option.statistics,
        boards_a_round=option.boards_a_round,
        winner_count=option.winner_count,
        costs_by_term=dict(option.costs_by_term)
        | ({"late-pair": late_pair_cost} if late_pair_cost else {}),
    )


def _is_rover_version(movement_system: MovementSystem, option: SectionOption) -> bool:
    """Return whether a system is the option's movement with one more pair as a rover."""
    return (
        movement_system.extra_pair_count == 1
        and option.statistics.has_two_fields
        and option.entry_count % 2 == 0
    )


def _add_one_pair(turnout: Turnout, option: SectionOption) -> Turnout:
    return Turnout(
        unit=turnout.unit,
        count=option.entry_count + 1,
        rounds=option.round_count,
        winners=option.winner_count,
    )
