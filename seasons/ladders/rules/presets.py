"""The preset ladders, which use the most common rules of clubs.

A club can change the rule of a ladder, or define it in a season file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from seasons.ladders.rules.rule import (
    COMBINE_MEAN,
    COMBINE_SUM,
    MEASURE_ATTENDANCE,
    MEASURE_PERCENT,
    MEASURE_PLACE,
    MEASURE_PLUS,
    PAIRS,
    PLAYERS,
)

EVENINGS_BEFORE_DROPS, EVENINGS_PER_DROP = 5, 2
"""The settings of a preset that drops one evening for every two evenings above five."""


@dataclass(frozen=True, slots=True)
class LadderPreset:
    """A preset ladder: its key, name, description and rule.

    `build_rule` gets the number of evenings that count and the points for each place.
    """

    preset_key: str
    get_name: Callable[[], str]
    get_description: Callable[[], str]
    build_rule: Callable[[int, Sequence[str]], dict[str, Any]]


PRESETS = (
    LadderPreset(
        "best",
        lambda: _("Best evenings"),
        lambda: _("Total plus/minus over each player’s best evenings"),
        lambda evening_count, _points: {
            **{"who": PLAYERS, "measure": MEASURE_PLUS, "combine": COMBINE_SUM},
            "best": evening_count,
        },
    ),
    LadderPreset(
        "average",
        lambda: _("Average"),
        lambda: _("Each player’s average percentage, with a minimum number of evenings"),
        lambda evening_count, _points: {
            **{"who": PLAYERS, "measure": MEASURE_PERCENT, "combine": COMBINE_MEAN},
            "minimum": evening_count,
        },
    ),
    LadderPreset(
        "places",
        lambda: _("Points by place"),
        lambda: _("Points for the first places in each direction"),
        lambda _evening_count, points: {
            **{"who": PLAYERS, "measure": MEASURE_PLACE, "combine": COMBINE_SUM},
            "points": list(points),
        },
    ),
    LadderPreset(
        "pairs",
        lambda: _("Best pairs"),
        lambda: _("Each pair’s average percentage over their best evenings"),
        lambda evening_count, _points: {
            **{"who": PAIRS, "measure": MEASURE_PERCENT, "combine": COMBINE_MEAN},
            **{"best": evening_count, "minimum": evening_count},
        },
    ),
    LadderPreset(
        "drop",
        lambda: _("Worst results dropped"),
        lambda: _("Average percentage from five evenings, dropping one for every two more"),
        lambda _evening_count, _points: {
            **{
                "who": PLAYERS,
                "measure": MEASURE_PERCENT,
                "combine": COMBINE_MEAN,
                "minimum": EVENINGS_BEFORE_DROPS,
            },
            **{"drop_from": EVENINGS_BEFORE_DROPS, "drop_every": EVENINGS_PER_DROP},
        },
    ),
    LadderPreset(
        "attendance",
        lambda: _("Attendance"),
        lambda: _("Most evenings played"),
        lambda _evening_count, _points: {
            "who": PLAYERS,
            "measure": MEASURE_ATTENDANCE,
            "combine": COMBINE_SUM,
        },
    ),
)


CLUB_PRESET_KEYS = ("best", "average", "places", "attendance")
"""The preset ladders that clubs without congress features choose from."""
_ADJUSTABLE_KEYS = frozenset({"best", "minimum", "points", "members_only"})
"""The settings of a rule that a club without congress features may change."""


def list_presets(*, has_congress_features: bool) -> list[LadderPreset]:
    """Return the presets to choose from; some are only for clubs with congress features."""
    return [
        preset
        for preset in PRESETS
        if has_congress_features or preset.preset_key in CLUB_PRESET_KEYS
    ]


def is_club_rule(rule_data: Mapping[str, Any]) -> bool:
    """Return whether a rule is one of the presets in CLUB_PRESET_KEYS.

    The settings in _ADJUSTABLE_KEYS, such as numbers and points, may differ from the preset.
    """
    return any(
        _select_fixed_settings(rule_data) == _select_fixed_settings(preset_rule)
        and rule_data.keys() <= preset_rule.keys() | {"members_only"}
        for preset_rule in (
            get_preset(preset_key).build_rule(1, ["1"]) for preset_key in CLUB_PRESET_KEYS
        )
    )


def _select_fixed_settings(rule_data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in rule_data.items() if key not in _ADJUSTABLE_KEYS}


def get_preset(preset_key: str) -> LadderPreset:
    """Return the preset ladder with this key; raise KeyError if there is none."""
    return next(preset for preset in PRESETS if preset.preset_key == preset_key)
