"""Options for one section: every system that fits, in every length, with its cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tournaments.movements.advice import weights
from tournaments.movements.advice.statistics import (
    ScheduleStatistics,
    compute_schedule_statistics,
)
from tournaments.movements.advice.turnout import (
    MAX_BOARDS_A_ROUND,
    Turnout,
    compute_minutes,
    count_tables,
)
from tournaments.movements.builder import convert_size
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.systems.system import System, Unit

# teams: half a match gives no comparison
UNSHORTENED_CONTESTS = (
    Contest.TEAMS,
    Contest.MEMORY,
)
CONTESTS_BY_UNIT = {
    Unit.PAIRS: (Contest.PAIRS, Contest.MEMORY),
    Unit.TABLES: (Contest.PAIRS,),
    Unit.PLAYERS: (Contest.INDIVIDUAL,),
    Unit.TEAMS: (Contest.TEAMS,),
}
NO_LATE_PAIR_COST = 3 * weights.UNIT  # the cost if a late pair would need another movement


@dataclass(frozen=True, slots=True)
class SectionOption:
    """A system with rounds and boards a round for one section, and its cost."""

    system: System
    count: int
    options: dict[str, Any]
    figures: ScheduleStatistics
    boards_a_round: int
    winners: int
    terms: weights.Terms

    @property
    def cost(self) -> int:
        """The sum of all terms."""
        return sum(self.terms.values())

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.figures.rounds

    @property
    def boards(self) -> int:
        """The number of different boards."""
        return self.figures.groups * self.boards_a_round

    @property
    def most_plays(self) -> int:
        """The most boards that any competitor plays."""
        return (self.figures.rounds - self.figures.least_out) * self.boards_a_round

    @property
    def least_plays(self) -> int:
        """The fewest boards that any competitor plays."""
        return (self.figures.rounds - self.figures.most_out) * self.boards_a_round


def list_section_options(
    evening: Turnout, count: int, *, within_usual_limits: bool
) -> list[SectionOption]:
    """List the options for a number of entries within the director's limits.

    With `within_usual_limits` they are also within the usual limits.
    """
    section_options = [
        option
        for system in CATALOGUE.values()
        if _is_candidate(
            system, evening, count_tables(evening.unit, count) if within_usual_limits else 0
        )
        for option in _iter_system_options(
            system, evening, count, within_usual_limits=within_usual_limits
        )
    ]
    if evening.late_pair and evening.unit is Unit.PAIRS:
        return [_add_late_pair_cost(option, evening) for option in section_options]
    return section_options


def _is_candidate(system: System, evening: Turnout, tables: int) -> bool:
    if system.contest not in CONTESTS_BY_UNIT[evening.unit]:
        return False
    if evening.systems is not None:
        return system.name in evening.systems
    return tables <= system.max_tables and (system.advised or evening.clubs)


def _iter_system_options(
    system: System, evening: Turnout, count: int, *, within_usual_limits: bool
) -> Iterator[SectionOption]:
    size = convert_size(system, evening.unit, count)
    if size is None or not system.fits(size[0]) or (size[1] and _excludes_missing_pair(system)):
        return
    options: dict[str, Any] = {str(evening.unit): count}
    if system.vacant_beside and size[0] % 2 and evening.stationary:
        size = (size[0] + 1, 1)  # for an odd number of pairs these have no stationary pair
        options[str(evening.unit)] = size[0]
    if system.vacant_beside and size[1] and evening.stationary:
        options["absent"] = [system.vacant_beside(size[0])]
    max_rounds = evening.rounds or (evening.usual_rounds if within_usual_limits else None)
    for length_options, rows in _iter_lengths(
        system, size[0], options, max_rounds, is_requested=evening.systems is not None
    ):
        for statistics in rows:
            if _is_considered(evening, statistics, max_rounds):
                yield from _iter_rated_options(
                    system,
                    evening,
                    count,
                    length_options,
                    statistics,
                    within_usual_limits=within_usual_limits,
                )


def _is_considered(evening: Turnout, statistics: ScheduleStatistics, most: int | None) -> bool:
    """Return whether a length has at least two rounds, and compares results."""
    if evening.systems is None and not _compares_results(statistics):
        return False
    if statistics.met == 0 or statistics.rounds < min(2, evening.rounds or 2):
        return False
    if evening.rounds is not None:
        return statistics.rounds == evening.rounds
    return most is None or statistics.rounds <= most


def _compares_results(statistics: ScheduleStatistics) -> bool:
    """Return whether any board is played twice: at two tables, or as an overplay at one."""
    is_once = statistics.engaged <= statistics.groups
    return not is_once or statistics.contest not in (Contest.PAIRS, Contest.INDIVIDUAL)


def _excludes_missing_pair(system: System) -> bool:
    """Return whether a system cannot have a missing pair."""
    return system.extra > 0 or system.contest is Contest.MEMORY


def _iter_lengths(
    system: System, size: int, options: dict[str, Any], most: int | None, *, is_requested: bool
) -> Iterator[tuple[dict[str, Any], tuple[ScheduleStatistics, ...]]]:
    """Yield the build options and statistics of each length at which a system can be played."""
    if system.lengths is None:
        may_stop = (
            system.may_stop or is_requested
        ) and system.contest not in UNSHORTENED_CONTESTS
        rows = compute_schedule_statistics(system.name, _hashable_options(options))
        yield options, rows if may_stop else rows[-1:]
        return
    for length in system.lengths(size):
        if most is None or length <= most:
            length_options = options | {"rounds": length}
            yield (
                length_options,
                compute_schedule_statistics(system.name, _hashable_options(length_options))[
                    -1:
                ],
            )


def _hashable_options(options: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in options.items()
    )


def _iter_rated_options(
    system: System,
    evening: Turnout,
    count: int,
    options: dict[str, Any],
    statistics: ScheduleStatistics,
    *,
    within_usual_limits: bool,
) -> Iterator[SectionOption]:
    if not statistics.whole:
        options = options | {"rounds": statistics.rounds}
    for boards in range(1, MAX_BOARDS_A_ROUND + 1):
        if not _fits_limits(
            evening, statistics, boards, within_usual_limits=within_usual_limits
        ):
            continue
        for winners in _possible_winners(statistics):
            if evening.winners in (None, winners):
                one = winners < statistics.winners
                yield SectionOption(
                    system=system,
                    count=count,
                    options=options | {"one_winner": True} if one else options,
                    figures=statistics,
                    boards_a_round=boards,
                    winners=winners,
                    terms=weights.rate_schedule(system, statistics, boards, one_winner=one),
                )


def _possible_winners(statistics: ScheduleStatistics) -> tuple[int, ...]:
    return (2, 1) if statistics.winners == 2 else (1,)


def _fits_limits(
    evening: Turnout, statistics: ScheduleStatistics, boards: int, *, within_usual_limits: bool
) -> bool:
    plays = (statistics.rounds - statistics.least_out) * boards
    minutes = compute_minutes(statistics.rounds, boards)
    limits = [(plays, evening.boards), (minutes, evening.minutes)]
    limits.append((statistics.groups * boards, evening.boards_at_hand))
    limits.append((statistics.copies, evening.sets))
    if within_usual_limits:
        limits += [(plays, evening.usual_boards), (minutes, evening.usual_minutes)]
    return all(limit is None or value <= limit for value, limit in limits)


def _add_late_pair_cost(option: SectionOption, evening: Turnout) -> SectionOption:
    """Add the cost of including one late pair, in the same system or as a rover."""
    later = [
        other.cost
        for system in CATALOGUE.values()
        if system.name == option.system.name or _adds_rover(system, option)
        for other in _iter_system_options(
            system, _add_one_pair(evening, option), option.count + 1, within_usual_limits=False
        )
        if other.boards_a_round == option.boards_a_round and other.winners == option.winners
    ]
    amount = min(later, default=NO_LATE_PAIR_COST)
    return SectionOption(
        system=option.system,
        count=option.count,
        options=option.options,
        figures=option.figures,
        boards_a_round=option.boards_a_round,
        winners=option.winners,
        terms=dict(option.terms) | ({"late-pair": amount} if amount else {}),
    )


def _adds_rover(system: System, option: SectionOption) -> bool:
    """Return whether a system is the option's movement with one more pair as a rover."""
    return system.extra == 1 and option.figures.two_fields and option.count % 2 == 0


def _add_one_pair(evening: Turnout, option: SectionOption) -> Turnout:
    return Turnout(
        unit=evening.unit, count=option.count + 1, rounds=option.rounds, winners=option.winners
    )
