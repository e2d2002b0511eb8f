"""The data of a rehearsal's page: its state and the mishaps that need the director."""

from dataclasses import dataclass

from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import RoundClock
from hall.models import Rehearsal
from hall.rehearsal.evening import (
    LATE_PLAYER_NAMES,
    ScriptedEvening,
    get_session,
    load_scripted_evening,
)
from hall.rehearsal.script import DueResult, Mishap, MishapKind
from hall.rehearsal.script.random_draws import draw_integer
from hall.rehearsal.script.tricks import TRICKS_PER_DEAL
from hall.room.clock import ClockFace, build_clock_face, find_clock
from scoring.models import Ruling
from scoring.session_snapshot import SeatedTable
from tournaments.entry_words import NAMES_PER_ENTRY
from tournaments.models import Event, Session


@dataclass(frozen=True, slots=True)
class MishapReport:
    """A mishap that has happened, and whether the director has dealt with it."""

    kind: str
    text: str
    is_handled: bool
    sitting_pk: int = 0
    board_number: int = 0
    table_path: str = ""  # "A-3", as in the URL of the rulings assistant
    player_names: tuple[str, ...] = ()

    @property
    def late_arrival_query(self) -> str:
        """The query string that fills in the form for late arrivals."""
        player_parameters = {
            f"player{player_number}": name
            for player_number, name in enumerate(self.player_names, start=1)
        }
        return "?" + urlencode({"kind": "late"} | player_parameters)


def format_speed(speed: int) -> str:
    """Return the label of a speed."""
    return _("Real time") if speed == 1 else _("%(times)s times faster") % {"times": speed}


@dataclass(frozen=True, slots=True)
class RehearsalSheet:
    """The data of a rehearsal's page."""

    state: str  # "ready", "running", "paused", "played" (all results are in), "closed"
    clock_face: ClockFace
    speed: int
    entered_result_count: int
    expected_result_count: int
    mishap_reports: tuple[MishapReport, ...]
    is_waiting_for_deals: bool
    dealing_error: str
    """The reason why the boards could not be dealt; empty if there was no error."""

    @property
    def round_number(self) -> int:
        """The current round; between two rounds, the next one."""
        return self.clock_face.round + (self.clock_face.phase == "moving")

    @property
    def open_task_count(self) -> int:
        """The number of mishaps that the director still has to deal with."""
        return sum(not report.is_handled for report in self.mishap_reports)


def list_late_player_names(event: Event) -> tuple[str, ...]:
    """Return the names of the late players that make up one entry of the event."""
    return LATE_PLAYER_NAMES[: NAMES_PER_ENTRY[Event.Contest(event.contest)]]


def build_rehearsal_sheet(rehearsal: Rehearsal) -> RehearsalSheet:
    """Return the data of a rehearsal's page, with its past mishaps, latest first."""
    session = get_session(rehearsal)
    clock = find_clock(session) or RoundClock()
    scripted_evening = load_scripted_evening(rehearsal, session, clock)
    reports = [
        _build_report(scripted_evening, mishap)
        for mishap, has_happened in scripted_evening.mishaps
        if has_happened
    ]
    clock_face = build_clock_face(session)
    board_set = session.board_set
    return RehearsalSheet(
        state=_get_rehearsal_state(session, scripted_evening, clock_face),
        clock_face=clock_face,
        speed=rehearsal.speed,
        entered_result_count=scripted_evening.snapshot.expected_result_count
        - scripted_evening.snapshot.missing_result_count,
        expected_result_count=scripted_evening.snapshot.expected_result_count,
        mishap_reports=tuple(report for report in reversed(reports) if report is not None),
        is_waiting_for_deals=board_set is not None and not board_set.is_ready,
        dealing_error=board_set.error if board_set is not None else "",
    )


def _get_rehearsal_state(
    session: Session, scripted_evening: ScriptedEvening, clock_face: ClockFace
) -> str:
    if session.state == Session.State.CLOSED:
        return "closed"
    if session.state == Session.State.PLANNED or clock_face.state == "off":
        return "ready"
    if scripted_evening.due_results and scripted_evening.is_due(
        scripted_evening.due_results[-1]
    ):
        return "played"
    return "paused" if clock_face.state == "paused" else "running"


def _build_report(scripted_evening: ScriptedEvening, mishap: Mishap) -> MishapReport | None:
    if mishap.kind is MishapKind.LATE_ENTRY:
        return _build_late_entry_report(scripted_evening)
    if mishap.kind is MishapKind.SWAPPED_SIDES:
        return _build_swap_report(scripted_evening, mishap)
    due_result, table = (
        scripted_evening.find_due_result(mishap),
        scripted_evening.tables_by_key.get(mishap.table_key),
    )
    if due_result is None or table is None:
        return None
    text, is_handled = (
        _describe_fouled_board if mishap.kind is MishapKind.FOULED else _describe_revoke
    )(scripted_evening, due_result, table)
    return MishapReport(
        kind=mishap.kind,
        text=text,
        is_handled=is_handled,
        sitting_pk=table.sitting_id,
        board_number=due_result.board_number,
        table_path=f"{table.section}-{table.table_number}",
    )


def _build_late_entry_report(scripted_evening: ScriptedEvening) -> MishapReport:
    event = scripted_evening.snapshot.session.event
    player_names = list_late_player_names(event)
    last_round_time = scripted_evening.times_by_round[max(scripted_evening.times_by_round)]
    if event.entries.filter(players__name=player_names[0]).exists():
        text, is_handled = _("Late pair added: %(names)s"), True
    elif scripted_evening.rehearsal.reached.total_seconds() >= last_round_time.start_seconds:
        text, is_handled = _("Late pair has left: %(names)s"), True
    else:
        text, is_handled = _("Late pair waiting to play: %(names)s"), False
    return MishapReport(
        MishapKind.LATE_ENTRY,
        text % {"names": " & ".join(player_names)},
        is_handled,
        player_names=player_names,
    )


def _build_swap_report(scripted_evening: ScriptedEvening, mishap: Mishap) -> MishapReport:
    """Return the report about swapped sides.

    It does not name the table, which the director finds by the queried results.
    """
    entered_and_true_tricks = [
        (result.ns_tricks, scripted_evening.get_true_tricks(due_result))
        for due_result in scripted_evening.due_results
        if due_result.sitting.table_key == mishap.table_key
        and (result := scripted_evening.find_result(due_result))
    ]
    text = _(
        "Round %(round)s: one table swapped N-S and E-W on every "
        "score. Find and correct them under Please check."
    ) % {"round": mishap.round}
    return MishapReport(
        MishapKind.SWAPPED_SIDES,
        text,
        all(
            entered_tricks == true_tricks
            for entered_tricks, true_tricks in entered_and_true_tricks
        ),
    )


def _describe_fouled_board(
    scripted_evening: ScriptedEvening, due_result: DueResult, table: SeatedTable
) -> tuple[str, bool]:
    text = _(
        "Table %(table)s, round %(round)s: “Board %(board)s has come to us with fourteen "
        "cards in North’s hand and twelve in East’s. We have not played it.”"
    ) % {"table": table.label, "round": table.round, "board": due_result.board_number}
    return text, scripted_evening.has_ruling(due_result) or scripted_evening.find_result(
        due_result
    ) is not None


def _describe_revoke(
    scripted_evening: ScriptedEvening, due_result: DueResult, table: SeatedTable
) -> tuple[str, bool]:
    random_seed, ns_tricks = (
        scripted_evening.rehearsal.seed,
        scripted_evening.get_true_tricks(due_result),
    )
    is_ns = draw_integer(2, random_seed, "revoking side") == 0
    tricks_won = draw_integer(
        (ns_tricks if is_ns else TRICKS_PER_DEAL - ns_tricks) + 1, random_seed, "won before"
    )
    text = ngettext(
        "Table %(table)s, round %(round)s: “On board %(board)s %(who)s revoked once. They had "
        "won %(won)s trick before that. We claim the penalty.”",
        "Table %(table)s, round %(round)s: “On board %(board)s %(who)s revoked once. They had "
        "won %(won)s tricks before that. We claim the penalty.”",
        tricks_won,
    ) % {
        "table": table.label,
        "round": table.round,
        "board": due_result.board_number,
        "who": _("North-South") if is_ns else _("East-West"),
        "won": tricks_won,
    }
    return text, scripted_evening.has_ruling(due_result, Ruling.Kind.REVOKE)
