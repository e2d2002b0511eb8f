"""The forms in which results move the players; a lot seats the first round."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from drives.draw.chance import Chance
from drives.draw.company import Company, Drawn, Player, check_rounds
from drives.draw.evening import Plan
from drives.draw.figures import figures
from drives.draw.resting import who_rests
from drives.errors import UnplayableDrive
from drives.forms.form import Form, Known, no_terms, unwarned, warned_below_three
from drives.moves.calls import call
from drives.moves.custom import Custom, Movers
from drives.moves.cut import cut
from drives.moves.mover import move
from drives.moves.state import Role, Table
from server.translation import gettext_noop


def first_round(company: Company, rounds: int, secret: bytes) -> Plan:
    """Seat the first round by lot; the results make the others.

    Raises UnplayableDrive for wishes that conflict with moves by results.
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


def _by_custom(
    code: str,
    custom: Custom,
    *,
    title: str,
    blurb: str,
    price: str,
    warns: Callable[[int], str] = warned_below_three,
) -> Form:
    """Create a form in which results move by a custom that the terms of a house may change."""

    def moves(
        tables: Sequence[Table], terms: dict[str, Any], rests: Mapping[Player, int] | None
    ) -> Drawn:
        return move(tables, custom.with_terms(terms), rests)

    return Form(
        code=code,
        known=Known.RESULT,
        plans=first_round,
        moves=moves,
        calls=lambda terms: call(custom.with_terms(terms)),
        warns=warns,
        title=title,
        blurb=blurb,
        price=price,
        terms={
            "moves": str(custom.moves),
            "first": custom.first,
            "second": custom.second,
            "crosses": None if custom.crosses is None else str(custom.crosses),
        },
        roles=True,
    )


def _warned_of_one_table(players: int) -> str:
    return unwarned(players) if players >= 8 else warned_below_three(players)


def _move_cut(
    tables: Sequence[Table], terms: dict[str, Any], _rests: Mapping[Player, int] | None
) -> Drawn:
    no_terms("cut", terms)
    return cut(tables)


def _call_cut(_terms: dict[str, Any]) -> str:
    return _("Losers retire; the winners of two tables meet.")


PROGRESSIVE = _by_custom(
    "progressive",
    Custom(moves=Movers.LOSERS, first=1, second=-1, crosses=Role.SECOND),
    title=gettext_noop("Progressive"),
    blurb=gettext_noop("Losers move: firsts one table up, seconds one down. Winners part."),
    price=gettext_noop("Sixteen partners in 24 hands at ten tables; never one twice running."),
    warns=_warned_of_one_table,
)
"""Source: whistdrive.wordpress.com, the rules of a whist drive."""
SEMI_PARTNER = _by_custom(
    "semi-partner",
    Custom(moves=Movers.LOSERS, first=1, second=-1, crosses=None),
    title=gettext_noop("Semi-partner"),
    blurb=gettext_noop("Losers move: firsts one table up, seconds one down. Winners stay."),
    price=gettext_noop("Ten partners in 24 hands at ten tables; some sit ten hands with one."),
)
"""Source: whistdrive.wordpress.com, the rules of a whist drive."""
WINNERS_MOVE = _by_custom(
    "winners-move",
    Custom(moves=Movers.WINNERS, first=1, second=-1, crosses=Role.SECOND),
    title=gettext_noop("Winners move"),
    blurb=gettext_noop("Winners move: firsts one table up, seconds one down. Losers part."),
    price=gettext_noop("Who loses keeps the table; never the same partner twice running."),
)
"""Source: Indian Link, March 2012, a Goan drive of sixty players."""
HEAD_TABLE = _by_custom(
    "head-table",
    Custom(moves=Movers.WINNERS, first=-1, second=-1, crosses=Role.SECOND, head=True),
    title=gettext_noop("Head table"),
    blurb=gettext_noop("Winners move towards table 1, its losers to the last table."),
    price=gettext_noop("About nine of 24 hands with the same partner, at ten tables."),
)
"""Source: the progressive games of the older books, with their head table and booby table."""
CUT = Form(
    code="cut",
    known=Known.RESULT,
    plans=first_round,
    moves=_move_cut,
    calls=_call_cut,
    title=gettext_noop("Cut"),
    blurb=gettext_noop("Losers retire after each round, until one table is left."),
    price=gettext_noop("Half of the players are spectators after the first round."),
    terms={},
    roles=True,
)
"""A form in which the field shrinks to one table."""
