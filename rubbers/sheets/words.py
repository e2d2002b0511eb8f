"""Texts of hands, lines and wins."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rubbers.rubber.marking import Origin, ScoreLine
from rubbers.rubber.reckoning import Game, Rubber, ScoredHand

PENALTIES = {
    "tricks": gettext_lazy("tricks"),
    "minus": gettext_lazy("points off"),
    "plus": gettext_lazy("points for the others"),
}
BUMPER = 8


def hand_words(told: Mapping[str, Any]) -> str:
    """Describe a recorded hand: "A 9, B 4; honours B 3; revoke of A: points off"."""
    if not told:
        return ""
    words = []
    if "called" in told:
        words.append(_("%(side)s called honours") % {"side": told["called"]})
    if "tricks" in told:
        words.append(_two(told["tricks"]))
    if "honours" in told:
        held = {side: number for side, number in told["honours"].items() if number}
        claimed = told.get("claimed", True)
        said = _("honours %(held)s") if claimed else _("honours %(held)s, not claimed")
        words.append(said % {"held": _two(held)})
    words += map(_revoke_words, told.get("revokes", ()))
    return "; ".join(words)


def _revoke_words(revoke: Mapping[str, Any]) -> str:
    if revoke.get("dummy"):
        return _("revoke of dummy (%(side)s)") % {"side": revoke["by"]}
    penalty = PENALTIES.get(revoke.get("penalty", ""))
    if penalty is None:
        return _("revoke of %(side)s") % {"side": revoke["by"]}
    return _("revoke of %(side)s: %(penalty)s") % {"side": revoke["by"], "penalty": penalty}


def _two(figures: Mapping[str, int]) -> str:
    return ", ".join(f"{side} {figures[side]}" for side in "AB" if side in figures)


def line_words(line: ScoreLine) -> str:
    """Describe a change of one side's score: "A 2 by cards"."""
    sign = "−" if line.points < 0 else ""
    told = {"side": line.side.value, "points": f"{sign}{abs(line.points)}"}
    if line.origin is Origin.REVOKE:
        return _("%(side)s %(points)s for the revoke") % told
    if line.origin is Origin.HONOURS:
        return _("%(side)s %(points)s by honours") % told
    if line.origin is Origin.CALLED:
        return _("%(side)s %(points)s by calling") % told
    return _("%(side)s %(points)s by cards") % told


def counted(scored: ScoredHand) -> str:
    """Describe the points of a hand."""
    return ", ".join(map(line_words, scored.lines)) or _("nothing counts")


def game_words(game: Game) -> str:
    """Return the name of a game by its value: treble, double or single."""
    if game.value is None:
        return _("game")
    names = {3: _("a treble"), 2: _("a double"), 1: _("a single")}
    if game.value in names:
        return _("game, %(name)s") % {"name": names[game.value]}
    return points_words(game.value, _("game"))


def rubber_words(rubber: Rubber) -> str:
    """Describe a rubber with its value."""
    if rubber.points is None:
        return _("rubber")
    if rubber.points == BUMPER:
        return _("rubber, a bumper of 8")
    return points_words(rubber.points, _("rubber"))


def points_words(points: int, what: str) -> str:
    """Describe a game or a rubber with its points."""
    words = ngettext("%(what)s, %(points)s point", "%(what)s, %(points)s points", points)
    return words % {"what": what, "points": points}


def signed(points: int) -> str:
    """Return points won or lost with their sign."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"
