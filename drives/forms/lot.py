"""Lot: partners drawn one round at a time, with memory of who met whom.

Where the number of rounds is told beforehand it is planned as the social drive is.
"""

from collections.abc import Sequence

from drives.draw.company import Company, Drawn, Player
from drives.draw.evening import draw_evening, draw_next
from drives.forms.form import Form, Known
from server.translation import gettext_noop


def _draw(
    company: Company, secret: bytes, played: Sequence[Drawn], _standing: Sequence[Player]
) -> Drawn:
    return draw_next(company, secret, played=played)


FORM = Form(
    code="lot",
    known=Known.ONE_ROUND,
    plans=draw_evening,
    draws=_draw,
    title=gettext_noop("By the lot"),
    blurb=gettext_noop("Partners are drawn before each round; nobody gets the same one again."),
    price=gettext_noop("Everybody looks for a table after each round."),
    terms={},
    roles=False,
)
