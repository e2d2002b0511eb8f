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
from hall.room.table_status import list_late_table_names
from scoring.models import Outcome, Result
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from scoring.sheets.next_moves import (
    describe_next_line_up,
    format_overplay_instruction,
    has_pack_per_table,
    is_start_of_overplay,
)
from tournaments.models import Section, Session
from tournaments.movements.advice.turnout import MINUTES_PER_BOARD, MINUTES_PER_MOVE
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, count_planned_rounds
from tournaments.movements.systems.league import EXCHANGE_ANNOUNCEMENT
from tournaments.movements.systems.two_packs import describe_packs, describe_player_moves

MOVE_TEXTS_CACHE = LocMemCache(
    "kept clock words", {"TIMEOUT": 60, "OPTIONS": {"MAX_ENTRIES": 100}}
)
MAX_ROUND_MINUTES = 240  # the maximum that the model allows
MoveTexts = tuple[tuple[str, ...], tuple[str, ...]]
"""The sentences about the next moves, and the labels of the late tables."""


@dataclass(frozen=True, slots=True)
class RoundTime:
    """The start and end of one round in the timetable."""

    round_number: int
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class UpcomingPhase:
    """A coming phase of the clock: a round, or the move after it."""

    round: int
    phase: str  # "playing", "moving"
    until: datetime


@dataclass(frozen=True, slots=True)
class PlayingTime:
    """The time that the remaining rounds would take if the clock were started now."""

    first_round_number: int  # the round that the clock would begin with
    last_round_number: int
    remaining_round_count: int  # the number of remaining rounds
    minutes: int  # the time for those rounds, including the moves
    ends_at: datetime  # the end of play if it began now
    exceeded_limit_minutes: int = 0  # the director's time limit, if it is too short
    max_round_minutes: int = 0  # the round length that fits; 0 if none does


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The state of the clock at one moment: the current phase, its end, and the next phases.

    The fields are keys of the JSON that the clock's pages read, and of the API.
    """

    state: str  # "off", "running", "paused", "over"
    round: int
    rounds: int
    phase: str  # "playing", "moving", "over"
    left: int  # the seconds left in the phase
    now: datetime
    until: datetime | None  # the end of the phase; None while paused, off or over
    moves: tuple[str, ...] = ()  # the moves after this round, in words
    late: tuple[str, ...] = ()  # tables that still play an earlier round
    # The next phases, for a page that loses the connection.
    following: tuple[UpcomingPhase, ...] = ()
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
    round_count = count_rounds(session)
    clock = find_clock(session)
    now = timezone.now()
    if session.state == Session.State.CLOSED:
        return ClockFace("over", round_count, round_count, "over", 0, now, None)
    if clock is None or clock.started_at is None or not round_count:
        has_play_begun = has_begun(session)
        return ClockFace("off", 1, round_count, "playing", 0, now, None, begun=has_play_begun)
    moment = clock.compute_moment(round_count, now)
    state = "over" if moment.phase == "over" else "paused" if clock.paused_at else "running"
    moves, late_tables = _get_move_texts(session, moment.round_number)
    return ClockFace(
        state=state,
        round=moment.round_number,
        rounds=round_count,
        phase=moment.phase,
        left=round(moment.time_left.total_seconds()),
        now=now,
        until=now + moment.time_left if state == "running" else None,
        moves=moves,
        late=late_tables,
        following=_list_upcoming_phases(clock, round_count, now + moment.time_left)
        if state == "running"
        else (),
    )


def _list_upcoming_phases(
    clock: RoundClock, round_count: int, after_time: datetime
) -> tuple[UpcomingPhase, ...]:
    """Return the phases that end after `after_time`, each with its end."""
    assert clock.started_at is not None
    phases = []
    for round_number, (round_end, next_start) in enumerate(
        compute_round_ends(clock.build_timetable(round_count)), start=1
    ):
        phases.append(UpcomingPhase(round_number, "playing", clock.started_at + round_end))
        if next_start > round_end:
            phases.append(UpcomingPhase(round_number, "moving", clock.started_at + next_start))
    return tuple(
        upcoming_phase for upcoming_phase in phases if upcoming_phase.until > after_time
    )


def build_timetable(session: Session) -> list[RoundTime]:
    """Return the start and end of each round, or an empty list if the clock is not running."""
    clock = find_clock(session)
    if clock is None or clock.started_at is None or clock.paused_at is not None:
        return []
    round_start, round_times = clock.started_at, []
    end_and_next_start_times = compute_round_ends(clock.build_timetable(count_rounds(session)))
    for round_number, (round_end, next_start) in enumerate(end_and_next_start_times, start=1):
        round_times.append(RoundTime(round_number, round_start, clock.started_at + round_end))
        round_start = clock.started_at + next_start
    return round_times


def find_clock(session: Session) -> RoundClock | None:
    """Return the round clock of a session, or None if it was never set."""
    return RoundClock.objects.filter(evening=session.evening_id).first()


def get_default_pace(session: Session) -> Pace:
    """Return the default length of a round and of the move after it.

    A board takes seven minutes and a move two minutes, as in the advice on movements.
    """
    minutes = min(max(session.boards_a_round, 1) * MINUTES_PER_BOARD, MAX_ROUND_MINUTES)
    return Pace(minutes, MINUTES_PER_MOVE)


def compute_playing_time(
    session: Session, clock: RoundClock, limit_minutes: int, *, first_round_number: int = 1
) -> PlayingTime | None:
    """Return the time that play would take if the clock began now with `first_round_number`.

    `limit_minutes` is the director's time limit. If it is too short, the result includes the
    round length that would fit.
    """
    last_round_number = count_rounds(session)
    if not last_round_number:
        return None
    first_round_number = (
        first_round_number if 1 < first_round_number <= last_round_number else 1
    )
    round_ends = compute_round_ends(clock.build_timetable(last_round_number))
    elapsed_time = (
        round_ends[first_round_number - 2][1] if first_round_number > 1 else timedelta()
    )
    time_left, remaining_round_count = (
        round_ends[-1][0] - elapsed_time,
        last_round_number - first_round_number + 1,
    )
    playing_minutes = round(time_left.total_seconds() / 60)
    play_end = timezone.now() + time_left
    available_minutes = limit_minutes - round(elapsed_time.total_seconds() / 60)
    if limit_minutes <= 0 or playing_minutes <= available_minutes:
        return PlayingTime(
            first_round_number,
            last_round_number,
            remaining_round_count,
            playing_minutes,
            play_end,
        )
    max_round_minutes = max(
        (available_minutes - (remaining_round_count - 1) * clock.moving)
        // remaining_round_count,
        0,
    )
    return PlayingTime(
        first_round_number,
        last_round_number,
        remaining_round_count,
        playing_minutes,
        play_end,
        limit_minutes,
        max_round_minutes,
    )


def count_rounds(session: Session) -> int:
    """Return the number of rounds of the longest section, including rounds not drawn yet."""
    # not read from a snapshot, which may be older than the last draw of a round
    options_and_rounds = session.sections.values_list("options", "rounds")
    return max(
        (count_planned_rounds(options, rounds) for options, rounds in options_and_rounds),
        default=0,
    )


def _get_move_texts(session: Session, round_number: int) -> MoveTexts:
    """Return the sentences about the next moves, and the late tables.

    They are cached for each state of the session.
    """
    cache_key = f"{session.pk}/{session.revision}/{round_number}/{get_language()}"
    move_texts: MoveTexts | None = MOVE_TEXTS_CACHE.get(cache_key)
    if move_texts is None:
        snapshot = load_session_snapshot(session)
        move_texts = (
            tuple(describe_round_moves(snapshot, round_number)),
            tuple(list_late_table_names(snapshot, round_number)),
        )
        MOVE_TEXTS_CACHE.set(cache_key, move_texts)
    return move_texts


def describe_round_moves(snapshot: SessionSnapshot, round_number: int) -> list[str]:
    """Return sentences about the moves after a round, by section if the sections differ.

    Sections that have already played their last round are left out.
    """
    playing_sections = [
        section for section in snapshot.sections if round_number <= section.planned_round_count
    ]
    moves_by_section = {
        section.letter: describe_section_moves(snapshot, section, round_number)
        for section in playing_sections
    }
    if (
        len(playing_sections) == len(snapshot.sections)
        and len(set(map(tuple, moves_by_section.values()))) < 2
    ):
        return next(iter(moves_by_section.values()), [])
    sections_by_moves: dict[str, list[str]] = {}
    for section_letter, move_texts in moves_by_section.items():
        sections_by_moves.setdefault(" ".join(move_texts), []).append(section_letter)
    return [
        ngettext(
            "Section %(letters)s: %(moves)s",
            "Sections %(letters)s: %(moves)s",
            len(section_letters),
        )
        % {"letters": get_text_list(section_letters, _("and")), "moves": move_texts}
        for move_texts, section_letters in sections_by_moves.items()
    ]


def describe_section_moves(
    snapshot: SessionSnapshot, section: Section, round_number: int
) -> list[str]:
    """Return short sentences about the moves of a whole section after a round."""
    tables = [
        table
        for table in snapshot.tables
        if table.round == round_number and table.section == section.letter
    ]
    if round_number < section.planned_round_count and section.movement == DRAWN_MOVEMENT_NAME:
        if round_number < section.rounds:
            return [_("See the list on the wall for your seats.")]
        return [_("The next round is drawn when the results are in.")]
    if not tables or round_number >= section.rounds:
        return [_("This is the last round.")]
    return _describe_other_moves(snapshot, section, round_number) or _describe_table_steps(
        snapshot, section, tables
    )


def _describe_table_steps(
    snapshot: SessionSnapshot, section: Section, tables: Sequence[SeatedTable]
) -> list[str]:
    """Return sentences about how many tables each side and the boards move up or down."""
    round_number, sentences = tables[0].round, []
    for side_label in ("N-S", "E-W"):
        tables_and_sides = [
            (
                seated_table.table_number,
                seated_table.ns if side_label == "N-S" else seated_table.ew,
            )
            for seated_table in tables
        ]
        table_numbers_and_next_seats = [
            (table_number, snapshot.seat_by_place_and_round.get((place, round_number + 1)))
            for table_number, seated_side in tables_and_sides
            for place in seated_side.places
            if place in snapshot.occupied_places
        ]
        if any(
            next_seat is None or next_seat[1] != side_label
            for _table_number, next_seat in table_numbers_and_next_seats
        ):
            return [_("Follow the guide card on the table.")]
        step_sizes = _compute_step_sizes(
            (
                (table_number, next_seat[0].table_number)
                for table_number, next_seat in table_numbers_and_next_seats
                if next_seat
            ),
            section.tables,
        )
        if len(step_sizes) != 1:
            return [_("Follow the guide card on the table.")]
        sentences.append(_format_side_step(side_label, step_sizes.pop(), section.tables))
    return sentences + _describe_board_moves(snapshot, section, round_number)


def _describe_other_moves(
    snapshot: SessionSnapshot, section: Section, round_number: int
) -> list[str]:
    """Return sentences about arrow switches, new partners or new packs after a round."""
    if line_up_text := describe_next_line_up(snapshot, section.letter, round_number):
        return [line_up_text, _(EXCHANGE_ANNOUNCEMENT)]
    if has_pack_per_table(snapshot, section.letter):
        return [describe_player_moves(round_number), describe_packs(round_number)]
    return _describe_turned_boards(snapshot, section, round_number + 1)


def _describe_turned_boards(
    snapshot: SessionSnapshot, section: Section, round_number: int
) -> list[str]:
    """Return the instructions to turn the boards, or [] if no overplay begins in this round."""
    tables = [
        table
        for table in snapshot.tables
        if table.round == round_number and table.section == section.letter
    ]
    if not tables or not all(is_start_of_overplay(snapshot, table) for table in tables):
        return []
    if all(len(table.ns.places) == 1 for table in tables):
        return [format_overplay_instruction(is_everyone_seated=True)]
    sentence = _("Follow the guide card on the table.")
    return [format_overplay_instruction(is_everyone_seated=False), sentence]


def _compute_step_sizes(table_moves: Iterable[tuple[int, int]], table_count: int) -> set[int]:
    return {
        (next_table_number - current_table_number) % table_count
        for current_table_number, next_table_number in table_moves
    }


def _format_side_step(side_label: str, step_size: int, table_count: int) -> str:
    side_names = {"N-S": _("North-South"), "E-W": _("East-West")}
    placeholders = {
        "who": side_names[side_label],
        "step": step_size if step_size <= table_count // 2 else table_count - step_size,
    }
    if step_size == 0:
        return _("%(who)s stay.") % placeholders
    if placeholders["step"] == 1:
        up_text, down_text = _("%(who)s move up one table."), _("%(who)s move down one table.")
    else:
        up_text, down_text = (
            _("%(who)s move up %(step)s tables."),
            _("%(who)s move down %(step)s tables."),
        )
    return (up_text if step_size <= table_count // 2 else down_text) % placeholders


def _describe_board_moves(
    snapshot: SessionSnapshot, section: Section, round_number: int
) -> list[str]:
    stacks_with_tables = [
        (stack_key[2], table_numbers)
        for stack_key, table_numbers in snapshot.tables_by_stack.items()
        if stack_key[:2] == (section.letter, round_number)
    ]
    table_moves = []
    for stack, table_numbers in stacks_with_tables:
        next_table_numbers = snapshot.tables_by_stack.get(
            (section.letter, round_number + 1, stack), []
        )
        if len(table_numbers) == 1 and len(next_table_numbers) == 1:
            table_moves.append((table_numbers[0], next_table_numbers[0]))
    step_counts = Counter(
        (next_table_number - current_table_number) % section.tables
        for current_table_number, next_table_number in table_moves
    )
    step_size, step_count = step_counts.most_common(1)[0] if step_counts else (0, 0)
    if step_count * 2 <= len(stacks_with_tables):
        return [_("Boards: follow the guide card.")]
    board_step_text = _format_board_step(step_size, section.tables)
    if step_count < len(stacks_with_tables):
        board_step_text += " " + _("Shared or waiting boards: follow the guide card.")
    return [board_step_text]


def _format_board_step(step_size: int, table_count: int) -> str:
    if step_size == 0:
        return _("Boards stay.")
    is_moving_up = step_size <= table_count // 2
    placeholders = {"step": step_size if is_moving_up else table_count - step_size}
    if placeholders["step"] == 1:
        return (
            _("Boards move up one table.") if is_moving_up else _("Boards move down one table.")
        )
    if is_moving_up:
        return _("Boards move up %(step)s tables.") % placeholders
    return _("Boards move down %(step)s tables.") % placeholders
