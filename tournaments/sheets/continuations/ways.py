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
from tournaments.sheets.continuations.titles import find_way_button, find_way_texts
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
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class KeyNumber:
    """One of the three numbers by which a director compares the ways to continue."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SquareAfterChange:
    """A square of the schedule, with whether it is already played and whether it changes."""

    square: ScheduleSquare | None
    kept: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class RoundAfterChange:
    """One round of the schedule after the change."""

    number: int
    kept: bool
    squares: tuple[SquareAfterChange, ...]


@dataclass(frozen=True, slots=True)
class ContinuationSheet:
    """The data with which a page shows one way to continue."""

    key: str
    title: str
    text: str
    button: str
    numbers: tuple[KeyNumber, ...]
    losses: tuple[str, ...]
    one_by_one: tuple[str, ...]  # the losses that `losses` only counts
    figures: tuple[StatisticChange, ...]
    in_words: tuple[str, ...]  # the meaning of the statistics
    tables: tuple[str, ...]  # "13", in one of several sections "A13"
    rounds: tuple[RoundAfterChange, ...]


def build_continuation_sheet(
    continuation: Continuation,
    old_movement: Movement,
    played: int,
    *,
    boards_a_round: int,
    board_set: BoardSet | None,
    names: Mapping[int, str],
    letter: str = "",
) -> ContinuationSheet:
    """Return the page data of one way; `names` are the entries' names by place.

    `letter` is that of the section if there are several.
    """

    def format_place(place: int) -> str:
        label = format_place_for_players(f"{letter}{continuation.movement.labels[place - 1]}")
        return f"{label} ({names[place]})" if place in names else label

    title, text = find_way_texts(continuation.key)
    sheet = build_schedule(continuation.movement, boards_a_round, letter=letter)
    losses = describe_consequences(
        continuation, boards_a_round, board_set, format_place, letter
    )
    consequences = continuation.consequences
    return ContinuationSheet(
        key=continuation.key,
        title=title,
        text=text,
        button=find_way_button(continuation.key),
        numbers=_list_key_numbers(continuation, played, boards_a_round),
        losses=losses.short
        if losses.is_loss
        else (*losses.short, _("No one loses boards or opponents.")),
        one_by_one=losses.whole,
        figures=_list_statistic_changes(consequences.before, consequences.after),
        in_words=explain_statistics(consequences.before, consequences.after),
        tables=tuple(format_table(table, letter) for table in sheet.tables),
        rounds=_build_rounds(sheet, continuation.movement, old_movement, played),
    )


def _list_key_numbers(
    continuation: Continuation, played: int, boards_a_round: int
) -> tuple[KeyNumber, ...]:
    """Return the rounds of a late entry or the meetings lost, sit-outs, and new boards."""
    consequences, late_places = continuation.consequences, set(continuation.newcomers)
    rounds = {
        meeting.round
        for meeting in continuation.movement.played
        if late_places.intersection(meeting.places)
    }
    return (
        KeyNumber(_("rounds to play"), str(len(rounds)))
        if late_places
        else KeyNumber(_("meetings lost"), str(len(consequences.no_longer_met))),
        _count_sit_outs(continuation, played),
        KeyNumber(_("extra boards"), str(len(consequences.new_groups) * boards_a_round)),
    )


def _count_sit_outs(continuation: Continuation, played: int) -> KeyNumber:
    """Return how many sit out each later round, or the new sit-outs if the rounds differ."""
    movement = continuation.movement
    idle = {
        round_: set(movement.occupied_places)
        for round_ in range(played + 1, movement.rounds + 1)
    }
    for meeting in movement.played:
        if meeting.round in idle:
            idle[meeting.round].difference_update(meeting.places)
    extra_sit_outs = sum(
        len(rounds_out) for _place, rounds_out in continuation.consequences.sit_outs
    )
    counts = {len(places) for places in idle.values()}
    if (
        not extra_sit_outs
        or len(counts) != 1
        or movement.contest not in (Contest.PAIRS, Contest.INDIVIDUAL)
    ):
        return KeyNumber(_("extra sit-outs"), str(extra_sit_outs))
    (count,) = counts
    message = (
        ngettext("player sits out each round", "players sit out each round", count)
        if movement.contest == Contest.INDIVIDUAL
        else ngettext("pair sits out each round", "pairs sit out each round", count)
    )
    return KeyNumber(message, str(count))


def _list_statistic_changes(
    old_fairness: Fairness, new_fairness: Fairness
) -> tuple[StatisticChange, ...]:
    template = _("%(met)s of %(all)s")
    return (
        StatisticChange(
            _("Opponents met"),
            template % {"met": old_fairness.met, "all": old_fairness.possible},
            template % {"met": new_fairness.met, "all": new_fairness.possible},
        ),
        StatisticChange(
            _("Comparisons"),
            format_spread(old_fairness.comparisons.least, old_fairness.comparisons.most),
            format_spread(new_fairness.comparisons.least, new_fairness.comparisons.most),
        ),
        StatisticChange(
            _("Rounds sat out"),
            format_spread(old_fairness.sit_outs.least, old_fairness.sit_outs.most),
            format_spread(new_fairness.sit_outs.least, new_fairness.sit_outs.most),
        ),
        StatisticChange(_("Rounds"), str(old_fairness.rounds), str(new_fairness.rounds)),
        StatisticChange(_("Sets"), str(old_fairness.groups), str(new_fairness.groups)),
    )


def explain_statistics(old_fairness: Fairness, new_fairness: Fairness) -> tuple[str, ...]:
    """Explain the changed statistics in sentences for a reader who does not know them."""
    numbers = {
        "met": new_fairness.met,
        "possible": new_fairness.possible,
        "before": old_fairness.possible,
    }
    lines = [
        _("%(met)s of %(possible)s possible meetings take place.") % numbers
        if old_fairness.possible == new_fairness.possible
        else _(
            "%(met)s of %(possible)s possible meetings take place "
            "(before the change %(before)s were possible)."
        )
        % numbers
    ]
    spread = new_fairness.comparisons
    comparison_note = _("Comparisons show how often two play the same boards.")
    if spread.least == spread.most:
        even = _("All are equal: perfectly fair.")
    elif _spread_width(spread) == _spread_width(old_fairness.comparisons):
        even = _("As even as before.")
    elif _spread_width(spread) < _spread_width(old_fairness.comparisons):
        even = _("More even than before.")
    else:
        even = _("Now %(least)s–%(most)s. A narrower range is fairer.") % {
            "least": spread.least,
            "most": spread.most,
        }
    return (*lines, f"{comparison_note} {even}")


def _spread_width(spread: Spread) -> int:
    return spread.most - spread.least


def _build_rounds(
    sheet: ScheduleSheet, new_movement: Movement, old_movement: Movement, played: int
) -> tuple[RoundAfterChange, ...]:
    old_sheet = {(meeting.round, meeting.table): meeting for meeting in old_movement.meetings}
    new_sheet = {(meeting.round, meeting.table): meeting for meeting in new_movement.meetings}

    def build_round(number: int, squares: RoundSquares) -> RoundAfterChange:
        is_played = number <= played
        squares_after = tuple(
            SquareAfterChange(
                square,
                is_played,
                old_sheet.get((number, table)) != new_sheet.get((number, table)),
            )
            for table, square in zip(sheet.tables, squares, strict=True)
        )
        return RoundAfterChange(number, is_played, squares_after)

    return tuple(build_round(*item) for item in enumerate(sheet.rounds, start=1))
