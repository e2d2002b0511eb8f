"""Formats movements as text for a terminal: the schedule, its balance, and suggestions."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.advice import reasons
from tournaments.movements.advice.description import describe_suggestion
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.announcement import format_announcement
from tournaments.movements.balance import Balance, Spread, compute_balance
from tournaments.movements.exports import format_exported_place
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import SizeUnit, format_size

TABLES_PER_BLOCK = 7


def format_movement(movement: Movement) -> str:
    """Format a whole movement: its schedule, its announcement, and its balance."""
    size_texts = [
        format_size(SizeUnit.TABLES, movement.table_count),
        _format_rounds(movement.round_count),
        ngettext("%(number)s set", "%(number)s sets", movement.group_count)
        % {"number": movement.group_count},
        _("two winners") if movement.winner_count == 2 else _("one winner"),
    ]
    heading = f"{movement.title}\n{', '.join(size_texts)}"
    explanation = _("Each row shows a place: who sits North-South, who East-West, and the set.")
    return "\n\n".join(
        [
            heading,
            format_schedule(movement),
            explanation,
            format_announcement(movement),
            format_balance(movement),
        ]
    )


def format_schedule(movement: Movement) -> str:
    """Format the schedule in blocks of at most seven tables, with one line for each round."""
    table_numbers = sorted({meeting.table for meeting in movement.meetings})
    table_number_blocks = [
        table_numbers[start_index : start_index + TABLES_PER_BLOCK]
        for start_index in range(0, len(table_numbers), TABLES_PER_BLOCK)
    ]
    return "\n\n".join(
        _format_table_block(movement, block_table_numbers)
        for block_table_numbers in table_number_blocks
    )


def format_balance(movement: Movement) -> str:
    """Format the balance with one statistic on each line."""
    balance = compute_balance(movement)
    meeting_text = _("%(spread)s (%(met)s of %(possible)s meet)") % {
        "spread": _format_spread(balance.meeting_spread),
        "met": balance.met_pairing_count,
        "possible": balance.possible_pairing_count,
    }
    stationary_text = (
        f"{len(balance.stationary_places)}{_format_names(movement, balance.stationary_places)}"
    )
    labelled_texts = [
        (_("Meetings"), meeting_text),
        (_("Comparisons"), _format_spread(balance.comparison_spread)),
        *_list_individual_contest_statistics(balance),
        (_("Replays"), str(balance.replay_count)),
        (_("Shared"), str(balance.shared_group_count)),
        (_("Sit-outs"), _format_spread(balance.sit_out_spread)),
        (_("Stationary"), stationary_text),
    ]
    width = max(len(label) for label, _value in labelled_texts) + 2
    return "\n".join(label.ljust(width) + text for label, text in labelled_texts)


def format_suggestions(
    suggestions: Iterable[Suggestion],
    changes: Sequence[str] = (),
    *,
    should_explain: bool = False,
) -> str:
    """Format the adviser's suggestions, below hints for playing more boards."""
    suggestion_texts = [
        f"{number}. "
        + "\n   ".join(_format_suggestion(suggestion, should_explain=should_explain))
        for number, suggestion in enumerate(suggestions, start=1)
    ]
    return "\n\n".join([*([" ".join(changes)] if changes else []), *suggestion_texts])


def _format_suggestion(suggestion: Suggestion, *, should_explain: bool) -> list[str]:
    """Format one suggestion with its requirements, advantages and drawbacks."""
    lines = [
        _format_heading(suggestion),
        reasons.format_warning(suggestion),
        _format_description(suggestion),
        _format_duration(suggestion),
        _format_statistics(suggestion),
        _format_advantage_and_drawback(suggestion),
        reasons.format_cost_terms(suggestion) if should_explain else "",
        suggestion.announcement,
        suggestion.drawbacks_text,
    ]
    return [line for line in lines if line]


def _format_heading(suggestion: Suggestion) -> str:
    boards_message = ngettext(
        "%(number)s board", "%(number)s boards", suggestion.boards_a_round
    )
    return _("%(movement)s: %(rounds)s of %(boards)s") % {
        "movement": suggestion.title,
        "rounds": _format_rounds(suggestion.round_count),
        "boards": boards_message % {"number": suggestion.boards_a_round},
    }


def _format_description(suggestion: Suggestion) -> str:
    """Format a suggestion's description in the same words as the page."""
    description = describe_suggestion(suggestion)
    length_text = f"{description.hours}: {description.length}"
    return f"{description.title}. {length_text}. {description.meets} {description.boards}."


def _format_duration(suggestion: Suggestion) -> str:
    message = ngettext("%(minutes)s minute", "%(minutes)s minutes", suggestion.minutes)
    duration_text = message % {"minutes": suggestion.minutes}
    return (
        f"{duration_text}; {suggestion.shorter_alternative}"
        if suggestion.shorter_alternative
        else duration_text
    )


def _format_advantage_and_drawback(suggestion: Suggestion) -> str:
    advantage_message, drawback = (
        _("Advantage: %(reason)s"),
        reasons.format_drawback(suggestion),
    )
    advantage_text = advantage_message % {"reason": reasons.format_advantage(suggestion)}
    if not drawback:
        return advantage_text
    downside = _("Downside: %(reason)s") % {"reason": drawback}
    return f"{advantage_text} {downside}"


def _format_statistics(suggestion: Suggestion) -> str:
    message = _(
        "%(boards)s boards, each plays %(plays)s, meetings %(met)s "
        "of %(possible)s, comparisons %(comparisons)s, sit-outs "
        "%(sit_outs)s, winners %(winners)s, stationary %(stationary)s"
    )
    return message % {
        "boards": _format_board_total(suggestion),
        "plays": _format_spread(suggestion.boards_played_range),
        "met": suggestion.met_pairing_count,
        "possible": suggestion.possible_pairing_count,
        "comparisons": _format_spread(suggestion.comparison_spread),
        "sit_outs": suggestion.sit_out_spread.maximum,
        "winners": suggestion.winner_count,
        "stationary": suggestion.stationary_count,
    }


def _format_board_total(suggestion: Suggestion) -> str:
    if suggestion.copy_count == 1:
        return str(suggestion.board_count)
    message = _("%(copies)s × %(boards)s")
    return message % {"copies": suggestion.copy_count, "boards": suggestion.board_count}


def _format_rounds(round_count: int) -> str:
    return ngettext("%(number)s round", "%(number)s rounds", round_count) % {
        "number": round_count
    }


def _format_table_block(movement: Movement, table_numbers: Sequence[int]) -> str:
    cells_by_position = {
        (meeting.round, meeting.table): _format_cell(movement, meeting)
        for meeting in movement.played_meetings
    }
    table_headings = [
        _("Table %(table)s") % {"table": table_number} for table_number in table_numbers
    ]
    rows = [[_("Round"), *table_headings]]
    for round_number in range(1, movement.round_count + 1):
        rows.append(
            [
                str(round_number),
                *(
                    cells_by_position.get((round_number, table_number), "-")
                    for table_number in table_numbers
                ),
            ]
        )
    column_widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, column_widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _format_cell(movement: Movement, meeting: Meeting) -> str:
    ns, ew = (
        "+".join(str(_format_place(movement, place)) for place in places)
        for places in (meeting.ns, meeting.ew)
    )
    return _("%(ns)s v %(ew)s: %(group)s") % {"ns": ns, "ew": ew, "group": meeting.board_group}


def _format_place(movement: Movement, place: int) -> int | str:
    if movement.contest is Contest.TEAMS:
        return format_exported_place(movement, place)
    return movement.labels[place - 1]


def _list_individual_contest_statistics(balance: Balance) -> list[tuple[str, str]]:
    if balance.partner_spread is None or balance.opponent_spread is None:
        return []
    return [
        (_("Partners"), _format_spread(balance.partner_spread)),
        (_("Opponents"), _format_spread(balance.opponent_spread)),
    ]


def _format_names(movement: Movement, places: Sequence[int]) -> str:
    return f" ({', '.join(movement.labels[place - 1] for place in places)})" if places else ""


def _format_spread(spread: Spread) -> str:
    if spread.minimum == spread.maximum:
        return str(spread.maximum)
    return _("%(least)s to %(most)s") % {"least": spread.minimum, "most": spread.maximum}
