"""Proposals for the whole field: one section or several, all of the same length."""

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

MIN_SECTION_TABLES = 6  # of a section, unless the director wants sections
MIN_SECTION_TEAMS = 5  # of a section of teams, where nothing else is usual
BOOK_MAX_TABLES = 7  # "sections of at most seven tables" (rules K2)
MAX_WEB_TABLES = 40  # of one section, with copies of the boards
MAX_INDIVIDUAL_TABLES = 12  # of a section of single players: more never meet
ENTRIES_PER_TABLE = {Unit.PAIRS: 2, Unit.PLAYERS: 4}


@dataclass(frozen=True)
class Proposal:
    """A way to play for a whole field: one option for each section, the largest section first.

    With `same_boards` all sections play the same boards, from one copy for each section.
    """

    shapes: tuple[SectionOption, ...]
    same_boards: bool
    broken: weights.Terms

    @cached_property
    def terms(self) -> weights.Terms:
        """The cost by its terms; the sections' terms are averaged, weighted by size."""
        count = sum(shape.count for shape in self.shapes)
        names = dict.fromkeys(name for shape in self.shapes for name in shape.terms)
        shared = {
            name: sum(each.terms.get(name, 0) * each.count for each in self.shapes) // count
            for name in names
        }
        found = {
            **self.broken,
            **shared,
            **weights.rate_trays(self.boards, self.copies),
            **weights.rate_division(len(self.shapes), self._calls),
        }
        return {name: amount for name, amount in found.items() if amount}

    @property
    def _calls(self) -> int:
        """The number of announcements: sections of one system and size share theirs."""
        return len({(each.system.name, each.figures.tables) for each in self.shapes})

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
        needed = [shape.boards for shape in self.shapes]
        return max(needed) if self.same_boards else sum(needed)

    @property
    def copies(self) -> int:
        """The number of copies of each board."""
        most = max(shape.figures.copies for shape in self.shapes)
        return most * len(self.shapes) if self.same_boards else most

    @property
    def winners(self) -> int:
        """The number of winners of each section."""
        return self.shapes[0].winners

    @property
    def switched(self) -> bool:
        """Whether two fields exchange sides, so that they have one winner."""
        return self.winners == 1 and any(each.figures.winners == 2 for each in self.shapes)

    @property
    def kind(self) -> tuple[object, ...]:
        """Everything except the length: systems, sizes, shared boards and winners."""
        named = tuple((shape.system.name, shape.count) for shape in self.shapes)
        return (*named, self.same_boards, self.winners)


def list_proposals(evening: Turnout, *, usual: bool) -> list[Proposal]:
    """List the proposals for the field within the given limits, the cheapest first."""
    found = [
        each
        for sizes in iter_divisions(evening, usual=usual)
        for each in _iter_proposals_of_sizes(evening, sizes, usual=usual)
    ]
    return sorted(found, key=_sort_key)


def divide_field(unit: Unit, count: int, sections: int) -> tuple[int, ...]:
    """Divide a field into sections as equally as possible; at most one table is not full.

    The larger sections come first. The incomplete table is in the last of the largest sections,
    or in the last section if all are equal.
    """
    seats = ENTRIES_PER_TABLE.get(unit, 1)
    least, more = divmod(count_tables(unit, count), sections)
    tables = [least + (number < more) for number in range(sections)]
    missing = seats * sum(tables) - count
    at = (more or sections) - 1
    return tuple(
        seats * each - (missing if number == at else 0) for number, each in enumerate(tables)
    )


def iter_divisions(evening: Turnout, *, usual: bool) -> Iterator[tuple[int, ...]]:
    """Yield the possible divisions of a field, each as the sizes of its sections."""
    tables = count_tables(evening.unit, evening.count)
    most = evening.max_tables or _choose_max_tables(evening)
    if evening.sections is not None:
        numbers = [evening.sections]
    else:
        fewest = -(-tables // most)
        book = _count_book_sections(tables)
        numbers = sorted({1, *range(max(fewest, 2), max(fewest, 2) + 2), book})
        if evening.unit is Unit.TEAMS and not usual:
            numbers.append(book + 1)  # of 25 teams only five sections of five suit
    for number in numbers:
        if not 1 <= number <= min(MAX_SECTIONS, evening.count):
            continue
        sizes = divide_field(evening.unit, evening.count, number)
        if _is_sensible_division(evening, sizes, usual=usual):
            yield sizes


def _are_sections_requested(evening: Turnout) -> bool:
    """Return whether the director gave a number of sections or tables in a section."""
    return evening.sections is not None or evening.max_tables is not None


def is_by_the_book(proposal: Proposal) -> bool:
    """Return whether a field is divided into sections of at most seven tables.

    Source: rules K2.
    """
    return len(proposal.shapes) > 1 and all(
        shape.figures.tables <= BOOK_MAX_TABLES for shape in proposal.shapes
    )


def _count_book_sections(tables: int) -> int:
    return -(-tables // BOOK_MAX_TABLES)


def _is_sensible_division(evening: Turnout, sizes: Sequence[int], *, usual: bool) -> bool:
    tables = [count_tables(evening.unit, size) for size in sizes]
    if evening.max_tables is not None and max(tables) > evening.max_tables:
        return False
    if len(sizes) == 1:
        most = MAX_WEB_TABLES if evening.sets > 1 else MAX_SHORTENED_TABLES
        return not usual or _are_sections_requested(evening) or tables[0] <= most
    if evening.sections is not None:
        return min(tables) >= 2
    least = (
        MIN_SECTION_TEAMS if evening.unit is Unit.TEAMS and not usual else MIN_SECTION_TABLES
    )
    return min(tables) >= least and (max(tables) <= _choose_max_tables(evening) or not usual)


def _choose_max_tables(evening: Turnout) -> int:
    """Return the usual maximum number of tables of a section, if there are several sections."""
    return MAX_INDIVIDUAL_TABLES if evening.unit is Unit.PLAYERS else MAX_SECTION_TABLES


def _iter_proposals_of_sizes(
    evening: Turnout, sizes: tuple[int, ...], *, usual: bool
) -> Iterator[Proposal]:
    known = {size: list_section_options(evening, size, usual=usual) for size in set(sizes)}
    if len(sizes) == 1:
        found = ((shape,) for shape in known[sizes[0]])
        kept: Iterable[tuple[SectionOption, ...]] = (
            each for each in found if not usual or _fits_one_section(evening, each[0])
        )
    else:
        kept = list(_iter_equal_lengths(known, sizes))
    for same_boards in _same_boards_choices(evening, len(sizes)):
        for chosen in kept:
            proposal = _build_proposal(evening, chosen, same_boards=same_boards)
            if _meets_requirements(evening, proposal):
                yield proposal


def _same_boards_choices(evening: Turnout, sections: int) -> tuple[bool, ...]:
    """Return the values of `same_boards` that are possible with the available copies."""
    if sections == 1:
        return (False,)
    return (True, False) if evening.sets >= sections else (False,)


def _fits_one_section(evening: Turnout, shape: SectionOption) -> bool:
    """Return whether a field can reasonably play in one section."""
    if _are_sections_requested(evening):
        return True
    tables = count_tables(evening.unit, shape.count)  # a rover counts as an extra table
    if shape.figures.contest is Contest.TEAMS:
        return tables <= MAX_SECTION_TABLES
    if shape.figures.copies > 1:
        return tables <= MAX_WEB_TABLES
    cut = shape.figures.two_fields and not shape.figures.whole
    return tables <= (MAX_SHORTENED_TABLES if cut else MAX_SECTION_TABLES)


def _iter_equal_lengths(
    known: dict[int, list[SectionOption]], sizes: tuple[int, ...]
) -> Iterator[tuple[SectionOption, ...]]:
    """Yield the best option of every section, for each length that all sections can play."""
    best = {size: _find_best_by_length(found) for size, found in known.items()}
    common = set.intersection(*(set(each) for each in best.values()))
    for key in sorted(common):
        yield tuple(best[size][key] for size in sizes)


def _find_best_by_length(
    options: Iterable[SectionOption],
) -> dict[tuple[int, int, int], SectionOption]:
    best: dict[tuple[int, int, int], SectionOption] = {}
    for shape in options:
        if shape.system.contest is Contest.MEMORY:
            continue
        key = (shape.rounds, shape.boards_a_round, shape.winners)
        if key not in best or (shape.cost, shape.boards) < (best[key].cost, best[key].boards):
            best[key] = shape
    return best


def _meets_requirements(evening: Turnout, proposal: Proposal) -> bool:
    seated = sum(shape.figures.seated for shape in proposal.shapes)
    at_hand = evening.boards_at_hand
    if proposal.copies > max(evening.sets, 1):
        return False
    return seated >= evening.stationary and (at_hand is None or proposal.boards <= at_hand)


def _build_proposal(
    evening: Turnout, chosen: tuple[SectionOption, ...], *, same_boards: bool
) -> Proposal:
    plays = max(shape.most_plays for shape in chosen)
    terms = dict(
        weights.rate_exceeded_limits(evening, chosen[0].rounds, chosen[0].boards_a_round, plays)
    )
    if not all(_fits_one_section(evening, each) for each in chosen):
        terms["large-section"] = weights.EXCEEDED_LIMIT_COST
    if evening.systems is None and any(map(_exceeds_system_tables, chosen)):
        terms["large-howell"] = weights.EXCEEDED_LIMIT_COST
    return Proposal(chosen, same_boards, terms)


def _exceeds_system_tables(shape: SectionOption) -> bool:
    return shape.figures.tables > shape.system.max_tables


def _sort_key(proposal: Proposal) -> tuple[object, ...]:
    return (
        proposal.cost,
        proposal.boards * proposal.copies,
        len(proposal.shapes),
        [shape.system.name for shape in proposal.shapes],
        -proposal.rounds,
        proposal.winners,
    )
