"""Social: new partners each round, the whole plan known before play."""

from drives.draw.evening import draw_evening
from drives.forms.form import Form, Known
from server.translation import gettext_noop

FORM = Form(
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
