"""Ways to continue after a turned table, swapped players or wrong boards."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from tournaments.movements.changes.consequences import compute_fairness
from tournaments.movements.changes.continuation import (
    Continuation,
    build_continuation,
    drop_idle_meetings,
    is_pairs_contest,
    split_meetings_at_round,
)
from tournaments.movements.changes.incidents import ExchangedPlaces, TurnedTable, WrongBoards
from tournaments.movements.changes.repairs import (
    Repair,
    build_extra_round,
    map_played_groups,
    repair_meetings,
)
from tournaments.movements.meetings import Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

MAX_PLACES_FOR_BALANCING = 40
MAX_MEETINGS_TRIED = 24
NAMED_REPAIRS = (
    ("boards", Repair.OTHER_BOARDS),
    ("share", Repair.SHARED_BOARDS),
    ("new", Repair.NEW_BOARDS),
)


def list_continuations_after_turned_table(
    movement: Movement, played_round_count: int, turned_table: TurnedTable
) -> Iterator[Continuation]:
    """List the ways to continue after a table sat in the wrong direction (N-S as E-W)."""
    _validate_round_range(turned_table.first_round, turned_table.last_round, played_round_count)
    past_meetings, future_meetings = split_meetings_at_round(movement, played_round_count)
    turned_meetings = {
        meeting
        for meeting in past_meetings
        if meeting.table == turned_table.table
        and turned_table.first_round <= meeting.round <= turned_table.last_round
    }
    if not turned_meetings:
        message = _("No one sat at table %(table)s in these rounds.")
        raise UnplayableMovement(message % {"table": turned_table.table})
    actual_meetings = [
        swap_meeting_sides(meeting) if meeting in turned_meetings else meeting
        for meeting in past_meetings
    ]
    keys_and_future_meetings = [("planned", future_meetings)]
    balancing_meeting = _find_balancing_meeting(
        movement, actual_meetings, future_meetings, sorted(turned_meetings)
    )
    if balancing_meeting is not None:
        keys_and_future_meetings.append(
            (
                "evened",
                [
                    swap_meeting_sides(meeting) if meeting == balancing_meeting else meeting
                    for meeting in future_meetings
                ],
            )
        )
    keys_and_future_meetings.append(
        (
            "stay",
            [
                swap_meeting_sides(meeting) if meeting.table == turned_table.table else meeting
                for meeting in future_meetings
            ],
        )
    )
    yield from _iter_continuations_from_played_rounds(
        movement, actual_meetings, keys_and_future_meetings
    )


def list_continuations_after_exchange(
    movement: Movement, played_round_count: int, exchanged_places: ExchangedPlaces
) -> Iterator[Continuation]:
    """List the ways to continue after two entries sat at each other's tables."""
    _validate_round_range(
        exchanged_places.first_round, exchanged_places.last_round, played_round_count
    )
    if exchanged_places.place == exchanged_places.other_place:
        raise UnplayableMovement(_("Choose two different pairs."))
    past_meetings, future_meetings = split_meetings_at_round(movement, played_round_count)
    new_places_by_old_place = {
        exchanged_places.place: exchanged_places.other_place,
        exchanged_places.other_place: exchanged_places.place,
    }
    actual_meetings = [
        _swap_places(meeting, new_places_by_old_place)
        if exchanged_places.first_round <= meeting.round <= exchanged_places.last_round
        else meeting
        for meeting in past_meetings
    ]
    keys_and_future_meetings = [
        ("return", future_meetings),
        (
            "stay",
            [_swap_places(meeting, new_places_by_old_place) for meeting in future_meetings],
        ),
    ]
    yield from _iter_continuations_from_played_rounds(
        movement, actual_meetings, keys_and_future_meetings
    )


def list_continuations_after_wrong_boards(
    movement: Movement, played_round_count: int, wrong_boards: WrongBoards
) -> Iterator[Continuation]:
    """List the ways to continue after a table played the boards of another group."""
    _validate_round_range(wrong_boards.round, wrong_boards.round, played_round_count)
    past_meetings, future_meetings = split_meetings_at_round(movement, played_round_count)
    table_meetings = [
        meeting
        for meeting in past_meetings
        if (meeting.round, meeting.table) == (wrong_boards.round, wrong_boards.table)
    ]
    if not table_meetings or movement.absent_places.intersection(table_meetings[0].places):
        message = _("No one sat at table %(table)s in round %(round)s.")
        raise UnplayableMovement(
            message % {"table": wrong_boards.table, "round": wrong_boards.round}
        )
    if table_meetings[0].board_group == wrong_boards.board_group:
        message = _(
            "Table %(table)s was due to play these boards in round "
            "%(round)s. Enter the boards it played instead."
        )
        raise UnplayableMovement(
            message % {"table": wrong_boards.table, "round": wrong_boards.round}
        )
    actual_meetings = [
        meeting._replace(board_group=wrong_boards.board_group)
        if meeting in table_meetings
        else meeting
        for meeting in past_meetings
    ]
    yield from _iter_continuations_from_played_rounds(
        movement, actual_meetings, [("planned", future_meetings)]
    )
    yield from _iter_continuations_with_rescheduled_round(
        movement, actual_meetings, future_meetings, table_meetings[0]
    )


def _iter_continuations_from_played_rounds(
    old_movement: Movement,
    past_meetings: Sequence[Meeting],
    keys_and_future_meetings: Sequence[tuple[str, Sequence[Meeting]]],
) -> Iterator[Continuation]:
    """Yield ways to continue from the meetings that were really played.

    A table that cannot play its boards is left out, gets other boards, or plays in an extra
    round.
    """
    for base_continuation_key, future_meetings in keys_and_future_meetings:
        idle_meetings = [
            meeting
            for meeting in future_meetings
            if old_movement.absent_places.intersection(meeting.places)
        ]
        complete_meetings = [
            meeting
            for meeting in future_meetings
            if not old_movement.absent_places.intersection(meeting.places)
        ]
        actual_meetings = [
            meeting
            for meeting in past_meetings
            if not old_movement.absent_places.intersection(meeting.places)
        ]
        playable_meetings, clashes = repair_meetings(
            actual_meetings, complete_meetings, Repair.LEAVE_OUT
        )
        unchanged_meetings = [*past_meetings, *idle_meetings]
        candidates = [
            build_continuation(
                base_continuation_key,
                old_movement,
                [*unchanged_meetings, *playable_meetings],
                clashes=clashes,
            )
        ]
        for repair_name, repair in NAMED_REPAIRS:
            repaired_meetings, remaining_clashes = repair_meetings(
                actual_meetings, complete_meetings, repair
            )
            if sum(clash.replacement_board_group is None for clash in remaining_clashes) < len(
                clashes
            ):
                candidates.append(
                    build_continuation(
                        f"{base_continuation_key}-{repair_name}",
                        old_movement,
                        [*unchanged_meetings, *repaired_meetings],
                        clashes=remaining_clashes,
                    )
                )
        extra_meetings = (
            build_extra_round(actual_meetings, playable_meetings, clashes)
            if is_pairs_contest(old_movement)
            else []
        )
        if extra_meetings:
            meetings_with_extra_round = [
                *unchanged_meetings,
                *playable_meetings,
                *extra_meetings,
            ]
            candidates.append(
                build_continuation(
                    f"{base_continuation_key}-extra",
                    old_movement,
                    meetings_with_extra_round,
                    clashes=clashes,
                )
            )
        yield from (continuation for continuation in candidates if continuation is not None)


def _iter_continuations_with_rescheduled_round(
    old_movement: Movement,
    actual_meetings: Sequence[Meeting],
    future_meetings: Sequence[Meeting],
    missed_meeting: Meeting,
) -> Iterator[Continuation]:
    """Yield the way in which a table plays the missed boards after the last round."""
    idle_meetings = [
        meeting
        for meeting in future_meetings
        if old_movement.absent_places.intersection(meeting.places)
    ]
    played_meetings = drop_idle_meetings(old_movement, actual_meetings)
    rescheduled_meeting = missed_meeting._replace(round=old_movement.round_count + 1)
    for repair in (Repair.LEAVE_OUT, Repair.NEW_BOARDS):
        playable_meetings, clashes = repair_meetings(
            played_meetings, drop_idle_meetings(old_movement, future_meetings), repair
        )
        played_groups_by_place = map_played_groups([*played_meetings, *playable_meetings])
        if any(
            missed_meeting.board_group in played_groups_by_place[place]
            for place in missed_meeting.places
        ):
            return
        continuation = build_continuation(
            "made-up",
            old_movement,
            [*actual_meetings, *idle_meetings, *playable_meetings, rescheduled_meeting],
            clashes=clashes,
        )
        if continuation is not None:
            yield continuation
            return


def _find_balancing_meeting(
    movement: Movement,
    actual_meetings: Sequence[Meeting],
    future_meetings: Sequence[Meeting],
    wrong_meetings: Sequence[Meeting],
) -> Meeting | None:
    """Return a later meeting that should be turned too because that is fairer, or None.

    Only the next meetings of the affected players are tried, and none in large fields.
    """
    if (
        not is_pairs_contest(movement)
        or movement.winner_count == 2
        or movement.place_count > MAX_PLACES_FOR_BALANCING
    ):
        return None
    least_unfairness = _compute_unfairness(movement, [*actual_meetings, *future_meetings])
    best_meeting = None
    affected_places = {place for meeting in wrong_meetings for place in meeting.places}
    next_meetings = [
        meeting
        for meeting in drop_idle_meetings(movement, future_meetings)
        if affected_places.intersection(meeting.places)
    ]
    for meeting in next_meetings[:MAX_MEETINGS_TRIED]:
        trial_meetings = [
            *actual_meetings,
            *(
                swap_meeting_sides(future_meeting)
                if future_meeting == meeting
                else future_meeting
                for future_meeting in future_meetings
            ),
        ]
        unfairness = _compute_unfairness(movement, trial_meetings)
        if unfairness < least_unfairness:
            least_unfairness, best_meeting = unfairness, meeting
    return best_meeting


def _compute_unfairness(movement: Movement, meetings: Sequence[Meeting]) -> int:
    trial_movement = replace(
        movement, meetings=tuple(meetings), allows_sharing=True, allows_replays=True
    )
    spread = compute_fairness(trial_movement, movement).comparison_spread
    return spread.maximum - spread.minimum


def swap_meeting_sides(meeting: Meeting) -> Meeting:
    """Return the meeting with North-South and East-West exchanged."""
    return meeting._replace(
        north=meeting.east,
        east=meeting.north,
        south=meeting.west,
        west=meeting.south,
    )


def _swap_places(meeting: Meeting, new_places_by_old_place: dict[int, int]) -> Meeting:
    places_by_seat = {
        seat: new_places_by_old_place.get(getattr(meeting, seat), getattr(meeting, seat))
        for seat in ("north", "east", "south", "west")
    }
    return meeting._replace(**places_by_seat)


def _validate_round_range(
    first_round_number: int, last_round_number: int, played_round_count: int
) -> None:
    if not 1 <= first_round_number <= last_round_number <= played_round_count:
        raise UnplayableMovement(
            _("Only rounds that have started can be corrected: 1–%(played)s.")
            % {"played": played_round_count}
        )
