"""Which round of a session is on: one answer for the room, the front page, the score grid."""

from dataclasses import dataclass

from django.utils import timezone

from clubs.models import RoundClock
from scoring.sittings import SeatedSession, SeatedTable


@dataclass(frozen=True, slots=True)
class RoundNow:
    """The round that is on."""

    round: int
    last: int
    is_over: bool  # and another follows
    is_timed: bool  # whether a clock says so


@dataclass(frozen=True, slots=True)
class ClockSays:
    """What a clock that was started says."""

    round: int
    phase: str  # "playing", "moving", "over"


def round_now(found: SeatedSession) -> RoundNow:
    """Say which round of a session is on, by its clock where one was started."""
    clock = RoundClock.objects.filter(evening=found.session.evening_id).first()
    last = found.rounds_planned
    if clock is None or clock.started_at is None or not last:
        return round_on(found, None)
    on = clock.moment(last, timezone.now())
    return round_on(found, ClockSays(on.round, on.phase))


def round_on(found: SeatedSession, clock: ClockSays | None) -> RoundNow:
    """Say which round is on: by the clock, else by the first that is not whole.

    A round that is whole without anything of the next is over, and the next can be called;
    the clock's move between two rounds says so too.
    """
    last, seated = found.rounds_planned, max(found.last_round.values(), default=0)
    if clock is not None and clock.phase == "over":
        return RoundNow(seated, last, is_over=seated < last, is_timed=True)
    has_begun = found.missing < found.expected
    waiting = {each.round for each in found.tables if missing_at(found, each)}
    if clock is not None:
        through = has_begun and not any(at <= clock.round for at in waiting)
        on = min(clock.round, seated)  # the clock goes on while a round is still to be drawn
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
    """How many results of a round at a table are still to come."""
    if not table.is_played:
        return 0
    return sum(not found.is_in(table, board) for board in table.boards)


def _anything_in(found: SeatedSession, table: SeatedTable) -> bool:
    return table.is_played and missing_at(found, table) < len(table.boards)
