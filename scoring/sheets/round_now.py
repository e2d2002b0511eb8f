"""The current round of a session, computed once for the hall, the front page and the grid."""

from dataclasses import dataclass

from django.utils import timezone

from clubs.models import RoundClock
from scoring.sittings import SeatedSession, SeatedTable


@dataclass(frozen=True, slots=True)
class RoundNow:
    """The current round."""

    round: int
    last: int
    is_over: bool  # the round is over and another follows
    is_timed: bool  # whether the round is from a clock


@dataclass(frozen=True, slots=True)
class ClockSays:
    """The state of a clock that was started."""

    round: int
    phase: str  # "playing", "moving", "over"


def round_now(found: SeatedSession) -> RoundNow:
    """Return the current round of a session, by its clock if it was started."""
    clock = RoundClock.objects.filter(evening=found.session.evening_id).first()
    last = found.rounds_planned
    if clock is None or clock.started_at is None or not last:
        return round_on(found, None)
    on = clock.moment(last, timezone.now())
    return round_on(found, ClockSays(on.round, on.phase))


def round_on(found: SeatedSession, clock: ClockSays | None) -> RoundNow:
    """Return the current round: by the clock, else the first that is not complete.

    A complete round without results of the next one is over, and the next can be called. It is
    also over while the clock shows the move between two rounds.
    """
    last, seated = found.rounds_planned, max(found.last_round.values(), default=0)
    if clock is not None and clock.phase == "over":
        return RoundNow(seated, last, is_over=seated < last, is_timed=True)
    has_begun = found.missing < found.expected
    waiting = {each.round for each in found.tables if missing_at(found, each)}
    if clock is not None:
        through = has_begun and not any(at <= clock.round for at in waiting)
        on = min(clock.round, seated)  # the clock runs on while a round is not drawn yet
        is_over = clock.phase == "moving" or through or on < clock.round
        return RoundNow(on, last, is_over and on < last, is_timed=True)
    if not waiting:
        return RoundNow(seated, last, is_over=seated < last, is_timed=False)
    at = min(waiting)
    is_ahead = any(each.round >= at and _anything_in(found, each) for each in found.tables)
    if at > 1 and has_begun and not is_ahead:
        return RoundNow(at - 1, last, is_over=True, is_timed=False)
    return RoundNow(at, last, is_over=False, is_timed=False)


def missing_at(found: SeatedSession, table: SeatedTable) -> int:
    """Return the number of missing results of a round at a table."""
    if not table.is_played:
        return 0
    return sum(not found.is_in(table, board) for board in table.boards)


def _anything_in(found: SeatedSession, table: SeatedTable) -> bool:
    return table.is_played and missing_at(found, table) < len(table.boards)
