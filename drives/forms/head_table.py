"""Head table: winners move up to table 1, whose losers go to the last table.

Source: the progressive games of the older books, with their head table and booby table.
"""

from drives.forms.form import Form, Known, warned_below_three
from drives.forms.moving import caller, first_round, mover, terms_of
from drives.moves.custom import Custom, Movers
from drives.moves.state import Role
from server.translation import gettext_noop

CUSTOM = Custom(moves=Movers.WINNERS, first=-1, second=-1, crosses=Role.SECOND, head=True)

FORM = Form(
    code="head-table",
    known=Known.RESULT,
    plans=first_round,
    moves=mover(CUSTOM),
    calls=caller(CUSTOM),
    warns=warned_below_three,
    title=gettext_noop("Head table"),
    blurb=gettext_noop("Winners move towards table 1, its losers to the last table."),
    price=gettext_noop("About nine of 24 hands with the same partner, at ten tables."),
    terms=terms_of(CUSTOM),
    roles=True,
)
