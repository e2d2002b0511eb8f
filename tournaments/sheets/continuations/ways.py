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
from tournaments.sheets.continuations.losses import describe_losses
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
    before: Movement,
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
    lost = describe_losses(continuation, boards_a_round, board_set, format_place, letter)
    brings = continuation.consequences
    return ContinuationSheet(
        key=continuation.key,
        title=title,
        text=text,
        button=find_way_button(continuation.key),
        numbers=_list_key_numbers(continuation, played, boards_a_round),
        losses=lost.short
        if lost.is_loss
        else (*lost.short, _("No one loses boards or opponents.")),
        one_by_one=lost.whole,
        figures=_list_statistic_changes(brings.before, brings.after),
        in_words=explain_statistics(brings.before, brings.after),
        tables=tuple(format_table(table, letter) for table in sheet.tables),
        rounds=_build_rounds(sheet, continuation.movement, before, played),
    )


def _list_key_numbers(
    continuation: Continuation, played: int, boards_a_round: int
) -> tuple[KeyNumber, ...]:
    """Return the rounds of a late entry or the meetings lost, sit-outs, and new boards."""
    brings, late = continuation.consequences, set(continuation.newcomers)
    rounds = {
        each.round for each in continuation.movement.played if late.intersection(each.places)
    }
    return (
        KeyNumber(_("rounds to play"), str(len(rounds)))
        if late
        else KeyNumber(_("meetings lost"), str(len(brings.no_longer_met))),
        _count_sit_outs(continuation, played),
        KeyNumber(_("extra boards"), str(len(brings.new_groups) * boards_a_round)),
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
    extra = sum(len(rounds_out) for _place, rounds_out in continuation.consequences.sit_outs)
    counts = {len(places) for places in idle.values()}
    if (
        not extra
        or len(counts) != 1
        or movement.contest not in (Contest.PAIRS, Contest.INDIVIDUAL)
    ):
        return KeyNumber(_("extra sit-outs"), str(extra))
    (count,) = counts
    words = (
        ngettext("player sits out each round", "players sit out each round", count)
        if movement.contest == Contest.INDIVIDUAL
        else ngettext("pair sits out each round", "pairs sit out each round", count)
    )
    return KeyNumber(words, str(count))


def _list_statistic_changes(before: Fairness, after: Fairness) -> tuple[StatisticChange, ...]:
    met = _("%(met)s of %(all)s")
    return (
        StatisticChange(
            _("Opponents met"),
            met % {"met": before.met, "all": before.possible},
            met % {"met": after.met, "all": after.possible},
        ),
        StatisticChange(
            _("Comparisons"),
            format_spread(before.comparisons.least, before.comparisons.most),
            format_spread(after.comparisons.least, after.comparisons.most),
        ),
        StatisticChange(
            _("Rounds sat out"),
            format_spread(before.sit_outs.least, before.sit_outs.most),
            format_spread(after.sit_outs.least, after.sit_outs.most),
        ),
        StatisticChange(_("Rounds"), str(before.rounds), str(after.rounds)),
        StatisticChange(_("Sets"), str(before.groups), str(after.groups)),
    )


def explain_statistics(before: Fairness, after: Fairness) -> tuple[str, ...]:
    """Explain the changed statistics in sentences for a reader who does not know them."""
    numbers = {"met": after.met, "possible": after.possible, "before": before.possible}
    lines = [
        _("%(met)s of %(possible)s possible meetings take place.") % numbers
        if before.possible == after.possible
        else _(
            "%(met)s of %(possible)s possible meetings take place "
            "(before the change %(before)s were possible)."
        )
        % numbers
    ]
    spread = after.comparisons
    about = _("Comparisons show how often two play the same boards.")
    if spread.least == spread.most:
        even = _("All are equal: perfectly fair.")
    elif _spread_width(spread) == _spread_width(before.comparisons):
        even = _("As even as before.")
    elif _spread_width(spread) < _spread_width(before.comparisons):
        even = _("More even than before.")
    else:
        even = _("Now %(least)s–%(most)s. A narrower range is fairer.") % {
            "least": spread.least,
            "most": spread.most,
        }
    return (*lines, f"{about} {even}")


def _spread_width(spread: Spread) -> int:
    return spread.most - spread.least


def _build_rounds(
    sheet: ScheduleSheet, after: Movement, before: Movement, played: int
) -> tuple[RoundAfterChange, ...]:
    old = {(each.round, each.table): each for each in before.meetings}
    new = {(each.round, each.table): each for each in after.meetings}

    def build_round(number: int, squares: RoundSquares) -> RoundAfterChange:
        kept = number <= played
        found = tuple(
            SquareAfterChange(
                square, kept, old.get((number, table)) != new.get((number, table))
            )
            for table, square in zip(sheet.tables, squares, strict=True)
        )
        return RoundAfterChange(number, kept, found)

    return tuple(build_round(*each) for each in enumerate(sheet.rounds, start=1))
