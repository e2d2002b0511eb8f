"""The penalty for a revoke, exactly as in Law X §4 (rules H1-H7, H12)."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.methods.counting import TRICKS_PER_DEAL
from scoring.methods.result_line import Tricks
from server.translation import gettext_noop

AVERAGE_LIMIT_MESSAGE = gettext_noop(
    "The revoking side can’t score above average on this deal. Also taken: {more}."
)
KEPT_TRICKS_MESSAGE = gettext_noop(
    "Tricks won before the first revoke are kept. Given back: {back}."
)
KEPT_TRICKS_UP_TO_AVERAGE_MESSAGE = gettext_noop(
    "Tricks won before the first revoke are kept, up to the average. Given back: {back}."
)
OPPONENT_MAXIMUM_MESSAGE = gettext_noop(
    "The opponents can’t score more than the most made at other tables. Given back: {back}."
)
NO_TRICKS_LEFT_MESSAGE = gettext_noop("There are no more tricks to take. Given back: {back}.")
UNCHANGED_SCORE_MESSAGE = gettext_noop(
    "The opponents already have the most made at other tables, "
    "so the score is unchanged. Given back: {back}."
)


class RevokeLawReading(StrEnum):
    """The two readings of Law X §4 where its items 2 and 3 conflict.

    By law, a side "in no case" loses the tricks won before the first revoke. Therefore by
    default a side keeps them, even above the average. A club may decide that the average has
    priority.
    """

    KEEP_TRICKS_ABOVE_AVERAGE = "keep_tricks_above_average"
    NEVER_ABOVE_AVERAGE = "never_above_average"


@dataclass(frozen=True, slots=True)
class RevokeLimits:
    """The limits from the other tables of the deal; None while no other table has a score.

    `average` is the average of the revoking side. `minimum_tricks` is the lowest number of
    tricks that side won at another table. This is also the opponents' maximum, because the
    two sides share thirteen tricks.
    """

    average: Fraction | None = None
    minimum_tricks: Tricks | None = None


@dataclass(frozen=True, slots=True)
class RevokePenalty:
    """The tricks of the revoking side after the penalty, and how they were computed."""

    tricks: Fraction
    transferred_tricks: int
    """The tricks that the revokes cost before any limit."""
    limit_message: str = ""
    """The untranslated sentence of the limit that decided the penalty; "" if no limit
    applied.

    It has a placeholder for the number of tricks that the limit gives back or takes in
    addition.
    """


def compute_transferred_tricks(revoke_count: int) -> int:
    """Return the cost of one side's revokes: two tricks, then one for each more (rules H1)."""
    return revoke_count + 1 if revoke_count else 0


def penalise_side(
    tricks_made: Tricks,
    revoke_count: int,
    tricks_won_before_revoke: int,
    limits: RevokeLimits,
    *,
    revoke_law_reading: RevokeLawReading = RevokeLawReading.KEEP_TRICKS_ABOVE_AVERAGE,
) -> RevokePenalty:
    """Return the tricks of the revoking side after the penalty.

    The opponents get the other tricks of the thirteen. Pass `limits.minimum_tricks` only in a
    pair match, and not if the committee enforces the full penalty (rules H4, H6).
    """
    transferred_tricks = compute_transferred_tricks(revoke_count)
    if limits.minimum_tricks is not None and tricks_made <= limits.minimum_tricks:
        return RevokePenalty(Fraction(tricks_made), transferred_tricks, UNCHANGED_SCORE_MESSAGE)
    penalty = _cap_at_average(
        RevokePenalty(Fraction(tricks_made) - transferred_tricks, transferred_tricks),
        limits.average,
    )
    minimums_with_messages = (
        (limits.minimum_tricks, OPPONENT_MAXIMUM_MESSAGE),
        (0, NO_TRICKS_LEFT_MESSAGE),
        (min(tricks_made, tricks_won_before_revoke), KEPT_TRICKS_MESSAGE),
    )
    for minimum, message in minimums_with_messages:
        if minimum is not None and minimum > penalty.tricks:
            penalty = RevokePenalty(Fraction(minimum), transferred_tricks, message)
    if revoke_law_reading is not RevokeLawReading.NEVER_ABOVE_AVERAGE:
        return penalty
    capped_penalty = _cap_at_average(penalty, limits.average)
    if (
        capped_penalty is not penalty
        and capped_penalty.tricks > tricks_made - transferred_tricks
    ):
        return RevokePenalty(
            capped_penalty.tricks, transferred_tricks, KEPT_TRICKS_UP_TO_AVERAGE_MESSAGE
        )
    return capped_penalty


def penalise_both_sides(
    tricks_made: Tricks,
    own_revoke_count_and_tricks_before: tuple[int, int],
    opponent_revoke_count_and_tricks_before: tuple[int, int],
    minimum_tricks_of_both_sides: tuple[Tricks | None, Tricks | None],
) -> Fraction:
    """Return one side's tricks if both sides revoked.

    Only the difference of the two penalties is taken, and the average sets no limit.
    `own_revoke_count_and_tricks_before` and `opponent_revoke_count_and_tricks_before` are each
    a side's number of revokes and the tricks that it won before the first one.
    `minimum_tricks_of_both_sides` is each side's minimum at the other tables, if that limit
    applies. The law is silent here, so the director confirms the outcome (rules H12).
    """
    net_transfer = compute_transferred_tricks(
        own_revoke_count_and_tricks_before[0]
    ) - compute_transferred_tricks(opponent_revoke_count_and_tricks_before[0])
    if net_transfer >= 0:
        return _compute_netted_tricks(
            tricks_made,
            net_transfer,
            own_revoke_count_and_tricks_before[1],
            minimum_tricks_of_both_sides[0],
        )
    return TRICKS_PER_DEAL - _compute_netted_tricks(
        TRICKS_PER_DEAL - tricks_made,
        -net_transfer,
        opponent_revoke_count_and_tricks_before[1],
        minimum_tricks_of_both_sides[1],
    )


def _cap_at_average(penalty: RevokePenalty, average: Fraction | None) -> RevokePenalty:
    if average is None or penalty.tricks <= average:
        return penalty
    return RevokePenalty(average, penalty.transferred_tricks, AVERAGE_LIMIT_MESSAGE)


def _compute_netted_tricks(
    tricks_made: Tricks,
    transferred_tricks: int,
    tricks_won_before_revoke: int,
    minimum_tricks: Tricks | None,
) -> Fraction:
    if minimum_tricks is not None and tricks_made <= minimum_tricks:
        return Fraction(tricks_made)
    return Fraction(
        max(
            tricks_made - transferred_tricks,
            min(tricks_made, tricks_won_before_revoke),
            minimum_tricks or 0,
            0,
        )
    )
