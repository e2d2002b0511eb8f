"""Cut: losers retire, and the field shrinks to one table."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from drives.draw.company import Player
from drives.forms.form import Form, Known, no_terms
from drives.forms.moving import first_round
from drives.moves.cut import cut
from drives.moves.mover import Moved
from drives.moves.state import Table
from server.translation import gettext_noop


def _move(
    tables: Sequence[Table], terms: dict[str, Any], _rests: Mapping[Player, int] | None
) -> Moved:
    no_terms("cut", terms)
    return cut(tables)


def _call(_terms: dict[str, Any]) -> str:
    return _("Losers retire; the winners of two tables meet.")


FORM = Form(
    code="cut",
    known=Known.RESULT,
    plans=first_round,
    moves=_move,
    calls=_call,
    title=gettext_noop("Cut"),
    blurb=gettext_noop("Losers retire after each round, until one table is left."),
    price=gettext_noop("Half of the players are spectators after the first round."),
    terms={},
    roles=True,
)
