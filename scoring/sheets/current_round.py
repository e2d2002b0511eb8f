"""The current round of a session, for the hall, the front page and the score grid."""

from dataclasses import dataclass

from django.utils import timezone

from clubs.models import RoundClock
from scoring.session_snapshot import SeatedTable, SessionSnapshot


@dataclass(frozen=True, slots=True)
class CurrentRound:
    """The current round of a session: its number, and whether it is over."""

    round: int
    last: int
    is_over: bool  # the round is over and another follows
    is_timed: bool  # whether the round is from a clock


@dataclass(frozen=True, slots=True)
class ClockState:
    """The round and the phase that a running clock shows."""

    round: int
    phase: str  # "playing", "moving", "over"


def find_current_round(snapshot: SessionSnapshot) -> CurrentRound:
    """Return the current round of a session, by its clock if that was started."""
    clock = RoundClock.objects.filter(evening=snapshot.session.evening_id).first()
    last = snapshot.planned_round_count
    if clock is None or clock.started_at is None or not last:
        return find_current_round_by_clock(snapshot, None)
    moment = clock.compute_moment(last, timezone.now())
    return find_current_round_by_clock(snapshot, ClockState(moment.round, moment.phase))


def find_current_round_by_clock(
    snapshot: SessionSnapshot, clock: ClockState | None
) -> CurrentRound:
    """Return the current round: by the clock, else the first that is not complete.

    A complete round without results of the next one is over, and the next can be called. It is
    also over while the clock shows the move between two rounds.
    """
    last, last_seated_round = (
        snapshot.planned_round_count,
        max(snapshot.last_seated_round_by_section.values(), default=0),
    )
    if clock is not None and clock.phase == "over":
        return CurrentRound(
            last_seated_round, last, is_over=last_seated_round < last, is_timed=True
        )
    has_begun = snapshot.missing_result_count < snapshot.expected_result_count
    incomplete_rounds = {
        table.round for table in snapshot.tables if count_missing_results(snapshot, table)
    }
    if clock is not None:
        is_complete = has_begun and not any(
            first_incomplete <= clock.round for first_incomplete in incomplete_rounds
        )
        current_round = min(
            clock.round, last_seated_round
        )  # the clock runs on while a round is not drawn yet
        is_over = clock.phase == "moving" or is_complete or current_round < clock.round
        return CurrentRound(
            current_round, last, is_over and current_round < last, is_timed=True
        )
    if not incomplete_rounds:
        return CurrentRound(
            last_seated_round, last, is_over=last_seated_round < last, is_timed=False
        )
    first_incomplete = min(incomplete_rounds)
    is_ahead = any(
        table.round >= first_incomplete and _has_any_result(snapshot, table)
        for table in snapshot.tables
    )
    if first_incomplete > 1 and has_begun and not is_ahead:
        return CurrentRound(first_incomplete - 1, last, is_over=True, is_timed=False)
    return CurrentRound(first_incomplete, last, is_over=False, is_timed=False)


def count_missing_results(snapshot: SessionSnapshot, table: SeatedTable) -> int:
    """Count the results that are missing at a table in its round."""
    if not table.is_played:
        return 0
    return sum(not snapshot.has_result_or_ruling(table, board) for board in table.boards)


def _has_any_result(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    return table.is_played and count_missing_results(snapshot, table) < len(table.boards)
