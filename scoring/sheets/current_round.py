"""The current round of a session, for the hall, the front page and the score grid."""

from dataclasses import dataclass

from django.utils import timezone

from clubs.models import RoundClock
from scoring.session_snapshot import SeatedTable, SessionSnapshot


@dataclass(frozen=True, slots=True)
class CurrentRound:
    """The current round of a session: its number, and whether it is over."""

    round_number: int
    last_round_number: int
    is_over: bool  # the round is over and another follows
    is_timed: bool  # whether a clock determines the round


@dataclass(frozen=True, slots=True)
class ClockState:
    """The round and the phase that a running clock shows."""

    round_number: int
    phase: str  # "playing", "moving", "over"


def find_current_round(snapshot: SessionSnapshot) -> CurrentRound:
    """Return the current round of a session, by its clock if that was started."""
    clock = RoundClock.objects.filter(evening=snapshot.session.evening_id).first()
    last_round_number = snapshot.planned_round_count
    if clock is None or clock.started_at is None or not last_round_number:
        return find_current_round_by_clock(snapshot, None)
    clock_moment = clock.compute_moment(last_round_number, timezone.now())
    return find_current_round_by_clock(
        snapshot, ClockState(clock_moment.round_number, clock_moment.phase)
    )


def find_current_round_by_clock(
    snapshot: SessionSnapshot, clock_state: ClockState | None
) -> CurrentRound:
    """Return the current round: by the clock, else the first that is not complete.

    A complete round is over if the next one has no results, so that the next can be announced.
    A round is also over while the clock shows the move between two rounds.
    """
    last_round_number, last_seated_round_number = (
        snapshot.planned_round_count,
        max(snapshot.last_seated_round_by_section.values(), default=0),
    )
    if clock_state is not None and clock_state.phase == "over":
        return CurrentRound(
            last_seated_round_number,
            last_round_number,
            is_over=last_seated_round_number < last_round_number,
            is_timed=True,
        )
    has_begun = snapshot.missing_result_count < snapshot.expected_result_count
    incomplete_round_numbers = {
        table.round for table in snapshot.tables if count_missing_results(snapshot, table)
    }
    if clock_state is not None:
        is_round_complete = has_begun and not any(
            incomplete_round_number <= clock_state.round_number
            for incomplete_round_number in incomplete_round_numbers
        )
        # The clock may already be in a round that is not drawn yet.
        current_round_number = min(clock_state.round_number, last_seated_round_number)
        is_over = (
            clock_state.phase == "moving"
            or is_round_complete
            or current_round_number < clock_state.round_number
        )
        return CurrentRound(
            current_round_number,
            last_round_number,
            is_over and current_round_number < last_round_number,
            is_timed=True,
        )
    if not incomplete_round_numbers:
        return CurrentRound(
            last_seated_round_number,
            last_round_number,
            is_over=last_seated_round_number < last_round_number,
            is_timed=False,
        )
    first_incomplete_round_number = min(incomplete_round_numbers)
    has_later_results = any(
        table.round >= first_incomplete_round_number and _has_any_result(snapshot, table)
        for table in snapshot.tables
    )
    if first_incomplete_round_number > 1 and has_begun and not has_later_results:
        return CurrentRound(
            first_incomplete_round_number - 1, last_round_number, is_over=True, is_timed=False
        )
    return CurrentRound(
        first_incomplete_round_number, last_round_number, is_over=False, is_timed=False
    )


def count_missing_results(snapshot: SessionSnapshot, table: SeatedTable) -> int:
    """Count the results that are missing at a table in its round."""
    if not table.is_played:
        return 0
    return sum(
        not snapshot.has_result_or_ruling(table, board_number) for board_number in table.boards
    )


def _has_any_result(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    return table.is_played and count_missing_results(snapshot, table) < len(table.boards)
