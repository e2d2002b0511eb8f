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
    RevokeLimits,
    RevokeReading,
    compute_transfer,
    penalise_both_sides,
    penalise_side,
)
from scoring.methods.steps import Figure, Step, choose_plural_number


@dataclass(frozen=True, slots=True)
class RevokeOutcome:
    """The outcome of revokes: the N-S tricks, the marks, and the explanation."""

    ns_tricks: Fraction
    marks: tuple[str, str]
    unknown: bool
    """Whether the limits are unknown, because no other table has a score yet."""
    confirm: bool
    step: Step


def apply_revokes(
    play_result: PlayResult,
    revokes: Sequence[RevokeRuling],
    others: Sequence[PlayResult],
    is_pair_match: bool,
    reading: RevokeReading,
) -> RevokeOutcome:
    """Apply all revokes of one play; `others` are its deal's valid plays at other tables."""
    by_side = {
        side: _combine_revokes([ruling for ruling in revokes if ruling.side is side])
        for side in Side
    }
    limits = {
        side: _compute_limits(side, by_side[side], others, is_pair_match) for side in Side
    }
    ns, ew = by_side[Side.NS], by_side[Side.EW]
    if ns.revokes and ew.revokes:
        side, step = Side.NS, _explain_both_sides(play_result, ns, ew, limits)
    else:
        side = Side.NS if ns.revokes else Side.EW
        step = _explain_one_side(play_result, by_side[side], limits[side], reading)
    return RevokeOutcome(
        ns_tricks=step.amount if side is Side.NS else TRICKS_PER_DEAL - step.amount,
        marks=format_revoke_marks(revokes),
        unknown=not others,
        confirm=bool(ns.revokes and ew.revokes),
        step=step,
    )


def format_revoke_marks(revokes: Sequence[RevokeRuling]) -> tuple[str, str]:
    """Return the marks beside the N-S and the E-W score: "-R", "+R" (rules H5)."""
    ns, ew = (any(ruling.side is side for ruling in revokes) for side in (Side.NS, Side.EW))
    return _format_side_mark(ns, ew), _format_side_mark(ew, ns)


@dataclass(frozen=True, slots=True)
class _SideRevokes:
    """All revokes of one side in one deal; the number is zero for a side that did not
    revoke.
    """

    side: Side
    revokes: int
    won_before: int
    is_full_penalty: bool


def _combine_revokes(revokes: Sequence[RevokeRuling]) -> _SideRevokes:
    side = revokes[0].side if revokes else Side.NS
    return _SideRevokes(
        side,
        sum(ruling.revokes for ruling in revokes),
        min((ruling.won_before for ruling in revokes), default=0),
        any(ruling.is_full_penalty for ruling in revokes),
    )


def _compute_limits(
    side: Side, revokes: _SideRevokes, others: Sequence[PlayResult], is_pair_match: bool
) -> RevokeLimits:
    tricks_made = [play_result.tricks(side) or 0 for play_result in others]
    if not tricks_made:
        return RevokeLimits()
    holds = is_pair_match and not revokes.is_full_penalty
    return RevokeLimits(
        Fraction(sum(tricks_made), len(tricks_made)), min(tricks_made) if holds else None
    )


def _explain_one_side(
    play_result: PlayResult, revokes: _SideRevokes, limits: RevokeLimits, reading: RevokeReading
) -> Step:
    tricks = play_result.tricks(revokes.side) or 0
    penalty = penalise_side(
        tricks, revokes.revokes, revokes.won_before, limits, reading=reading
    )
    figures: dict[str, Figure] = {
        "side": format_side(revokes.side),
        "others": format_side(revokes.side.other),
        "made": tricks,
        "counts": penalty.tricks,
        "rest": TRICKS_PER_DEAL - penalty.tricks,
        "won_before": revokes.won_before,
        "revokes": revokes.revokes,
        "taken": penalty.transfer,
    }
    parts = [
        Step(Fraction(tricks), _format_made_tricks(tricks), figures),
        Step(Fraction(-penalty.transfer), _format_taken_tricks(revokes.revokes), figures),
    ]
    tricks_given_back = penalty.tricks - tricks + penalty.transfer
    if tricks_given_back:
        parts.append(
            Step(
                tricks_given_back,
                _(penalty.limit_message),
                {"back": tricks_given_back, "more": -tricks_given_back},
            )
        )
    sentence = ngettext(
        "So {side} score {counts} trick and {others} {rest}.",
        "So {side} score {counts} tricks and {others} {rest}.",
        choose_plural_number(penalty.tricks),
    )
    return Step(penalty.tricks, sentence, figures, tuple(parts))


def _format_made_tricks(tricks: int) -> str:
    return ngettext("{side} made {made} trick.", "{side} made {made} tricks.", tricks)


def _format_taken_tricks(revokes: int) -> str:
    return ngettext(
        "{side} revoked once, which costs {taken} tricks.",
        "{side} revoked {revokes} times, which costs {taken} tricks "
        "(two for the first, one for each after that).",
        revokes,
    )


def _explain_both_sides(
    play_result: PlayResult,
    ns: _SideRevokes,
    ew: _SideRevokes,
    limits: dict[Side, RevokeLimits],
) -> Step:
    tricks = play_result.ns_tricks or 0
    netted_tricks = penalise_both_sides(
        tricks,
        (ns.revokes, ns.won_before),
        (ew.revokes, ew.won_before),
        (limits[Side.NS].minimum_tricks, limits[Side.EW].minimum_tricks),
    )
    figures: dict[str, Figure] = {
        "made": tricks,
        "counts": netted_tricks,
        "ns": compute_transfer(ns.revokes),
        "ew": compute_transfer(ew.revokes),
        "change": netted_tricks - tricks,
    }
    sentence = ngettext(
        "Both sides revoked. N-S lose {ns}, E-W lose {ew}, so N-S "
        "score {counts} trick instead of {made}. The law doesn't "
        "cover this, so the director confirms it.",
        "Both sides revoked. N-S lose {ns}, E-W lose {ew}, so N-S "
        "score {counts} tricks instead of {made}. The law doesn't "
        "cover this, so the director confirms it.",
        choose_plural_number(netted_tricks),
    )
    return Step(netted_tricks, sentence, figures)


def _format_side_mark(has_own_revoke: bool, has_other_revoke: bool) -> str:
    return " ".join(["-R"] * has_own_revoke + ["+R"] * has_other_revoke)
