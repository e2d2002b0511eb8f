"""Colour whist (kleurenwiezen): trumps are named in the auction.

Source: whisthub.com/nl/rules, which prints the table and eight worked hands. Clubs differ on
overtricks in abondance and on doubling after passed deals, so both have predefined variants.
"""

from drives.games.contracts import Game, PassedDealRule, PointsTable, Variant, build_contract
from drives.games.families import (
    ABONDANCE_FAMILY,
    ALONE_FAMILY,
    MISERE_FAMILY,
    SLAM_FAMILY,
    TOGETHER_FAMILY,
    TROEL_FAMILY,
)
from server.translation import gettext_noop as _

CONTRACTS = (
    build_contract(
        "together-8/t8/pair 8: 8 11 14 17 20 30 | 11 +3",
        _("Together 8"),
        _("samen 8"),
        TOGETHER_FAMILY,
    ),
    build_contract(
        "alone-5/l5/alone 5: 3 4 5 6 | 4 +1", _("Alone 5"), _("alleen 5"), ALONE_FAMILY
    ),
    build_contract(
        "together-9/t9/pair 9: 11 14 17 20 30 | 14 +3",
        _("Together 9"),
        _("samen 9"),
        TOGETHER_FAMILY,
    ),
    build_contract(
        "alone-6/l6/alone 6: 4 5 6 | 5 +1", _("Alone 6"), _("alleen 6"), ALONE_FAMILY
    ),
    build_contract(
        "together-10/t10/pair 10: 14 17 20 30 | 17 +3",
        _("Together 10"),
        _("samen 10"),
        TOGETHER_FAMILY,
    ),
    build_contract("alone-7/l7/alone 7: 5 6 | 6 +1", _("Alone 7"), _("alleen 7"), ALONE_FAMILY),
    build_contract(
        "together-11/t11/pair 11: 17 20 30 | 20 +3",
        _("Together 11"),
        _("samen 11"),
        TOGETHER_FAMILY,
    ),
    build_contract(
        "small-misere/km/each/most 0: 6 | 6",
        _("Small misère"),
        _("kleine miserie"),
        MISERE_FAMILY,
    ),
    build_contract(
        "together-12/t12/pair 12: 20 30 | 23 +3",
        _("Together 12"),
        _("samen 12"),
        TOGETHER_FAMILY,
    ),
    build_contract("alone-8/l8/alone 8: 7 | 8 +1", _("Alone 8"), _("alleen 8"), ALONE_FAMILY),
    build_contract(
        "piccolo/pi/each/exactly 1: 8 | 8",
        _("Piccolo"),
        _("piccolo"),
        MISERE_FAMILY,
        is_playable=False,
    ),
    build_contract(
        "together-13/t13/pair 13: 30 | 26 +3", _("Together 13"), _("samen 13"), TOGETHER_FAMILY
    ),
    build_contract(
        "abondance-9/a9/alone 9: 10 15 20 30 | 10",
        _("Abondance 9"),
        _("abondance 9"),
        ABONDANCE_FAMILY,
    ),
    build_contract(
        "troel/tr/pair 8: 16 16 16 16 16 30 | 16", _("Troel"), _("troel"), TROEL_FAMILY
    ),
    build_contract(
        "troel-9/tv/pair 9: 16 16 16 16 30 | 16",
        _("Troel, trumps changed"),
        _("troel, troef veranderd"),
        TROEL_FAMILY,
    ),
    build_contract(
        "grand-misere/gm/each/most 0: 12 | 12",
        _("Grand misère"),
        _("grote miserie"),
        MISERE_FAMILY,
    ),
    build_contract(
        "abondance-10/a10/alone 10: 15 20 30 | 15",
        _("Abondance 10"),
        _("abondance 10"),
        ABONDANCE_FAMILY,
    ),
    build_contract(
        "abondance-11/a11/alone 11: 20 30 | 20",
        _("Abondance 11"),
        _("abondance 11"),
        ABONDANCE_FAMILY,
    ),
    build_contract(
        "open-misere/om/each/most 0: 24 | 24",
        _("Open misère"),
        _("open miserie"),
        MISERE_FAMILY,
    ),
    build_contract(
        "abondance-12/a12/alone 12: 30 | 30",
        _("Abondance 12"),
        _("abondance 12"),
        ABONDANCE_FAMILY,
    ),
    build_contract("slam/ss/alone 13: 60 | 60", _("Slam"), _("solo slim"), SLAM_FAMILY),
)
GAME = Game(
    code="colour-whist",
    title=_("Colour whist (kleurenwiezen)"),
    blurb=_(
        "Each bid names trumps. The bidder plays with a partner or alone, for 5 to 13 tricks."
    ),
    source=_("whisthub.com/nl/rules, 2026"),
    doubt="",
    points_table=PointsTable(contracts=CONTRACTS, passed=PassedDealRule.DOUBLE_NEXT),
    variants=(
        Variant(
            code="flat-abondance",
            title=_("No extra points for overtricks in abondance"),
            changes={
                "contracts": {
                    "abondance-9": {"made": [10]},
                    "abondance-10": {"made": [15]},
                    "abondance-11": {"made": [20]},
                }
            },
        ),
        Variant(
            code="adding-passes",
            title=_("Each passed deal raises the next hand: double, then triple"),
            changes={"passed": "adds"},
        ),
    ),
)
