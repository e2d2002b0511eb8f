"""The options for one section: every system that fits, in every length, with its cost."""

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

UNSHORTENED_CONTESTS = (Contest.TEAMS, Contest.MEMORY)  # half a match compares nothing
CONTESTS_BY_UNIT = {
    Unit.PAIRS: (Contest.PAIRS, Contest.MEMORY),
    Unit.TABLES: (Contest.PAIRS,),
    Unit.PLAYERS: (Contest.INDIVIDUAL,),
    Unit.TEAMS: (Contest.TEAMS,),
}
NO_LATE_PAIR_COST = 3 * weights.UNIT  # the cost if a late pair would change everything


@dataclass(frozen=True, slots=True)
class SectionOption:
    """A system for one section, with its rounds and boards a round, and its cost."""

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
        """The most boards that a competitor plays."""
        return (self.figures.rounds - self.figures.least_out) * self.boards_a_round

    @property
    def least_plays(self) -> int:
        """The fewest boards that a competitor plays."""
        return (self.figures.rounds - self.figures.most_out) * self.boards_a_round


def list_section_options(evening: Turnout, count: int, *, usual: bool) -> list[SectionOption]:
    """List the options for a number of entries within the given and the `usual` limits."""
    found = [
        shape
        for system in CATALOGUE.values()
        if _is_candidate(system, evening, count_tables(evening.unit, count) if usual else 0)
        for shape in _iter_system_options(system, evening, count, usual=usual)
    ]
    if evening.late_pair and evening.unit is Unit.PAIRS:
        return [_add_late_pair_cost(shape, evening) for shape in found]
    return found


def _is_candidate(system: System, evening: Turnout, tables: int) -> bool:
    if system.contest not in CONTESTS_BY_UNIT[evening.unit]:
        return False
    if evening.systems is not None:
        return system.name in evening.systems
    return tables <= system.max_tables and (system.advised or evening.clubs)


def _iter_system_options(
    system: System, evening: Turnout, count: int, *, usual: bool
) -> Iterator[SectionOption]:
    size = convert_size(system, evening.unit, count)
    if size is None or not system.fits(size[0]) or (size[1] and _excludes_missing_pair(system)):
        return
    options: dict[str, Any] = {str(evening.unit): count}
    if system.vacant_beside and size[0] % 2 and evening.stationary:
        size = (size[0] + 1, 1)  # movements for an odd number have no stationary pair
        options[str(evening.unit)] = size[0]
    if system.vacant_beside and size[1] and evening.stationary:
        options["absent"] = [system.vacant_beside(size[0])]
    most = evening.rounds or (evening.usual_rounds if usual else None)
    for chosen, rows in _iter_lengths(
        system, size[0], options, most, asked=evening.systems is not None
    ):
        for figures in rows:
            if _is_considered(evening, figures, most):
                yield from _iter_rated_options(
                    system, evening, count, chosen, figures, usual=usual
                )


def _is_considered(evening: Turnout, figures: ScheduleStatistics, most: int | None) -> bool:
    """Return whether a length is considered: two rounds or more, with comparisons."""
    if evening.systems is None and not _compares_results(figures):
        return False
    if figures.met == 0 or figures.rounds < min(2, evening.rounds or 2):
        return False
    if evening.rounds is not None:
        return figures.rounds == evening.rounds
    return most is None or figures.rounds <= most


def _compares_results(figures: ScheduleStatistics) -> bool:
    """Return whether any board is played twice, at two tables or as an overplay at one."""
    is_once = figures.engaged <= figures.groups
    return not is_once or figures.contest not in (Contest.PAIRS, Contest.INDIVIDUAL)


def _excludes_missing_pair(system: System) -> bool:
    """Return whether a system cannot have a missing pair."""
    return system.extra > 0 or system.contest is Contest.MEMORY


def _iter_lengths(
    system: System, size: int, options: dict[str, Any], most: int | None, *, asked: bool
) -> Iterator[tuple[dict[str, Any], tuple[ScheduleStatistics, ...]]]:
    """Yield the options and statistics of all lengths that a system has or may stop at."""
    if system.lengths is None:
        may_stop = (system.may_stop or asked) and system.contest not in UNSHORTENED_CONTESTS
        rows = compute_schedule_statistics(system.name, _hashable_options(options))
        yield options, rows if may_stop else rows[-1:]
        return
    for length in system.lengths(size):
        if most is None or length <= most:
            chosen = options | {"rounds": length}
            yield (
                chosen,
                compute_schedule_statistics(system.name, _hashable_options(chosen))[-1:],
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
    figures: ScheduleStatistics,
    *,
    usual: bool,
) -> Iterator[SectionOption]:
    if not figures.whole:
        options = options | {"rounds": figures.rounds}
    for boards in range(1, MAX_BOARDS_A_ROUND + 1):
        if not _fits_limits(evening, figures, boards, usual=usual):
            continue
        for winners in _possible_winners(figures):
            if evening.winners in (None, winners):
                one = winners < figures.winners
                yield SectionOption(
                    system=system,
                    count=count,
                    options=options | {"one_winner": True} if one else options,
                    figures=figures,
                    boards_a_round=boards,
                    winners=winners,
                    terms=weights.rate_schedule(system, figures, boards, one_winner=one),
                )


def _possible_winners(figures: ScheduleStatistics) -> tuple[int, ...]:
    return (2, 1) if figures.winners == 2 else (1,)


def _fits_limits(
    evening: Turnout, figures: ScheduleStatistics, boards: int, *, usual: bool
) -> bool:
    plays = (figures.rounds - figures.least_out) * boards
    minutes = compute_minutes(figures.rounds, boards)
    limits = [(plays, evening.boards), (minutes, evening.minutes)]
    limits.append((figures.groups * boards, evening.boards_at_hand))
    limits.append((figures.copies, evening.sets))
    if usual:
        limits += [(plays, evening.usual_boards), (minutes, evening.usual_minutes)]
    return all(limit is None or value <= limit for value, limit in limits)


def _add_late_pair_cost(shape: SectionOption, evening: Turnout) -> SectionOption:
    """Add the cost of including one late pair: in the same system, or as a rover."""
    later = [
        other.cost
        for system in CATALOGUE.values()
        if system.name == shape.system.name or _adds_rover(system, shape)
        for other in _iter_system_options(
            system, _add_one_pair(evening, shape), shape.count + 1, usual=False
        )
        if other.boards_a_round == shape.boards_a_round and other.winners == shape.winners
    ]
    amount = min(later, default=NO_LATE_PAIR_COST)
    return SectionOption(
        system=shape.system,
        count=shape.count,
        options=shape.options,
        figures=shape.figures,
        boards_a_round=shape.boards_a_round,
        winners=shape.winners,
        terms=dict(shape.terms) | ({"late-pair": amount} if amount else {}),
    )


def _adds_rover(system: System, shape: SectionOption) -> bool:
    """Return whether a system is the same movement with one more pair, the rover."""
    return system.extra == 1 and shape.figures.two_fields and shape.count % 2 == 0


def _add_one_pair(evening: Turnout, shape: SectionOption) -> Turnout:
    return Turnout(
        unit=evening.unit, count=shape.count + 1, rounds=shape.rounds, winners=shape.winners
    )
