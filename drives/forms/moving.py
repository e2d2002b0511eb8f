"""What the result-driven forms share: the first round by the lot, and moves by a custom."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from drives.draw.chance import Chance
from drives.draw.company import Company, Drawn, Player, check_rounds
from drives.draw.evening import Plan
from drives.draw.figures import figures
from drives.draw.resting import who_rests
from drives.errors import UnplayableDrive
from drives.forms.form import Caller, Mover
from drives.moves.calls import call
from drives.moves.custom import Custom
from drives.moves.mover import Moved, move
from drives.moves.state import Table


def first_round(company: Company, rounds: int, secret: bytes) -> Plan:
    """Seat the first round by the lot; the results make the others.

    Raises UnplayableDrive where wishes ask for what results decide.
    """
    check_rounds(rounds)
    if company.seated or company.apart:
        raise UnplayableDrive(
            _("In this form results say who moves: nobody stays seated or is kept apart.")
        )
    chance = Chance(secret, "first-round")
    names = company.players
    ledger = [company.ledger.get(name, 0) for name in names]
    resting = set(who_rests(company.resting, [0] * len(names), ledger, chance))
    order: list[Player] = [
        *chance.shuffled([name for k, name in enumerate(names) if k not in resting]),
        *company.filling,
    ]
    tables = tuple(
        (order[at], order[at + 1], order[at + 2], order[at + 3])
        for at in range(0, len(order), 4)
    )
    drawn = Drawn(tables, tuple(names[k] for k in sorted(resting)))
    return Plan(rounds=(drawn,), figures=figures([drawn], names), tries=0)


def mover(custom: Custom) -> Mover:
    """Let results move by a custom, with the terms of a house in it."""

    def moves(
        tables: Sequence[Table], terms: dict[str, Any], rests: Mapping[Player, int] | None
    ) -> Moved:
        return move(tables, custom.with_terms(terms), rests)

    return moves


def caller(custom: Custom) -> Caller:
    """Read a custom out, with the terms of a house in it."""
    return lambda terms: call(custom.with_terms(terms))


def terms_of(custom: Custom) -> dict[str, object]:
    """The terms of a custom, as a file has them."""
    return {
        "moves": str(custom.moves),
        "first": custom.first,
        "second": custom.second,
        "crosses": None if custom.crosses is None else str(custom.crosses),
    }
