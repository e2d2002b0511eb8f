"""The choice of the director's next task; at any time there is exactly one."""

from dataclasses import dataclass
from enum import StrEnum


class NextTask(StrEnum):
    """The kinds of the director's next task."""

    PREPARE = "prepare"  # play has not been opened
    ANSWER_CALL = "call"  # a table waits for the director
    CHECK_SWAPPED_SIDES = "wrong"  # a table seems to have swapped its two sides
    CALL_NEXT_ROUND = "round"  # a round is over: call the next
    CHECK_RESULT = "query"  # a result to check
    ENTER_EARLIER_RESULT = "slip"  # a missing result of an earlier round
    CLOSE = "close"  # all results are in
    BEGIN = "begin"  # nothing has been played yet
    ROUND_IN_PLAY = "play"  # no open task: a round is being played
    SESSION_CLOSED = "over"  # the session is closed


@dataclass(frozen=True, slots=True)
class OpenTasks:
    """The numbers of open tasks in a session at one moment."""

    session_state: str  # of the session: "planned", "open", "closed"
    call_count: int = 0
    swapped_sides_count: int = 0  # rounds at tables that seem to have swapped sides
    is_round_over: bool = False  # whether the round is over and another follows
    results_to_check_count: int = 0
    earlier_missing_result_count: int = 0  # the number of missing results of earlier rounds
    missing_result_count: int = 0  # the number of all missing results
    has_begun: bool = True  # whether anything was played, or the clock runs


def choose_next_task(open_tasks: OpenTasks) -> NextTask:
    """Return the director's most urgent task."""
    if open_tasks.session_state == "planned":
        return NextTask.PREPARE
    if open_tasks.session_state == "closed":
        return NextTask.SESSION_CLOSED
    tasks = (
        (open_tasks.call_count, NextTask.ANSWER_CALL),
        (open_tasks.swapped_sides_count, NextTask.CHECK_SWAPPED_SIDES),
        (open_tasks.is_round_over, NextTask.CALL_NEXT_ROUND),
        (open_tasks.results_to_check_count, NextTask.CHECK_RESULT),
        (open_tasks.earlier_missing_result_count, NextTask.ENTER_EARLIER_RESULT),
        (not open_tasks.missing_result_count, NextTask.CLOSE),
        (not open_tasks.has_begun, NextTask.BEGIN),
    )
    return next((task for is_waiting, task in tasks if is_waiting), NextTask.ROUND_IN_PLAY)
