"""Revokes on one play of a deal, limited by the results of the other tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods.counting import TRICKS
from scoring.methods.lines import side_name
from scoring.methods.remedies import Made, Revoked
from scoring.methods.revoke import Limits, Reading, penalise, penalise_both, transfer
from scoring.methods.steps import Figure, Step, form


@dataclass(frozen=True, slots=True)
class RevokeOutcome:
    """The outcome of revokes: the N-S tricks, the marks, and the explanation."""

    ns_tricks: Fraction
    marks: tuple[str, str]
    unknown: bool
    """Whether no other table has a score yet, so that the limits are unknown."""
    confirm: bool
    step: Step


def after_revokes(
    made: Made,
    revokes: Sequence[Revoked],
    others: Sequence[Made],
    pair_match: bool,
    reading: Reading,
) -> RevokeOutcome:
    """Apply all revokes of one play; `others` are its deal's valid plays at other tables."""
    by_side = {side: _together([it for it in revokes if it.side is side]) for side in Side}
    limits = {side: _limits(side, by_side[side], others, pair_match) for side in Side}
    ns, ew = by_side[Side.NS], by_side[Side.EW]
    if ns.revokes and ew.revokes:
        side, step = Side.NS, _both(made, ns, ew, limits)
    else:
        side = Side.NS if ns.revokes else Side.EW
        step = _one(made, by_side[side], limits[side], reading)
    return RevokeOutcome(
        ns_tricks=step.amount if side is Side.NS else TRICKS - step.amount,
        marks=marks_of(revokes),
        unknown=not others,
        confirm=bool(ns.revokes and ew.revokes),
        step=step,
    )


def marks_of(revokes: Sequence[Revoked]) -> tuple[str, str]:
    """Return the marks beside the N-S and the E-W score: "-R", "+R" (rules H5)."""
    ns, ew = (any(it.side is side for it in revokes) for side in (Side.NS, Side.EW))
    return _mark(ns, ew), _mark(ew, ns)


@dataclass(frozen=True, slots=True)
class _Revokes:
    """All revokes of one side in one deal; zero for a side that did not revoke."""

    side: Side
    revokes: int
    won_before: int
    full: bool


def _together(revokes: Sequence[Revoked]) -> _Revokes:
    side = revokes[0].side if revokes else Side.NS
    return _Revokes(
        side,
        sum(it.revokes for it in revokes),
        min((it.won_before for it in revokes), default=0),
        any(it.full for it in revokes),
    )


def _limits(side: Side, revokes: _Revokes, others: Sequence[Made], pair_match: bool) -> Limits:
    made = [it.tricks(side) or 0 for it in others]
    if not made:
        return Limits()
    holds = pair_match and not revokes.full
    return Limits(Fraction(sum(made), len(made)), min(made) if holds else None)


def _one(made: Made, revokes: _Revokes, limits: Limits, reading: Reading) -> Step:
    tricks = made.tricks(revokes.side) or 0
    penalty = penalise(tricks, revokes.revokes, revokes.won_before, limits, reading=reading)
    figures: dict[str, Figure] = {
        "side": side_name(revokes.side),
        "others": side_name(revokes.side.other),
        "made": tricks,
        "counts": penalty.tricks,
        "rest": TRICKS - penalty.tricks,
        "won_before": revokes.won_before,
        "revokes": revokes.revokes,
        "taken": penalty.transfer,
    }
    parts = [
        Step(Fraction(tricks), _made_words(tricks), figures),
        Step(Fraction(-penalty.transfer), _taken_words(revokes.revokes), figures),
    ]
    back = penalty.tricks - tricks + penalty.transfer
    if back:
        parts.append(Step(back, _(penalty.limit), {"back": back, "more": -back}))
    words = ngettext(
        "So {side} count {counts} trick and {others} {rest}.",
        "So {side} count {counts} tricks and {others} {rest}.",
        form(penalty.tricks),
    )
    return Step(penalty.tricks, words, figures, tuple(parts))


def _made_words(tricks: int) -> str:
    return ngettext("{side} made {made} trick.", "{side} made {made} tricks.", tricks)


def _taken_words(revokes: int) -> str:
    return ngettext(
        "{side} revoked once: the law takes {taken} tricks.",
        "{side} revoked {revokes} times: the law takes {taken} tricks, two for the first and "
        "one for each more.",
        revokes,
    )


def _both(made: Made, ns: _Revokes, ew: _Revokes, limits: dict[Side, Limits]) -> Step:
    tricks = made.ns_tricks or 0
    counts = penalise_both(
        tricks,
        (ns.revokes, ns.won_before),
        (ew.revokes, ew.won_before),
        (limits[Side.NS].least, limits[Side.EW].least),
    )
    figures: dict[str, Figure] = {
        "made": tricks,
        "counts": counts,
        "ns": transfer(ns.revokes),
        "ew": transfer(ew.revokes),
        "change": counts - tricks,
    }
    words = ngettext(
        "Both sides revoked: N-S lose {ns} and E-W lose {ew}, so N-S count {counts} trick in "
        "place of {made}; the law is silent and the director confirms it.",
        "Both sides revoked: N-S lose {ns} and E-W lose {ew}, so N-S count {counts} tricks in "
        "place of {made}; the law is silent and the director confirms it.",
        form(counts),
    )
    return Step(counts, words, figures)


def _mark(ours: bool, theirs: bool) -> str:
    return " ".join(["-R"] * ours + ["+R"] * theirs)
