"""The whole schedule of a movement: a row for each round, a column for each table."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.movements import (
    Balance,
    Contest,
    Meeting,
    Movement,
    compute_balance,
    format_announcement,
    list_boards,
)
from tournaments.movements.drawbacks import describe_drawbacks
from tournaments.movements.formatting import format_place_for_players, format_table
from tournaments.sheets import heatmaps
from tournaments.sheets.heatmaps import Heatmap


@dataclass(frozen=True, slots=True)
class ScheduleSquare:
    """One table in one round; `idle` is True if too few of its players are present to play."""

    ns: str
    ew: str
    boards: str  # "13–15", or the number of the board group where no size is given
    note: str
    idle: bool


RoundSquares = tuple[ScheduleSquare | None, ...]
"""The squares of one round by table; None for a table without players in the round."""

CoupleRow = tuple[str, tuple[str, ...]]
"""A competitor's label, and the cells of its row in a table of all couples.

The cell of the competitor itself is empty.
"""


@dataclass(frozen=True, slots=True)
class ScheduleSheet:
    """The data with which a page shows a movement's schedule."""

    title: str
    announcement: str
    cost: str
    tables: tuple[int, ...]
    rounds: tuple[RoundSquares, ...]
    figures: tuple[tuple[str, str], ...]
    heats: tuple[Heatmap, ...]
    labels: tuple[str, ...]
    compared: tuple[CoupleRow, ...]
    met: tuple[CoupleRow, ...]


def build_schedule(
    movement: Movement, boards_a_round: int | None = None, *, letter: str = ""
) -> ScheduleSheet:
    """Return the schedule of a movement, with board numbers if `boards_a_round` is given.

    `letter` is that of the section if there are several.
    """
    balance = compute_balance(movement)
    tables = tuple(sorted({meeting.table for meeting in movement.meetings}))
    return ScheduleSheet(
        title=movement.title,
        announcement=format_announcement(movement),
        cost=describe_drawbacks(movement, balance, boards_a_round),
        tables=tables,
        rounds=tuple(
            _build_squares(movement, number, tables, boards_a_round, letter)
            for number in range(1, movement.rounds + 1)
        ),
        figures=list_statistics(movement, balance),
        heats=(
            heatmaps.build_comparison_heatmap(movement, balance),
            heatmaps.build_meeting_heatmap(movement, balance),
        ),
        labels=tuple(list_competitor_labels(movement, balance)),
        compared=_build_rows(movement, balance, balance.same),
        met=_build_rows(movement, balance, heatmaps.count_meetings(movement, balance)),
    )


def list_statistics(movement: Movement, balance: Balance) -> tuple[tuple[str, str], ...]:
    """Return the statistics in which movements differ, each with its label."""
    met_text = _("%(met)s of %(all)s") % {"met": balance.met, "all": balance.possible}
    statistics = [
        (_("Rounds"), str(movement.rounds)),
        (_("Tables"), str(movement.tables)),
        (_("Sets of boards"), str(len({meeting.board_group for meeting in movement.played}))),
        (_("Meetings"), met_text),
        (_("Comparisons"), format_spread(balance.comparisons.least, balance.comparisons.most)),
        (_("Rounds sat out"), format_spread(balance.sit_outs.least, balance.sit_outs.most)),
        (_("Stationary"), str(len(balance.stationary))),
        (_("Shared boards"), str(balance.shared)),
        (_("Winners"), str(movement.winners)),
    ]
    if balance.partners:
        spread = format_spread(balance.partners.least, balance.partners.most)
        statistics.append((_("Times partners"), spread))
    return tuple(statistics)


def format_spread(least: int, most: int) -> str:
    """Return a range of numbers as text, such as "3" or "2–4"."""
    return str(least) if least == most else f"{least}–{most}"


def list_competitor_labels(movement: Movement, balance: Balance) -> list[str]:
    """Return the label of each competitor: the number of a team, or the place of others."""
    if movement.contest is Contest.TEAMS:
        return [str(number) for number in balance.competitors]
    return [
        format_place_for_players(movement.labels[place - 1]) for place in balance.competitors
    ]


def _build_squares(
    movement: Movement,
    number: int,
    tables: tuple[int, ...],
    boards_a_round: int | None,
    letter: str,
) -> RoundSquares:
    meeting_by_table = {meeting.table: meeting for meeting in movement.in_round(number)}
    return tuple(
        _build_square(movement, meeting_by_table[table], boards_a_round, letter)
        if table in meeting_by_table
        else None
        for table in tables
    )


def _build_square(
    movement: Movement, meeting: Meeting, boards_a_round: int | None, letter: str
) -> ScheduleSquare:
    idle = not movement.absent.isdisjoint(meeting.places)
    return ScheduleSquare(
        ns=_format_side(movement, meeting.ns, letter),
        ew=_format_side(movement, meeting.ew, letter),
        boards="" if idle else format_boards(meeting.board_group, boards_a_round),
        note=_format_note(movement, meeting, idle, letter),
        idle=idle,
    )


def format_boards(group: int, boards_a_round: int | None) -> str:
    """Return the board numbers of a group, or the group's number without a group size."""
    if boards_a_round is None:
        return _("group %(group)s") % {"group": group}
    boards = list_boards(group, boards_a_round)
    return f"{boards[0]}–{boards[-1]}" if len(boards) > 1 else str(boards[0])


def _format_side(movement: Movement, places: tuple[int, ...], letter: str) -> str:
    occupied_places = [
        format_place_for_players(f"{letter}{movement.labels[p - 1]}")
        for p in places
        if p not in movement.absent
    ]
    return " & ".join(occupied_places) if len(occupied_places) == len(places) else "–"


def _format_note(movement: Movement, meeting: Meeting, is_idle: bool, letter: str) -> str:
    if is_idle:
        return _("sit-out")
    played = [each for each in movement.in_round(meeting.round) if each in movement.played]
    sharers = [
        format_table(each.table, letter)
        for each in played
        if each.board_group == meeting.board_group and each.table != meeting.table
    ]
    is_switched = movement.two_fields and movement.field(meeting.north) == "EW"
    notes = [_("arrow switch")] if is_switched and movement.contest is Contest.PAIRS else []
    if sharers:
        notes.append(_("shares with table %(tables)s") % {"tables": ", ".join(sharers)})
    return "; ".join(notes)


def _build_rows(
    movement: Movement, balance: Balance, square: heatmaps.Square
) -> tuple[CoupleRow, ...]:
    labels = list_competitor_labels(movement, balance)
    return tuple(
        (
            labels[line],
            tuple("" if line == index else str(number) for index, number in enumerate(row)),
        )
        for line, row in enumerate(square)
    )
