"""A snapshot of a session's seating, results and rulings; all sheets are built from it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from scoring.line_ups import LineUps, find_line_ups
from scoring.models import Outcome, Result, Ruling
from scoring.ruling_effects import ChangedDealRuling, PlayRuling, classify_rulings
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
from tournaments.movements.copies import BoardStack, assign_board_stacks
from tournaments.movements.drawn_rounds import (
    DRAWN_MOVEMENT_NAME,
    describe_undrawn_rounds,
    is_knockout,
)
from tournaments.movements.formatting import format_table
from tournaments.movements.stray_boards import BoardNumbers
from tournaments.seating_snapshot import build_movement


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """One sitting: its two sides, and the boards that they play."""

    sitting_id: int  # the key of the sitting
    section: str  # the letter of the section
    round: int  # the number of the round
    table_number: int  # the number of the table
    label: str  # "13", or "A13" if there are several sections
    board_group: int
    boards: BoardNumbers  # of `board_group`; a wrongly played board replaces a planned one
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
    # By sitting and board; without cleared results.
    results_by_play: dict[tuple[int, int], Result]
    # Plays that a ruling settles without a result.
    settled_plays: set[tuple[int, int]] = field(default_factory=set)
    # Plays whose new deal has no result yet.
    plays_awaiting_new_deal: set[tuple[int, int]] = field(default_factory=set)
    # Plays with a ruling of a new deal.
    plays_with_new_deal: set[tuple[int, int]] = field(default_factory=set)
    deal_rulings_by_board: dict[int, list[ChangedDealRuling]] = field(default_factory=dict)
    # By section and table: the table and seat to which each seat usually moves (a cache).
    usual_destinations_by_table: dict[tuple[str, int], dict[str, tuple[int, str]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    rulings: list[PlayRuling] = field(default_factory=list)
    all_results: list[Result] = field(default_factory=list)  # including those of earlier deals
    sittings_by_id: dict[int, Sitting] = field(default_factory=dict)  # with their section
    has_several_sections: bool | None = None  # if None, `sections` are counted

    @cached_property
    def boards(self) -> list[int]:
        """The numbers of the boards in play, lowest first."""
        return sorted({board_number for table in self.tables for board_number in table.boards})

    @cached_property
    def tables_by_board(self) -> dict[int, list[SeatedTable]]:
        """The tables that play each board, in the order of play."""
        tables_by_board: dict[int, list[SeatedTable]] = {board: [] for board in self.boards}
        for table in self.tables:
            if table.is_played:
                for board_number in table.boards:
                    tables_by_board[board_number].append(table)
        return tables_by_board

    @cached_property
    def rounds_by_table(self) -> dict[tuple[str, int], list[SeatedTable]]:
        """The rounds of each table, by section and table number."""
        rounds_by_table: dict[tuple[str, int], list[SeatedTable]] = {}
        for table in self.tables:
            rounds_by_table.setdefault((table.section, table.table_number), []).append(table)
        return dict(sorted(rounds_by_table.items()))

    @cached_property
    def seat_by_place_and_round(self) -> dict[tuple[int, int], tuple[SeatedTable, str]]:
        """The table and side ("N-S") of each place in each round, by place and round."""
        return {
            (place_pk, table.round): (table, direction)
            for table in self.tables
            for direction, side in (("N-S", table.ns), ("E-W", table.ew))
            for place_pk in side.places
        }

    @cached_property
    def tables_by_place(self) -> dict[int, list[SeatedTable]]:
        """The tables at which each place sits, round by round, by the key of the place."""
        tables_by_place: dict[int, list[SeatedTable]] = {}
        for table in self.tables:
            for place_pk in {*table.ns.places, *table.ew.places}:
                tables_by_place.setdefault(place_pk, []).append(table)
        return tables_by_place

    @cached_property
    def movements(self) -> dict[str, Movement]:
        """The movement of each section by letter; only for a snapshot of the whole session."""
        return {
            section.letter: build_movement(
                section,
                [place for place in self.places if place.section_id == section.pk],
                [
                    sitting
                    for sitting in self.sittings_by_id.values()
                    if sitting.section_id == section.pk
                ],
                section_letter=section.letter if self.has_section_letters else "",
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
        last_round_by_section: dict[str, int] = {}
        for table in self.tables:
            last_round_by_section[table.section] = max(
                last_round_by_section.get(table.section, 0), table.round
            )
        return last_round_by_section

    @property
    def planned_round_count(self) -> int:
        """The number of rounds of the longest section, including rounds not drawn yet."""
        drawn_sections = [
            section for section in self.sections if section.movement == DRAWN_MOVEMENT_NAME
        ]
        planned_round_counts = [section.planned_round_count for section in drawn_sections]
        return max([0, *self.last_seated_round_by_section.values(), *planned_round_counts])

    @cached_property
    def tables_by_stack(self) -> dict[tuple[str, int, BoardStack], list[int]]:
        """Tables that play a copy of a board group, by section, round and (group, copy)."""
        tables_by_stack: dict[tuple[str, int, BoardStack], list[int]] = {}
        for table in self.tables:
            if table.is_played:
                stack_key = (table.section, table.round, self.find_board_stack(table))
                tables_by_stack.setdefault(stack_key, []).append(table.table_number)
        return tables_by_stack

    def restrict_to_table(self, section_letter: str, table_number: int) -> "SessionSnapshot":
        """Return a snapshot with the rounds of one table only."""
        table_rounds = self.rounds_by_table.get((section_letter, table_number), [])
        return replace(self, tables=table_rounds)

    def find_current_result(self, sitting: Sitting, board_number: int) -> Result:
        """Return the current result of a board, like `Result.find_or_create_current_result`."""
        round_results = [
            result
            for result in reversed(self.all_results)  # the last deal first
            if result.board == board_number and self._is_result_of_round(result, sitting)
        ]
        return Result.choose_current_result(round_results, sitting, board_number)

    def _is_result_of_round(self, result: Result, sitting: Sitting) -> bool:
        result_sitting = self.sittings_by_id[result.sitting_id]
        section_and_round = result_sitting.section_id, result_sitting.round
        return section_and_round == (sitting.section_id, sitting.round)

    def add_or_replace_result(self, result: Result) -> None:
        """Add or replace a result that was changed after the snapshot was loaded."""
        if result in self.all_results:
            self.all_results[self.all_results.index(result)] = result
        else:
            self.all_results.append(result)
        self.recompute_results_and_ruled_plays()

    def recompute_results_and_ruled_plays(self) -> None:
        """Compute from all results and rulings which results count and which are missing."""
        self.results_by_play = {
            (result.sitting_id, result.board): result
            for result in self.all_results
            if result.outcome != Outcome.CLEARED
        }
        deals_by_play = {play: result.deal for play, result in self.results_by_play.items()}
        ruled_plays = classify_rulings(self.rulings, deals_by_play)
        self.settled_plays = ruled_plays.settled_plays
        self.plays_awaiting_new_deal = ruled_plays.plays_awaiting_new_deal
        self.plays_with_new_deal = ruled_plays.plays_with_new_deal
        self.deal_rulings_by_board = ruled_plays.deal_rulings_by_board

    def describe_undrawn_rounds(self, section_letter: str) -> str:
        """Return a sentence about the rounds of a section not drawn yet, or ""."""
        section = self._find_section(section_letter)
        if section is None or section.movement != DRAWN_MOVEMENT_NAME:
            return ""
        return describe_undrawn_rounds(section.options, section.rounds)

    def find_last_planned_round(self, section_letter: str) -> int:
        """Return the number of the last round of a section, drawn or not."""
        section = self._find_section(section_letter)
        if section is None:
            return 0
        is_drawn = section.movement == DRAWN_MOVEMENT_NAME
        return section.planned_round_count if is_drawn else section.rounds

    def has_drawn_rounds(self, section_letter: str) -> bool:
        """Return whether a section's rounds are drawn from the scores, as in a Swiss event."""
        section = self._find_section(section_letter)
        return section is not None and section.movement == DRAWN_MOVEMENT_NAME

    def is_knockout(self, section_letter: str) -> bool:
        """Return whether a bracket decides who plays in a section."""
        section = self._find_section(section_letter)
        return section is not None and is_knockout(section.options)

    def _find_section(self, section_letter: str) -> Section | None:
        return next(
            (section for section in self.sections if section.letter == section_letter), None
        )

    def find_board_stack(self, table: SeatedTable) -> BoardStack:
        """Return the board group that a table plays in a round, and the number of its copy."""
        return self._board_stack_by_table.get(
            (table.section, table.round, table.table_number), (table.board_group, 1)
        )

    def find_next_use_of_stack(
        self, section_letter: str, round_number: int, stack: BoardStack
    ) -> tuple[int, int] | None:
        """Return the next round and table that play a stack of boards, or None."""
        last_round = self.last_seated_round_by_section[section_letter]
        for later_round in range(round_number + 1, last_round + 1):
            if tables := self.tables_by_stack.get((section_letter, later_round, stack)):
                return later_round, tables[0]
        return None

    def count_board_copies(self, section_letter: str) -> int:
        """Return how many copies of its boards a section has."""
        section = self._find_section(section_letter)
        return int(section.options.get("copies", 1)) if section else 1

    @cached_property
    def _board_stack_by_table(self) -> dict[tuple[str, int, int], BoardStack]:
        """The stacks of boards in sections that have several copies of their boards."""
        board_stack_by_table: dict[tuple[str, int, int], BoardStack] = {}
        for section in self.sections:
            if "copies" in section.options:
                stacks_by_round_and_table = assign_board_stacks(
                    [
                        (table.round, table.table_number, table.board_group)
                        for table in self.tables
                        if table.section == section.letter and table.is_played
                    ],
                    section.options["copies"],
                    section.options.get("blocks", ()),
                )
                board_stack_by_table |= {
                    (section.letter, *table_key): stack
                    for table_key, stack in stacks_by_round_and_table.items()
                }
        return board_stack_by_table

    @cached_property
    def expected_result_count(self) -> int:
        """The number of results that the session should have."""
        return sum(len(table.boards) for table in self.tables if table.is_played)

    @property
    def missing_result_count(self) -> int:
        """The number of results not entered yet, including those of new deals."""
        return self.expected_result_count - len(
            (self.results_by_play.keys() - self.plays_awaiting_new_deal) | self.settled_plays
        )

    @property
    def has_changing_partners(self) -> bool:
        """Whether this is an event for individuals, who change partners in each round."""
        return self.session.event.contest == Event.Contest.INDIVIDUAL

    @property
    def has_section_letters(self) -> bool:
        """Whether seats and tables show section letters, because there are several sections."""
        if self.has_several_sections is not None:
            return self.has_several_sections
        return len(self.sections) > 1

    def format_place_label(self, place: Place) -> str:
        """Return the label of a place: "3 N-S", "5", in one of several sections "A5"."""
        return format_place_label(place, self.has_section_letters)

    def format_partner(self, entry_number: int, table: SeatedTable) -> str:
        """Return the partner of a single player at a table: "4 Ada Pole"; "" for a pair."""
        side = table.ns if entry_number in table.ns.entries else table.ew
        partner_labels = (
            f"{self.format_place_label(place)} {place.entry.name}"
            for place in self.places
            if place.pk in side.places and place.entry and place.entry.number != entry_number
        )
        return next(partner_labels, "") if self.has_changing_partners else ""

    def format_table_label(self, section_letter: str, table_number: int) -> str:
        """Return the label of a table: "13", in one of several sections "A13"."""
        return format_table(table_number, section_letter if self.has_section_letters else "")

    def find_result(self, table: SeatedTable, board_number: int) -> Result | None:
        """Return the result of a board at a table; None if it is not entered yet."""
        return self.results_by_play.get((table.sitting_id, board_number))

    def is_board_finished(self, board_number: int) -> bool:
        """Return whether all tables that play a board have a result or a ruling for it."""
        return all(
            self.has_result_or_ruling(table, board_number)
            for table in self.tables_by_board.get(board_number, [])
        )

    def is_board_replayed(self, board_number: int) -> bool:
        """Return whether the same players play a board twice, as in memory duplicate."""
        foursomes = [
            frozenset(table.ns.places + table.ew.places)
            for table in self.tables_by_board.get(board_number, [])
        ]
        return len(set(foursomes)) < len(foursomes)

    def is_board_group_finished(self, board_number: int) -> bool:
        """Return whether all tables have finished every board that moves with this board."""
        return board_number not in self._unfinished_boards

    @cached_property
    def _unfinished_boards(self) -> set[int]:
        """The boards that a table may still play, and the boards that move with them."""
        return {
            board_number
            for table in self.tables
            if table.is_played
            and not all(
                self.has_result_or_ruling(table, other_board) for other_board in table.boards
            )
            for board_number in table.boards
        }

    def has_result_or_ruling(self, table: SeatedTable, board_number: int) -> bool:
        """Return whether a table has a result for a board, or a ruling that settles it."""
        is_settled = (table.sitting_id, board_number) in self.settled_plays
        return is_settled or self.find_result_to_replace(table, board_number) is not None

    def find_result_to_replace(self, table: SeatedTable, board_number: int) -> Result | None:
        """Return the result that a new score would replace; None if this deal has none."""
        is_new_deal_awaited = (table.sitting_id, board_number) in self.plays_awaiting_new_deal
        return None if is_new_deal_awaited else self.find_result(table, board_number)


def load_session_snapshot(
    session: Session,
    *,
    table_key: tuple[str, int] | None = None,
    board_group: int | None = None,
    extra_sitting_ids: Iterable[int] = (),
    should_load_whole_section: bool = False,
    has_several_sections: bool | None = None,
) -> SessionSnapshot:
    """Load a session's seating, results and rulings in four queries.

    By default, this is the whole session. Arguments select a part of it: one table
    (`table_key`: its section's letter and its number), the tables that play a board group
    (`board_group`), single sittings (`extra_sitting_ids`, by key), or several of these. With
    `should_load_whole_section`, `sittings_by_id` also has all sittings of the section of
    `table_key`. If the caller passes `has_several_sections`, a part takes three queries.
    """
    selection = SittingSelection(
        table_key, board_group, frozenset(extra_sitting_ids), should_load_whole_section
    )
    sittings = list(selection.filter_sittings(query_sittings(session.pk)))
    places = list(
        query_places_of_sittings(session.pk, sittings)
        if selection
        else query_places(session.pk)
    )
    if selection and has_several_sections is not None:
        sections = list({place.section_id: place.section for place in places}.values())
    else:
        sections, has_several_sections = list(query_sections(session.pk)), None
    snapshot = SessionSnapshot(
        session, sections, [], places, {}, has_several_sections=has_several_sections
    )
    _link_sections(snapshot, sittings)
    selected_sittings = [sitting for sitting in sittings if selection.is_selected(sitting)]
    _load_results(snapshot, selected_sittings if selection else None)
    _add_tables(snapshot, selected_sittings)
    return snapshot


def _link_sections(snapshot: SessionSnapshot, sittings: Iterable[Sitting]) -> None:
    """Set the section of each sitting, and the session and displayed letter of each section."""
    for section in snapshot.sections:
        section.session = snapshot.session
        section.shown = section.letter if snapshot.has_section_letters else ""
    sections_by_id = {section.pk: section for section in snapshot.sections}
    for sitting in sittings:
        sitting.section = sections_by_id[sitting.section_id]
        snapshot.sittings_by_id[sitting.pk] = sitting


def _load_results(snapshot: SessionSnapshot, sittings: Iterable[Sitting] | None) -> None:
    """Load the results of a session, or of some of its sittings, with their rulings."""
    result_rows = (
        query_results(snapshot.session.pk)
        if sittings is None
        else query_results_of_sittings(sittings)
    )
    results_by_pk: dict[int, Result] = {}
    play_rulings_by_pk: dict[int, PlayRuling] = {}
    for result_row in result_rows:
        result = results_by_pk.setdefault(result_row.pk, result_row)
        if result is result_row:
            result.ruling_count = result.new_deal_ruling_count = 0
        if result_row.ruling_id is not None:
            ruling_kind = result_row.ruling_kind or ""
            result.ruling_count += 1
            result.new_deal_ruling_count += ruling_kind == Ruling.Kind.NEW_DEAL
            play_rulings_by_pk[result_row.ruling_id] = PlayRuling(
                result_row.sitting_id, result_row.board, result_row.deal, ruling_kind
            )
    snapshot.all_results = list(results_by_pk.values())
    snapshot.rulings = [play_rulings_by_pk[pk] for pk in sorted(play_rulings_by_pk)]
    snapshot.recompute_results_and_ruled_plays()


def _add_tables(snapshot: SessionSnapshot, sittings: list[Sitting]) -> None:
    """Set `snapshot.tables` to one `SeatedTable` for each of the sittings."""
    places_by_id = {place.pk: place for place in snapshot.places}
    line_ups_by_table = find_line_ups(
        snapshot.session, snapshot.sections, sittings, places_by_id
    )

    @cache  # a pair sits at many tables with the same labels
    def build_seated_side(
        first_place_id: int, second_place_id: int, line_up: str | None
    ) -> SeatedSide:
        place_ids = dict.fromkeys((first_place_id, second_place_id))
        places = [places_by_id[place_id] for place_id in place_ids]
        return build_side(places, snapshot.has_section_letters, line_up)

    snapshot.tables = [
        _build_table(snapshot, sitting, build_seated_side, line_ups_by_table)
        for sitting in sittings
    ]


def _build_table(
    snapshot: SessionSnapshot,
    sitting: Sitting,
    build_seated_side: Callable[[int, int, str | None], SeatedSide],
    line_ups_by_table: Mapping[tuple[int, int, int], LineUps],
) -> SeatedTable:
    section_letter = sitting.section.letter
    ns_line_up, ew_line_up = line_ups_by_table.get(
        (sitting.section_id, sitting.round, sitting.table), (None, None)
    )
    return SeatedTable(
        sitting_id=sitting.pk,
        section=section_letter,
        round=sitting.round,
        table_number=sitting.table,
        label=snapshot.format_table_label(section_letter, sitting.table),
        board_group=sitting.board_group,
        boards=snapshot.session.list_boards_at_table(sitting.board_group, sitting.strays),
        ns=build_seated_side(sitting.north_id, sitting.south_id, ns_line_up),
        ew=build_seated_side(sitting.east_id, sitting.west_id, ew_line_up),
    )
