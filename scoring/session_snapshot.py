"""A snapshot of a session's seating, results and rulings; all sheets are built from it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

from scoring.line_ups import LineUps, find_line_ups
from scoring.models import Outcome, Result, Ruling
from scoring.ruling_effects import OtherDeal, RuledPlay, classify_rulings
from scoring.seated_sides import SeatedSide, build_side, format_place_label
from scoring.session_queries import (
    SittingSelection,
    query_places,
    query_places_of_sittings,
    query_results,
    query_results_of_sittings,
    query_sections,
    query_sittings,
)
from tournaments.models import Event, Place, Section, Session, Sitting
from tournaments.movements import Movement
from tournaments.movements.copies import Stack, assign_stacks
from tournaments.movements.drawn_rounds import DRAWN_KEY, describe_undrawn_rounds, is_knockout
from tournaments.movements.formatting import format_table
from tournaments.movements.stray_boards import Boards
from tournaments.seating_snapshot import build_movement


class RoundProgress(NamedTuple):
    """The progress of one round at one table, and the number of scores made there."""

    session: int
    sitting: int
    boards: Boards
    is_complete: bool
    scores_made: int


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
class SessionSnapshot:
    """The tables of a session by section, round and table, with the results so far.

    A snapshot of a part of a session has only the tables, places and results of that part.
    """

    session: Session
    sections: list[Section]
    tables: list[SeatedTable]
    places: list[Place]
    results: dict[tuple[int, int], Result]  # by sitting and board; cleared ones are left out
    settled_plays: set[tuple[int, int]] = field(
        default_factory=set
    )  # plays that a ruling settles without a result
    plays_awaiting_new_deal: set[tuple[int, int]] = field(
        default_factory=set
    )  # plays whose new deal has no result yet
    plays_with_new_deal: set[tuple[int, int]] = field(
        default_factory=set
    )  # plays with a ruling of a new deal
    other_deals: dict[int, list[OtherDeal]] = field(default_factory=dict)  # by board
    usual_moves_cache: dict[tuple[str, int], dict[str, tuple[int, str]]] = field(
        default_factory=dict, repr=False, compare=False
    )  # a cache of the usual moves from a table after a round
    rulings: list[RuledPlay] = field(default_factory=list)
    all_results: list[Result] = field(default_factory=list)  # including those of earlier deals
    rows: dict[int, Sitting] = field(default_factory=dict)  # by key, with their section
    several_sections: bool | None = None  # None counts `sections`, if all of them were read

    @cached_property
    def boards(self) -> list[int]:
        """The numbers of the boards in play, lowest first."""
        return sorted({board for table in self.tables for board in table.boards})

    @cached_property
    def tables_by_board(self) -> dict[int, list[SeatedTable]]:
        """The tables that play each board, in the order of play."""
        tables_by_key: dict[int, list[SeatedTable]] = {board: [] for board in self.boards}
        for table in self.tables:
            if table.is_played:
                for board in table.boards:
                    tables_by_key[board].append(table)
        return tables_by_key

    @cached_property
    def rounds_by_table(self) -> dict[tuple[str, int], list[SeatedTable]]:
        """The rounds of each table, by section and table number."""
        tables_by_key: dict[tuple[str, int], list[SeatedTable]] = {}
        for table in self.tables:
            tables_by_key.setdefault((table.section, table.table), []).append(table)
        return dict(sorted(tables_by_key.items()))

    @cached_property
    def seat_by_place_and_round(self) -> dict[tuple[int, int], tuple[SeatedTable, str]]:
        """The table and side ("N-S") of each place in each round, by place and round."""
        return {
            (place, table.round): (table, side)
            for table in self.tables
            for side, chair in (("N-S", table.ns), ("E-W", table.ew))
            for place in chair.places
        }

    @cached_property
    def tables_by_place(self) -> dict[int, list[SeatedTable]]:
        """The tables of each place, by round."""
        tables_by_key: dict[int, list[SeatedTable]] = {}
        for table in self.tables:
            for place in {*table.ns.places, *table.ew.places}:
                tables_by_key.setdefault(place, []).append(table)
        return tables_by_key

    @cached_property
    def movements(self) -> dict[str, Movement]:
        """The movement of each section by letter; only for a snapshot of the whole session."""
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
    def occupied_places(self) -> set[int]:
        """The places that have an entry."""
        return {place.pk for place in self.places if place.entry_id is not None}

    @cached_property
    def last_seated_round_by_section(self) -> dict[str, int]:
        """The last seated round of each section."""
        last: dict[str, int] = {}
        for table in self.tables:
            last[table.section] = max(last.get(table.section, 0), table.round)
        return last

    @property
    def planned_round_count(self) -> int:
        """The number of rounds of the longest section, including rounds not drawn yet."""
        planned_rounds = (
            each.rounds_planned for each in self.sections if each.movement == DRAWN_KEY
        )
        return max([0, *self.last_seated_round_by_section.values(), *planned_rounds])

    @cached_property
    def tables_by_stack(self) -> dict[tuple[str, int, Stack], list[int]]:
        """The tables that play from a copy of a board group, by section, round and stack."""
        tables_by_key: dict[tuple[str, int, Stack], list[int]] = {}
        for table in self.tables:
            if table.is_played:
                key = (table.section, table.round, self.find_stack(table))
                tables_by_key.setdefault(key, []).append(table.table)
        return tables_by_key

    def restrict_to_table(self, letter: str, number: int) -> "SessionSnapshot":
        """Return a snapshot with the rounds of one table only."""
        own_tables = [
            each for each in self.tables if (each.section, each.table) == (letter, number)
        ]
        return replace(self, tables=own_tables)

    def find_current_result(self, sitting: Sitting, board: int) -> Result:
        """Return the current result of a board, like `Result.find_or_create_current`."""
        of_round = [
            each
            for each in reversed(self.all_results)  # the last deal first
            if each.board == board and self._is_result_of_round(each, sitting)
        ]
        return Result.choose_current(of_round, sitting, board)

    def _is_result_of_round(self, result: Result, sitting: Sitting) -> bool:
        row = self.rows[result.sitting_id]
        return (row.section_id, row.round) == (sitting.section_id, sitting.round)

    def put_result(self, result: Result) -> None:
        """Add or replace a result that was changed after the snapshot was loaded."""
        if result in self.all_results:
            self.all_results[self.all_results.index(result)] = result
        else:
            self.all_results.append(result)
        self.update_counting_results()

    def update_counting_results(self) -> None:
        """Compute from all results and rulings which results count, and which are still
        missing.
        """
        self.results = {
            (each.sitting_id, each.board): each
            for each in self.all_results
            if each.outcome != Outcome.CLEARED
        }
        latest = {play: result.deal for play, result in self.results.items()}
        ruled = classify_rulings(self.rulings, latest)
        self.settled_plays, self.plays_awaiting_new_deal = (
            ruled.settled_plays,
            ruled.plays_awaiting_new_deal,
        )
        self.plays_with_new_deal, self.other_deals = (
            ruled.plays_with_new_deal,
            ruled.other_deals,
        )

    def describe_undrawn_rounds(self, letter: str) -> str:
        """Return a sentence about the rounds of a section not drawn yet; "" if there are
        none.
        """
        drawn_sections = (
            section
            for section in self.sections
            if section.letter == letter and section.movement == DRAWN_KEY
        )
        return next(
            (describe_undrawn_rounds(each.options, each.rounds) for each in drawn_sections), ""
        )

    def find_last_planned_round(self, letter: str) -> int:
        """Return the number of the last round of a section, drawn or not."""
        sections = (each for each in self.sections if each.letter == letter)
        last_rounds = (
            section.rounds_planned if section.movement == DRAWN_KEY else section.rounds
            for section in sections
        )
        return next(last_rounds, 0)

    def has_drawn_rounds(self, letter: str) -> bool:
        """Return whether each round of a section is drawn from the scores, as in a Swiss
        event.
        """
        return any(
            each.letter == letter and each.movement == DRAWN_KEY for each in self.sections
        )

    def is_knockout(self, letter: str) -> bool:
        """Return whether a bracket decides who plays in a section."""
        return any(
            each.letter == letter and is_knockout(each.options) for each in self.sections
        )

    def find_stack(self, table: SeatedTable) -> Stack:
        """Return the board group that a table plays in a round, and the number of its copy."""
        return self._copied_stacks.get(
            (table.section, table.round, table.table), (table.group, 1)
        )

    def find_next_use_of_stack(
        self, letter: str, round_: int, stack: Stack
    ) -> tuple[int, int] | None:
        """Return the next round and table that play a stack of boards, or None."""
        for number in range(round_ + 1, self.last_seated_round_by_section[letter] + 1):
            tables = self.tables_by_stack.get((letter, number, stack))
            if tables:
                return number, tables[0]
        return None

    def count_copies(self, letter: str) -> int:
        """Return how many copies of its boards a section has."""
        options = next(each.options for each in self.sections if each.letter == letter)
        return int(options.get("copies", 1))

    @cached_property
    def _copied_stacks(self) -> dict[tuple[str, int, int], Stack]:
        """The stacks of boards in sections that have several copies of their boards."""
        stacks_by_place: dict[tuple[str, int, int], Stack] = {}
        for section in self.sections:
            if "copies" in section.options:
                section_tables = [
                    table
                    for table in self.tables
                    if table.section == section.letter and table.is_played
                ]
                stacks = assign_stacks(
                    [(each.round, each.table, each.group) for each in section_tables],
                    section.options["copies"],
                    section.options.get("blocks", ()),
                )
                stacks_by_place |= {
                    (section.letter, *place): stack for place, stack in stacks.items()
                }
        return stacks_by_place

    @cached_property
    def expected_result_count(self) -> int:
        """The number of results that the session should have."""
        return sum(len(table.boards) for table in self.tables if table.is_played)

    @property
    def missing_result_count(self) -> int:
        """The number of results not entered yet, including those of new deals."""
        return self.expected_result_count - len(
            (self.results.keys() - self.plays_awaiting_new_deal) | self.settled_plays
        )

    @property
    def has_changing_partners(self) -> bool:
        """Whether this is an event for individuals, who change partners in each round."""
        return self.session.event.contest == Event.Contest.INDIVIDUAL

    @property
    def is_lettered(self) -> bool:
        """Whether seats and tables show section letters, because there are several sections."""
        if self.several_sections is not None:
            return self.several_sections
        return len(self.sections) > 1

    def format_place_label(self, place: Place) -> str:
        """Return the label of a place: "3 N-S", "5", in one of several sections "A5"."""
        return format_place_label(place, self.is_lettered)

    def format_partner(self, entry: int, table: SeatedTable) -> str:
        """Return the partner of a single player at a table: "4 Ada Pole"; "" for a pair."""
        chair = table.ns if entry in table.ns.entries else table.ew
        partners = (
            f"{self.format_place_label(place)} {place.entry.name}"
            for place in self.places
            if place.pk in chair.places and place.entry and place.entry.number != entry
        )
        return next(partners, "") if self.has_changing_partners else ""

    def format_table_label(self, section: str, table: int) -> str:
        """Return the label of a table: "13", in one of several sections "A13"."""
        return format_table(table, section if self.is_lettered else "")

    def find_result(self, table: SeatedTable, board: int) -> Result | None:
        """Return the result of a board at a table; None if it is not entered yet."""
        return self.results.get((table.sitting, board))

    def is_board_finished(self, board: int) -> bool:
        """Return whether all tables that play a board have a result or a ruling for it."""
        return all(
            self.has_result_or_ruling(table, board)
            for table in self.tables_by_board.get(board, [])
        )

    def is_board_replayed(self, board: int) -> bool:
        """Return whether the same players play a board twice, as in memory duplicate."""
        people = [
            frozenset(table.ns.places + table.ew.places)
            for table in self.tables_by_board.get(board, [])
        ]
        return len(set(people)) < len(people)

    def is_board_group_finished(self, board: int) -> bool:
        """Return whether all tables have finished every board that moves with this board."""
        return board not in self._unfinished_boards

    @cached_property
    def _unfinished_boards(self) -> set[int]:
        """The boards that a table may still play, and the boards that move with them."""
        return {
            board
            for table in self.tables
            if table.is_played
            and not all(self.has_result_or_ruling(table, each) for each in table.boards)
            for board in table.boards
        }

    def has_result_or_ruling(self, table: SeatedTable, board: int) -> bool:
        """Return whether a table has a result or a ruling for a board, and so needs no
        entry.
        """
        return (table.sitting, board) in self.settled_plays or self.find_result_to_enter(
            table, board
        ) is not None

    def find_result_to_enter(self, table: SeatedTable, board: int) -> Result | None:
        """Return the result that a new entry would change; None if a new deal has no result
        yet.
        """
        is_renewed = (table.sitting, board) in self.plays_awaiting_new_deal
        return None if is_renewed else self.find_result(table, board)


def load_session_snapshot(
    session: Session,
    *,
    only_table: tuple[str, int] | None = None,
    group: int | None = None,
    extra_sittings: Iterable[int] = (),
    with_neighbours: bool = False,
    several_sections: bool | None = None,
) -> SessionSnapshot:
    """Load a session's seating, results and rulings in four queries.

    A part is one table (`only_table`: its section's letter and its number), the tables that
    play a board group (`group`), single sittings (`extra_sittings`, by key), or all of these
    together. With `with_neighbours`, `rows` also has the sittings of the whole section of
    `only_table`. If the caller knows whether there are `several_sections`, a part takes three
    queries.
    """
    key, part = (
        session.pk,
        SittingSelection(only_table, group, frozenset(extra_sittings), with_neighbours),
    )
    rows = list(part.filter_sittings(query_sittings(key)))
    places = list(query_places_of_sittings(key, rows) if part else query_places(key))
    if part and several_sections is not None:
        sections = list({place.section_id: place.section for place in places}.values())
    else:
        sections, several_sections = list(query_sections(key)), None
    snapshot = SessionSnapshot(
        session, sections, [], places, {}, several_sections=several_sections
    )
    _link_sections(snapshot, rows)
    own_rows = [row for row in rows if part.is_selected(row)]
    _load_results(snapshot, own_rows if part else None)
    _add_tables(snapshot, own_rows)
    return snapshot


def _link_sections(snapshot: SessionSnapshot, rows: Iterable[Sitting]) -> None:
    """Set the section of each row, and the session and displayed letter of each section."""
    for section in snapshot.sections:
        section.session = snapshot.session
        section.shown = section.letter if snapshot.is_lettered else ""
    by_id = {section.pk: section for section in snapshot.sections}
    for row in rows:
        row.section = by_id[row.section_id]
        snapshot.rows[row.pk] = row


def _load_results(snapshot: SessionSnapshot, rows: Iterable[Sitting] | None) -> None:
    """Load the results of a session, or of some of its sittings, with their rulings."""
    result_rows = (
        query_results(snapshot.session.pk) if rows is None else query_results_of_sittings(rows)
    )
    results_by_key: dict[int, Result] = {}
    ruled: dict[int, RuledPlay] = {}
    for each in result_rows:
        result = results_by_key.setdefault(each.pk, each)
        if result is each:
            result.ruled = result.replaced = 0
        if each.ruling_id is not None:
            kind = each.ruling_kind or ""
            result.ruled += 1
            result.replaced += kind == Ruling.Kind.NEW_DEAL
            ruled[each.ruling_id] = RuledPlay(each.sitting_id, each.board, each.deal, kind)
    snapshot.all_results = list(results_by_key.values())
    snapshot.rulings = [ruled[key] for key in sorted(ruled)]
    snapshot.update_counting_results()


def _add_tables(snapshot: SessionSnapshot, rows: list[Sitting]) -> None:
    """Create the tables of some sittings."""
    by_id = {place.pk: place for place in snapshot.places}
    letters = {section.pk: section.letter for section in snapshot.sections}
    line_ups = find_line_ups(snapshot.session, snapshot.sections, rows, by_id)

    @cache  # a pair sits at many tables with the same labels
    def side(one_place: int, other: int, line_up: str | None) -> SeatedSide:
        chairs = [by_id[pk] for pk in dict.fromkeys((one_place, other))]
        return build_side(chairs, snapshot.is_lettered, line_up)

    snapshot.tables = [
        _build_table(snapshot, row, letters[row.section_id], side, line_ups) for row in rows
    ]


def _build_table(
    snapshot: SessionSnapshot,
    row: Sitting,
    letter: str,
    side: Callable[[int, int, str | None], SeatedSide],
    line_ups: Mapping[tuple[int, int, int], LineUps],
) -> SeatedTable:
    ns, ew = line_ups.get((row.section_id, row.round, row.table), (None, None))
    return SeatedTable(
        sitting=row.pk,
        section=letter,
        round=row.round,
        table=row.table,
        label=snapshot.format_table_label(letter, row.table),
        group=row.board_group,
        boards=snapshot.session.boards_at(row.board_group, row.strays),
        ns=side(row.north_id, row.south_id, ns),
        ew=side(row.east_id, row.west_id, ew),
    )
