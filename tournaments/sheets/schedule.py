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
    """One table in one round; `is_idle` is True if a place at the table is absent."""

    ns: str
    ew: str
    boards: str  # "13–15", or the number of the board group if its size is unknown
    note: str
    is_idle: bool


RoundSquares = tuple[ScheduleSquare | None, ...]
"""The squares of one round by table; None for a table without players in the round."""

PairingRow = tuple[str, tuple[str, ...]]
"""A competitor's label, and one cell for each competitor in a table of all pairings.

The cell of the competitor itself is empty.
"""


@dataclass(frozen=True, slots=True)
class ScheduleSheet:
    """The data with which a page shows a movement's schedule."""

    title: str
    announcement: str
    cost: str
    table_numbers: tuple[int, ...]
    rounds: tuple[RoundSquares, ...]
    statistics: tuple[tuple[str, str], ...]
    heatmaps: tuple[Heatmap, ...]
    labels: tuple[str, ...]
    comparison_rows: tuple[PairingRow, ...]
    meeting_rows: tuple[PairingRow, ...]


def build_schedule(
    movement: Movement, boards_a_round: int | None = None, *, section_letter: str = ""
) -> ScheduleSheet:
    """Return the schedule of a movement, with board numbers if `boards_a_round` is given.

    `section_letter` is "" if the session has one section.
    """
    balance = compute_balance(movement)
    table_numbers = tuple(sorted({meeting.table for meeting in movement.meetings}))
    return ScheduleSheet(
        title=movement.title,
        announcement=format_announcement(movement),
        cost=describe_drawbacks(movement, balance, boards_a_round),
        table_numbers=table_numbers,
        rounds=tuple(
            _build_squares(
                movement, round_number, table_numbers, boards_a_round, section_letter
            )
            for round_number in range(1, movement.round_count + 1)
        ),
        statistics=list_statistics(movement, balance),
        heatmaps=(
            heatmaps.build_comparison_heatmap(movement, balance),
            heatmaps.build_meeting_heatmap(movement, balance),
        ),
        labels=tuple(list_competitor_labels(movement, balance)),
        comparison_rows=_build_pairing_rows(movement, balance, balance.same_side_counts),
        meeting_rows=_build_pairing_rows(
            movement, balance, heatmaps.count_meetings(movement, balance)
        ),
    )


def list_statistics(movement: Movement, balance: Balance) -> tuple[tuple[str, str], ...]:
    """Return the statistics in which movements differ, each with its label."""
    pairings_met_text = _("%(met)s of %(all)s") % {
        "met": balance.met_pairing_count,
        "all": balance.possible_pairing_count,
    }
    statistics = [
        (_("Rounds"), str(movement.round_count)),
        (_("Tables"), str(movement.table_count)),
        (
            _("Sets of boards"),
            str(len({meeting.board_group for meeting in movement.played_meetings})),
        ),
        (_("Meetings"), pairings_met_text),
        (
            _("Comparisons"),
            format_spread(balance.comparison_spread.minimum, balance.comparison_spread.maximum),
        ),
        (
            _("Rounds sat out"),
            format_spread(balance.sit_out_spread.minimum, balance.sit_out_spread.maximum),
        ),
        (_("Stationary"), str(len(balance.stationary_places))),
        (_("Shared boards"), str(balance.shared_group_count)),
        (_("Winners"), str(movement.winner_count)),
    ]
    if balance.partner_spread:
        spread_text = format_spread(
            balance.partner_spread.minimum, balance.partner_spread.maximum
        )
        statistics.append((_("Times partners"), spread_text))
    return tuple(statistics)


def format_spread(minimum: int, maximum: int) -> str:
    """Return a range of numbers as text, such as "3" or "2–4"."""
    return str(minimum) if minimum == maximum else f"{minimum}–{maximum}"


def list_competitor_labels(movement: Movement, balance: Balance) -> list[str]:
    """Return the label of each competitor: a team's number, or a pair's or player's place."""
    if movement.contest is Contest.TEAMS:
        return [str(team_number) for team_number in balance.competitors]
    return [
        format_place_for_players(movement.labels[place - 1]) for place in balance.competitors
    ]


def _build_squares(
    movement: Movement,
    round_number: int,
    table_numbers: tuple[int, ...],
    boards_a_round: int | None,
    section_letter: str,
) -> RoundSquares:
    meetings_by_table = {
        meeting.table: meeting for meeting in movement.list_round_meetings(round_number)
    }
    return tuple(
        _build_schedule_square(
            movement, meetings_by_table[table_number], boards_a_round, section_letter
        )
        if table_number in meetings_by_table
        else None
        for table_number in table_numbers
    )


def _build_schedule_square(
    movement: Movement, meeting: Meeting, boards_a_round: int | None, section_letter: str
) -> ScheduleSquare:
    is_idle = not movement.absent_places.isdisjoint(meeting.places)
    return ScheduleSquare(
        ns=_format_side(movement, meeting.ns, section_letter),
        ew=_format_side(movement, meeting.ew, section_letter),
        boards="" if is_idle else format_boards(meeting.board_group, boards_a_round),
        note=_format_note(movement, meeting, is_idle, section_letter),
        is_idle=is_idle,
    )


def format_boards(board_group: int, boards_a_round: int | None) -> str:
    """Return the board numbers of a group, or the group's number if its size is unknown."""
    if boards_a_round is None:
        return _("group %(group)s") % {"group": board_group}
    board_numbers = list_boards(board_group, boards_a_round)
    return (
        f"{board_numbers[0]}–{board_numbers[-1]}"
        if len(board_numbers) > 1
        else str(board_numbers[0])
    )


def _format_side(movement: Movement, places: tuple[int, ...], section_letter: str) -> str:
    occupied_places = [
        format_place_for_players(f"{section_letter}{movement.labels[place - 1]}")
        for place in places
        if place not in movement.absent_places
    ]
    return " & ".join(occupied_places) if len(occupied_places) == len(places) else "–"


def _format_note(
    movement: Movement, meeting: Meeting, is_idle: bool, section_letter: str
) -> str:
    if is_idle:
        return _("sit-out")
    played_meetings = [
        round_meeting
        for round_meeting in movement.list_round_meetings(meeting.round)
        if round_meeting in movement.played_meetings
    ]
    sharing_tables = [
        format_table(round_meeting.table, section_letter)
        for round_meeting in played_meetings
        if round_meeting.board_group == meeting.board_group
        and round_meeting.table != meeting.table
    ]
    is_switched = movement.has_two_fields and movement.get_field_name(meeting.north) == "EW"
    notes = [_("arrow switch")] if is_switched and movement.contest is Contest.PAIRS else []
    if sharing_tables:
        notes.append(_("shares with table %(tables)s") % {"tables": ", ".join(sharing_tables)})
    return "; ".join(notes)


def _build_pairing_rows(
    movement: Movement, balance: Balance, matrix: heatmaps.CountMatrix
) -> tuple[PairingRow, ...]:
    labels = list_competitor_labels(movement, balance)
    return tuple(
        (
            labels[row_index],
            tuple(
                "" if row_index == column_index else str(count)
                for column_index, count in enumerate(row)
            ),
        )
        for row_index, row in enumerate(matrix)
    )
