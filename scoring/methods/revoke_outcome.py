"""Revokes on one play of a deal, limited by the results of the other tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods.counting import TRICKS_PER_DEAL
from scoring.methods.remedies import PlayResult, RevokeRuling
from scoring.methods.result_line import format_side
from scoring.methods.revoke_penalty import (
    RevokeLawReading,
    RevokeLimits,
    compute_transferred_tricks,
    penalise_both_sides,
    penalise_side,
)
from scoring.methods.steps import PlaceholderValue, Step, choose_plural_number


@dataclass(frozen=True, slots=True)
class RevokeOutcome:
    """The outcome of revokes: the N-S tricks, the marks, and the explanation."""

    ns_tricks: Fraction
    revoke_marks: tuple[str, str]
    has_unknown_limits: bool
    """Whether the limits are unknown, because no other table has a score yet."""
    is_confirmation_needed: bool
    step: Step


def apply_revokes(
    play_result: PlayResult,
    revokes: Sequence[RevokeRuling],
    other_plays: Sequence[PlayResult],
    is_pair_match: bool,
    revoke_law_reading: RevokeLawReading,
) -> RevokeOutcome:
    """Apply all revokes of one play.

    `other_plays` are the valid plays of the same deal at other tables.
    """
    revokes_by_side = {
        side: _combine_revokes([ruling for ruling in revokes if ruling.side is side])
        for side in Side
    }
    limits_by_side = {
        side: _compute_revoke_limits(side, revokes_by_side[side], other_plays, is_pair_match)
        for side in Side
    }
    ns_revokes, ew_revokes = revokes_by_side[Side.NS], revokes_by_side[Side.EW]
    if ns_revokes.revoke_count and ew_revokes.revoke_count:
        side, step = (
            Side.NS,
            _explain_both_sides(play_result, ns_revokes, ew_revokes, limits_by_side),
        )
    else:
        side = Side.NS if ns_revokes.revoke_count else Side.EW
        step = _explain_one_side(
            play_result, revokes_by_side[side], limits_by_side[side], revoke_law_reading
        )
    return RevokeOutcome(
        ns_tricks=step.amount if side is Side.NS else TRICKS_PER_DEAL - step.amount,
        revoke_marks=format_revoke_marks(revokes),
        has_unknown_limits=not other_plays,
        is_confirmation_needed=bool(ns_revokes.revoke_count and ew_revokes.revoke_count),
        step=step,
    )


def format_revoke_marks(revokes: Sequence[RevokeRuling]) -> tuple[str, str]:
    """Return the marks next to the N-S and the E-W score: "-R", "+R" (rules H5)."""
    has_ns_revoke, has_ew_revoke = (
        any(ruling.side is side for ruling in revokes) for side in (Side.NS, Side.EW)
    )
    return _format_side_mark(has_ns_revoke, has_ew_revoke), _format_side_mark(
        has_ew_revoke, has_ns_revoke
    )


@dataclass(frozen=True, slots=True)
class _SideRevokes:
    """All revokes of one side in one deal; `revoke_count` is 0 if it did not revoke."""

    side: Side
    revoke_count: int  # the number of revokes
    tricks_won_before_revoke: int  # tricks won before the first revoke
    is_full_penalty: bool


def _combine_revokes(revokes: Sequence[RevokeRuling]) -> _SideRevokes:
    side = revokes[0].side if revokes else Side.NS
    return _SideRevokes(
        side,
        sum(ruling.revoke_count for ruling in revokes),
        min((ruling.tricks_won_before_revoke for ruling in revokes), default=0),
        any(ruling.is_full_penalty for ruling in revokes),
    )


def _compute_revoke_limits(
    side: Side, revokes: _SideRevokes, other_plays: Sequence[PlayResult], is_pair_match: bool
) -> RevokeLimits:
    tricks_made = [play_result.get_tricks(side) or 0 for play_result in other_plays]
    if not tricks_made:
        return RevokeLimits()
    has_minimum = is_pair_match and not revokes.is_full_penalty
    return RevokeLimits(
        Fraction(sum(tricks_made), len(tricks_made)), min(tricks_made) if has_minimum else None
    )


def _explain_one_side(
    play_result: PlayResult,
    revokes: _SideRevokes,
    limits: RevokeLimits,
    revoke_law_reading: RevokeLawReading,
) -> Step:
    tricks = play_result.get_tricks(revokes.side) or 0
    penalty = penalise_side(
        tricks,
        revokes.revoke_count,
        revokes.tricks_won_before_revoke,
        limits,
        revoke_law_reading=revoke_law_reading,
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "side": format_side(revokes.side),
        "others": format_side(revokes.side.opposing_side),
        "made": tricks,
        "counts": penalty.tricks,
        "rest": TRICKS_PER_DEAL - penalty.tricks,
        "won_before": revokes.tricks_won_before_revoke,
        "revokes": revokes.revoke_count,
        "taken": penalty.transferred_tricks,
    }
    partial_steps = [
        Step(Fraction(tricks), _format_made_tricks(tricks), placeholder_values),
        Step(
            Fraction(-penalty.transferred_tricks),
            _format_taken_tricks(revokes.revoke_count),
            placeholder_values,
        ),
    ]
    limit_adjustment = penalty.tricks - tricks + penalty.transferred_tricks
    if limit_adjustment:
        partial_steps.append(
            Step(
                limit_adjustment,
                _(penalty.limit_message),
                {"back": limit_adjustment, "more": -limit_adjustment},
            )
        )
    sentence = ngettext(
        "So {side} score {counts} trick and {others} {rest}.",
        "So {side} score {counts} tricks and {others} {rest}.",
        choose_plural_number(penalty.tricks),
    )
    return Step(penalty.tricks, sentence, placeholder_values, tuple(partial_steps))


def _format_made_tricks(tricks: int) -> str:
    return ngettext("{side} made {made} trick.", "{side} made {made} tricks.", tricks)


def _format_taken_tricks(revoke_count: int) -> str:
    return ngettext(
        "{side} revoked once, which costs {taken} tricks.",
        "{side} revoked {revokes} times, which costs {taken} tricks "
        "(two for the first, one for each after that).",
        revoke_count,
    )


def _explain_both_sides(
    play_result: PlayResult,
    ns_revokes: _SideRevokes,
    ew_revokes: _SideRevokes,
    limits_by_side: dict[Side, RevokeLimits],
) -> Step:
    tricks = play_result.ns_tricks or 0
    netted_tricks = penalise_both_sides(
        tricks,
        (ns_revokes.revoke_count, ns_revokes.tricks_won_before_revoke),
        (ew_revokes.revoke_count, ew_revokes.tricks_won_before_revoke),
        (limits_by_side[Side.NS].minimum_tricks, limits_by_side[Side.EW].minimum_tricks),
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "made": tricks,
        "counts": netted_tricks,
        "ns": compute_transferred_tricks(ns_revokes.revoke_count),
        "ew": compute_transferred_tricks(ew_revokes.revoke_count),
        "change": netted_tricks - tricks,
    }
    sentence = ngettext(
        "Both sides revoked. N-S lose {ns}, E-W lose {ew}, so N-S score {counts} trick "
        "instead of {made}. The law doesn’t cover this, so the director confirms it.",
        "Both sides revoked. N-S lose {ns}, E-W lose {ew}, so N-S score {counts} tricks "
        "instead of {made}. The law doesn’t cover this, so the director confirms it.",
        choose_plural_number(netted_tricks),
    )
    return Step(netted_tricks, sentence, placeholder_values)


def _format_side_mark(has_own_revoke: bool, has_other_revoke: bool) -> str:
    return " ".join(["-R"] * has_own_revoke + ["+R"] * has_other_revoke)
