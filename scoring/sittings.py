"""A session as it was really seated, read once; all sheets are made from it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import starmap
from typing import NamedTuple

from django.db.models import Count

from scoring.line_ups import Pairs, line_ups_of
from scoring.models import Outcome, Result, Ruling
from scoring.ruled_plays import OtherDeal, RuledPlay, sort_rulings
from scoring.sitting_rows import (
    SittingSelection,
    places_of,
    places_seated,
    results_at,
    results_of,
    ruled_plays_of,
    sections_of,
    sittings_of,
)
from tournaments.entry_words import format_team_pair
from tournaments.models import Event, Place, Section, Session, Sitting
from tournaments.models.seating import SEATS
from tournaments.movements import Movement
from tournaments.movements.copies import Stack, assign_stacks
from tournaments.movements.drawn_rounds import DRAWN_KEY, describe_undrawn_rounds, is_knockout
from tournaments.movements.formatting import format_table, spoken
from tournaments.movements.stray_boards import LEFT_OUT_BOARD, Boards
from tournaments.seating_snapshot import build_movement


class RoundSoFar(NamedTuple):
    """One round at one table: whether it is complete, and the number of scores made there."""

    session: int
    sitting: int
    boards: Boards
    is_whole: bool
    made: int


@dataclass(frozen=True, slots=True)
class SeatedSide:
    """One side of a table: its entries as numbers and as names."""

    entries: tuple[int, ...]  # entry numbers; empty in a sit-out
    places: tuple[int, ...]
    short: str  # "3", in one of several sections "A3": for a column of one side
    label: str  # "3 N-S", or "5" in one field
    name: str
    line_up: str = ""  # the letters of the two, if a team's players change partners


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """One sitting: its two sides, and the boards that they played."""

    sitting: int
    section: str
    round: int
    table: int
    label: str  # the table's: "13", in one of several sections "A13"
    group: int
    boards: Boards  # they move together, except wrong boards
    ns: SeatedSide
    ew: SeatedSide

    @property
    def is_played(self) -> bool:
        """Whether both sides have entries."""
        return bool(self.ns.entries and self.ew.entries)


@dataclass
class SeatedSession:
    """All tables of a session, by section, round and table, with the results so far.

    A session that was read in part has only the tables, places and results of that part.
    """

    session: Session
    sections: list[Section]
    tables: list[SeatedTable]
    places: list[Place]
    results: dict[tuple[int, int], Result]  # by sitting and board; cleared ones are left out
    settled: set[tuple[int, int]] = field(default_factory=set)  # by a ruling, so without result
    renewed: set[tuple[int, int]] = field(default_factory=set)  # a new deal awaits its result
    dealt_anew: set[tuple[int, int]] = field(default_factory=set)  # where a new deal was ruled
    other_deals: dict[int, list[OtherDeal]] = field(default_factory=dict)  # by board
    usual_goals: dict[tuple[str, int], dict[str, tuple[int, str]]] = field(
        default_factory=dict, repr=False, compare=False
    )  # a cache of the usual moves from a table after a round
    rulings: list[RuledPlay] = field(default_factory=list)
    made: list[Result] = field(default_factory=list)  # all results, with earlier deals
    rows: dict[int, Sitting] = field(default_factory=dict)  # by key, with their section
    several_sections: bool | None = None  # None counts `sections`, if all of them were read

    @cached_property
    def boards(self) -> list[int]:
        """The numbers of the boards in play, lowest first."""
        return sorted({board for table in self.tables for board in table.boards})

    @cached_property
    def by_board(self) -> dict[int, list[SeatedTable]]:
        """The tables that play each board, in the order of play."""
        found: dict[int, list[SeatedTable]] = {board: [] for board in self.boards}
        for table in self.tables:
            if table.is_played:
                for board in table.boards:
                    found[board].append(table)
        return found

    @cached_property
    def by_table(self) -> dict[tuple[str, int], list[SeatedTable]]:
        """The rounds of each table, by section and table number."""
        found: dict[tuple[str, int], list[SeatedTable]] = {}
        for table in self.tables:
            found.setdefault((table.section, table.table), []).append(table)
        return dict(sorted(found.items()))

    @cached_property
    def seat_of(self) -> dict[tuple[int, int], tuple[SeatedTable, str]]:
        """The table and side ("N-S") of each place in each round, by place and round."""
        return {
            (place, table.round): (table, side)
            for table in self.tables
            for side, chair in (("N-S", table.ns), ("E-W", table.ew))
            for place in chair.places
        }

    @cached_property
    def tables_of(self) -> dict[int, list[SeatedTable]]:
        """The tables of each place, by round."""
        found: dict[int, list[SeatedTable]] = {}
        for table in self.tables:
            for place in {*table.ns.places, *table.ew.places}:
                found.setdefault(place, []).append(table)
        return found

    @cached_property
    def movements(self) -> dict[str, Movement]:
        """The movement of each section by letter; only for a session that was read whole."""
        return {
            section.letter: build_movement(
                section,
                [place for place in self.places if place.section_id == section.pk],
                [row for row in self.rows.values() if row.section_id == section.pk],
                letter=section.letter if self.is_lettered else "",
            )
            for section in self.sections
        }

    @cached_property
    def taken(self) -> set[int]:
        """The places that have an entry."""
        return {place.pk for place in self.places if place.entry_id is not None}

    @cached_property
    def last_round(self) -> dict[str, int]:
        """The last round that is seated, by section."""
        last: dict[str, int] = {}
        for table in self.tables:
            last[table.section] = max(last.get(table.section, 0), table.round)
        return last

    @property
    def rounds_planned(self) -> int:
        """The number of rounds of the longest section, with those still to be drawn."""
        drawn = (it.rounds_planned for it in self.sections if it.movement == DRAWN_KEY)
        return max([0, *self.last_round.values(), *drawn])

    @cached_property
    def with_stack(self) -> dict[tuple[str, int, Stack], list[int]]:
        """The tables that play from a copy of a board group, by section, round and stack."""
        found: dict[tuple[str, int, Stack], list[int]] = {}
        for table in self.tables:
            if table.is_played:
                key = (table.section, table.round, self.stack_of(table))
                found.setdefault(key, []).append(table.table)
        return found

    def at_table(self, letter: str, number: int) -> "SeatedSession":
        """Return the same session with the rounds of only one table."""
        own = [it for it in self.tables if (it.section, it.table) == (letter, number)]
        return replace(self, tables=own)

    def current(self, sitting: Sitting, board: int) -> Result:
        """Return the current result of a board at a sitting, as `Result.current` does."""
        of_round = [
            each
            for each in reversed(self.made)  # the last deal first
            if each.board == board and self._is_of_round(each, sitting)
        ]
        return Result.current_among(of_round, sitting, board)

    def _is_of_round(self, result: Result, sitting: Sitting) -> bool:
        row = self.rows[result.sitting_id]
        return (row.section_id, row.round) == (sitting.section_id, sitting.round)

    def put(self, result: Result) -> None:
        """Add or replace a result that was changed after the session was read."""
        if result in self.made:
            self.made[self.made.index(result)] = result
        else:
            self.made.append(result)
        self.sort_results()

    def sort_results(self) -> None:
        """Compute from `made` and `rulings` which results count, and which are to come."""
        self.results = {
            (each.sitting_id, each.board): each
            for each in self.made
            if each.outcome != Outcome.CLEARED
        }
        latest = {play: result.deal for play, result in self.results.items()}
        ruled = sort_rulings(self.rulings, latest)
        self.settled, self.renewed = ruled.settled, ruled.renewed
        self.dealt_anew, self.other_deals = ruled.dealt_anew, ruled.other_deals

    def undrawn(self, letter: str) -> str:
        """Return a sentence about the rounds of a section still to be drawn; "" without any."""
        drawn = (it for it in self.sections if it.letter == letter and it.movement == DRAWN_KEY)
        return next((describe_undrawn_rounds(each.options, each.rounds) for each in drawn), "")

    def last_planned(self, letter: str) -> int:
        """Return the last round of a section, drawn already or not."""
        found = (each for each in self.sections if each.letter == letter)
        lasts = (it.rounds_planned if it.movement == DRAWN_KEY else it.rounds for it in found)
        return next(lasts, 0)

    def is_drawn(self, letter: str) -> bool:
        """Return whether the rounds of a section are drawn one after another."""
        return any(it.letter == letter and it.movement == DRAWN_KEY for it in self.sections)

    def is_knockout(self, letter: str) -> bool:
        """Return whether a bracket decides who plays in a section."""
        return any(it.letter == letter and is_knockout(it.options) for it in self.sections)

    def stack_of(self, table: SeatedTable) -> Stack:
        """Return the board group of a table in a round, and the number of its copy."""
        return self._stacks.get((table.section, table.round, table.table), (table.group, 1))

    def stack_later(self, letter: str, round_: int, stack: Stack) -> tuple[int, int] | None:
        """Return the next round in which a stack is played, and the table; else None."""
        for number in range(round_ + 1, self.last_round[letter] + 1):
            tables = self.with_stack.get((letter, number, stack))
            if tables:
                return number, tables[0]
        return None

    def copies_in(self, letter: str) -> int:
        """Return the number of copies of the boards in a section."""
        options = next(each.options for each in self.sections if each.letter == letter)
        return int(options.get("copies", 1))

    @cached_property
    def _stacks(self) -> dict[tuple[str, int, int], Stack]:
        """The stacks of sections that have copies of their boards."""
        found: dict[tuple[str, int, int], Stack] = {}
        for section in self.sections:
            if "copies" in section.options:
                here = [t for t in self.tables if t.section == section.letter and t.is_played]
                stacks = assign_stacks(
                    [(each.round, each.table, each.group) for each in here],
                    section.options["copies"],
                    section.options.get("blocks", ()),
                )
                found |= {(section.letter, *at): stack for at, stack in stacks.items()}
        return found

    @cached_property
    def expected(self) -> int:
        """The number of results that the session should have."""
        return sum(len(table.boards) for table in self.tables if table.is_played)

    @property
    def missing(self) -> int:
        """The number of results to come, including those of new deals."""
        return self.expected - len((self.results.keys() - self.renewed) | self.settled)

    @property
    def has_partners(self) -> bool:
        """Whether single players play, with another partner in each round."""
        return self.session.event.contest == Event.Contest.INDIVIDUAL

    @property
    def is_lettered(self) -> bool:
        """Whether there are several sections, so that seats and tables need their letters."""
        if self.several_sections is not None:
            return self.several_sections
        return len(self.sections) > 1

    def label(self, place: Place) -> str:
        """Return the label of a place: "3 N-S", "5", in one of several sections "A5"."""
        return _label(place, self.is_lettered)

    def partner_of(self, entry: int, table: SeatedTable) -> str:
        """Return the partner of a single player at a table: "4 Ada Pole"; "" for a pair."""
        chair = table.ns if entry in table.ns.entries else table.ew
        partners = (
            f"{self.label(place)} {place.entry.name}"
            for place in self.places
            if place.pk in chair.places and place.entry and place.entry.number != entry
        )
        return next(partners, "") if self.has_partners else ""

    def called(self, section: str, table: int) -> str:
        """Return the label of a table: "13", in one of several sections "A13"."""
        return format_table(table, section if self.is_lettered else "")

    def result(self, table: SeatedTable, board: int) -> Result | None:
        """Return the result of a board at a table, or None while it is to come."""
        return self.results.get((table.sitting, board))

    def is_through(self, board: int) -> bool:
        """Return whether no one may still play a board: all tables have a result or ruling."""
        return all(self.is_in(table, board) for table in self.by_board.get(board, []))

    def is_replayed(self, board: int) -> bool:
        """Return whether the same players play a board twice, as in memory duplicate."""
        people = [
            frozenset(table.ns.places + table.ew.places)
            for table in self.by_board.get(board, [])
        ]
        return len(set(people)) < len(people)

    def are_through(self, board: int) -> bool:
        """Return whether no one may still play any of the boards that move with a board."""
        return board not in self._played_on

    @cached_property
    def _played_on(self) -> set[int]:
        """The boards that a table may still play, with those that move with them."""
        return {
            board
            for table in self.tables
            if table.is_played and not all(self.is_in(table, each) for each in table.boards)
            for board in table.boards
        }

    def is_in(self, table: SeatedTable, board: int) -> bool:
        """Return whether a table needs no result for a board: it has one, or a ruling."""
        return (table.sitting, board) in self.settled or self.to_enter(table, board) is not None

    def to_enter(self, table: SeatedTable, board: int) -> Result | None:
        """Return the result that an entry would change; None while a new deal has none."""
        is_renewed = (table.sitting, board) in self.renewed
        return None if is_renewed else self.result(table, board)


def read_sittings(
    session: Session,
    *,
    only: tuple[str, int] | None = None,
    group: int | None = None,
    also: Iterable[int] = (),
    neighbours: bool = False,
    several_sections: bool | None = None,
) -> SeatedSession:
    """Read a session's seating, results and rulings in four queries.

    A part of it is one table (`only`: its section's letter and its number), the tables that
    play a board group (`group`), single sittings (`also`, by key), or all of these together.
    With `neighbours`, `rows` has also the sittings of the whole section of `only`. If the
    caller knows whether there are `several_sections`, a part takes three queries.
    """
    key, part = session.pk, SittingSelection(only, group, frozenset(also), neighbours)
    rows = list(part.choose(sittings_of(key)))
    places = list(places_seated(key, rows) if part else places_of(key))
    if part and several_sections is not None:
        sections = list({place.section_id: place.section for place in places}.values())
    else:
        sections, several_sections = list(sections_of(key)), None
    seen = SeatedSession(session, sections, [], places, {}, several_sections=several_sections)
    _join(seen, rows)
    own = [row for row in rows if part.has(row)]
    _add_results(seen, own if part else None)
    _add_tables(seen, own)
    return seen


def _join(seen: SeatedSession, rows: Iterable[Sitting]) -> None:
    """Set the section of each row, and the session and displayed letter of each section."""
    for section in seen.sections:
        section.session = seen.session
        section.shown = section.letter if seen.is_lettered else ""
    by_id = {section.pk: section for section in seen.sections}
    for row in rows:
        row.section = by_id[row.section_id]
        seen.rows[row.pk] = row


def _add_results(seen: SeatedSession, rows: Iterable[Sitting] | None) -> None:
    """Read the results of a session, or of some of its sittings, with their rulings."""
    found = results_of(seen.session.pk) if rows is None else results_at(rows)
    made: dict[int, Result] = {}
    ruled: dict[int, RuledPlay] = {}
    for each in found:
        result = made.setdefault(each.pk, each)
        if result is each:
            result.ruled = result.replaced = 0
        if each.ruling_id is not None:
            kind = each.ruling_kind or ""
            result.ruled += 1
            result.replaced += kind == Ruling.Kind.NEW_DEAL
            ruled[each.ruling_id] = RuledPlay(each.sitting_id, each.board, each.deal, kind)
    seen.made = list(made.values())
    seen.rulings = [ruled[key] for key in sorted(ruled)]
    seen.sort_results()


def _add_tables(seen: SeatedSession, rows: list[Sitting]) -> None:
    """Create the tables of some sittings."""
    by_id = {place.pk: place for place in seen.places}
    letters = {section.pk: section.letter for section in seen.sections}
    line_ups_here = line_ups_of(seen.session, seen.sections, rows, by_id)

    @cache  # a pair sits at many tables, with the same words at each
    def side(one: int, other: int, line_up: str | None) -> SeatedSide:
        chairs = [by_id[pk] for pk in dict.fromkeys((one, other))]
        return _side(chairs, seen.is_lettered, line_up)

    seen.tables = [
        _table(seen, row, letters[row.section_id], side, line_ups_here) for row in rows
    ]


def missing_results(session: Session) -> int:
    """Count the results of a session still to come, as `SeatedSession.missing` does."""
    played = Sitting.objects.filter(
        section__session=session, **{f"{seat}__entry__isnull": False for seat in SEATS}
    )
    results = Result.objects.filter(sitting__section__session=session)
    entered = results.exclude(outcome=Outcome.CLEARED).order_by("deal")
    latest = {
        (sitting, board): deal
        for sitting, board, deal in entered.values_list("sitting", "board", "deal")
    }
    ruled = sort_rulings(starmap(RuledPlay, ruled_plays_of(session.pk)), latest)
    expected = sum(
        count * (session.boards_a_round - sum(took == LEFT_OUT_BOARD for _own, took in strays))
        for strays, count in played.order_by().values_list("strays").annotate(Count("pk"))
    )
    return int(expected) - len((latest.keys() - ruled.renewed) | ruled.settled)


def _label(place: Place, lettered: bool) -> str:
    return spoken(f"{place.section.letter}{place.label}" if lettered else place.label)


def _short(place: Place, lettered: bool) -> str:
    digits = place.label.removesuffix("NS").removesuffix("EW")
    return f"{place.section.letter}{digits}" if lettered else digits


def _table(
    seen: SeatedSession,
    row: Sitting,
    letter: str,
    side: Callable[[int, int, str | None], SeatedSide],
    seats_of: Mapping[tuple[int, int, int], Pairs],
) -> SeatedTable:
    ns, ew = seats_of.get((row.section_id, row.round, row.table), (None, None))
    return SeatedTable(
        sitting=row.pk,
        section=letter,
        round=row.round,
        table=row.table,
        label=seen.called(letter, row.table),
        group=row.board_group,
        boards=seen.session.boards_at(row.board_group, row.strays),
        ns=side(row.north_id, row.south_id, ns),
        ew=side(row.east_id, row.west_id, ew),
    )


def entries_of(*seats: int | None) -> tuple[int, ...]:
    """Return the entries on a side from its two seats' entries: a pair once, or partners."""
    return tuple(dict.fromkeys(number for number in seats if number is not None))


def _side(places: list[Place], lettered: bool, team: str | None) -> SeatedSide:
    taken = [place.entry for place in places if place.entry is not None]
    seated = len(taken) == len(places)
    return SeatedSide(
        entries=entries_of(*(entry.number for entry in taken)) if seated else (),
        places=tuple(place.pk for place in places),
        short=" & ".join(_short(place, lettered) for place in places),
        label=" & ".join(_label(place, lettered) for place in places),
        name=" & ".join(entry.name for entry in taken)
        if team is None
        else " & ".join(format_team_pair(entry.name, places[0].label, team) for entry in taken),
        line_up=team or "",
    )
