"""Standing: tables filled from the standing, the best together."""

from collections.abc import Sequence

from drives.draw.company import Company, Drawn, Player
from drives.draw.standing import draw_standing
from drives.forms.form import Form, Known
from drives.forms.moving import first_round
from server.translation import gettext_noop


def _draw(
    company: Company, secret: bytes, played: Sequence[Drawn], standing: Sequence[Player]
) -> Drawn:
    return draw_standing(company, standing, secret, played=played)


FORM = Form(
    code="standing",
    known=Known.ONE_ROUND,
    plans=first_round,
    draws=_draw,
    title=gettext_noop("By the standing"),
    blurb=gettext_noop("Places 1 to 4 meet at table 1, 5 to 8 at table 2; first with fourth."),
    price=gettext_noop("Every score must be in before the next round; equals meet often."),
    terms={},
    roles=False,
)
