"""Danish whist (esmakker): bids from 7 to 13, plain or with one addition, and three sols.

The bidder names an ace, and its holder is the partner; the bidder may hold the ace too. A bid
without overtricks scores base points, which double with each level and with any addition. Each
overtrick adds the base points again, and each missing trick costs twice the base points. In a
sol, the bidder tries to win no trick or at most one.

Sources: a Danish calculator, and eso.org for additions; five programs agree on base points and
doubling. No organisation publishes points for sol. We chose 6, 12 and 24, and double if lost.
"""

from collections.abc import Iterator

from drives.games.contracts import Contract, Game, PointsTable, Variant, build_contract
from server.translation import gettext_noop as _

BID_LEVELS = range(7, 14)
SOL = _("Sol")
BID_ADDITIONS = (
    ("", "", "almindelige"),
    ("-vip", "v", "vip"),
    ("-good", "g", "gode"),
    ("-sans", "s", "sans"),
    ("-half", "h", "halve"),
)
"""The suffix of the code, the suffix of the key, and the players' name of each addition."""
BID_TITLES = (
    ("7", _("7 vip"), _("7 good"), _("7 no trumps"), _("7 half")),
    ("8", _("8 vip"), _("8 good"), _("8 no trumps"), _("8 half")),
    ("9", _("9 vip"), _("9 good"), _("9 no trumps"), _("9 half")),
    ("10", _("10 vip"), _("10 good"), _("10 no trumps"), _("10 half")),
    ("11", _("11 vip"), _("11 good"), _("11 no trumps"), _("11 half")),
    ("12", _("12 vip"), _("12 good"), _("12 no trumps"), _("12 half")),
    ("13", _("13 vip"), _("13 good"), _("13 no trumps"), _("13 half")),
)
"""The titles of each level, in the order of the additions."""
SOL_DEFINITIONS = {
    9: ("sol/so/each/most 1: 6 | 12", SOL, _("sol")),
    10: ("clean-sol/rs/each/most 0: 12 | 24", _("Clean sol"), _("ren sol")),
    11: ("open-sol/os/each/most 0: 24 | 48", _("Open sol"), _("oplægger, bordlægger")),
}
"""The definition and the names of each sol, by the level whose plain bid it follows."""


def _compute_base_points(level: int, code_suffix: str) -> int:
    return (1 << (level - BID_LEVELS[0])) * (2 if code_suffix else 1)


def _list_contracts() -> Iterator[Contract]:
    for level, titles in zip(BID_LEVELS, BID_TITLES, strict=True):
        for (code_suffix, key_suffix, addition_name), title in zip(
            BID_ADDITIONS, titles, strict=True
        ):
            base_points = _compute_base_points(level, code_suffix)
            yield build_contract(
                f"{level}{code_suffix}/{level}{key_suffix}/pair-or-alone {level}: "
                f"{base_points} +{base_points} | {2 * base_points} +{2 * base_points}",
                title,
                f"{level} {addition_name}",
                str(level),
            )
            if not code_suffix and level in SOL_DEFINITIONS:
                yield build_contract(*SOL_DEFINITIONS[level], SOL)


def _build_unit_changes(unit_points: int) -> dict[str, dict[str, object]]:
    """Return changes that make a plain bid of 7 worth `unit_points`.

    The points do not double for "good" (clubs are trumps).
    """
    points_by_code = {
        f"{level}{suffix}": unit_points
        * _compute_base_points(level, suffix.replace("-good", ""))
        for level in BID_LEVELS
        for suffix, *_key_and_name in BID_ADDITIONS
    }
    return {
        code: {
            "made": [contract_points],
            "made_step": contract_points,
            "lost": [2 * contract_points],
            "lost_step": 2 * contract_points,
        }
        for code, contract_points in points_by_code.items()
    }


GAME = Game(
    code="danish-whist",
    title=_("Danish whist (esmakker)"),
    blurb=_(
        "The bidder names an ace to find a partner. Each extra trick bid doubles the points."
    ),
    source=_("Danish calculators, eso.org/~pmoller"),
    doubt=_("Points for sol differ between clubs. Compare 6, 12 and 24 with yours."),
    points_table=PointsTable(contracts=tuple(_list_contracts()), times=(2,)),
    variants=(
        Variant(
            code="sol-8",
            title=_("8, 16 and 32 points for sol, won or lost"),
            changes={
                "contracts": {
                    "sol": {"made": [8], "lost": [8]},
                    "clean-sol": {"made": [16], "lost": [16]},
                    "open-sol": {"made": [32], "lost": [32]},
                }
            },
        ),
        Variant(
            code="unit-5",
            title=_("5 points for a bid of 7, and 50 for sol"),
            changes={
                "contracts": {
                    **_build_unit_changes(5),
                    "sol": {"made": [50], "lost": [100]},
                    "clean-sol": {"made": [100], "lost": [200]},
                    "open-sol": {"made": [200], "lost": [400]},
                }
            },
        ),
    ),
)
