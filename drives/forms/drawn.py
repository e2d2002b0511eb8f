"""The forms in which every round is drawn: social drive by lot, or from the standings."""

from collections.abc import Sequence

from drives.draw.company import Company, Drawn, Player
from drives.draw.evening import draw_evening, draw_next
from drives.draw.standing import draw_standing
from drives.forms.form import Form, Known
from drives.forms.moving import first_round
from server.translation import gettext_noop


def _by_lot(
    company: Company, secret: bytes, played: Sequence[Drawn], _standing: Sequence[Player]
) -> Drawn:
    return draw_next(company, secret, played=played)


def _by_standing(
    company: Company, secret: bytes, played: Sequence[Drawn], standing: Sequence[Player]
) -> Drawn:
    return draw_standing(company, standing, secret, played=played)


SOCIAL = Form(
    code="social",
    known=Known.AHEAD,
    plans=draw_evening,
    title=gettext_noop("Social drive"),
    blurb=gettext_noop("New partners each round, the same two together as seldom as can be."),
    price=gettext_noop(
        "When somebody comes late or leaves, the rounds to come are drawn again."
    ),
    terms={},
    roles=False,
)
LOT = Form(
    code="lot",
    known=Known.ONE_ROUND,
    plans=draw_evening,
    draws=_by_lot,
    title=gettext_noop("By the lot"),
    blurb=gettext_noop("Partners are drawn before each round; nobody gets the same one again."),
    price=gettext_noop("Everybody looks for a table after each round."),
    terms={},
    roles=False,
)
"""A draw with memory of earlier meetings; planned ahead where the number of rounds is known."""
STANDING = Form(
    code="standing",
    known=Known.ONE_ROUND,
    plans=first_round,
    draws=_by_standing,
    title=gettext_noop("By the standing"),
    blurb=gettext_noop("Places 1 to 4 meet at table 1, 5 to 8 at table 2; first with fourth."),
    price=gettext_noop("Every score must be in before the next round; equals meet often."),
    terms={},
    roles=False,
)
"""A draw that fills the tables from the standings, the best together."""
