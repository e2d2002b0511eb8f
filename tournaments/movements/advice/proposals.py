"""Proposals for the whole field: one or several sections with equal numbers of rounds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.movements.advice import weights
from tournaments.movements.advice.section_options import SectionOption, list_section_options
from tournaments.movements.advice.turnout import (
    MAX_SECTION_TABLES,
    MAX_SECTIONS,
    MAX_SHORTENED_TABLES,
    Turnout,
    compute_minutes,
    count_tables,
)
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.system import Unit

MIN_SECTION_TABLES = 6  # tables of a section, unless the director wants several sections
MIN_SECTION_TEAMS = 5  # tables of a section of teams, which are usually not divided
BOOK_MAX_TABLES = 7  # "sections of at most seven tables" (rules K2)
MAX_WEB_TABLES = 40  # tables of one section that plays copies of the boards
MAX_INDIVIDUAL_TABLES = (
    12  # tables of a section of single players; with more, too many never meet
)
ENTRIES_PER_TABLE = {Unit.PAIRS: 2, Unit.PLAYERS: 4}


@dataclass(frozen=True)
class Proposal:
    """A movement for each section of a field, the largest section first.

    With `same_boards` all sections play the same boards, each from its own copy.
    """

    shapes: tuple[SectionOption, ...]
    same_boards: bool
    broken: weights.Terms

    @cached_property
    def terms(self) -> weights.Terms:
        """The terms of the cost.

        Those of sections are averaged, weighted by the sections' sizes.
        """
        count = sum(option.count for option in self.shapes)
        names = dict.fromkeys(name for option in self.shapes for name in option.terms)
        shared_terms = {
            name: sum(
                section_option.terms.get(name, 0) * section_option.count
                for section_option in self.shapes
            )
            // count
            for name in names
        }
        terms = {
            **self.broken,
            **shared_terms,
            **weights.rate_trays(self.boards, self.copies),
            **weights.rate_division(len(self.shapes), self._calls),
        }
        return {name: amount for name, amount in terms.items() if amount}

    @property
    def _calls(self) -> int:
        """The number of announcements; sections with the same system and size share one."""
        return len({(option.system.name, option.figures.tables) for option in self.shapes})

    @cached_property
    def cost(self) -> int:
        """The sum of all terms."""
        return sum(self.terms.values())

    @property
    def rounds(self) -> int:
        """The number of rounds, the same in all sections."""
        return self.shapes[0].rounds

    @property
    def boards_a_round(self) -> int:
        """The number of boards a round, the same in all sections."""
        return self.shapes[0].boards_a_round

    @property
    def minutes(self) -> int:
        """The duration in minutes."""
        return compute_minutes(self.rounds, self.boards_a_round)

    @cached_property
    def boards(self) -> int:
        """The number of different boards in all."""
        needed_boards = [option.boards for option in self.shapes]
        return max(needed_boards) if self.same_boards else sum(needed_boards)

    @property
    def copies(self) -> int:
        """The number of copies of each board."""
        max_copies = max(option.figures.copies for option in self.shapes)
        return max_copies * len(self.shapes) if self.same_boards else max_copies

    @property
    def winners(self) -> int:
        """The number of winners in each section."""
        return self.shapes[0].winners

    @property
    def switched(self) -> bool:
        """Whether two fields exchange sides in some rounds, which gives one winner."""
        return self.winners == 1 and any(option.figures.winners == 2 for option in self.shapes)

    @property
    def kind(self) -> tuple[object, ...]:
        """The systems, sizes, shared boards and winners.

        Proposals of one kind differ in length.
        """
        systems_and_sizes = tuple((option.system.name, option.count) for option in self.shapes)
        return (*systems_and_sizes, self.same_boards, self.winners)


def list_proposals(evening: Turnout, *, within_usual_limits: bool) -> list[Proposal]:
    """List the proposals within the director's limits, the cheapest first.

    With `within_usual_limits` they are also within the usual limits.
    """
    proposals = [
        proposal
        for sizes in iter_divisions(evening, within_usual_limits=within_usual_limits)
        for proposal in _iter_proposals_of_sizes(
            evening, sizes, within_usual_limits=within_usual_limits
        )
    ]
    return sorted(proposals, key=_sort_key)


def divide_field(unit: Unit, count: int, sections: int) -> tuple[int, ...]:
    """Divide a field into sections as equally as possible; at most one table is incomplete.

    Larger sections come first. The incomplete table is in the last of the largest sections, or
    in the last section if all are equal.
    """
    seats = ENTRIES_PER_TABLE.get(unit, 1)
    tables_per_section, remainder = divmod(count_tables(unit, count), sections)
    tables = [tables_per_section + (number < remainder) for number in range(sections)]
    missing = seats * sum(tables) - count
    last_index = (remainder or sections) - 1
    return tuple(
        seats * table - (missing if number == last_index else 0)
        for number, table in enumerate(tables)
    )


def iter_divisions(evening: Turnout, *, within_usual_limits: bool) -> Iterator[tuple[int, ...]]:
    """Yield the possible divisions of a field, each as the sizes of its sections."""
    tables = count_tables(evening.unit, evening.count)
    max_tables = evening.max_tables or _choose_max_tables(evening)
    if evening.sections is not None:
        numbers = [evening.sections]
    else:
        fewest = -(-tables // max_tables)
        book = _count_book_sections(tables)
        numbers = sorted({1, *range(max(fewest, 2), max(fewest, 2) + 2), book})
        if evening.unit is Unit.TEAMS and not within_usual_limits:
            numbers.append(book + 1)  # 25 teams only suit five sections of five
    for number in numbers:
        if not 1 <= number <= min(MAX_SECTIONS, evening.count):
            continue
        sizes = divide_field(evening.unit, evening.count, number)
        if _is_sensible_division(evening, sizes, within_usual_limits=within_usual_limits):
            yield sizes


def _are_sections_requested(evening: Turnout) -> bool:
    """Return whether the director requested sections, by their number or their maximum size."""
    return evening.sections is not None or evening.max_tables is not None


def is_by_the_book(proposal: Proposal) -> bool:
    """Return whether all sections have at most seven tables (rules K2)."""
    return len(proposal.shapes) > 1 and all(
        option.figures.tables <= BOOK_MAX_TABLES for option in proposal.shapes
    )


def _count_book_sections(tables: int) -> int:
    return -(-tables // BOOK_MAX_TABLES)


def _is_sensible_division(
    evening: Turnout, sizes: Sequence[int], *, within_usual_limits: bool
) -> bool:
    tables = [count_tables(evening.unit, size) for size in sizes]
    if evening.max_tables is not None and max(tables) > evening.max_tables:
        return False
    if len(sizes) == 1:
        max_tables = MAX_WEB_TABLES if evening.sets > 1 else MAX_SHORTENED_TABLES
        return (
            not within_usual_limits
            or _are_sections_requested(evening)
            or tables[0] <= max_tables
        )
    if evening.sections is not None:
        return min(tables) >= 2
    min_tables = (
        MIN_SECTION_TEAMS
        if evening.unit is Unit.TEAMS and not within_usual_limits
        else MIN_SECTION_TABLES
    )
    return min(tables) >= min_tables and (
        max(tables) <= _choose_max_tables(evening) or not within_usual_limits
    )


def _choose_max_tables(evening: Turnout) -> int:
    """Return the usual maximum number of tables in one of several sections."""
    return MAX_INDIVIDUAL_TABLES if evening.unit is Unit.PLAYERS else MAX_SECTION_TABLES


def _iter_proposals_of_sizes(
    evening: Turnout, sizes: tuple[int, ...], *, within_usual_limits: bool
) -> Iterator[Proposal]:
    options_by_size = {
        size: list_section_options(evening, size, within_usual_limits=within_usual_limits)
        for size in set(sizes)
    }
    if len(sizes) == 1:
        combinations = ((option,) for option in options_by_size[sizes[0]])
        possible_combinations: Iterable[tuple[SectionOption, ...]] = (
            each
            for each in combinations
            if not within_usual_limits or _fits_one_section(evening, each[0])
        )
    else:
        possible_combinations = list(_iter_equal_lengths(options_by_size, sizes))
    for same_boards in _same_boards_choices(evening, len(sizes)):
        for combination in possible_combinations:
            proposal = _build_proposal(evening, combination, same_boards=same_boards)
            if _meets_requirements(evening, proposal):
                yield proposal


def _same_boards_choices(turnout: Turnout, sections: int) -> tuple[bool, ...]:
    """Return the values of `same_boards` that are possible with the available copies."""
    if sections == 1:
        return (False,)
    return (True, False) if turnout.sets >= sections else (False,)


def _fits_one_section(evening: Turnout, option: SectionOption) -> bool:
    """Return whether a whole field can reasonably play as one section."""
    if _are_sections_requested(evening):
        return True
    tables = count_tables(evening.unit, option.count)  # a rover counts as an extra table
    if option.figures.contest is Contest.TEAMS:
        return tables <= MAX_SECTION_TABLES
    if option.figures.copies > 1:
        return tables <= MAX_WEB_TABLES
    is_incomplete = option.figures.two_fields and not option.figures.whole
    return tables <= (MAX_SHORTENED_TABLES if is_incomplete else MAX_SECTION_TABLES)


def _iter_equal_lengths(
    options_by_size: dict[int, list[SectionOption]], sizes: tuple[int, ...]
) -> Iterator[tuple[SectionOption, ...]]:
    """Yield the best option of every section, for each length that all sections can play."""
    best = {size: _find_best_by_length(options) for size, options in options_by_size.items()}
    common = set.intersection(*(set(lengths) for lengths in best.values()))
    for key in sorted(common):
        yield tuple(best[size][key] for size in sizes)


def _find_best_by_length(
    options: Iterable[SectionOption],
) -> dict[tuple[int, int, int], SectionOption]:
    best: dict[tuple[int, int, int], SectionOption] = {}
    for option in options:
        if option.system.contest is Contest.MEMORY:
            continue
        key = (option.rounds, option.boards_a_round, option.winners)
        if key not in best or (option.cost, option.boards) < (best[key].cost, best[key].boards):
            best[key] = option
    return best


def _meets_requirements(evening: Turnout, proposal: Proposal) -> bool:
    stationary_count = sum(option.figures.seated for option in proposal.shapes)
    at_hand = evening.boards_at_hand
    if proposal.copies > max(evening.sets, 1):
        return False
    return stationary_count >= evening.stationary and (
        at_hand is None or proposal.boards <= at_hand
    )


def _build_proposal(
    evening: Turnout, section_options: tuple[SectionOption, ...], *, same_boards: bool
) -> Proposal:
    plays = max(option.most_plays for option in section_options)
    terms = dict(
        weights.rate_exceeded_limits(
            evening, section_options[0].rounds, section_options[0].boards_a_round, plays
        )
    )
    if not all(
        _fits_one_section(evening, section_option) for section_option in section_options
    ):
        terms["large-section"] = weights.EXCEEDED_LIMIT_COST
    if evening.systems is None and any(map(_exceeds_system_tables, section_options)):
        terms["large-howell"] = weights.EXCEEDED_LIMIT_COST
    return Proposal(section_options, same_boards, terms)


def _exceeds_system_tables(option: SectionOption) -> bool:
    return option.figures.tables > option.system.max_tables


def _sort_key(proposal: Proposal) -> tuple[object, ...]:
    return (
        proposal.cost,
        proposal.boards * proposal.copies,
        len(proposal.shapes),
        [option.system.name for option in proposal.shapes],
        -proposal.rounds,
        proposal.winners,
    )
