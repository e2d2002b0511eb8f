"""A movement as seen from one table or one place: the content of guide cards."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.seats import Seat, Side
from tournaments.movements.copies import assign_stacks
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement


@dataclass(frozen=True, slots=True)
class TableRound:
    """One round at one table.

    `idle` is True if an absent place leaves the table without play.
    """

    round: int
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    board_group: int
    shares_with: tuple[int, ...]
    idle: bool


@dataclass(frozen=True, slots=True)
class PlaceRound:
    """One round of one place: its seat, partner, opponents and next table.

    If it `sits_out`, `table` is where it waits, or None. `seat` is North-South or East-West, or
    one seat for a single player.
    """

    round: int
    table: int | None
    seat: str
    partner: str
    opponents: tuple[str, ...]
    board_group: int | None
    sits_out: bool
    next: str


def build_table_guide(movement: Movement, table: int) -> tuple[TableRound, ...]:
    """Return who sits at a table and which board group it plays, round by round."""
    return tuple(
        TableRound(
            round=meeting.round,
            ns=_format_labels(movement, meeting.ns),
            ew=_format_labels(movement, meeting.ew),
            board_group=meeting.board_group,
            shares_with=_find_sharing_tables(movement, meeting),
            idle=_is_idle(movement, meeting),
        )
        for meeting in movement.at_table(table)
    )


def build_place_guide(movement: Movement, place: int) -> tuple[PlaceRound, ...]:
    """Return where a place sits and where it moves next, round by round."""
    meeting_by_round = {
        meeting.round: meeting for meeting in movement.list_place_meetings(place)
    }
    return tuple(
        _build_place_round(
            movement,
            place,
            number,
            meeting_by_round.get(number),
            meeting_by_round.get(number + 1),
        )
        for number in range(1, movement.rounds + 1)
    )


def list_boards(board_group: int, boards_a_round: int) -> range:
    """Return the board numbers of a group, e.g. 5 to 8 for group 2 with four boards a round."""
    return range((board_group - 1) * boards_a_round + 1, board_group * boards_a_round + 1)


def _build_place_round(
    movement: Movement, place: int, number: int, now: Meeting | None, then: Meeting | None
) -> PlaceRound:
    next_text = _describe_next(movement, place, number, now, then)
    if now is None:
        return PlaceRound(number, None, "", "", (), None, True, next_text)
    if _is_idle(movement, now):
        seat = _format_seat(movement, place, now)
        return PlaceRound(number, now.table, seat, "", (), None, True, next_text)
    own_side, other_side = (
        (now.ns, now.ew) if now.side_of(place) is Side.NS else (now.ew, now.ns)
    )
    partner = [movement.labels[other - 1] for other in own_side if other != place]
    return PlaceRound(
        round=number,
        table=now.table,
        seat=_format_seat(movement, place, now),
        partner="".join(partner),
        opponents=_format_labels(movement, other_side),
        board_group=now.board_group,
        sits_out=False,
        next=next_text,
    )


def _describe_next(
    movement: Movement, place: int, number: int, now: Meeting | None, then: Meeting | None
) -> str:
    if number == movement.rounds:
        return _("That was the last round.")
    if then is None:
        return _("Sit out round %(round)s.") % {"round": number + 1}
    seat = _format_seat(movement, place, then)
    if _is_idle(movement, then):
        message = _("Sit out round %(round)s at table %(table)s.")
    elif now is None or now.table != then.table:
        message = _("Go to table %(table)s, %(seat)s.")
    elif seat == _format_seat(movement, place, now):
        message = _("Stay at table %(table)s, %(seat)s.")
    else:
        message = _("Stay at table %(table)s, but sit %(seat)s.")
    return message % {"round": number + 1, "table": then.table, "seat": seat}


def _format_seat(movement: Movement, place: int, meeting: Meeting) -> str:
    if movement.contest is not Contest.INDIVIDUAL:
        return meeting.side_of(place).word
    seats = (meeting.north, meeting.east, meeting.south, meeting.west)
    return tuple(Seat)[seats.index(place)].word


def _find_sharing_tables(movement: Movement, meeting: Meeting) -> tuple[int, ...]:
    same_group = [
        (each.round, each.table, each.board_group) for each in movement.in_round(meeting.round)
    ]
    stacks = assign_stacks(same_group, movement.copies, movement.blocks)
    own_stack = stacks[meeting.round, meeting.table]
    return tuple(
        other.table
        for other in movement.in_round(meeting.round)
        if stacks[other.round, other.table] == own_stack
        and other.table != meeting.table
        and not _is_idle(movement, other)
    )


def _is_idle(movement: Movement, meeting: Meeting) -> bool:
    return not movement.absent.isdisjoint(meeting.places)


def _format_labels(movement: Movement, places: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(movement.labels[place - 1] for place in places)
