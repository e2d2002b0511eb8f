"""Winners move: they part and move both ways, losers stay and part too.

Source: Indian Link, March 2012, a Goan drive of sixty players.
"""

from drives.forms.form import Form, Known, warned_below_three
from drives.forms.moving import caller, first_round, mover, terms_of
from drives.moves.custom import Custom, Movers
from drives.moves.state import Role
from server.translation import gettext_noop

CUSTOM = Custom(moves=Movers.WINNERS, first=1, second=-1, crosses=Role.SECOND)

FORM = Form(
    code="winners-move",
    known=Known.RESULT,
    plans=first_round,
    moves=mover(CUSTOM),
    calls=caller(CUSTOM),
    warns=warned_below_three,
    title=gettext_noop("Winners move"),
    blurb=gettext_noop("Winners move: firsts one table up, seconds one down. Losers part."),
    price=gettext_noop("Who loses keeps the table; never the same partner twice running."),
    terms=terms_of(CUSTOM),
    roles=True,
)
