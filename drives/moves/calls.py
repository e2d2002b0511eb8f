"""The call: the sentence about moves that the master of ceremonies reads out after a hand."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.moves.move_rule import Movers, MoveRule
from drives.moves.table_result import Role


def format_call(custom: MoveRule) -> str:
    """Return the call for a rule of moves: "Losers move: 1st players 1 table up, …".

    Pages replace "1st players" and "2nd players" by the house's words for the roles.
    """
    if custom.first == custom.second:
        move = _("%(where)s together") % {"where": _format_steps(custom.first)}
    else:
        move = _("1st players %(first)s, 2nd players %(second)s") % {
            "first": _format_steps(custom.first),
            "second": _format_steps(custom.second),
        }
    losers = custom.moves is Movers.LOSERS
    movers = _("Losers move") if losers else _("Winners move")
    return _("%(who)s: %(how)s. %(rest)s.") % {
        "who": movers,
        "how": move,
        "rest": _format_remaining_players(custom),
    }


def _format_steps(steps: int) -> str:
    if steps > 0:
        message = ngettext("%(steps)s table up", "%(steps)s tables up", steps)
    else:
        message = ngettext("%(steps)s table down", "%(steps)s tables down", -steps)
    return message % {"steps": abs(steps)}


def _format_remaining_players(custom: MoveRule) -> str:
    losers = custom.moves is Movers.LOSERS
    if custom.head:
        return _("Losers at table 1 go to the last table. Partners change except at table 1")
    if custom.crosses is None:
        return _("Winners stay partners") if losers else _("Losers stay partners")
    if custom.crosses is Role.SECOND:
        return _("The winning 2nd crosses over") if losers else _("The losing 2nd crosses over")
    return _("The winning 1st crosses over") if losers else _("The losing 1st crosses over")
