"""Wiezen with turned trumps, with the points of the Belgian championships.

Source: KimDebroye/Wiezen-Score, which cites whistiwwa.com, and an independent table by tricks.
The sources differ on thirteen tricks, so the other rule is a predefined variant.
"""

from drives.games.contracts import Game, PointsTable, Variant, build_contract
from drives.games.families import (
    ABONDANCE_FAMILY,
    ALONE_FAMILY,
    MISERE_FAMILY,
    SLAM_FAMILY,
    TOGETHER_FAMILY,
    TROEL_FAMILY,
)
from server.translation import gettext_noop as _

FIVE_POINT_CONTRACT_CODES = ("abondance-10", "abondance-11", "abondance-12", "misere")

CONTRACTS = (
    build_contract(
        "together-8/t8/pair 8: 2 3 4 5 6 14 | 6 +2",
        _("Ask and join"),
        _("vragen en meegaan"),
        TOGETHER_FAMILY,
    ),
    build_contract(
        "alone-5/l5/alone 5: 2 3 4 5 6 7 8 9 20 | 4 +2",
        _("Alone"),
        _("alleen gaan"),
        ALONE_FAMILY,
    ),
    build_contract(
        "piccolo/pi/each/exactly 1: 5 | 5",
        _("Piccolo"),
        _("pico"),
        MISERE_FAMILY,
        is_playable=False,
    ),
    build_contract(
        "abondance-9/a9/alone 9: 5 | 5", _("Abondance 9"), _("abondance 9"), ABONDANCE_FAMILY
    ),
    build_contract(
        "abondance-9-trumps/at/alone 9: 5 | 5",
        _("Abondance 9 in trumps"),
        _("abondance in troef"),
        ABONDANCE_FAMILY,
    ),
    build_contract("misere/mi/each/most 0: 7 | 7", _("Misère"), _("miserie"), MISERE_FAMILY),
    build_contract(
        "abondance-10/a0/alone 10: 6 | 6",
        _("Abondance 10"),
        _("abondance 10"),
        ABONDANCE_FAMILY,
    ),
    build_contract(
        "abondance-11/a1/alone 11: 8 | 8",
        _("Abondance 11"),
        _("abondance 11"),
        ABONDANCE_FAMILY,
    ),
    build_contract(
        "abondance-12/a2/alone 12: 9 | 9",
        _("Abondance 12"),
        _("abondance 12"),
        ABONDANCE_FAMILY,
    ),
    build_contract(
        "troel/tr/pair 8: 4 6 8 10 12 28 | 6 +2", _("Troel"), _("troel"), TROEL_FAMILY
    ),
    build_contract(
        "troel-9/tv/pair 9: 4 6 8 10 24 | 6 +2",
        _("Troel, nine tricks (four aces)"),
        _("troela"),
        TROEL_FAMILY,
    ),
    build_contract(
        "open-misere/om/each/most 0: 14 | 14",
        _("Misère on the table"),
        _("miserie op tafel"),
        MISERE_FAMILY,
    ),
    build_contract("solo/so/alone 13: 25 | 25", _("Solo"), _("solo"), SLAM_FAMILY),
    build_contract(
        "slam/ss/alone 13: 30 | 30", _("Slam in the turn-up suit"), _("solo slim"), SLAM_FAMILY
    ),
)
GAME = Game(
    code="wiezen",
    title=_("Wiezen with a turn-up"),
    blurb=_("The last card dealt decides trumps. Scored as in the Belgian championships."),
    source=_("IWWA scores, as used by two independent programs"),
    doubt=_("Sources disagree on the points for all thirteen tricks. Compare them with yours."),
    points_table=PointsTable(contracts=CONTRACTS),
    variants=(
        Variant(
            code="card-clubs",
            title=_("Lower points, as in card clubs"),
            changes={
                "passed": "double-next",
                "contracts": {
                    "together-8": {"lost": [2]},
                    "alone-5": {"made": [2, 3, 4, 5, 6, 7, 8, 9, 14], "lost": [2]},
                    **{code: {"lost": [4], "lost_step": 4} for code in ("troel", "troel-9")},
                    **{code: {"made": [5], "lost": [5]} for code in FIVE_POINT_CONTRACT_CODES},
                    "open-misere": {"made": [10], "lost": [10]},
                    **{code: {"made": [20], "lost": [20]} for code in ("solo", "slam")},
                    "piccolo": {"played": True},
                },
            },
        ),
        Variant(
            code="fifteen",
            title=_("15 points for misère and abondance, misère players as one side"),
            changes={
                "several": "camp",
                "contracts": {
                    "together-8": {"made": [2, 3, 4, 5, 6, 15], "lost": [3], "lost_step": 1},
                    "alone-5": {"lost": [3], "lost_step": 1},
                    "troel": {"made": [4, 6, 8, 10, 12, 30]},
                    "abondance-9": {"made": [15], "lost": [15]},
                    "misere": {"made": [15], "lost": [15]},
                    "open-misere": {"made": [30], "lost": [30]},
                    "slam": {"made": [50], "lost": [50]},
                },
            },
        ),
        Variant(
            code="thirteen-plain",
            title=_("No bonus for all thirteen tricks"),
            changes={
                "contracts": {
                    "together-8": {"made": [2, 3, 4, 5, 6, 7]},
                    "alone-5": {"made": [2, 3, 4, 5, 6, 7, 8, 9, 10]},
                    "troel": {"made": [4, 6, 8, 10, 12, 14]},
                    "troel-9": {"made": [4, 6, 8, 10, 12]},
                }
            },
        ),
    ),
)
