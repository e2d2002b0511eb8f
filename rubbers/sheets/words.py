"""Texts for users that describe hands, points, games and rubbers."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from rubbers.rubber.hand_score import Origin, ScoreLine
from rubbers.rubber.spell_score import Game, Rubber, ScoredHand

PENALTY_NAMES = {
    "tricks": gettext_lazy("tricks"),
    "minus": gettext_lazy("lose points"),
    "plus": gettext_lazy("points for the other side"),
}
BUMPER_POINTS = 8
"""The points of a rubber that is called a "bumper"."""


def format_hand(hand: Mapping[str, Any]) -> str:
    """Describe a recorded hand, e.g. "A 9, B 4; honours B 3; revoke by A: lose points"."""
    if not hand:
        return ""
    texts = []
    if "called" in hand:
        texts.append(_("%(side)s called honours") % {"side": hand["called"]})
    if "tricks" in hand:
        texts.append(_format_side_counts(hand["tricks"]))
    if "honours" in hand:
        honours = {side: number for side, number in hand["honours"].items() if number}
        are_honours_claimed = hand.get("claimed", True)
        template = (
            _("honours %(held)s") if are_honours_claimed else _("honours %(held)s, not claimed")
        )
        texts.append(template % {"held": _format_side_counts(honours)})
    texts += map(_format_revoke, hand.get("revokes", ()))
    return "; ".join(texts)


def _format_revoke(revoke: Mapping[str, Any]) -> str:
    if revoke.get("dummy"):
        return _("revoke by dummy (%(side)s)") % {"side": revoke["by"]}
    penalty = PENALTY_NAMES.get(revoke.get("penalty", ""))
    if penalty is None:
        return _("revoke by %(side)s") % {"side": revoke["by"]}
    return _("revoke by %(side)s: %(penalty)s") % {"side": revoke["by"], "penalty": penalty}


def _format_side_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{side} {counts[side]}" for side in "AB" if side in counts)


def format_score_line(line: ScoreLine) -> str:
    """Describe a change of a side's score, e.g. "A: 2 points for tricks"."""
    messages = {
        Origin.REVOKE: ngettext_lazy(
            "%(side)s: %(points)s point for the revoke",
            "%(side)s: %(points)s points for the revoke",
            "count",
        ),
        Origin.HONOURS: ngettext_lazy(
            "%(side)s: %(points)s point for honours",
            "%(side)s: %(points)s points for honours",
            "count",
        ),
        Origin.CALLED_HONOURS: ngettext_lazy(
            "%(side)s: %(points)s point for calling honours",
            "%(side)s: %(points)s points for calling honours",
            "count",
        ),
        Origin.TRICKS: ngettext_lazy(
            "%(side)s: %(points)s point for tricks",
            "%(side)s: %(points)s points for tricks",
            "count",
        ),
    }
    count = abs(line.points)
    points_text = f"−{count}" if line.points < 0 else str(count)
    values = {"side": line.side.value, "points": points_text, "count": count}
    return messages[line.origin] % values


def format_hand_points(scored_hand: ScoredHand) -> str:
    """Describe the points of a hand."""
    return ", ".join(map(format_score_line, scored_hand.lines)) or _("no score")


def format_game(game: Game) -> str:
    """Describe a game and its value, e.g. "game, a treble"."""
    if game.value is None:
        return _("game")
    names = {3: _("a treble"), 2: _("a double"), 1: _("a single")}
    if game.value in names:
        return _("game, %(name)s") % {"name": names[game.value]}
    return format_points(game.value, _("game"))


def format_rubber(rubber: Rubber) -> str:
    """Describe a rubber and its value, e.g. "rubber, 5 points"."""
    if rubber.points is None:
        return _("rubber")
    if rubber.points == BUMPER_POINTS:
        return _("rubber, a bumper of 8")
    return format_points(rubber.points, _("rubber"))


def format_points(points: int, unit_name: str) -> str:
    """Return the name of a unit, which is a game or a rubber, and its points."""
    message = ngettext("%(what)s, %(points)s point", "%(what)s, %(points)s points", points)
    return message % {"what": unit_name, "points": points}


def format_signed(points: int) -> str:
    """Return points with a plus or minus sign; 0 has no sign."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"
