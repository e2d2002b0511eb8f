"""Texts for users that describe hands, points, games and rubbers."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from rubbers.rubber.hand_score import PointsOrigin, ScoreLine
from rubbers.rubber.spell_score import Game, ScoredHand, WonRubber

PENALTY_NAMES = {
    "tricks": gettext_lazy("tricks"),
    "minus": gettext_lazy("lose points"),
    "plus": gettext_lazy("points for the other side"),
}
BUMPER_POINTS = 8
"""The points of a rubber that is called a "bumper"."""


def format_hand(hand_data: Mapping[str, Any]) -> str:
    """Describe a recorded hand, e.g. "A 9, B 4; honours B 3; revoke by A: lose points"."""
    if not hand_data:
        return ""
    hand_texts = []
    if "called" in hand_data:
        hand_texts.append(_("%(side)s called honours") % {"side": hand_data["called"]})
    if "tricks" in hand_data:
        hand_texts.append(_format_side_counts(hand_data["tricks"]))
    if "honours" in hand_data:
        honour_count_by_side = {
            side: honour_count
            for side, honour_count in hand_data["honours"].items()
            if honour_count
        }
        are_honours_claimed = hand_data.get("claimed", True)
        template = (
            _("honours %(held)s") if are_honours_claimed else _("honours %(held)s, not claimed")
        )
        hand_texts.append(template % {"held": _format_side_counts(honour_count_by_side)})
    hand_texts += map(_format_revoke, hand_data.get("revokes", ()))
    return "; ".join(hand_texts)


def _format_revoke(revoke_data: Mapping[str, Any]) -> str:
    if revoke_data.get("dummy"):
        return _("revoke by dummy (%(side)s)") % {"side": revoke_data["by"]}
    penalty = PENALTY_NAMES.get(revoke_data.get("penalty", ""))
    if penalty is None:
        return _("revoke by %(side)s") % {"side": revoke_data["by"]}
    return _("revoke by %(side)s: %(penalty)s") % {
        "side": revoke_data["by"],
        "penalty": penalty,
    }


def _format_side_counts(count_by_side: Mapping[str, int]) -> str:
    return ", ".join(f"{side} {count_by_side[side]}" for side in "AB" if side in count_by_side)


def format_score_line(score_line: ScoreLine) -> str:
    """Describe a change of a side's score, e.g. "A: 2 points for tricks"."""
    message_by_origin = {
        PointsOrigin.REVOKE: ngettext_lazy(
            "%(side)s: %(points)s point for the revoke",
            "%(side)s: %(points)s points for the revoke",
            "count",
        ),
        PointsOrigin.HONOURS: ngettext_lazy(
            "%(side)s: %(points)s point for honours",
            "%(side)s: %(points)s points for honours",
            "count",
        ),
        PointsOrigin.CALLED_HONOURS: ngettext_lazy(
            "%(side)s: %(points)s point for calling honours",
            "%(side)s: %(points)s points for calling honours",
            "count",
        ),
        PointsOrigin.TRICKS: ngettext_lazy(
            "%(side)s: %(points)s point for tricks",
            "%(side)s: %(points)s points for tricks",
            "count",
        ),
    }
    point_count = abs(score_line.points)
    points_text = f"−{point_count}" if score_line.points < 0 else str(point_count)
    message_values = {
        "side": score_line.side.value,
        "points": points_text,
        "count": point_count,
    }
    return message_by_origin[score_line.points_origin] % message_values


def format_hand_points(scored_hand: ScoredHand) -> str:
    """Describe the points of a hand."""
    return ", ".join(map(format_score_line, scored_hand.score_lines)) or _("no score")


def format_game(game: Game) -> str:
    """Describe a game and its value, e.g. "game, a treble"."""
    if game.value is None:
        return _("game")
    name_by_value = {3: _("a treble"), 2: _("a double"), 1: _("a single")}
    if game.value in name_by_value:
        return _("game, %(name)s") % {"name": name_by_value[game.value]}
    return format_points(game.value, _("game"))


def format_rubber(rubber: WonRubber) -> str:
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
