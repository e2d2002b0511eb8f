"""Progressive: losers move both ways, and the winning second crosses over.

Source: whistdrive.wordpress.com, the rules of a whist drive.
"""

from drives.forms.form import Form, Known, unwarned, warned_below_three
from drives.forms.moving import caller, first_round, mover, terms_of
from drives.moves.custom import Custom, Movers
from drives.moves.state import Role
from server.translation import gettext_noop

CUSTOM = Custom(moves=Movers.LOSERS, first=1, second=-1, crosses=Role.SECOND)


def _warned(players: int) -> str:
    return unwarned(players) if players >= 8 else warned_below_three(players)


FORM = Form(
    code="progressive",
    known=Known.RESULT,
    plans=first_round,
    moves=mover(CUSTOM),
    calls=caller(CUSTOM),
    warns=_warned,
    title=gettext_noop("Progressive"),
    blurb=gettext_noop("Losers move: firsts one table up, seconds one down. Winners part."),
    price=gettext_noop("Sixteen partners in 24 hands at ten tables; never one twice running."),
    terms=terms_of(CUSTOM),
    roles=True,
)
