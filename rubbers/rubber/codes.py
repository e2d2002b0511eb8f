"""The four codes of laws for scoring in the books. To support another code, add a `LawCode`.

| code | points to win a game | four honours | three honours | value of a game | rubber |
|---|---|---|---|---|---|
| `pole` | 5 | 4 | 2 | 3, 2 or 1 | best of three, bonus 2 |
| `english-1900` | 5 | 4 | 2 | 3, 2 or 1 | best of three, bonus 2 |
| `american-league` | 7 | – | – | 7 minus the losers' score | – |
| `long` | 10 | 4 | 2 | games are only counted | best of three |

In `english-1900`, revokes of both sides cancel out. Honours no longer count for a side with 4
points, in `long` with 9 points. In `long`, a side with 8 points may call its honours.

Source: rules W1–W10. The sources of `long` mention neither penalties for a revoke nor revokes
of both sides. These terms of `long` are our interpretation (docs/rubber.md).
"""

import dataclasses
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Penalty
from rubbers.rubber.terms import (
    BothSidesRevokeRule,
    FirstScoredItem,
    GameValueRule,
    ReplacementUnit,
    RubberTerms,
    UnfinishedRule,
)
from server.translation import TranslatedField, gettext_noop


@dataclass(frozen=True, kw_only=True)
class LawCode:
    """A code of laws for scoring: its terms, and the texts that describe it."""

    name: str
    terms: RubberTerms
    title: TranslatedField = TranslatedField()
    blurb: TranslatedField = TranslatedField()
    """A short description, which users see when they choose a code."""
    source: TranslatedField = TranslatedField()


POLE_CODE = LawCode(
    name="pole",
    title=gettext_noop("Short whist (Pole)"),
    blurb=gettext_noop(
        "Five points, honours count. Best of three games, two points for the rubber."
    ),
    source=gettext_noop("The Standard Hoyle (1912), laws of whist by W. Pole"),
    terms=RubberTerms(
        points_per_game=5,
        points_per_trick=1,
        four_honours=4,
        three_honours=2,
        honours_bar=4,
        first_scored_item=FirstScoredItem.TRICKS,
        game_value_rule=GameValueRule.TREBLE,
        best_of=3,
        rubber_bonus=2,
        subtracts_losers_games=True,
        penalties=(Penalty.TRICKS, Penalty.LOST_POINTS, Penalty.OPPONENT_POINTS),
        penalty_tricks=3,
        penalty_points=3,
        can_revokers_win=False,
        both_sides_revoke_rule=BothSidesRevokeRule.EACH,
        should_score_made_tricks=False,
        honours_calling_score=None,
        unfinished_rule=UnfinishedRule.DIFFERENCE,
        replacement_unit=ReplacementUnit.RUBBER,
    ),
)
ENGLISH_1900_CODE = LawCode(
    name="english-1900",
    title=gettext_noop("Short whist (English code of 1900)"),
    blurb=gettext_noop("As Pole, but revokes by both sides cancel out."),
    source=gettext_noop("Hoyle’s Games Modernized (1909), laws of whist, 46–57 and 74–86"),
    terms=dataclasses.replace(
        POLE_CODE.terms, both_sides_revoke_rule=BothSidesRevokeRule.CANCEL
    ),
)
AMERICAN_LEAGUE_CODE = LawCode(
    name="american-league",
    title=gettext_noop("American whist (League)"),
    blurb=gettext_noop(
        "Seven points by tricks only. A game is worth seven minus the losers’ score."
    ),
    source=gettext_noop("The Standard Hoyle (1912), rules of the American Whist League"),
    terms=dataclasses.replace(
        POLE_CODE.terms,
        points_per_game=7,
        four_honours=0,
        three_honours=0,
        honours_bar=None,
        game_value_rule=GameValueRule.MARGIN,
        best_of=None,
        rubber_bonus=0,
        subtracts_losers_games=False,
        penalties=(Penalty.TRICKS,),
        penalty_tricks=2,
        penalty_points=2,
        should_score_made_tricks=True,
        replacement_unit=ReplacementUnit.GAME,
    ),
)
LONG_WHIST_CODE = LawCode(
    name="long",
    title=gettext_noop("Long whist"),
    blurb=gettext_noop(
        "Ten points. Honours count and may be called at eight. Games are counted, not points."
    ),
    source=gettext_noop("Townsend’s manual, whist"),
    terms=dataclasses.replace(
        POLE_CODE.terms,
        points_per_game=10,
        honours_bar=9,
        game_value_rule=GameValueRule.GAMES,
        rubber_bonus=0,
        subtracts_losers_games=False,
        penalties=(Penalty.OPPONENT_POINTS,),
        honours_calling_score=8,
    ),
)

LAW_CODES_BY_NAME: dict[str, LawCode] = {
    code.name: code
    for code in (POLE_CODE, ENGLISH_1900_CODE, AMERICAN_LEAGUE_CODE, LONG_WHIST_CODE)
}


def find_law_code(name: object) -> LawCode:
    """Find a code by its name; raise UnplayableHand with the known names."""
    if not isinstance(name, str) or name not in LAW_CODES_BY_NAME:
        raise UnplayableHand(_("one of: %(names)s") % {"names": ", ".join(LAW_CODES_BY_NAME)})
    return LAW_CODES_BY_NAME[name]


DEFAULT_LAW_CODE_NAME = POLE_CODE.name
"""The code of new nights and drives, unless a director chooses another."""
