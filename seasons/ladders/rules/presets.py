"""The preset ladders, which use the most common rules of clubs.

A club can change the rule of a ladder, or define it in a season file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from seasons.ladders.rules.rule import (
    ATTENDANCE,
    MEAN,
    PAIRS,
    PERCENT,
    PLACE,
    PLAYERS,
    PLUS,
    SUM,
)

DROP_FROM, DROP_EVERY = 5, 2
"""The settings of a preset that drops one evening for every two evenings above five."""


@dataclass(frozen=True, slots=True)
class LadderPreset:
    """A preset ladder: its key, name, description and rule.

    `rule` is a function of the number of evenings that count and the points for each place.
    """

    key: str
    name: Callable[[], str]
    words: Callable[[], str]
    rule: Callable[[int, Sequence[str]], dict[str, Any]]


PRESETS = (
    LadderPreset(
        "best",
        lambda: _("Best evenings"),
        lambda: _("Total plus/minus over each player's best evenings"),
        lambda number, _points: {
            **{"who": PLAYERS, "measure": PLUS, "combine": SUM},
            "best": number,
        },
    ),
    LadderPreset(
        "average",
        lambda: _("Average"),
        lambda: _("Each player's average percentage, with a minimum number of evenings"),
        lambda number, _points: {
            **{"who": PLAYERS, "measure": PERCENT, "combine": MEAN},
            "minimum": number,
        },
    ),
    LadderPreset(
        "places",
        lambda: _("Points by place"),
        lambda: _("Points for the first places in each direction"),
        lambda _number, points: {
            **{"who": PLAYERS, "measure": PLACE, "combine": SUM},
            "points": list(points),
        },
    ),
    LadderPreset(
        "pairs",
        lambda: _("Best pairs"),
        lambda: _("Each pair's average in per cent over their best evenings"),
        lambda number, _points: {
            **{"who": PAIRS, "measure": PERCENT, "combine": MEAN},
            **{"best": number, "minimum": number},
        },
    ),
    LadderPreset(
        "drop",
        lambda: _("Worst results dropped"),
        lambda: _("Average in per cent from five evenings, dropping one for every two more"),
        lambda _number, _points: {
            **{"who": PLAYERS, "measure": PERCENT, "combine": MEAN, "minimum": DROP_FROM},
            **{"drop_from": DROP_FROM, "drop_every": DROP_EVERY},
        },
    ),
    LadderPreset(
        "attendance",
        lambda: _("Attendance"),
        lambda: _("Most evenings played"),
        lambda _number, _points: {"who": PLAYERS, "measure": ATTENDANCE, "combine": SUM},
    ),
)


CLUB_PRESET_KEYS = ("best", "average", "places", "attendance")
"""The preset ladders that clubs without congress features choose from."""
_ADJUSTABLE_KEYS = frozenset({"best", "minimum", "points", "members_only"})
"""The settings of a rule that such a club may change."""


def list_presets(*, congress: bool) -> list[LadderPreset]:
    """Return the presets to choose from; without `congress` those for every club."""
    return [preset for preset in PRESETS if congress or preset.key in CLUB_PRESET_KEYS]


def is_club_rule(rule: Mapping[str, Any]) -> bool:
    """Return whether a rule is one of a club's presets, with other numbers or points."""
    return any(
        _select_fixed(rule) == _select_fixed(preset_rule)
        and rule.keys() <= preset_rule.keys() | {"members_only"}
        for preset_rule in (get_preset(key).rule(1, ["1"]) for key in CLUB_PRESET_KEYS)
    )


def _select_fixed(rule: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in rule.items() if key not in _ADJUSTABLE_KEYS}


def get_preset(key: str) -> LadderPreset:
    """Return the preset ladder with this key; raise KeyError if there is none."""
    return next(preset for preset in PRESETS if preset.key == key)
