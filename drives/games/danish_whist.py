"""Danish whist (esmakker): bids from 7 to 13, plain or with one addition, and three sols.

The partner is called by an ace and may be the bidder. Points double with each level and with
any addition. Overtricks multiply them. A lost contract costs double for each missing trick.

Source: a Danish calculator; base and doubling agree in five programs; eso.org for additions.
No body publishes points for sol: 6, 12 and 24, double if lost, is our choice.
"""

from collections.abc import Iterator

from drives.games.contracts import Contract, Game, PointsTable, Variant, build_contract
from server.translation import gettext_noop as _

LEVELS = range(7, 14)
SOL = _("Sol")
ADDITIONS = (
    ("", "", "", _("almindelige")),
    ("-vip", "v", _("vip"), _("vip")),
    ("-good", "g", _("good"), _("gode")),
    ("-sans", "s", _("no trumps"), _("sans")),
    ("-half", "h", _("half"), _("halve")),
)
"""The end of the code and of the key, and the words, of each addition."""
SOLS = {
    9: ("sol/so/each/most 1: 6 | 12", SOL, _("sol")),
    10: ("clean-sol/rs/each/most 0: 12 | 24", _("Clean sol"), _("ren sol")),
    11: ("open-sol/os/each/most 0: 24 | 48", _("Open sol"), _("oplægger, bordlægger")),
}
"""The sols, each after the plain bid of a level."""


def _compute_base(level: int, code: str) -> int:
    return (1 << (level - LEVELS[0])) * (2 if code else 1)


def _list_contracts() -> Iterator[Contract]:
    for level in LEVELS:
        for code, key, title, local in ADDITIONS:
            base = _compute_base(level, code)
            yield build_contract(
                f"{level}{code}/{level}{key}/pair-or-alone {level}: "
                f"{base} +{base} | {2 * base} +{2 * base}",
                f"{level} {title}".strip(),
                f"{level} {local}",
                str(level),
            )
            if not code and level in SOLS:
                yield build_contract(*SOLS[level], SOL)


def _change_unit(points: int) -> dict[str, dict[str, object]]:
    """Return the points of all bids for another unit, with clubs (good) not doubled."""
    units = {
        f"{level}{code}": points * _compute_base(level, code.replace("-good", ""))
        for level in LEVELS
        for code, *_words in ADDITIONS
    }
    return {
        code: {"made": [unit], "made_step": unit, "lost": [2 * unit], "lost_step": 2 * unit}
        for code, unit in units.items()
    }


GAME = Game(
    code="danish-whist",
    title=_("Danish whist (esmakker)"),
    blurb=_(
        "The bidder names an ace to find a partner. Each extra trick bid doubles the points."
    ),
    source=_("Danish calculators, eso.org/~pmoller"),
    doubt=_("Points for sol differ between clubs. Compare 6, 12 and 24 with yours."),
    table=PointsTable(contracts=tuple(_list_contracts()), times=(2,)),
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
                    **_change_unit(5),
                    "sol": {"made": [50], "lost": [100]},
                    "clean-sol": {"made": [100], "lost": [200]},
                    "open-sol": {"made": [200], "lost": [400]},
                }
            },
        ),
    ),
)
