"""Formats the call: the sentence about moves that is read out after a hand."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.moves.move_rule import MoveRule, MovingSide
from drives.moves.table_result import Role


def format_call(rule: MoveRule) -> str:
    """Return the call for a rule, e.g. "Losers move: 1st players 1 table up, …".

    Pages replace "1st players" and "2nd players" by the club's words for the roles.
    """
    if rule.first_role_steps == rule.second_role_steps:
        move_text = _("%(where)s together") % {
            "where": _format_table_move(rule.first_role_steps)
        }
    else:
        move_text = _("1st players %(first)s, 2nd players %(second)s") % {
            "first": _format_table_move(rule.first_role_steps),
            "second": _format_table_move(rule.second_role_steps),
        }
    are_losers_moving = rule.moving_side is MovingSide.LOSERS
    movers_text = _("Losers move") if are_losers_moving else _("Winners move")
    return _("%(who)s: %(how)s. %(rest)s.") % {
        "who": movers_text,
        "how": move_text,
        "rest": _format_staying_players(rule),
    }


def _format_table_move(step_count: int) -> str:
    if step_count > 0:
        message = ngettext("%(steps)s table up", "%(steps)s tables up", step_count)
    else:
        message = ngettext("%(steps)s table down", "%(steps)s tables down", -step_count)
    return message % {"steps": abs(step_count)}


def _format_staying_players(rule: MoveRule) -> str:
    are_losers_moving = rule.moving_side is MovingSide.LOSERS
    if rule.has_head_table:
        return _("Losers at table 1 go to the last table. Partners change except at table 1")
    if rule.crossing_role is None:
        return _("Winners stay partners") if are_losers_moving else _("Losers stay partners")
    if rule.crossing_role is Role.SECOND:
        return (
            _("The winning 2nd crosses over")
            if are_losers_moving
            else _("The losing 2nd crosses over")
        )
    return (
        _("The winning 1st crosses over")
        if are_losers_moving
        else _("The losing 1st crosses over")
    )
