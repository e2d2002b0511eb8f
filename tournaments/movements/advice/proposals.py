"""Proposals for the whole field: one or several sections with equal numbers of rounds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.movements.advice import weights
from tournaments.movements.advice.section_options import SectionOption, list_section_options
from tournaments.movements.advice.turnout import (
    MAX_SECTION_TABLES,
    MAX_SECTIONS,
    MAX_SHORTENED_MITCHELL_TABLES,
    Turnout,
    compute_minutes,
    count_tables,
)
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.system import SizeUnit

MIN_SECTION_TABLES = 6  # unless the director requests a number of sections
MIN_SECTION_TEAMS = 5  # for teams, instead of MIN_SECTION_TABLES
RECOMMENDED_MAX_SECTION_TABLES = (
    7  # the books say "sections of at most seven tables" (rules K2)
)
MAX_TABLES_WITH_COPIES = 40  # in one section, if the boards have several copies
MAX_INDIVIDUAL_TABLES = 12  # with more tables, too many single players never meet
ENTRIES_PER_TABLE = {SizeUnit.PAIRS: 2, SizeUnit.PLAYERS: 4}


@dataclass(frozen=True)
class Proposal:
    """A movement for each section of a field, the largest section first.

    If `has_same_boards` is True, all sections play the same boards, each from its own copy.
    """

    section_options: tuple[SectionOption, ...]
    has_same_boards: bool
    exceeded_limit_costs_by_term: weights.CostsByTerm

    @cached_property
    def costs_by_term(self) -> weights.CostsByTerm:
        """The parts of the cost as a dict from name to cost, e.g. {"unmet": 1200}.

        The costs of sections are averaged, weighted by the sizes of the sections. Units are
        1/10,000 (see `weights`), and parts that cost nothing are left out.
        """
        entry_count = sum(option.entry_count for option in self.section_options)
        term_names = dict.fromkeys(
            term_name for option in self.section_options for term_name in option.costs_by_term
        )
        averaged_costs_by_term = {
            term_name: sum(
                section_option.costs_by_term.get(term_name, 0) * section_option.entry_count
                for section_option in self.section_options
            )
            // entry_count
            for term_name in term_names
        }
        costs_by_term = {
            **self.exceeded_limit_costs_by_term,
            **averaged_costs_by_term,
            **weights.rate_board_preparation(self.board_count, self.copy_count),
            **weights.rate_sections(len(self.section_options), self._announcement_count),
        }
        return {term_name: cost for term_name, cost in costs_by_term.items() if cost}

    @property
    def _announcement_count(self) -> int:
        """The number of announcements; sections with the same system and size share one."""
        return len(
            {
                (option.system.name, option.statistics.table_count)
                for option in self.section_options
            }
        )

    @cached_property
    def cost(self) -> int:
        """The sum of all costs in `costs_by_term`."""
        return sum(self.costs_by_term.values())

    @property
    def round_count(self) -> int:
        """The number of rounds, the same in all sections."""
        return self.section_options[0].round_count

    @property
    def boards_a_round(self) -> int:
        """The number of boards a round, the same in all sections."""
        return self.section_options[0].boards_a_round

    @property
    def minutes(self) -> int:
        """The duration in minutes."""
        return compute_minutes(self.round_count, self.boards_a_round)

    @cached_property
    def board_count(self) -> int:
        """The number of different boards in all."""
        needed_board_counts = [option.board_count for option in self.section_options]
        return max(needed_board_counts) if self.has_same_boards else sum(needed_board_counts)

    @property
    def copy_count(self) -> int:
        """The number of copies of each board."""
        max_copies = max(option.statistics.copy_count for option in self.section_options)
        return max_copies * len(self.section_options) if self.has_same_boards else max_copies

    @property
    def winner_count(self) -> int:
        """The number of winners in each section."""
        return self.section_options[0].winner_count

    @property
    def has_arrow_switch(self) -> bool:
        """Whether two fields exchange sides in some rounds, which gives one winner."""
        return self.winner_count == 1 and any(
            option.statistics.winner_count == 2 for option in self.section_options
        )

    @property
    def kind(self) -> tuple[object, ...]:
        """A key of the systems, sizes, shared boards and winners.

        Proposals with the same key differ only in length.
        """
        systems_and_sizes = tuple(
            (option.system.name, option.entry_count) for option in self.section_options
        )
        return (*systems_and_sizes, self.has_same_boards, self.winner_count)


def list_proposals(turnout: Turnout, *, should_fit_usual_limits: bool) -> list[Proposal]:
    """List the proposals within the director's limits, the one with the lowest cost first.

    If `should_fit_usual_limits` is True, they are also within the limits of a usual club
    evening (see `turnout`).
    """
    proposals = [
        proposal
        for section_sizes in iter_section_divisions(
            turnout, should_fit_usual_limits=should_fit_usual_limits
        )
        for proposal in _iter_proposals_of_sizes(
            turnout, section_sizes, should_fit_usual_limits=should_fit_usual_limits
        )
    ]
    return sorted(proposals, key=_get_sort_key)


def divide_into_section_sizes(
    unit: SizeUnit, entry_count: int, section_count: int
) -> tuple[int, ...]:
    """Divide a field into sections as equally as possible; at most one table is incomplete.

    Larger sections come first. The incomplete table is in the last of the largest sections, or
    in the last section if all are equal.
    """
    entries_per_table = ENTRIES_PER_TABLE.get(unit, 1)
    tables_per_section, remainder = divmod(count_tables(unit, entry_count), section_count)
    table_counts = [
        tables_per_section + (section_index < remainder)
        for section_index in range(section_count)
    ]
    missing_count = entries_per_table * sum(table_counts) - entry_count
    last_index = (remainder or section_count) - 1
    return tuple(
        entries_per_table * table_count - (missing_count if section_index == last_index else 0)
        for section_index, table_count in enumerate(table_counts)
    )


def iter_section_divisions(
    turnout: Turnout, *, should_fit_usual_limits: bool
) -> Iterator[tuple[int, ...]]:
    """Yield the possible divisions of a field, each as the sizes of its sections."""
    table_count = count_tables(turnout.unit, turnout.count)
    max_tables = turnout.max_tables or _choose_max_tables(turnout)
    if turnout.sections is not None:
        section_counts = [turnout.sections]
    else:
        min_sections = -(-table_count // max_tables)
        recommended_section_count = _count_recommended_sections(table_count)
        section_counts = sorted(
            {
                1,
                *range(max(min_sections, 2), max(min_sections, 2) + 2),
                recommended_section_count,
            }
        )
        if turnout.unit is SizeUnit.TEAMS and not should_fit_usual_limits:
            # e.g. 25 teams: four sections by the book, but only five sections of five suit
            section_counts.append(recommended_section_count + 1)
    for section_count in section_counts:
        if not 1 <= section_count <= min(MAX_SECTIONS, turnout.count):
            continue
        section_sizes = divide_into_section_sizes(turnout.unit, turnout.count, section_count)
        if _is_sensible_division(
            turnout, section_sizes, should_fit_usual_limits=should_fit_usual_limits
        ):
            yield section_sizes


def _are_sections_requested(turnout: Turnout) -> bool:
    """Return whether the director set the number or the maximum size of sections."""
    return turnout.sections is not None or turnout.max_tables is not None


def has_recommended_section_sizes(proposal: Proposal) -> bool:
    """Return whether the field is divided into sections of at most seven tables (rules K2)."""
    return len(proposal.section_options) > 1 and all(
        option.statistics.table_count <= RECOMMENDED_MAX_SECTION_TABLES
        for option in proposal.section_options
    )


def _count_recommended_sections(table_count: int) -> int:
    return -(-table_count // RECOMMENDED_MAX_SECTION_TABLES)


def _is_sensible_division(
    turnout: Turnout, section_sizes: Sequence[int], *, should_fit_usual_limits: bool
) -> bool:
    table_counts = [count_tables(turnout.unit, size) for size in section_sizes]
    if turnout.max_tables is not None and max(table_counts) > turnout.max_tables:
        return False
    if len(section_sizes) == 1:
        max_tables = (
            MAX_TABLES_WITH_COPIES if turnout.sets > 1 else MAX_SHORTENED_MITCHELL_TABLES
        )
        return (
            not should_fit_usual_limits
            or _are_sections_requested(turnout)
            or table_counts[0] <= max_tables
        )
    if turnout.sections is not None:
        return min(table_counts) >= 2
    min_tables = (
        MIN_SECTION_TEAMS
        if turnout.unit is SizeUnit.TEAMS and not should_fit_usual_limits
        else MIN_SECTION_TABLES
    )
    return min(table_counts) >= min_tables and (
        max(table_counts) <= _choose_max_tables(turnout) or not should_fit_usual_limits
    )


def _choose_max_tables(turnout: Turnout) -> int:
    """Return the usual maximum number of tables in one of several sections."""
    return MAX_INDIVIDUAL_TABLES if turnout.unit is SizeUnit.PLAYERS else MAX_SECTION_TABLES


def _iter_proposals_of_sizes(
    turnout: Turnout, section_sizes: tuple[int, ...], *, should_fit_usual_limits: bool
) -> Iterator[Proposal]:
    options_by_size = {
        size: list_section_options(
            turnout, size, should_fit_usual_limits=should_fit_usual_limits
        )
        for size in set(section_sizes)
    }
    if len(section_sizes) == 1:
        one_section_combinations = ((option,) for option in options_by_size[section_sizes[0]])
        possible_combinations: Iterable[tuple[SectionOption, ...]] = (
            combination_options
            for combination_options in one_section_combinations
            if not should_fit_usual_limits or _fits_one_section(turnout, combination_options[0])
        )
    else:
        possible_combinations = list(
            _iter_equal_length_combinations(options_by_size, section_sizes)
        )
    for has_same_boards in _list_same_boards_choices(turnout, len(section_sizes)):
        for combined_options in possible_combinations:
            proposal = _build_proposal(
                turnout, combined_options, has_same_boards=has_same_boards
            )
            if _meets_requirements(turnout, proposal):
                yield proposal


def _list_same_boards_choices(turnout: Turnout, section_count: int) -> tuple[bool, ...]:
    """Return the possible values of `has_same_boards`, given the available copies of boards."""
    if section_count == 1:
        return (False,)
    return (True, False) if turnout.sets >= section_count else (False,)


def _fits_one_section(turnout: Turnout, option: SectionOption) -> bool:
    """Return whether a whole field can reasonably play as one section."""
    if _are_sections_requested(turnout):
        return True
    table_count = count_tables(
        turnout.unit, option.entry_count
    )  # a rover counts as an extra table
    if option.statistics.contest is Contest.TEAMS:
        return table_count <= MAX_SECTION_TABLES
    if option.statistics.copy_count > 1:
        return table_count <= MAX_TABLES_WITH_COPIES
    is_incomplete = option.statistics.has_two_fields and not option.statistics.is_complete
    return table_count <= (
        MAX_SHORTENED_MITCHELL_TABLES if is_incomplete else MAX_SECTION_TABLES
    )


def _iter_equal_length_combinations(
    options_by_size: dict[int, list[SectionOption]], section_sizes: tuple[int, ...]
) -> Iterator[tuple[SectionOption, ...]]:
    """Yield the best option of every section, for each length that all sections can play."""
    best_options_by_size = {
        size: _find_best_options_by_length(options) for size, options in options_by_size.items()
    }
    common_lengths_and_winners = set.intersection(
        *(set(options_by_length) for options_by_length in best_options_by_size.values())
    )
    for length_and_winners in sorted(common_lengths_and_winners):
        yield tuple(best_options_by_size[size][length_and_winners] for size in section_sizes)


def _find_best_options_by_length(
    options: Iterable[SectionOption],
) -> dict[tuple[int, int, int], SectionOption]:
    best_options_by_length: dict[tuple[int, int, int], SectionOption] = {}
    for option in options:
        if option.system.contest is Contest.MEMORY:
            continue
        length_and_winners = (option.round_count, option.boards_a_round, option.winner_count)
        if length_and_winners not in best_options_by_length or (
            option.cost,
            option.board_count,
        ) < (
            best_options_by_length[length_and_winners].cost,
            best_options_by_length[length_and_winners].board_count,
        ):
            best_options_by_length[length_and_winners] = option
    return best_options_by_length


def _meets_requirements(turnout: Turnout, proposal: Proposal) -> bool:
    stationary_count = sum(
        option.statistics.stationary_count for option in proposal.section_options
    )
    available_board_count = turnout.boards_at_hand
    if proposal.copy_count > max(turnout.sets, 1):
        return False
    return stationary_count >= turnout.stationary and (
        available_board_count is None or proposal.board_count <= available_board_count
    )


def _build_proposal(
    turnout: Turnout, section_options: tuple[SectionOption, ...], *, has_same_boards: bool
) -> Proposal:
    max_boards_played = max(option.max_boards_played for option in section_options)
    costs_by_term = dict(
        weights.rate_exceeded_limits(
            turnout,
            section_options[0].round_count,
            section_options[0].boards_a_round,
            max_boards_played,
        )
    )
    if not all(
        _fits_one_section(turnout, section_option) for section_option in section_options
    ):
        costs_by_term["large-section"] = weights.EXCEEDED_LIMIT_COST
    if turnout.systems is None and any(map(_has_too_many_tables, section_options)):
        costs_by_term["large-howell"] = weights.EXCEEDED_LIMIT_COST
    return Proposal(section_options, has_same_boards, costs_by_term)


def _has_too_many_tables(option: SectionOption) -> bool:
    return option.statistics.table_count > option.system.max_tables


def _get_sort_key(proposal: Proposal) -> tuple[object, ...]:
    return (
        proposal.cost,
        proposal.board_count * proposal.copy_count,
        len(proposal.section_options),
        [option.system.name for option in proposal.section_options],
        -proposal.round_count,
        proposal.winner_count,
    )
