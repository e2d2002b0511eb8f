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
MAX_NAMED_GROUPS = 4  # if there are more sets of boards, they are counted instead of named
EntryNamer = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class LossSentences:
    """Sentences about the consequences: a summary, and those that the summary only counts."""

    summary_lines: tuple[str, ...]
    detailed_lines: tuple[str, ...]
    has_losses: bool


def describe_consequences(
    continuation: Continuation,
    boards_a_round: int,
    board_set: BoardSet | None,
    name_entry: EntryNamer,
    section_letter: str = "",
) -> LossSentences:
    """Describe the consequences of a way to continue.

    More than two consequences of a kind are counted in one sentence. `section_letter` is
    "" if the session has one section.
    """
    sentences_and_count_sentences = [
        _describe_clashes(continuation, boards_a_round, name_entry, section_letter),
        _describe_repeated_meetings(continuation, name_entry),
        _describe_lost_meetings(continuation, name_entry),
        _describe_lost_boards(continuation, boards_a_round, name_entry),
        _describe_sit_outs(continuation, name_entry),
    ]
    summary_lines: list[str] = _describe_newcomer(continuation)
    detailed_lines: list[str] = []
    for sentences, count_sentence in sentences_and_count_sentences:
        is_short_list = len(sentences) <= MAX_LINES
        summary_lines += sentences if is_short_list else [count_sentence]
        detailed_lines += [] if is_short_list else sentences
    summary_lines += _describe_new_boards(continuation, boards_a_round, board_set)
    has_no_losses = not continuation.consequences.new_groups and not any(
        sentences for sentences, _count_sentence in sentences_and_count_sentences
    )
    return LossSentences(
        tuple(summary_lines), tuple(detailed_lines), has_losses=not has_no_losses
    )


def _describe_newcomer(continuation: Continuation) -> list[str]:
    """Describe the rounds in which a late pair plays."""
    newcomer_places = set(continuation.newcomer_places)
    round_numbers = sorted(
        {
            meeting.round
            for meeting in continuation.movement.played_meetings
            if newcomer_places.intersection(meeting.places)
        }
    )
    if not round_numbers:
        return []
    message = ngettext(
        "The newcomer plays in round %(rounds)s.",
        "The newcomer plays in rounds %(rounds)s.",
        len(round_numbers),
    )
    return [
        message % {"rounds": join_names([str(round_number) for round_number in round_numbers])}
    ]


def _describe_clashes(
    continuation: Continuation, boards_a_round: int, name_entry: EntryNamer, section_letter: str
) -> tuple[list[str], str]:
    sentences = [
        _describe_clash(clash, boards_a_round, name_entry, section_letter)
        for clash in continuation.clashes
    ]
    left_out_clash_count = sum(
        clash.replacement_board_group is None for clash in continuation.clashes
    )
    clash_count = len(sentences) - left_out_clash_count
    count_sentences = []
    if left_out_clash_count:
        message = ngettext(
            "%(count)s table can’t play: someone there has already played its boards.",
            "%(count)s tables can’t play: someone there has already played their boards.",
            left_out_clash_count,
        )
        count_sentences.append(message % {"count": left_out_clash_count})
    if clash_count:
        message = ngettext(
            "%(count)s table takes other boards: someone there has already played its own.",
            "%(count)s tables take other boards: someone there has already played their own.",
            clash_count,
        )
        count_sentences.append(message % {"count": clash_count})
    return sentences, " ".join(count_sentences)


def _describe_clash(
    clash: Clash, boards_a_round: int, name_entry: EntryNamer, section_letter: str
) -> str:
    placeholders = {
        "round": clash.round,
        "table": format_table(clash.table, section_letter),
        "who": join_names([name_entry(place) for place in clash.places_that_have_played]),
        "boards": format_boards(clash.board_group, boards_a_round),
    }
    if clash.replacement_board_group is None:
        return (
            _(
                "Round %(round)s, table %(table)s: %(who)s already played boards "
                "%(boards)s. The table can’t play."
            )
            % placeholders
        )
    placeholders["instead"] = format_boards(clash.replacement_board_group, boards_a_round)
    return (
        _(
            "Round %(round)s, table %(table)s: %(who)s already played "
            "boards %(boards)s. The table plays %(instead)s."
        )
        % placeholders
    )


def _describe_repeated_meetings(
    continuation: Continuation, name_entry: EntryNamer
) -> tuple[list[str], str]:
    sentences = [
        _("%(one)s and %(other)s meet again in rounds %(rounds)s.")
        % {
            "one": name_entry(repeated_meeting.pairing[0]),
            "other": name_entry(repeated_meeting.pairing[1]),
            "rounds": join_names(
                [str(round_number) for round_number in repeated_meeting.rounds]
            ),
        }
        for repeated_meeting in continuation.consequences.repeated_meetings
    ]
    message = ngettext(
        "%(count)s pair meets again.", "%(count)s pairs meet again.", len(sentences)
    )
    return sentences, message % {"count": len(sentences)}


def _describe_lost_meetings(
    continuation: Continuation, name_entry: EntryNamer
) -> tuple[list[str], str]:
    sentences = [
        _("%(one)s and %(other)s no longer meet.")
        % {"one": name_entry(first_place), "other": name_entry(second_place)}
        for first_place, second_place in continuation.consequences.lost_meetings
    ]
    message = ngettext(
        "%(count)s pair no longer meets.", "%(count)s pairs no longer meet.", len(sentences)
    )
    return sentences, message % {"count": len(sentences)}


def _describe_lost_boards(
    continuation: Continuation, boards_a_round: int, name_entry: EntryNamer
) -> tuple[list[str], str]:
    sentences = [
        _("%(who)s can no longer play boards %(boards)s.")
        % {
            "boards": format_boards(loss.board_group, boards_a_round),
            "who": join_names([name_entry(place) for place in loss.places]),
        }
        for loss in continuation.consequences.lost_boards
    ]
    board_ranges = [
        format_boards(loss.board_group, boards_a_round)
        for loss in continuation.consequences.lost_boards
    ]
    placeholders = {"count": len(board_ranges), "boards": ", ".join(board_ranges)}
    scoring_note = _("Each board is still scored among those who play it.")
    if len(board_ranges) > MAX_NAMED_GROUPS:
        message = _("%(count)s sets of boards are no longer played by everyone.")
    else:
        message = _("Boards that some can no longer play: %(boards)s.")
    return (
        sentences,
        f"{message % placeholders} {scoring_note}",
    )


def _describe_sit_outs(
    continuation: Continuation, name_entry: EntryNamer
) -> tuple[list[str], str]:
    sentences = [
        _("%(who)s sits out round %(rounds)s.")
        % {
            "who": name_entry(place),
            "rounds": join_names([str(round_number) for round_number in round_numbers]),
        }
        for place, round_numbers in continuation.consequences.sit_outs
    ]
    return sentences, _("%(count)s sit out one more round.") % {"count": len(sentences)}


def _describe_new_boards(
    continuation: Continuation, boards_a_round: int, board_set: BoardSet | None
) -> list[str]:
    """Describe which additional boards are needed, and whether they are dealt or shuffled."""
    new_groups = continuation.consequences.new_groups
    if not new_groups:
        return []
    first_board_number, last_board_number = (
        (new_groups[0] - 1) * boards_a_round + 1,
        new_groups[-1] * boards_a_round,
    )
    if board_set is None:
        message = _("Extra boards %(first)s–%(last)s needed, dealt at the tables.")
    elif last_board_number < board_set.first + board_set.size:
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
    return [message % {"first": first_board_number, "last": last_board_number}]
