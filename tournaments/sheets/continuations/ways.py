"""The ways to continue after an incident, with their statistics and changed schedules."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.models import BoardSet
from tournaments.movements import Contest, Movement
from tournaments.movements.balance import Spread
from tournaments.movements.changes import Continuation
from tournaments.movements.changes.consequences import Fairness
from tournaments.movements.formatting import format_place_for_players, format_table
from tournaments.sheets.continuations.losses import describe_consequences
from tournaments.sheets.continuations.titles import (
    get_continuation_button_text,
    get_continuation_texts,
)
from tournaments.sheets.schedule import (
    RoundSquares,
    ScheduleSheet,
    ScheduleSquare,
    build_schedule,
    format_spread,
)


@dataclass(frozen=True, slots=True)
class StatisticChange:
    """One statistic of the movement before and after a change."""

    name: str
    value_before: str
    value_after: str


@dataclass(frozen=True, slots=True)
class ComparisonNumber:
    """One of the three numbers by which a director compares the ways to continue."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SquareAfterChange:
    """One table in one round of the schedule, and whether it is already played or changed."""

    square: ScheduleSquare | None
    is_played: bool
    is_changed: bool


@dataclass(frozen=True, slots=True)
class RoundAfterChange:
    """One round of the schedule after the change."""

    number: int
    is_played: bool
    squares: tuple[SquareAfterChange, ...]


@dataclass(frozen=True, slots=True)
class ContinuationSheet:
    """The data with which a page shows one way to continue."""

    key: str
    title: str
    text: str
    button: str
    key_numbers: tuple[ComparisonNumber, ...]
    losses: tuple[str, ...]
    detailed_losses: tuple[str, ...]  # the losses that `losses` only counts
    statistic_changes: tuple[StatisticChange, ...]
    statistic_texts: tuple[str, ...]  # sentences that explain the statistics
    tables: tuple[str, ...]  # "13", in one of several sections "A13"
    rounds: tuple[RoundAfterChange, ...]


def build_continuation_sheet(
    continuation: Continuation,
    old_movement: Movement,
    rounds_played: int,
    *,
    boards_a_round: int,
    board_set: BoardSet | None,
    entry_names_by_place: Mapping[int, str],
    section_letter: str = "",
) -> ContinuationSheet:
    """Return the page data of one way to continue.

    `section_letter` is "" if the session has one section.
    """

    def format_place(place: int) -> str:
        place_label = format_place_for_players(
            f"{section_letter}{continuation.movement.labels[place - 1]}"
        )
        return (
            f"{place_label} ({entry_names_by_place[place]})"
            if place in entry_names_by_place
            else place_label
        )

    title, explanation = get_continuation_texts(continuation.key)
    schedule_sheet = build_schedule(
        continuation.movement, boards_a_round, section_letter=section_letter
    )
    loss_sentences = describe_consequences(
        continuation, boards_a_round, board_set, format_place, section_letter
    )
    consequences = continuation.consequences
    return ContinuationSheet(
        key=continuation.key,
        title=title,
        text=explanation,
        button=get_continuation_button_text(continuation.key),
        key_numbers=_list_key_numbers(continuation, rounds_played, boards_a_round),
        losses=loss_sentences.summary_lines
        if loss_sentences.has_losses
        else (*loss_sentences.summary_lines, _("No one loses boards or opponents.")),
        detailed_losses=loss_sentences.detailed_lines,
        statistic_changes=_list_statistic_changes(
            consequences.fairness_before, consequences.fairness_after
        ),
        statistic_texts=explain_statistics(
            consequences.fairness_before, consequences.fairness_after
        ),
        tables=tuple(
            format_table(table_number, section_letter)
            for table_number in schedule_sheet.table_numbers
        ),
        rounds=_build_rounds(
            schedule_sheet, continuation.movement, old_movement, rounds_played
        ),
    )


def _list_key_numbers(
    continuation: Continuation, rounds_played: int, boards_a_round: int
) -> tuple[ComparisonNumber, ...]:
    """Return the key numbers: rounds of a late entry or lost meetings, sit-outs, new boards."""
    consequences, late_places = continuation.consequences, set(continuation.newcomer_places)
    late_entry_rounds = {
        meeting.round
        for meeting in continuation.movement.played_meetings
        if late_places.intersection(meeting.places)
    }
    return (
        ComparisonNumber(_("rounds to play"), str(len(late_entry_rounds)))
        if late_places
        else ComparisonNumber(_("meetings lost"), str(len(consequences.lost_meetings))),
        _count_sit_outs(continuation, rounds_played),
        ComparisonNumber(_("extra boards"), str(len(consequences.new_groups) * boards_a_round)),
    )


def _count_sit_outs(continuation: Continuation, rounds_played: int) -> ComparisonNumber:
    """Return how many pairs or players sit out in each later round.

    If this number differs between rounds, return the number of additional sit-outs instead.
    That number is also returned for teams, and if it is 0.
    """
    movement = continuation.movement
    places_by_round = {
        round_number: set(movement.occupied_places)
        for round_number in range(rounds_played + 1, movement.round_count + 1)
    }
    for meeting in movement.played_meetings:
        if meeting.round in places_by_round:
            places_by_round[meeting.round].difference_update(meeting.places)
    extra_sit_out_count = sum(
        len(sit_out_rounds) for _place, sit_out_rounds in continuation.consequences.sit_outs
    )
    sit_out_counts = {len(places) for places in places_by_round.values()}
    if (
        not extra_sit_out_count
        or len(sit_out_counts) != 1
        or movement.contest not in (Contest.PAIRS, Contest.INDIVIDUAL)
    ):
        return ComparisonNumber(_("extra sit-outs"), str(extra_sit_out_count))
    (sit_out_count,) = sit_out_counts
    message = (
        ngettext("player sits out each round", "players sit out each round", sit_out_count)
        if movement.contest == Contest.INDIVIDUAL
        else ngettext("pair sits out each round", "pairs sit out each round", sit_out_count)
    )
    return ComparisonNumber(message, str(sit_out_count))


def _list_statistic_changes(
    old_fairness: Fairness, new_fairness: Fairness
) -> tuple[StatisticChange, ...]:
    met_pairings_template = _("%(met)s of %(all)s")
    return (
        StatisticChange(
            _("Opponents met"),
            met_pairings_template
            % {
                "met": old_fairness.met_pairing_count,
                "all": old_fairness.possible_pairing_count,
            },
            met_pairings_template
            % {
                "met": new_fairness.met_pairing_count,
                "all": new_fairness.possible_pairing_count,
            },
        ),
        StatisticChange(
            _("Comparisons"),
            format_spread(
                old_fairness.comparison_spread.minimum, old_fairness.comparison_spread.maximum
            ),
            format_spread(
                new_fairness.comparison_spread.minimum, new_fairness.comparison_spread.maximum
            ),
        ),
        StatisticChange(
            _("Rounds sat out"),
            format_spread(
                old_fairness.sit_out_spread.minimum, old_fairness.sit_out_spread.maximum
            ),
            format_spread(
                new_fairness.sit_out_spread.minimum, new_fairness.sit_out_spread.maximum
            ),
        ),
        StatisticChange(
            _("Rounds"), str(old_fairness.round_count), str(new_fairness.round_count)
        ),
        StatisticChange(
            _("Sets"), str(old_fairness.group_count), str(new_fairness.group_count)
        ),
    )


def explain_statistics(old_fairness: Fairness, new_fairness: Fairness) -> tuple[str, ...]:
    """Explain the changed statistics in sentences for a reader who does not know them."""
    placeholders = {
        "met": new_fairness.met_pairing_count,
        "possible": new_fairness.possible_pairing_count,
        "before": old_fairness.possible_pairing_count,
    }
    sentences = [
        _("%(met)s of %(possible)s possible meetings take place.") % placeholders
        if old_fairness.possible_pairing_count == new_fairness.possible_pairing_count
        else _(
            "%(met)s of %(possible)s possible meetings take place "
            "(before the change %(before)s were possible)."
        )
        % placeholders
    ]
    spread = new_fairness.comparison_spread
    comparison_note = _("Comparisons show how often two play the same boards.")
    if spread.minimum == spread.maximum:
        equality_text = _("All are equal: perfectly fair.")
    elif _compute_spread_width(spread) == _compute_spread_width(old_fairness.comparison_spread):
        equality_text = _("As even as before.")
    elif _compute_spread_width(spread) < _compute_spread_width(old_fairness.comparison_spread):
        equality_text = _("More even than before.")
    else:
        equality_text = _("Now %(least)s–%(most)s. A narrower range is fairer.") % {
            "least": spread.minimum,
            "most": spread.maximum,
        }
    return (*sentences, f"{comparison_note} {equality_text}")


def _compute_spread_width(spread: Spread) -> int:
    return spread.maximum - spread.minimum


def _build_rounds(
    schedule_sheet: ScheduleSheet,
    new_movement: Movement,
    old_movement: Movement,
    rounds_played: int,
) -> tuple[RoundAfterChange, ...]:
    old_meetings_by_table = {
        (meeting.round, meeting.table): meeting for meeting in old_movement.meetings
    }
    new_meetings_by_table = {
        (meeting.round, meeting.table): meeting for meeting in new_movement.meetings
    }

    def build_round(round_number: int, squares: RoundSquares) -> RoundAfterChange:
        is_played = round_number <= rounds_played
        squares_after = tuple(
            SquareAfterChange(
                square,
                is_played,
                old_meetings_by_table.get((round_number, table_number))
                != new_meetings_by_table.get((round_number, table_number)),
            )
            for table_number, square in zip(schedule_sheet.table_numbers, squares, strict=True)
        )
        return RoundAfterChange(round_number, is_played, squares_after)

    return tuple(
        build_round(round_number, squares)
        for round_number, squares in enumerate(schedule_sheet.rounds, start=1)
    )
