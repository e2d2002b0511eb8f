"""The call: what the master of ceremonies reads out after a hand, in one sentence."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.moves.custom import Custom, Movers
from drives.moves.state import Role


def call(custom: Custom) -> str:
    """Say who moves where, in the words of the roles: Losers move: firsts one table up, ….

    The words for the roles are those of the house; a page puts its own in their places.
    """
    if custom.first == custom.second:
        how = _("%(where)s together") % {"where": _where(custom.first)}
    else:
        how = _("firsts %(first)s, seconds %(second)s") % {
            "first": _where(custom.first),
            "second": _where(custom.second),
        }
    losers = custom.moves is Movers.LOSERS
    who = _("Losers move") if losers else _("Winners move")
    return _("%(who)s: %(how)s; %(rest)s.") % {"who": who, "how": how, "rest": _rest(custom)}


def _where(steps: int) -> str:
    if steps > 0:
        words = ngettext("%(steps)s table up", "%(steps)s tables up", steps)
    else:
        words = ngettext("%(steps)s table down", "%(steps)s tables down", -steps)
    return words % {"steps": abs(steps)}


def _rest(custom: Custom) -> str:
    losers = custom.moves is Movers.LOSERS
    if custom.head:
        return _("the losers of table 1 go to the last table; partners change but at table 1")
    if custom.crosses is None:
        return _("winners stay partners") if losers else _("losers stay partners")
    if custom.crosses is Role.SECOND:
        return (
            _("the winning second crosses over") if losers else _("the losing second crosses")
        )
    return _("the winning first crosses over") if losers else _("the losing first crosses over")
