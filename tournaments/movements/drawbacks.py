"""The drawbacks of a movement for its players, in plain words."""

from collections import Counter
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.balance import Balance
from tournaments.movements.formatting import format_number, format_range
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement


def describe_drawbacks(
    movement: Movement, figures: Balance, boards_a_round: int | None = None
) -> str:
    """Describe in a few short sentences what is not perfect about a movement.

    Board groups that are missed because of a sit-out are not mentioned twice. Given the boards
    of a round, the text also shows how many tables wait where more share than there are boards.
    """
    sentences = [
        _describe_missed(movement, figures),
        _describe_partners(figures),
        _describe_unplayed(figures),
        _describe_sit_outs(figures),
        _describe_comparisons(figures),
        _describe_sharing(movement, boards_a_round) if figures.shared else "",
        _("The same people play every deal twice.") if movement.replays else "",
        _describe_no_comparison(movement),
        _("Two winners (N-S and E-W).") if movement.winners == 2 else "",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _describe_missed(movement: Movement, figures: Balance) -> str:
    if figures.met == figures.possible and movement.winners == 2:
        return _("Everyone meets the whole other side.")
    if figures.met == figures.possible and _keeps_fields(movement):
        return _("Everyone meets the whole other side, but no one on their own side.")
    if figures.met == figures.possible:
        return _("Everyone meets everyone.")
    missing = Counter(chain.from_iterable(figures.unmet))
    missed = [missing[own] for own in figures.competitors]
    least, most = min(missed), max(missed)
    if least:
        words = _("Each misses %(others)s of the others.")
        return words % {"others": format_range(least, most)}
    return _("Some miss %(others)s of the others.") % {"others": format_range(1, most)}


def _keeps_fields(movement: Movement) -> bool:
    """Return whether pairs of one field never meet, as in a Mitchell."""
    return movement.two_fields and movement.contest is Contest.PAIRS


def _describe_sharing(movement: Movement, boards: int | None) -> str:
    """Describe how tables share boards; where one always waits, how many share and wait."""
    shares = Counter((each.round, each.board_group) for each in movement.played)
    most = max(shares.values())
    waiting = most - (boards or most)
    if waiting < 1:
        return _("Some tables share boards.")
    if boards == 1:
        words = ngettext(
            "Up to %(tables)s tables share one board in a round, so "
            "%(waiting)s of them always waits.",
            "Up to %(tables)s tables share one board in a round, so "
            "%(waiting)s of them always wait.",
            waiting,
        )
    else:
        words = ngettext(
            "Up to %(tables)s tables share %(boards)s boards in a round, "
            "so %(waiting)s of them always waits.",
            "Up to %(tables)s tables share %(boards)s boards in a round, "
            "so %(waiting)s of them always wait.",
            waiting,
        )
    return words % {
        "tables": format_number(most),
        "boards": format_number(boards or 0),
        "waiting": format_number(waiting),
    }


def _describe_partners(figures: Balance) -> str:
    if figures.partners is None or figures.partners.least == figures.partners.most:
        return ""
    if figures.partners.least == 0:
        return _("Some players never partner each other.")
    least, most = figures.partners.least, figures.partners.most
    words = ngettext(
        "Two players partner each other %(times)s time.",
        "Two players partner each other %(times)s times.",
        most,
    )
    return words % {"times": format_range(least, most)}


def _describe_unplayed(figures: Balance) -> str:
    least, most = figures.unplayed.least, figures.unplayed.most
    if most == 0 or figures.unplayed == figures.sit_outs:
        return ""
    if least:
        words = ngettext(
            "Everyone misses %(groups)s set of boards.",
            "Everyone misses %(groups)s sets of boards.",
            most,
        )
    else:
        words = ngettext(
            "Some miss %(groups)s set of boards.",
            "Some miss %(groups)s sets of boards.",
            most,
        )
    return words % {"groups": format_range(max(least, 1), most)}


def _describe_sit_outs(figures: Balance) -> str:
    least, most = figures.sit_outs.least, figures.sit_outs.most
    if most == 0:
        return ""
    if least:
        words = ngettext(
            "Everyone sits out %(rounds)s round.",
            "Everyone sits out %(rounds)s rounds.",
            most,
        )
    else:
        words = ngettext(
            "Some sit out %(rounds)s round.", "Some sit out %(rounds)s rounds.", most
        )
    return words % {"rounds": format_range(max(least, 1), most)}


def _describe_comparisons(figures: Balance) -> str:
    least, most = figures.comparisons.least, figures.comparisons.most
    if most == least:
        return ""
    words = ngettext(
        "Any two are compared on %(groups)s set of boards.",
        "Any two are compared on %(groups)s sets of boards.",
        most,
    )
    return words % {"groups": format_range(least, most)}


def _describe_no_comparison(movement: Movement) -> str:
    """Return that no results can be compared, as where fewer than two tables can be filled."""
    tables = Counter(each.board_group for each in movement.played)
    if not tables or max(tables.values()) > 1:
        return ""
    return _(
        "Each board is played at only one table, so there is nothing "
        "to compare and every plus/minus is 0. Use total tricks."
    )
