"""Semi-partner: winners stay partners, losers part and move both ways.

Source: whistdrive.wordpress.com, the rules of a whist drive.
"""

from drives.forms.form import Form, Known, warned_below_three
from drives.forms.moving import caller, first_round, mover, terms_of
from drives.moves.custom import Custom, Movers
from server.translation import gettext_noop

CUSTOM = Custom(moves=Movers.LOSERS, first=1, second=-1, crosses=None)

FORM = Form(
    code="semi-partner",
    known=Known.RESULT,
    plans=first_round,
    moves=mover(CUSTOM),
    calls=caller(CUSTOM),
    warns=warned_below_three,
    title=gettext_noop("Semi-partner"),
    blurb=gettext_noop("Losers move: firsts one table up, seconds one down. Winners stay."),
    price=gettext_noop("Ten partners in 24 hands at ten tables; some sit ten hands with one."),
    terms=terms_of(CUSTOM),
    roles=True,
)
