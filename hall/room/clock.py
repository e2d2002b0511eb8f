"""The public round clock of a session, and its timetable."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache.backends.locmem import LocMemCache
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from clubs.evenings.timetable import Pace, compute_round_ends
from clubs.models import RoundClock
from hall.room.table_status import list_tables_behind
from scoring.models import Outcome, Result
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.next_moves import (
    describe_next_line_up,
    format_board_turn,
    has_packs,
    is_start_of_overplay,
)
from tournaments.models import Section, Session
from tournaments.movements.advice.turnout import MINUTES_A_BOARD, MINUTES_A_MOVE
from tournaments.movements.drawn_rounds import DRAWN_KEY, count_planned_rounds
from tournaments.movements.systems.league import EXCHANGE_SENTENCE
from tournaments.movements.systems.two_packs import describe_exchange, describe_packs

MOVE_TEXTS_CACHE = LocMemCache(
    "kept clock words", {"TIMEOUT": 60, "OPTIONS": {"MAX_ENTRIES": 100}}
)
MAX_ROUND_MINUTES = 240  # the limit of the model
Words = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RoundTime:
    """The start and end of one round in the timetable."""

    round: int
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class ComingPhase:
    """A coming phase of the clock: a round, or the move after it."""

    round: int
    phase: str  # "playing", "moving"
    until: datetime


@dataclass(frozen=True, slots=True)
class PlayingTime:
    """The time that the remaining rounds would take, before the clock is started."""

    first: int  # the round that the clock would begin with
    last: int
    rounds: int  # the number of remaining rounds
    minutes: int  # the time for those rounds, including the moves
    ends_at: datetime  # the end of play if it began now
    limit_minutes: int = 0  # the director's time limit, if it is too short
    fitting_round_minutes: int = 0  # the round length that fits; 0 if none does


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The state of the clock at one moment: the current phase, its end, and the next phases."""

    state: str  # "off", "running", "paused", "over"
    round: int
    rounds: int
    phase: str  # "playing", "moving", "over"
    left: int  # the seconds left in the phase
    now: datetime
    until: datetime | None  # the end of the phase; None while paused, off or over
    moves: tuple[str, ...] = ()  # the moves after this round, in words
    late: tuple[str, ...] = ()  # tables that still play an earlier round
    following: tuple[
        ComingPhase, ...
    ] = ()  # the next phases, for a page that loses the connection
    begun: bool = False  # whether play has begun although the clock is off

    @property
    def expected_end(self) -> datetime | None:
        """The expected end of play, or None while the clock is not running."""
        return self.following[-1].until if self.following else self.until


def has_begun(session: Session) -> bool:
    """Return whether at least one result has been entered in a session."""
    results = Result.objects.filter(sitting__section__session=session)
    return results.exclude(outcome=Outcome.CLEARED).exists()


def build_clock_face(session: Session) -> ClockFace:
    """Return the state of a session's clock, with the next moves and the late tables."""
    rounds = count_rounds(session)
    clock = find_clock(session)
    clock_face = timezone.now()
    if session.state == Session.State.CLOSED:
        return ClockFace("over", rounds, rounds, "over", 0, clock_face, None)
    if clock is None or clock.started_at is None or not rounds:
        is_begun = has_begun(session)
        return ClockFace("off", 1, rounds, "playing", 0, clock_face, None, begun=is_begun)
    moment = clock.compute_moment(rounds, clock_face)
    state = "over" if moment.phase == "over" else "paused" if clock.paused_at else "running"
    moves, late_tables = _get_move_texts(session, moment.round)
    return ClockFace(
        state=state,
        round=moment.round,
        rounds=rounds,
        phase=moment.phase,
        left=round(moment.left.total_seconds()),
        now=clock_face,
        until=clock_face + moment.left if state == "running" else None,
        moves=moves,
        late=late_tables,
        following=_list_coming_phases(clock, rounds, clock_face + moment.left)
        if state == "running"
        else (),
    )


def _list_coming_phases(
    clock: RoundClock, rounds: int, until: datetime
) -> tuple[ComingPhase, ...]:
    """Return the phases that end after the time `until`, each with its end."""
    assert clock.started_at is not None
    phases = []
    for number, (end, next_begins) in enumerate(
        compute_round_ends(clock.build_timetable(rounds)), start=1
    ):
        phases.append(ComingPhase(number, "playing", clock.started_at + end))
        if next_begins > end:
            phases.append(ComingPhase(number, "moving", clock.started_at + next_begins))
    return tuple(coming_phase for coming_phase in phases if coming_phase.until > until)


def build_timetable(session: Session) -> list[RoundTime]:
    """Return the start and end of each round, or an empty list if the clock is not running."""
    clock = find_clock(session)
    if clock is None or clock.started_at is None or clock.paused_at is not None:
        return []
    begins, times = clock.started_at, []
    ends = compute_round_ends(clock.build_timetable(count_rounds(session)))
    for number, (end, next_start) in enumerate(ends, start=1):
        times.append(RoundTime(number, begins, clock.started_at + end))
        begins = clock.started_at + next_start
    return times


def find_clock(session: Session) -> RoundClock | None:
    """Return the round clock of a session, or None if it was never set."""
    return RoundClock.objects.filter(evening=session.evening_id).first()


def get_default_pace(session: Session) -> Pace:
    """Return the default length of a round and of the move after it.

    House rule: seven minutes a board and two minutes a move, as in the advice on movements.
    """
    minutes = min(max(session.boards_a_round, 1) * MINUTES_A_BOARD, MAX_ROUND_MINUTES)
    return Pace(minutes, MINUTES_A_MOVE)


def compute_playing_time(
    session: Session, clock: RoundClock, limit: int, *, first: int = 1
) -> PlayingTime | None:
    """Return the time that play would take if the clock began now with the round `first`.

    `limit` is the director's time limit in minutes. If it is too short, the result includes the
    round length that would fit.
    """
    last = count_rounds(session)
    if not last:
        return None
    first = first if 1 < first <= last else 1
    times = compute_round_ends(clock.build_timetable(last))
    elapsed = times[first - 2][1] if first > 1 else timedelta()
    time_left, rounds = times[-1][0] - elapsed, last - first + 1
    minutes = round(time_left.total_seconds() / 60)
    ends = timezone.now() + time_left
    room = limit - round(elapsed.total_seconds() / 60)
    if limit <= 0 or minutes <= room:
        return PlayingTime(first, last, rounds, minutes, ends)
    fitting_minutes = max((room - (rounds - 1) * clock.moving) // rounds, 0)
    return PlayingTime(first, last, rounds, minutes, ends, limit, fitting_minutes)


def count_rounds(session: Session) -> int:
    """Return the number of rounds of the longest section, including rounds not drawn yet."""
    rows = session.sections.values_list("options", "rounds")  # as they are now
    return max((count_planned_rounds(options, rounds) for options, rounds in rows), default=0)


def _get_move_texts(session: Session, round_: int) -> Words:
    """Return the sentences about the next moves, and the late tables.

    They are cached for each state of the session.
    """
    key = f"{session.pk}/{session.revision}/{round_}/{get_language()}"
    texts: Words | None = MOVE_TEXTS_CACHE.get(key)
    if texts is None:
        snapshot = load_session_snapshot(session)
        texts = (
            tuple(describe_round_moves(snapshot, round_)),
            tuple(list_tables_behind(snapshot, round_)),
        )
        MOVE_TEXTS_CACHE.set(key, texts)
    return texts


def describe_round_moves(snapshot: SessionSnapshot, round_: int) -> list[str]:
    """Return sentences about the moves after a round, by section if the sections differ.

    Sections that have already played their last round are left out.
    """
    playing = [section for section in snapshot.sections if round_ <= section.rounds_planned]
    texts_by_key = {
        section.letter: describe_section_moves(snapshot, section, round_) for section in playing
    }
    if (
        len(playing) == len(snapshot.sections)
        and len(set(map(tuple, texts_by_key.values()))) < 2
    ):
        return next(iter(texts_by_key.values()), [])
    sections_by_text: dict[str, list[str]] = {}
    for letter, moves in texts_by_key.items():
        sections_by_text.setdefault(" ".join(moves), []).append(letter)
    return [
        ngettext(
            "Section %(letters)s: %(moves)s", "Sections %(letters)s: %(moves)s", len(letters)
        )
        % {"letters": get_text_list(letters, _("and")), "moves": moves}
        for moves, letters in sections_by_text.items()
    ]


def describe_section_moves(
    snapshot: SessionSnapshot, section: Section, round_: int
) -> list[str]:
    """Return short sentences about the moves of a whole section after a round."""
    tables = [
        table
        for table in snapshot.tables
        if table.round == round_ and table.section == section.letter
    ]
    if round_ < section.rounds_planned and section.movement == DRAWN_KEY:
        if round_ < section.rounds:
            return [_("See the list on the wall for your seats.")]
        return [_("The next round is drawn when the results are in.")]
    if not tables or round_ >= section.rounds:
        return [_("This is the last round.")]
    return _describe_other_moves(snapshot, section, round_) or _describe_steps(
        snapshot, section, tables
    )


def _describe_steps(
    snapshot: SessionSnapshot, section: Section, tables: Sequence[SeatedTable]
) -> list[str]:
    """Return sentences about how many tables each side and the boards move up or down."""
    round_, lines = tables[0].round, []
    for side in ("N-S", "E-W"):
        chairs = [
            (seated_table.table, seated_table.ns if side == "N-S" else seated_table.ew)
            for seated_table in tables
        ]
        seats = [
            (table, snapshot.seat_by_place_and_round.get((place, round_ + 1)))
            for table, chair in chairs
            for place in chair.places
            if place in snapshot.occupied_places
        ]
        if any(seat is None or seat[1] != side for _table, seat in seats):
            return [_("Follow the guide card on the table.")]
        steps = _compute_steps(
            ((table, seat[0].table) for table, seat in seats if seat), section.tables
        )
        if len(steps) != 1:
            return [_("Follow the guide card on the table.")]
        lines.append(_format_side_step(side, steps.pop(), section.tables))
    return lines + _describe_board_moves(snapshot, section, round_)


def _describe_other_moves(
    snapshot: SessionSnapshot, section: Section, round_: int
) -> list[str]:
    """Return sentences about arrow switches, new partners or new packs after a round."""
    if line_up := describe_next_line_up(snapshot, section.letter, round_):
        return [line_up, _(EXCHANGE_SENTENCE)]
    if has_packs(snapshot, section.letter):
        return [describe_exchange(round_), describe_packs(round_)]
    return _describe_turned_boards(snapshot, section, round_ + 1)


def _describe_turned_boards(
    snapshot: SessionSnapshot, section: Section, round_: int
) -> list[str]:
    """Return the sentence about the arrow switch if the overplay begins in this round."""
    tables = [
        table
        for table in snapshot.tables
        if table.round == round_ and table.section == section.letter
    ]
    if not tables or not all(is_start_of_overplay(snapshot, table) for table in tables):
        return []
    if all(len(table.ns.places) == 1 for table in tables):
        return [format_board_turn(is_everyone_seated=True)]
    sentence = _("Follow the guide card on the table.")
    return [format_board_turn(is_everyone_seated=False), sentence]


def _compute_steps(pairs: Iterable[tuple[int, int]], tables: int) -> set[int]:
    return {(next_table - table_now) % tables for table_now, next_table in pairs}


def _format_side_step(side: str, step: int, tables: int) -> str:
    names = {"N-S": _("North-South"), "E-W": _("East-West")}
    placeholders = {"who": names[side], "step": step if step <= tables // 2 else tables - step}
    if step == 0:
        return _("%(who)s stay.") % placeholders
    if placeholders["step"] == 1:
        up_text, down = _("%(who)s move up one table."), _("%(who)s move down one table.")
    else:
        up_text, down = (
            _("%(who)s move up %(step)s tables."),
            _("%(who)s move down %(step)s tables."),
        )
    return (up_text if step <= tables // 2 else down) % placeholders


def _describe_board_moves(
    snapshot: SessionSnapshot, section: Section, round_: int
) -> list[str]:
    here = [
        (key[2], tables)
        for key, tables in snapshot.tables_by_stack.items()
        if key[:2] == (section.letter, round_)
    ]
    pairs = []
    for stack, tables in here:
        after = snapshot.tables_by_stack.get((section.letter, round_ + 1, stack), [])
        if len(tables) == 1 and len(after) == 1:
            pairs.append((tables[0], after[0]))
    steps = Counter((next_table - here) % section.tables for here, next_table in pairs)
    step, times = steps.most_common(1)[0] if steps else (0, 0)
    if times * 2 <= len(here):
        return [_("Boards: follow the guide card.")]
    board_step = _format_board_step(step, section.tables)
    if times < len(here):
        board_step += " " + _("Shared or waiting boards: follow the guide card.")
    return [board_step]


def _format_board_step(step: int, tables: int) -> str:
    if step == 0:
        return _("Boards stay.")
    moves_up = step <= tables // 2
    placeholders = {"step": step if moves_up else tables - step}
    if placeholders["step"] == 1:
        return _("Boards move up one table.") if moves_up else _("Boards move down one table.")
    if moves_up:
        return _("Boards move up %(step)s tables.") % placeholders
    return _("Boards move down %(step)s tables.") % placeholders
