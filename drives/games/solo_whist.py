"""Solo whist with the stakes of six, twelve and eighteen.

Source: Hoyle's Games Modernized (1909), Solo Whist, after Wilks and Pardon; The Standard Hoyle
(1912) has the same stakes. The variant `units` has the points of Wikipedia and pagat.com.
"""

from drives.games.contracts import Game, PointsTable, RevokeRule, Variant, build_contract
from drives.games.families import ALONE_FAMILY, MISERE_FAMILY, TOGETHER_FAMILY
from server.translation import gettext_noop as _

ABUNDANCE = _("Abundance")

CONTRACTS = (
    build_contract(
        "prop-cop/pc/pair 8: 6 7 8 9 10 16 | 7 +1",
        _("Proposal and acceptance"),
        _("prop and cop"),
        TOGETHER_FAMILY,
    ),
    build_contract("solo/so/alone 5: 6 +1 | 7 +1", _("Solo"), _("solo"), ALONE_FAMILY),
    build_contract("misere/mi/alone/most 0: 12 | 12", _("Misère"), _("misère"), MISERE_FAMILY),
    build_contract(
        "abundance/ab/alone 9: 18 +1 | 19 +1", _("Abundance"), _("abondance"), ABUNDANCE
    ),
    build_contract(
        "abundance-trumps/at/alone 9: 18 +1 | 19 +1",
        _("Abundance in trumps"),
        _("royal abundance"),
        ABUNDANCE,
    ),
    build_contract(
        "open-misere/om/alone/most 0: 24 | 24",
        _("Open misère"),
        _("misère ouverte, spread"),
        MISERE_FAMILY,
    ),
    build_contract(
        "declared/ad/alone 13: 36 | 36", _("Abundance declared"), _("slam"), ABUNDANCE
    ),
    build_contract(
        "general-misere/gm/alone/loses: | 6",
        _("General misère, the loser pays"),
        _("general misère"),
        MISERE_FAMILY,
        is_playable=False,
    ),
)
GAME = Game(
    code="solo-whist",
    title=_("Solo whist"),
    blurb=_("Solo is worth 6 points, misère 12 and abundance 18, with more for overtricks."),
    source=_("Hoyle’s Games Modernized (1909), The Stakes"),
    doubt="",
    points_table=PointsTable(contracts=CONTRACTS, revoke=RevokeRule(tricks=3)),
    variants=(
        Variant(
            code="double-over-tricks",
            title=_("Overtricks in abundance count double"),
            changes={
                "contracts": {
                    "abundance": {"made_step": 2},
                    "abundance-trumps": {"made_step": 2},
                }
            },
        ),
        Variant(
            code="units",
            title=_("1 to 6 points, overtricks don’t count"),
            changes={
                "contracts": {
                    "prop-cop": {"made": [1], "lost": [1], "lost_step": 0},
                    "solo": {"made": [1], "lost": [1], "made_step": 0, "lost_step": 0},
                    "misere": {"made": [2], "lost": [2]},
                    "abundance": {"made": [3], "lost": [3], "made_step": 0, "lost_step": 0},
                    "abundance-trumps": {
                        "made": [3],
                        "lost": [3],
                        "made_step": 0,
                        "lost_step": 0,
                    },
                    "open-misere": {"made": [4], "lost": [4]},
                    "declared": {"made": [6], "lost": [6]},
                }
            },
        ),
        Variant(
            code="revoke-double",
            title=_("A revoke doubles the points"),
            changes={"revoke": {"times": 2}},
        ),
    ),
)
