"""A movement as seen from one table or one place: the content of guide cards."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.seats import Seat, Side
from tournaments.movements.copies import assign_board_stacks
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement


@dataclass(frozen=True, slots=True)
class TableRound:
    """One round at one table.

    `is_idle` is True if an absent place leaves the table without play.
    """

    round: int
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    board_group: int
    sharing_tables: tuple[int, ...]
    is_idle: bool


@dataclass(frozen=True, slots=True)
class PlaceRound:
    """One round of one place: the seat, the partner, the opponents and the next table.

    If `is_sit_out` is True, `table` is the table at which the place waits, or None. `seat` is
    North-South or East-West, or one seat for a single player.
    """

    round: int
    table: int | None
    seat: str
    partner: str
    opponents: tuple[str, ...]
    board_group: int | None
    is_sit_out: bool
    next_destination: str


def build_table_guide(movement: Movement, table_number: int) -> tuple[TableRound, ...]:
    """Return the places and the board group at a table, round by round."""
    return tuple(
        TableRound(
            round=meeting.round,
            ns=_list_place_labels(movement, meeting.ns),
            ew=_list_place_labels(movement, meeting.ew),
            board_group=meeting.board_group,
            sharing_tables=_find_sharing_tables(movement, meeting),
            is_idle=_is_idle(movement, meeting),
        )
        for meeting in movement.list_table_meetings(table_number)
    )


def build_place_guide(movement: Movement, place: int) -> tuple[PlaceRound, ...]:
    """Return the seat and the next table of a place, round by round."""
    meetings_by_round = {
        meeting.round: meeting for meeting in movement.list_place_meetings(place)
    }
    return tuple(
        _build_place_round(
            movement,
            place,
            round_number,
            meetings_by_round.get(round_number),
            meetings_by_round.get(round_number + 1),
        )
        for round_number in range(1, movement.round_count + 1)
    )


def list_boards(board_group: int, boards_a_round: int) -> range:
    """Return the board numbers of a group, e.g. 5 to 8 for group 2 with four boards a round."""
    return range((board_group - 1) * boards_a_round + 1, board_group * boards_a_round + 1)


def _build_place_round(
    movement: Movement,
    place: int,
    round_number: int,
    meeting: Meeting | None,
    next_meeting: Meeting | None,
) -> PlaceRound:
    next_destination = _describe_next_destination(
        movement, place, round_number, meeting, next_meeting
    )
    if meeting is None:
        return PlaceRound(round_number, None, "", "", (), None, True, next_destination)
    if _is_idle(movement, meeting):
        seat_name = _format_seat(movement, place, meeting)
        return PlaceRound(
            round_number, meeting.table, seat_name, "", (), None, True, next_destination
        )
    own_side_places, other_side_places = (
        (meeting.ns, meeting.ew)
        if meeting.find_side(place) is Side.NS
        else (meeting.ew, meeting.ns)
    )
    partner_labels = [
        movement.labels[other_place - 1]
        for other_place in own_side_places
        if other_place != place
    ]
    return PlaceRound(
        round=round_number,
        table=meeting.table,
        seat=_format_seat(movement, place, meeting),
        partner="".join(partner_labels),
        opponents=_list_place_labels(movement, other_side_places),
        board_group=meeting.board_group,
        is_sit_out=False,
        next_destination=next_destination,
    )


def _describe_next_destination(
    movement: Movement,
    place: int,
    round_number: int,
    meeting: Meeting | None,
    next_meeting: Meeting | None,
) -> str:
    if round_number == movement.round_count:
        return _("That was the last round.")
    if next_meeting is None:
        return _("Sit out round %(round)s.") % {"round": round_number + 1}
    seat_name = _format_seat(movement, place, next_meeting)
    if _is_idle(movement, next_meeting):
        message = _("Sit out round %(round)s at table %(table)s.")
    elif meeting is None or meeting.table != next_meeting.table:
        message = _("Go to table %(table)s, %(seat)s.")
    elif seat_name == _format_seat(movement, place, meeting):
        message = _("Stay at table %(table)s, %(seat)s.")
    else:
        message = _("Stay at table %(table)s, but sit %(seat)s.")
    return message % {"round": round_number + 1, "table": next_meeting.table, "seat": seat_name}


def _format_seat(movement: Movement, place: int, meeting: Meeting) -> str:
    if movement.contest is not Contest.INDIVIDUAL:
        return meeting.find_side(place).word
    seats = (meeting.north, meeting.east, meeting.south, meeting.west)
    return tuple(Seat)[seats.index(place)].word


def _find_sharing_tables(movement: Movement, meeting: Meeting) -> tuple[int, ...]:
    rounds_tables_and_groups = [
        (round_meeting.round, round_meeting.table, round_meeting.board_group)
        for round_meeting in movement.list_round_meetings(meeting.round)
    ]
    board_stack_by_table = assign_board_stacks(
        rounds_tables_and_groups, movement.copy_count, movement.blocks
    )
    own_stack = board_stack_by_table[meeting.round, meeting.table]
    return tuple(
        other_meeting.table
        for other_meeting in movement.list_round_meetings(meeting.round)
        if board_stack_by_table[other_meeting.round, other_meeting.table] == own_stack
        and other_meeting.table != meeting.table
        and not _is_idle(movement, other_meeting)
    )


def _is_idle(movement: Movement, meeting: Meeting) -> bool:
    return not movement.absent_places.isdisjoint(meeting.places)


def _list_place_labels(movement: Movement, places: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(movement.labels[place - 1] for place in places)
