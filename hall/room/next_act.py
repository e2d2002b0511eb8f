"""What the director does next, out of what the room says: always one thing.

House rule (Tonight): a call goes before everything, for people wait; then what makes the next
boards wrong; then what all wait for; then what a memory loses; the end only when all is in.
"""

from dataclasses import dataclass
from enum import StrEnum


class Next(StrEnum):
    """The one thing to do now."""

    PREPARE = "prepare"  # play has not been opened
    CALL = "call"  # a table waits for the director
    WRONG = "wrong"  # a table seems to have sat or played the wrong way
    ROUND = "round"  # a round is over: call the next
    QUERY = "query"  # a result to look at
    SLIP = "slip"  # a result of a round that is behind
    CLOSE = "close"  # everything is in
    BEGIN = "begin"  # nothing has been played yet
    PLAY = "play"  # nothing waits: a round is being played
    OVER = "over"  # the session is closed


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in a room at one moment, each in numbers."""

    state: str  # of the session: "planned", "open", "closed"
    calls: int = 0
    wrong: int = 0  # rounds at a table that one correction would explain
    is_round_over: bool = False  # and another follows
    queries: int = 0
    slips: int = 0  # results missing of rounds that are behind
    missing: int = 0  # results missing at all
    has_begun: bool = True  # whether anything was played, or the clock runs


def next_act(room: Waiting) -> Next:
    """Say what comes first."""
    if room.state == "planned":
        return Next.PREPARE
    if room.state == "closed":
        return Next.OVER
    waits = (
        (room.calls, Next.CALL),
        (room.wrong, Next.WRONG),
        (room.is_round_over, Next.ROUND),
        (room.queries, Next.QUERY),
        (room.slips, Next.SLIP),
        (not room.missing, Next.CLOSE),
        (not room.has_begun, Next.BEGIN),
    )
    return next((act for is_there, act in waits if is_there), Next.PLAY)
