"""The content of an event file as frozen dataclasses, with validated references."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from datetime import date as Date
from datetime import datetime
from typing import Any

from boards.whist import Deal
from tournaments.movements import Movement
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, count_planned_board_sets
from tournaments.stages.rules import StageRules
from tournaments.swiss.plan import SwissPlan


@dataclass(frozen=True, slots=True)
class EventFileEntry:
    """An entry of the file, with the names of its players in order."""

    entry_number: int
    name: str
    players: tuple[str, ...]
    needs_stationary_place: bool = False


@dataclass(frozen=True, slots=True)
class EventFileResult:
    """The result of one table on one board, in tricks or points.

    Tricks and points are None if the board was not played.
    """

    round_number: int
    table_number: int
    board_number: int
    ns_tricks: int | None
    deal_number: int = 1  # 2 for a new deal of the board
    trump: str = ""  # the trump that the table declared
    ns_points: int | None = None  # each side's points, in an event scored in points
    ew_points: int | None = None

    @property
    def is_played(self) -> bool:
        """Whether the board was played."""
        return self.ns_tricks is not None or self.ns_points is not None


@dataclass(frozen=True, slots=True)
class EventFileRuling:
    """A ruling on a board at a table, or a penalty for an entry; fractions are exact texts."""

    kind: str
    round: int = 0
    table: int = 0
    board: int = 0
    deal: int = 1
    entry: int = 0
    side: str = ""
    revokes: int | None = None
    won_before: int | None = None
    full: bool = False
    ns_tricks: str = ""
    ew_tricks: str = ""
    amount: str = ""
    trump_recorded: str = ""
    trump_turned: str = ""
    law: str = ""
    situation: str = ""
    reason: str = ""
    claimed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class EventFileSection:
    """One section of the file: its movement, seating, results and rulings."""

    section_letter: str
    movement: Movement
    options: Mapping[str, Any]
    """The options of the movement, without its name, tables and rounds."""
    entry_numbers_by_place: Mapping[int, int]
    """The entry numbers by place number."""
    results: tuple[EventFileResult, ...]
    rulings: tuple[EventFileRuling, ...] = ()
    swiss_plan: SwissPlan | None = None
    """The plan for rounds that are drawn one at a time; None if all rounds are planned."""
    stray_boards_by_table: Mapping[tuple[int, int], Sequence[tuple[int, int]]] = field(
        default_factory=dict
    )
    """The strays by round and table: (board of the section's set, board played instead)."""
    first_missed_round_by_place: Mapping[int, int] = field(default_factory=dict)
    """The first round missed by each place whose entry withdrew; 0 if it is unknown."""

    @property
    def board_group_count(self) -> int:
        """The number of board groups that the section needs in all rounds.

        Rounds that are not drawn yet are included, because their boards are already dealt and
        may be in the file.
        """
        movement = self.movement
        if self.swiss_plan is None:
            return movement.group_count
        last_round_tables = [
            meeting.table
            for meeting in movement.meetings
            if meeting.round == movement.round_count
        ]
        planned_set_count = count_planned_board_sets(
            {DRAWN_MOVEMENT_NAME: self.swiss_plan.as_data()},
            movement.round_count,
            used_set_count=movement.group_count,
            table_count=max(last_round_tables),
        )
        return max(movement.group_count, planned_set_count)

    @property
    def entered_result_count(self) -> int:
        """The number of boards at tables that have a result, or a ruling instead of one."""
        boards = {
            (result.round_number, result.table_number, result.board_number)
            for result in self.results
        }
        for ruling in self.rulings:
            if ruling.kind in ("average", "adjusted"):
                boards.add((ruling.round, ruling.table, ruling.board))
        return len(boards)


@dataclass(frozen=True, slots=True)
class EventFileSession:
    """The boards and sections of one session; `deals_by_board` is None without cards."""

    session_number: int
    boards_per_round: int
    deals_by_board: Mapping[int, Deal] | None
    sections: tuple[EventFileSection, ...]
    across_sections: bool = False
    date: Date | None = None  # the date, if it differs from the event's

    @property
    def expected_result_count(self) -> int:
        """The number of results that a complete session has."""
        meeting_count = sum(len(section.movement.played_meetings) for section in self.sections)
        return meeting_count * self.boards_per_round

    @property
    def entered_result_count(self) -> int:
        """The number of results that the session has."""
        return sum(section.entered_result_count for section in self.sections)


@dataclass(frozen=True, slots=True)
class EventFileFinal:
    """A drawn final, which is a separate event, with the scores carried over to it."""

    order: int
    name: str
    event: "EventFile"
    carry_overs_by_entry: Mapping[str, Any]
    carry_over_changes: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class EventFileStage:
    """The rule by which entries qualify for finals, the qualifiers, and the drawn finals."""

    rule: StageRules
    drawn_at: datetime | None = None
    qualifiers: Sequence[Mapping[str, Any]] = ()
    finals: tuple[EventFileFinal, ...] = ()


@dataclass(frozen=True, slots=True)
class EventFilePrizesAndStages:
    """The strata, prizes, bracket, finals and profiles of an event.

    The mappings contain the field values of the models that store them.
    """

    strata_values: Mapping[str, Any] | None = None
    prizes: tuple[Mapping[str, Any], ...] = ()
    knockout_values: Mapping[str, Any] | None = None
    stage: EventFileStage | None = None
    profiles_by_entry: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventFile:
    """The complete content of an event file."""

    club_name: str
    name: str
    date: Date
    contest_code: str
    method: str
    players: tuple[str, ...]
    entries: tuple[EventFileEntry, ...]
    sessions: tuple[EventFileSession, ...]
    tie_breaks: tuple[str, ...] = ()
    carry_over: str = "1"
    revokes_read: str = "keep_tricks_above_average"
    whole_averages: bool = False
    unequal_boards: str = "per_board"
    by_corrected: bool = False
    totals_grow: str = "rounds"
    trumps: str = "turned"
    other_suits: bool = False
    # the maximum points of a side; None for an event scored in tricks
    most_points: int | None = None
    standings_shown: str = "always"
    paper_size: str = "A4"
    prizes_and_stages: EventFilePrizesAndStages = field(
        default_factory=EventFilePrizesAndStages
    )


DEFAULT_SETTINGS: Mapping[str, Any] = {
    field.name: field.default for field in fields(EventFile) if field.default is not MISSING
}
"""The default values of event settings that a file may omit."""
SCORING_TERM_NAMES = (
    *("tie_breaks", "carry_over", "revokes_read", "whole_averages"),
    *("unequal_boards", "by_corrected", "totals_grow"),
)
"""The names of the event settings that the model Terms stores."""
