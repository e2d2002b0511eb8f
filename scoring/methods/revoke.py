"""The penalty for a revoke, to the letter of Law X §4 (rules H1-H7, H12)."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.methods.counting import TRICKS
from scoring.methods.lines import Tricks
from server.translation import gettext_noop

AVERAGE = gettext_noop(
    "And on this deal the revoking side cannot score more than the average. Taken besides: "
    "{more}."
)
KEPT_WORDS = gettext_noop(
    "But tricks won before the first revoke are kept. Given back: {back}."
)
KEPT_TO_AVERAGE_WORDS = gettext_noop(
    "But tricks won before the first revoke are kept, as far as the average. Given back: "
    "{back}."
)
NOT_RAISED_WORDS = gettext_noop(
    "But the opponents are not raised above the most made at the other tables. Given back: "
    "{back}."
)
NONE_LEFT = gettext_noop("But there are no more tricks to take. Given back: {back}.")
STANDS = gettext_noop(
    "But the opponents have the most made at the other tables already, so the score stands. "
    "Given back: {back}."
)


class Reading(StrEnum):
    """The two readings of Law X §4 where its items 2 and 3 conflict.

    The law says "in no case" of the tricks won before the first revoke, so by default those are
    safe even above the average. A club may decide that the average has priority.
    """

    KEEP_TRICKS_ABOVE_AVERAGE = "keep_tricks_above_average"
    NEVER_ABOVE_AVERAGE = "never_above_average"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits from the other tables of the deal; None while no other table has a score.

    `average` is that of the revoking side, `least` the fewest tricks made there. The opponents'
    maximum and the revoking side's minimum are one limit, as the two sides share thirteen.
    """

    average: Fraction | None = None
    least: Tricks | None = None


@dataclass(frozen=True, slots=True)
class Penalty:
    """The tricks of the revoking side after the penalty, and how they were computed."""

    tricks: Fraction
    transfer: int
    """The tricks that the revokes cost before any limit."""
    limit: str = ""
    """The sentence of the limit that decided it, not translated yet; empty if no limit applied.

    It has a placeholder for the tricks that the limit gives back or takes in addition.
    """


def transfer(revokes: int) -> int:
    """Return the cost of one side's revokes: two tricks, then one for each more (rules H1)."""
    return revokes + 1 if revokes else 0


def penalise(
    made: Tricks,
    revokes: int,
    won_before: int,
    limits: Limits,
    *,
    reading: Reading = Reading.KEEP_TRICKS_ABOVE_AVERAGE,
) -> Penalty:
    """Return the revoking side's tricks after the penalty; opponents have the rest of thirteen.

    Give `limits.least` only in a pair match whose limits apply: not for teams or individuals,
    and not when the committee enforces the full penalty (rules H4, H6).
    """
    taken = transfer(revokes)
    if limits.least is not None and made <= limits.least:
        return Penalty(Fraction(made), taken, STANDS)
    found = _capped(Penalty(Fraction(made) - taken, taken), limits.average)
    floors = (
        (limits.least, NOT_RAISED_WORDS),
        (0, NONE_LEFT),
        (min(made, won_before), KEPT_WORDS),
    )
    for floor, limit in floors:
        if floor is not None and floor > found.tricks:
            found = Penalty(Fraction(floor), taken, limit)
    if reading is not Reading.NEVER_ABOVE_AVERAGE:
        return found
    capped = _capped(found, limits.average)
    if capped is not found and capped.tricks > made - taken:
        return Penalty(capped.tricks, taken, KEPT_TO_AVERAGE_WORDS)
    return capped


def penalise_both(
    made: Tricks,
    ours: tuple[int, int],
    theirs: tuple[int, int],
    least: tuple[Tricks | None, Tricks | None],
) -> Fraction:
    """Return our tricks when both sides revoked: the transfers are netted, no average applies.

    `ours` and `theirs` are each a side's revokes and the tricks it won before its first one;
    `least` is each side's minimum at the other tables where that limit applies. The law is
    silent here, so the director confirms the outcome (rules H12).
    """
    net = transfer(ours[0]) - transfer(theirs[0])
    if net >= 0:
        return _netted(made, net, ours[1], least[0])
    return TRICKS - _netted(TRICKS - made, -net, theirs[1], least[1])


def _capped(penalty: Penalty, average: Fraction | None) -> Penalty:
    if average is None or penalty.tricks <= average:
        return penalty
    return Penalty(average, penalty.transfer, AVERAGE)


def _netted(made: Tricks, taken: int, won_before: int, least: Tricks | None) -> Fraction:
    if least is not None and made <= least:
        return Fraction(made)
    return Fraction(max(made - taken, min(made, won_before), least or 0, 0))
