"""Rikken with the points of pagat.com.

The points for more than ten tricks and for missing tricks come from one program only.
"""

from drives.games.contracts import Game, PointsTable, Variant, build_contract
from drives.games.families import ALONE_FAMILY, MISERE_FAMILY
from server.translation import gettext_noop as _

RIK = _("Rik")
PIEK = _("Piek")

CONTRACTS = (
    build_contract("rik/ri/pair-or-alone 8: 1 2 3 4 5 7 | 2 +1", _("Rik"), _("rik"), RIK),
    build_contract(
        "rik-better/rb/pair-or-alone 8: 1 2 3 4 5 7 | 2 +1",
        _("Rik better (hearts)"),
        _("rik beter"),
        RIK,
    ),
    build_contract(
        "alone-8/l8/alone 8: 1 2 3 4 5 7 | 2 +1", _("Alone 8"), _("8 alleen"), ALONE_FAMILY
    ),
    build_contract("misere/mi/each/most 0: 5 | 5", _("Misère"), _("misère"), MISERE_FAMILY),
    build_contract("piek/pi/each/exactly 1: 5 | 5", _("Piek"), _("piek"), PIEK),
    build_contract(
        "alone-9/l9/alone 9: 1 2 3 4 6 | 2 +1", _("Alone 9"), _("9 alleen"), ALONE_FAMILY
    ),
    build_contract(
        "alone-10/l10/alone 10: 1 2 3 5 | 2 +1", _("Alone 10"), _("10 alleen"), ALONE_FAMILY
    ),
    build_contract(
        "alone-11/l11/alone 11: 1 2 4 | 2 +1", _("Alone 11"), _("11 alleen"), ALONE_FAMILY
    ),
    build_contract(
        "alone-12/l12/alone 12: 1 3 | 2 +1", _("Alone 12"), _("12 alleen"), ALONE_FAMILY
    ),
    build_contract(
        "open-misere/om/each/most 0: 10 | 10", _("Open misère"), _("open misère"), MISERE_FAMILY
    ),
    build_contract(
        "open-piek/op/each/exactly 1: 10 | 10", _("Open piek"), _("open piek"), PIEK
    ),
    build_contract("troela/tr/pair 8: 2 3 4 5 6 8 | 3 +1", _("Troela"), _("troela"), RIK),
    build_contract(
        "open-misere-talk/mt/each/most 0: 15 | 15",
        _("Open misère with talk"),
        _("open misère met een praatje"),
        MISERE_FAMILY,
    ),
    build_contract(
        "open-piek-talk/pt/each/exactly 1: 15 | 15",
        _("Open piek with talk"),
        _("open piek met een praatje"),
        PIEK,
    ),
    build_contract(
        "alone-13/l13/alone 13: 15 | 15", _("Alone 13"), _("13 alleen"), ALONE_FAMILY
    ),
    build_contract(
        "open-13/o13/alone 13: 20 | 20", _("Open 13"), _("open 13 alleen"), ALONE_FAMILY
    ),
)
GAME = Game(
    code="rikken",
    title=_("Rikken"),
    blurb=_("A bidder can play rik with a called partner, play alone, or bid misère or piek."),
    source=_("pagat.com, Rikken"),
    doubt=_(
        "The points for “alone 11” and above come from a single program. "
        "Compare them with your own rules."
    ),
    points_table=PointsTable(contracts=CONTRACTS),
    variants=(
        Variant(
            code="fives",
            title=_("10 points for troela, and 5 for each extra trick"),
            changes={
                "contracts": {
                    "troela": {"made": [10, 15, 20, 25, 30, 35], "lost": [15], "lost_step": 5}
                }
            },
        ),
    ),
)
