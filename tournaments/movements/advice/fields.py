"""The whole field: one section or several, all with the same rounds and boards a round."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.movements.advice import weights
from tournaments.movements.advice.shapes import Shape, shapes
from tournaments.movements.advice.turnout import (
    CUT_TABLES,
    MOST_SECTIONS,
    SECTION_TABLES,
    Turnout,
    minutes_of,
    tables_of,
)
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.system import Unit

LEAST_TABLES = 6  # of a section, unless the director wants sections
MIN_TEAMS = 5  # of a section of teams, where nothing else is usual
BOOK_TABLES = 7  # "sections of at most seven tables" (rules K2)
WEB_TABLES = 40  # of one section, with copies of the boards
PLAYERS_TABLES = 12  # of a section of single players: more never meet
SEATS = {Unit.PAIRS: 2, Unit.PLAYERS: 4}


@dataclass(frozen=True)
class Proposal:
    """A way to play for a whole field: a shape for each section, the largest first.

    `same_boards`: all sections play the same boards, of which there is a copy for each.
    """

    shapes: tuple[Shape, ...]
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
            **weights.trays(self.boards, self.copies),
            **weights.divided(len(self.shapes), self._calls),
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
        return minutes_of(self.rounds, self.boards_a_round)

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
        """Everything but the length: the systems, the sizes, shared boards and the winners."""
        named = tuple((shape.system.name, shape.count) for shape in self.shapes)
        return (*named, self.same_boards, self.winners)


def proposals(evening: Turnout, *, usual: bool) -> list[Proposal]:
    """List what the field can play within the given limits, the cheapest first."""
    found = [
        each
        for sizes in divisions(evening, usual=usual)
        for each in _of_sizes(evening, sizes, usual=usual)
    ]
    return sorted(found, key=_order)


def sizes_of(unit: Unit, count: int, sections: int) -> tuple[int, ...]:
    """Divide a field as equally as possible, so that at most one table is not full.

    The larger sections come first; the last of the largest has the odd table, or the last of
    all where they are equal.
    """
    seats = SEATS.get(unit, 1)
    least, more = divmod(tables_of(unit, count), sections)
    tables = [least + (number < more) for number in range(sections)]
    missing = seats * sum(tables) - count
    at = (more or sections) - 1
    return tuple(
        seats * each - (missing if number == at else 0) for number, each in enumerate(tables)
    )


def divisions(evening: Turnout, *, usual: bool) -> Iterator[tuple[int, ...]]:
    """Yield the sizes of sections into which a field may be divided."""
    tables = tables_of(evening.unit, evening.count)
    most = evening.most_tables or _usual_most(evening)
    if evening.sections is not None:
        numbers = [evening.sections]
    else:
        fewest = -(-tables // most)
        book = _by_the_book(tables)
        numbers = sorted({1, *range(max(fewest, 2), max(fewest, 2) + 2), book})
        if evening.unit is Unit.TEAMS and not usual:
            numbers.append(book + 1)  # of 25 teams only five sections of five suit
    for number in numbers:
        if not 1 <= number <= min(MOST_SECTIONS, evening.count):
            continue
        sizes = sizes_of(evening.unit, evening.count, number)
        if _sensible(evening, sizes, usual=usual):
            yield sizes


def _asked(evening: Turnout) -> bool:
    """Return whether the director gave a number of sections or tables in a section."""
    return evening.sections is not None or evening.most_tables is not None


def is_by_the_book(proposal: Proposal) -> bool:
    """Return whether a field is divided as in the book of rules.

    Source: rules K2.
    """
    return len(proposal.shapes) > 1 and all(
        shape.figures.tables <= BOOK_TABLES for shape in proposal.shapes
    )


def _by_the_book(tables: int) -> int:
    return -(-tables // BOOK_TABLES)


def _sensible(evening: Turnout, sizes: Sequence[int], *, usual: bool) -> bool:
    tables = [tables_of(evening.unit, size) for size in sizes]
    if evening.most_tables is not None and max(tables) > evening.most_tables:
        return False
    if len(sizes) == 1:
        most = WEB_TABLES if evening.sets > 1 else CUT_TABLES
        return not usual or _asked(evening) or tables[0] <= most
    if evening.sections is not None:
        return min(tables) >= 2
    least = MIN_TEAMS if evening.unit is Unit.TEAMS and not usual else LEAST_TABLES
    return min(tables) >= least and (max(tables) <= _usual_most(evening) or not usual)


def _usual_most(evening: Turnout) -> int:
    """Return the most tables of a section, where there are several."""
    return PLAYERS_TABLES if evening.unit is Unit.PLAYERS else SECTION_TABLES


def _of_sizes(evening: Turnout, sizes: tuple[int, ...], *, usual: bool) -> Iterator[Proposal]:
    known = {size: shapes(evening, size, usual=usual) for size in set(sizes)}
    if len(sizes) == 1:
        found = ((shape,) for shape in known[sizes[0]])
        kept: Iterable[tuple[Shape, ...]] = (
            each for each in found if not usual or _together(evening, each[0])
        )
    else:
        kept = list(_alike(known, sizes))
    for same_boards in _boards(evening, len(sizes)):
        for chosen in kept:
            proposal = _proposal(evening, chosen, same_boards=same_boards)
            if _suits(evening, proposal):
                yield proposal


def _boards(evening: Turnout, sections: int) -> tuple[bool, ...]:
    """Return the possible values of `same_boards`."""
    if sections == 1:
        return (False,)
    return (True, False) if evening.sets >= sections else (False,)


def _together(evening: Turnout, shape: Shape) -> bool:
    """Return whether a field can reasonably play in one section."""
    if _asked(evening):
        return True
    tables = tables_of(evening.unit, shape.count)  # a rover makes a table more
    if shape.figures.contest is Contest.TEAMS:
        return tables <= SECTION_TABLES
    if shape.figures.copies > 1:
        return tables <= WEB_TABLES
    cut = shape.figures.two_fields and not shape.figures.whole
    return tables <= (CUT_TABLES if cut else SECTION_TABLES)


def _alike(
    known: dict[int, list[Shape]], sizes: tuple[int, ...]
) -> Iterator[tuple[Shape, ...]]:
    """Yield for each length that all can play the best shape of every section."""
    best = {size: _best(found) for size, found in known.items()}
    common = set.intersection(*(set(each) for each in best.values()))
    for key in sorted(common):
        yield tuple(best[size][key] for size in sizes)


def _best(found: Iterable[Shape]) -> dict[tuple[int, int, int], Shape]:
    best: dict[tuple[int, int, int], Shape] = {}
    for shape in found:
        if shape.system.contest is Contest.MEMORY:
            continue
        key = (shape.rounds, shape.boards_a_round, shape.winners)
        if key not in best or (shape.cost, shape.boards) < (best[key].cost, best[key].boards):
            best[key] = shape
    return best


def _suits(evening: Turnout, proposal: Proposal) -> bool:
    seated = sum(shape.figures.seated for shape in proposal.shapes)
    at_hand = evening.boards_at_hand
    if proposal.copies > max(evening.sets, 1):
        return False
    return seated >= evening.stationary and (at_hand is None or proposal.boards <= at_hand)


def _proposal(evening: Turnout, chosen: tuple[Shape, ...], *, same_boards: bool) -> Proposal:
    plays = max(shape.most_plays for shape in chosen)
    terms = dict(weights.broken(evening, chosen[0].rounds, chosen[0].boards_a_round, plays))
    if not all(_together(evening, each) for each in chosen):
        terms["large-section"] = weights.BROKEN
    if evening.systems is None and any(map(_walks_too_far, chosen)):
        terms["large-howell"] = weights.BROKEN
    return Proposal(chosen, same_boards, terms)


def _walks_too_far(shape: Shape) -> bool:
    return shape.figures.tables > shape.system.most_tables


def _order(proposal: Proposal) -> tuple[object, ...]:
    return (
        proposal.cost,
        proposal.boards * proposal.copies,
        len(proposal.shapes),
        [shape.system.name for shape in proposal.shapes],
        -proposal.rounds,
        proposal.winners,
    )
