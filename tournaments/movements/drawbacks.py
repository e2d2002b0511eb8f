"""Describes the drawbacks of a movement for its players."""

from collections import Counter
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.balance import Balance
from tournaments.movements.formatting import format_number, format_range
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement


def describe_drawbacks(
    movement: Movement, balance: Balance, boards_a_round: int | None = None
) -> str:
    """Describe the drawbacks of a movement in a few short sentences.

    Board groups that are missed because of a sit-out are not mentioned twice. If
    `boards_a_round` is given, the text also says how many tables wait if more tables share
    boards than there are boards.
    """
    sentences = [
        _describe_unmet_opponents(movement, balance),
        _describe_partners(balance),
        _describe_unplayed_boards(balance),
        _describe_sit_outs(balance),
        _describe_comparisons(balance),
        _describe_board_sharing(movement, boards_a_round) if balance.shared_group_count else "",
        _("The same people play every deal twice.") if movement.allows_replays else "",
        _describe_missing_comparisons(movement),
        _("Two winners (N-S and E-W).") if movement.winner_count == 2 else "",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _describe_unmet_opponents(movement: Movement, balance: Balance) -> str:
    if (
        balance.met_pairing_count == balance.possible_pairing_count
        and movement.winner_count == 2
    ):
        return _("Everyone meets the whole other side.")
    if balance.met_pairing_count == balance.possible_pairing_count and _has_separate_fields(
        movement
    ):
        return _(
            "Everyone meets all opponents on the other side, but no one on their own side."
        )
    if balance.met_pairing_count == balance.possible_pairing_count:
        return _("Everyone meets everyone.")
    unmet_counts = Counter(chain.from_iterable(balance.unmet_pairings))
    unmet_opponent_counts = [unmet_counts[competitor] for competitor in balance.competitors]
    minimum, maximum = min(unmet_opponent_counts), max(unmet_opponent_counts)
    if minimum:
        message = _("Each misses %(others)s of the others.")
        return message % {"others": format_range(minimum, maximum)}
    return _("Some miss %(others)s of the others.") % {"others": format_range(1, maximum)}


def _has_separate_fields(movement: Movement) -> bool:
    """Return whether pairs of one field never meet, as in a Mitchell."""
    return movement.has_two_fields and movement.contest is Contest.PAIRS


def _describe_board_sharing(movement: Movement, boards_a_round: int | None) -> str:
    """Describe how tables share boards, and how many must wait."""
    table_counts = Counter(
        (meeting.round, meeting.board_group) for meeting in movement.played_meetings
    )
    maximum = max(table_counts.values())
    waiting_table_count = maximum - (boards_a_round or maximum)
    if waiting_table_count < 1:
        return _("Some tables share boards.")
    if boards_a_round == 1:
        message = ngettext(
            "Up to %(tables)s tables share one board in a round, so "
            "%(waiting)s of them always waits.",
            "Up to %(tables)s tables share one board in a round, so "
            "%(waiting)s of them always wait.",
            waiting_table_count,
        )
    else:
        message = ngettext(
            "Up to %(tables)s tables share %(boards)s boards in a round, "
            "so %(waiting)s of them always waits.",
            "Up to %(tables)s tables share %(boards)s boards in a round, "
            "so %(waiting)s of them always wait.",
            waiting_table_count,
        )
    return message % {
        "tables": format_number(maximum),
        "boards": format_number(boards_a_round or 0),
        "waiting": format_number(waiting_table_count),
    }


def _describe_partners(balance: Balance) -> str:
    if (
        balance.partner_spread is None
        or balance.partner_spread.minimum == balance.partner_spread.maximum
    ):
        return ""
    if balance.partner_spread.minimum == 0:
        return _("Some players never partner each other.")
    minimum, maximum = balance.partner_spread.minimum, balance.partner_spread.maximum
    message = ngettext(
        "Two players partner each other %(times)s time.",
        "Two players partner each other %(times)s times.",
        maximum,
    )
    return message % {"times": format_range(minimum, maximum)}


def _describe_unplayed_boards(balance: Balance) -> str:
    minimum, maximum = (
        balance.unplayed_group_spread.minimum,
        balance.unplayed_group_spread.maximum,
    )
    if maximum == 0 or balance.unplayed_group_spread == balance.sit_out_spread:
        return ""
    if minimum:
        message = ngettext(
            "Everyone misses %(groups)s set of boards.",
            "Everyone misses %(groups)s sets of boards.",
            maximum,
        )
    else:
        message = ngettext(
            "Some miss %(groups)s set of boards.",
            "Some miss %(groups)s sets of boards.",
            maximum,
        )
    return message % {"groups": format_range(max(minimum, 1), maximum)}


def _describe_sit_outs(balance: Balance) -> str:
    minimum, maximum = balance.sit_out_spread.minimum, balance.sit_out_spread.maximum
    if maximum == 0:
        return ""
    if minimum:
        message = ngettext(
            "Everyone sits out %(rounds)s round.",
            "Everyone sits out %(rounds)s rounds.",
            maximum,
        )
    else:
        message = ngettext(
            "Some sit out %(rounds)s round.", "Some sit out %(rounds)s rounds.", maximum
        )
    return message % {"rounds": format_range(max(minimum, 1), maximum)}


def _describe_comparisons(balance: Balance) -> str:
    minimum, maximum = balance.comparison_spread.minimum, balance.comparison_spread.maximum
    if maximum == minimum:
        return ""
    message = ngettext(
        "Any two are compared on %(groups)s set of boards.",
        "Any two are compared on %(groups)s sets of boards.",
        maximum,
    )
    return message % {"groups": format_range(minimum, maximum)}


def _describe_missing_comparisons(movement: Movement) -> str:
    """Return a sentence if no results can be compared, e.g. with only one complete table."""
    table_counts = Counter(meeting.board_group for meeting in movement.played_meetings)
    if not table_counts or max(table_counts.values()) > 1:
        return ""
    return _(
        "Each board is played at only one table, so there is nothing "
        "to compare and every plus/minus is 0. Use total tricks."
    )
