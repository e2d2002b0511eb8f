"""Sentences about the consequences of a change of seats: a short form, and a full list."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.models import BoardSet
from tournaments.movements.changes import Continuation
from tournaments.movements.changes.consequences import Clash
from tournaments.movements.formatting import format_table, join_names
from tournaments.sheets.schedule import format_boards

MAX_LINES = 2
MAX_GROUPS_NAMED = 4  # sets of boards that are named; more are counted
EntryNamer = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Losses:
    """The consequences of a change as short lines, with a full list if those only count
    them.
    """

    short: tuple[str, ...]
    whole: tuple[str, ...]
    is_loss: bool


def describe_consequences(
    continuation: Continuation,
    boards_a_round: int,
    board_set: BoardSet | None,
    name_entry: EntryNamer,
    letter: str = "",
) -> Losses:
    """Describe the consequences of a way to continue.

    More than two consequences of a kind are counted in one sentence. `letter` is that of the
    section if there are several.
    """
    kinds = [
        _describe_clashes(continuation, boards_a_round, name_entry, letter),
        _describe_repeated_meetings(continuation, name_entry),
        _describe_lost_meetings(continuation, name_entry),
        _describe_lost_boards(continuation, boards_a_round, name_entry),
        _describe_sit_outs(continuation, name_entry),
    ]
    short_lines: list[str] = _describe_newcomer(continuation)
    full_lines: list[str] = []
    for lines, count_sentence in kinds:
        is_short_list = len(lines) <= MAX_LINES
        short_lines += lines if is_short_list else [count_sentence]
        full_lines += [] if is_short_list else lines
    short_lines += _describe_new_boards(continuation, boards_a_round, board_set)
    lossless = not continuation.consequences.new_groups and not any(
        lines for lines, _counted in kinds
    )
    return Losses(tuple(short_lines), tuple(full_lines), is_loss=not lossless)


def _describe_newcomer(continuation: Continuation) -> list[str]:
    """Describe the rounds in which a late pair plays."""
    places = set(continuation.newcomers)
    rounds = sorted(
        {e.round for e in continuation.movement.played if places.intersection(e.places)}
    )
    if not rounds:
        return []
    message = ngettext(
        "The newcomer plays in round %(rounds)s.",
        "The newcomer plays in rounds %(rounds)s.",
        len(rounds),
    )
    return [message % {"rounds": join_names([str(number) for number in rounds])}]


def _describe_clashes(
    continuation: Continuation, boards_a_round: int, name_entry: EntryNamer, letter: str
) -> tuple[list[str], str]:
    lines = [
        _describe_clash(clash, boards_a_round, name_entry, letter)
        for clash in continuation.clashes
    ]
    left_out = sum(clash.instead is None for clash in continuation.clashes)
    clash_count = len(lines) - left_out
    count_sentences = []
    if left_out:
        message = ngettext(
            "%(count)s table won't be played, because someone there has already played its "
            "boards.",
            "%(count)s tables won't be played, because someone there has already played their "
            "boards.",
            left_out,
        )
        count_sentences.append(message % {"count": left_out})
    if clash_count:
        message = ngettext(
            "%(count)s table takes other boards, because someone there has played its own.",
            "%(count)s tables take other boards, because someone there has played their own.",
            clash_count,
        )
        count_sentences.append(message % {"count": clash_count})
    return lines, " ".join(count_sentences)


def _describe_clash(
    clash: Clash, boards_a_round: int, name_entry: EntryNamer, letter: str
) -> str:
    templates = {
        "round": clash.round,
        "table": format_table(clash.table, letter),
        "who": join_names([name_entry(place) for place in clash.earlier_players]),
        "boards": format_boards(clash.board_group, boards_a_round),
    }
    if clash.instead is None:
        return (
            _(
                "Round %(round)s, table %(table)s: %(who)s already played "
                "boards %(boards)s. The table isn't played."
            )
            % templates
        )
    templates["instead"] = format_boards(clash.instead, boards_a_round)
    return (
        _(
            "Round %(round)s, table %(table)s: %(who)s already played "
            "boards %(boards)s. The table plays %(instead)s."
        )
        % templates
    )


def _describe_repeated_meetings(
    continuation: Continuation, name_entry: EntryNamer
) -> tuple[list[str], str]:
    lines = [
        _("%(one)s and %(other)s meet again in rounds %(rounds)s.")
        % {
            "one": name_entry(repeated_meeting.couple[0]),
            "other": name_entry(repeated_meeting.couple[1]),
            "rounds": join_names([str(number) for number in repeated_meeting.rounds]),
        }
        for repeated_meeting in continuation.consequences.met_again
    ]
    message = ngettext("%(count)s pair meets again.", "%(count)s pairs meet again.", len(lines))
    return lines, message % {"count": len(lines)}


def _describe_lost_meetings(
    continuation: Continuation, name_entry: EntryNamer
) -> tuple[list[str], str]:
    lines = [
        _("%(one)s and %(other)s no longer meet.")
        % {"one": name_entry(one), "other": name_entry(other)}
        for one, other in continuation.consequences.no_longer_met
    ]
    message = ngettext(
        "%(count)s pair no longer meets.", "%(count)s pairs no longer meet.", len(lines)
    )
    return lines, message % {"count": len(lines)}


def _describe_lost_boards(
    continuation: Continuation, boards_a_round: int, name_entry: EntryNamer
) -> tuple[list[str], str]:
    lines = [
        _("%(who)s can no longer play boards %(boards)s.")
        % {
            "boards": format_boards(loss.board_group, boards_a_round),
            "who": join_names([name_entry(place) for place in loss.places]),
        }
        for loss in continuation.consequences.lost_boards
    ]
    groups = [
        format_boards(loss.board_group, boards_a_round)
        for loss in continuation.consequences.lost_boards
    ]
    scoring_note = _("Each is still scored among those who play it.")
    if len(groups) > MAX_GROUPS_NAMED:
        message = _("%(count)s sets of boards are no longer played by everyone.")
    else:
        message = _("Boards that some can no longer play: %(boards)s.")
    return (
        lines,
        f"{message % {'count': len(groups), 'boards': ', '.join(groups)}} {scoring_note}",
    )


def _describe_sit_outs(
    continuation: Continuation, name_entry: EntryNamer
) -> tuple[list[str], str]:
    lines = [
        _("%(who)s sits out round %(rounds)s.")
        % {"who": name_entry(place), "rounds": join_names([str(number) for number in rounds])}
        for place, rounds in continuation.consequences.sit_outs
    ]
    return lines, _("%(count)s sit out one more round.") % {"count": len(lines)}


def _describe_new_boards(
    continuation: Continuation, boards_a_round: int, board_set: BoardSet | None
) -> list[str]:
    """Describe which additional boards are needed, and whether they are dealt or shuffled."""
    groups = continuation.consequences.new_groups
    if not groups:
        return []
    first, last = (groups[0] - 1) * boards_a_round + 1, groups[-1] * boards_a_round
    if board_set is None:
        message = _("Extra boards %(first)s–%(last)s needed, dealt at the tables.")
    elif last < board_set.first + board_set.size:
        message = _("Extra boards %(first)s–%(last)s needed (already dealt).")
    elif board_set.is_sealed:
        message = _(
            "Extra boards %(first)s–%(last)s needed. The cards are "
            "hidden from everyone, so shuffle these at the tables."
        )
    elif board_set.source == BoardSet.Source.GENERATED:
        message = _(
            "Extra boards %(first)s–%(last)s needed. The program deals them when you continue."
        )
    else:
        message = _(
            "Extra boards %(first)s–%(last)s needed, dealt at the "
            "tables. You can enter their hands like the others."
        )
    return [message % {"first": first, "last": last}]
