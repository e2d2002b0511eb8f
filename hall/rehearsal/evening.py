"""The state of a rehearsal: the event in its current seating, and the simulated results."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from clubs.evenings.timetable import compute_round_ends
from clubs.models import RoundClock
from hall.models import Rehearsal
from hall.rehearsal.script import (
    DueResult,
    Mishap,
    MishapKind,
    RoundTime,
    TableKey,
    TableSitting,
    list_due_results,
    simulate_ns_tricks,
)
from hall.rehearsal.script.tricks import TRICKS_PER_DEAL, estimate_tricks
from hall.room.clock import count_rounds
from scoring.models import Result, ResultVersion, Ruling
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from tournaments.models import Session

IDEMPOTENCY_KEY = "rehearsal"
"""The idempotency key of automatic results, so that each is entered only once."""
LATE_PLAYER_NAMES = ("Ida Latecomer", "Otto Latecomer", "Ruth Latecomer", "Hugo Latecomer")
"""The names of simulated late players, chosen to differ from real players' names."""
RulingKeys = frozenset[tuple[int, int, str]]
"""The sitting key, board number and kind of each ruling in force."""


@dataclass(slots=True)
class ScriptedEvening:
    """The state of a rehearsal: its session, its simulated results and its mishaps."""

    rehearsal: Rehearsal
    snapshot: SessionSnapshot
    times_by_round: Mapping[int, RoundTime]
    tables_by_key: Mapping[TableKey, SeatedTable]
    due_results: list[DueResult]
    tricks_by_board: Mapping[int, Fraction]
    ruling_keys: RulingKeys

    @property
    def mishaps(self) -> list[tuple[Mishap, bool]]:
        """All mishaps, each with whether it has already happened."""
        return [parse_mishap(mishap_data) for mishap_data in self.rehearsal.script]

    def is_due(self, due_result: DueResult) -> bool:
        """Return whether the rehearsal's clock has reached the time of a simulated result."""
        return due_result.entry_seconds <= self.rehearsal.reached.total_seconds()

    def find_due_result(self, mishap: Mishap) -> DueResult | None:
        """Return the simulated result that a mishap affects, or None if there is none."""
        table = self.tables_by_key.get(mishap.table_key)
        if table is None or mishap.nth >= len(table.boards):
            return None
        board_number = table.boards[mishap.nth]
        matching_results = (
            due_result
            for due_result in self.due_results
            if due_result.sitting.table_key == mishap.table_key
            and due_result.board_number == board_number
        )
        return next(matching_results, None)

    def find_result(self, due_result: DueResult) -> Result | None:
        """Return the stored result for a simulated one, or None if no one has entered it."""
        return self.snapshot.find_result(
            self.tables_by_key[due_result.sitting.table_key], due_result.board_number
        )

    def get_true_tricks(self, due_result: DueResult) -> int:
        """Return the tricks that North-South have won in the simulation."""
        best_tricks = self.tricks_by_board.get(due_result.board_number)
        return simulate_ns_tricks(
            self.rehearsal.seed, due_result.sitting, due_result.board_number, best_tricks
        )

    def get_entered_tricks(self, due_result: DueResult) -> int:
        """Return the tricks that the table enters for North-South.

        They differ from the true tricks at the table that swaps the sides in one round.
        """
        tricks = self.get_true_tricks(due_result)
        swapped_tables = {
            mishap.table_key
            for mishap, _has_happened in self.mishaps
            if mishap.kind is MishapKind.SWAPPED_SIDES
        }
        return (
            TRICKS_PER_DEAL - tricks
            if due_result.sitting.table_key in swapped_tables
            else tricks
        )

    def list_withheld_results(self) -> list[DueResult]:
        """Return the simulated results of fouled boards that have no ruling yet.

        The tables do not enter these results.
        """
        fouled_mishaps = [
            mishap for mishap, _has_happened in self.mishaps if mishap.kind is MishapKind.FOULED
        ]
        due_results = [self.find_due_result(mishap) for mishap in fouled_mishaps]
        return [
            due_result
            for due_result in due_results
            if due_result is not None and not self.has_ruling(due_result)
        ]

    def has_ruling(self, due_result: DueResult, *ruling_kinds: str) -> bool:
        """Return whether a simulated result has a ruling, optionally of the given kinds."""
        play_key = (
            self.tables_by_key[due_result.sitting.table_key].sitting_id,
            due_result.board_number,
        )
        return any(
            ruling_key[:2] == play_key and (not ruling_kinds or ruling_key[2] in ruling_kinds)
            for ruling_key in self.ruling_keys
        )


def load_scripted_evening(
    rehearsal: Rehearsal, session: Session, clock: RoundClock
) -> ScriptedEvening:
    """Load the current state of a rehearsal in a fixed number of queries."""
    snapshot = load_session_snapshot(session)
    times_by_round = compute_round_times(clock, session)
    parsed_mishaps = map(parse_mishap, rehearsal.script)
    slow_tables = {
        mishap.table_key
        for mishap, _has_happened in parsed_mishaps
        if mishap.kind is MishapKind.SLOW_TABLE
    }
    rulings = Ruling.objects.exclude_withdrawn().filter(session=session, result__isnull=False)
    return ScriptedEvening(
        rehearsal=rehearsal,
        snapshot=snapshot,
        times_by_round=times_by_round,
        tables_by_key={
            get_table_key(table): table for table in snapshot.tables if table.is_played
        },
        due_results=list_due_results(
            rehearsal.seed, list_sittings(snapshot), times_by_round, slow_tables=slow_tables
        ),
        tricks_by_board=load_expected_tricks(session),
        ruling_keys=frozenset(rulings.values_list("result__sitting", "result__board", "kind")),
    )


def get_session(rehearsal: Rehearsal) -> Session:
    """Return the session of a rehearsal's event."""
    return Session.objects.select_related("event__club", "board_set", "evening").get(
        event=rehearsal.event_id, number=1
    )


def list_sittings(snapshot: SessionSnapshot) -> list[TableSitting]:
    """Return the entries and boards of each table in each round, for the simulation."""
    return [
        TableSitting(
            get_table_key(table), table.ns.entries, table.ew.entries, tuple(table.boards)
        )
        for table in snapshot.tables
        if table.is_played
    ]


def get_table_key(table: SeatedTable) -> TableKey:
    """Return the key that identifies a table in a round for the simulation script."""
    return TableKey(table.section, table.round, table.table_number)


def compute_round_times(clock: RoundClock, session: Session) -> dict[int, RoundTime]:
    """Return the start and length of each round in seconds, by the settings of the round clock.

    The length excludes time that the director added, because the simulated tables do not need
    it.
    """
    round_start, times_by_round = timedelta(), {}
    round_ends = compute_round_ends(clock.build_timetable(count_rounds(session)))
    for round_number, (_end, next_start) in enumerate(round_ends, start=1):
        times_by_round[round_number] = RoundTime(
            int(round_start.total_seconds()), clock.minutes * 60
        )
        round_start = next_start
    return times_by_round


def load_expected_tricks(session: Session) -> dict[int, Fraction]:
    """Return the tricks that N-S can expect on each known deal, by board number.

    They are the tricks with best play. If these are not computed yet, they are estimated.
    """
    if session.board_set is None:
        return {}
    tricks_by_board = {}
    for board in session.board_set.boards.current():
        deal = session.event.build_played_deal(board.as_deal())
        best_tricks = board.get_best_tricks(deal.trumps)
        tricks_by_board[board.number] = (
            estimate_tricks(deal) if best_tricks is None else Fraction(best_tricks)
        )
    return tricks_by_board


def parse_mishap(mishap_data: Mapping[str, object]) -> tuple[Mishap, bool]:
    """Return a mishap from its stored JSON form, and whether it has already happened."""
    mishap_fields = {
        field_name: mishap_data[field_name]
        for field_name in Mishap._fields
        if field_name in mishap_data
    }
    mishap = Mishap(**mishap_fields)  # type: ignore[arg-type]  # written by `serialize_mishap`
    return mishap._replace(kind=MishapKind(mishap.kind)), bool(mishap_data.get("told"))


def serialize_mishap(mishap: Mishap, has_happened: bool = False) -> dict[str, object]:
    """Return the JSON form of a mishap."""
    return mishap._asdict() | {"kind": mishap.kind.value, "told": has_happened}


def list_automatic_result_keys(session: Session) -> set[tuple[int, int, int]]:
    """Return the sitting, board and deal number of each result that the rehearsal entered."""
    versions = ResultVersion.objects.filter(
        result__sitting__section__session=session, key=IDEMPOTENCY_KEY
    )
    return set(versions.values_list("result__sitting", "result__board", "result__deal"))
