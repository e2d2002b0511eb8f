"""Ways to continue after a late arrival or a withdrawal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from tournaments.movements.changes.consequences import Clash
from tournaments.movements.changes.continuation import (
    Continuation,
    build_continuation,
    drop_idle_meetings,
    split_meetings_at_round,
)
from tournaments.movements.changes.incidents import Withdrawal
from tournaments.movements.changes.new_movement import (
    assign_available_boards,
    build_new_movement,
)
from tournaments.movements.changes.relief import find_relief_turns
from tournaments.movements.changes.repairs import Repair, map_played_groups, repair_meetings
from tournaments.movements.changes.sit_out_tables import seat_newcomer_against_sit_outs
from tournaments.movements.changes.spare_tables import (
    fill_empty_seats,
    seat_idle_pairs_together,
)
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

PLACE_FILLING_REPAIRS = (Repair.OTHER_BOARDS, Repair.SHARED_BOARDS, Repair.NEW_BOARDS)
MAX_RESCHEDULED_ROUNDS = 2
MAX_SHOWN_CONTINUATIONS = 3


def list_continuations_after_arrival(
    movement: Movement, played_round_count: int
) -> Iterator[Continuation]:
    """List the ways to include a late pair after a number of rounds."""
    past_meetings, future_meetings = split_meetings_at_round(movement, played_round_count)
    if not future_meetings:
        raise UnplayableMovement(_("The last round has started, so no one can join now."))
    candidates: list[Continuation | None] = []
    if movement.absent_places:
        candidates += _iter_continuations_that_fill_place(
            movement, past_meetings, future_meetings
        )
    else:
        candidates += _iter_extra_table_continuations(movement, past_meetings, future_meetings)
        candidates += _iter_newcomer_replacements(movement, past_meetings, future_meetings)
    newcomer_places = _list_newcomer_places(movement)
    for continuation_key, meetings in _iter_new_movements(
        movement,
        past_meetings,
        [*_list_present_places(movement), *newcomer_places],
        played_round_count,
    ):
        labels = _build_newcomer_labels(
            movement, _find_field_name(meetings, newcomer_places[0])
        )
        actual_meetings = drop_idle_meetings(movement, past_meetings)
        candidates.append(
            build_continuation(
                continuation_key, movement, [*actual_meetings, *meetings], labels=labels
            )
        )
    continuations = [continuation for continuation in candidates if continuation is not None]
    # Replacing pairs of the other field ("turns-across") is only offered if there are few ways.
    should_include_all = len(continuations) <= MAX_SHOWN_CONTINUATIONS
    yield from (
        continuation
        for continuation in continuations
        if should_include_all or continuation.key != "turns-across"
    )


def list_continuations_after_withdrawal(
    movement: Movement, played_round_count: int, withdrawal: Withdrawal
) -> Iterator[Continuation]:
    """List the ways to continue after an entry withdrew; both pairs of a team withdraw."""
    if withdrawal.place not in _list_present_places(movement):
        raise UnplayableMovement(_("No one is sitting there."))
    past_meetings, future_meetings = split_meetings_at_round(movement, played_round_count)
    if not future_meetings:
        raise UnplayableMovement(_("The last round has started, so nothing can change now."))
    withdrawn_places = _list_entry_places(movement, withdrawal.place)
    remaining_meetings = [
        meeting
        for meeting in future_meetings
        if not withdrawn_places.intersection(meeting.places)
    ]
    if not drop_idle_meetings(movement, remaining_meetings):
        raise UnplayableMovement(_("No one would be left to play. Close the session instead."))
    candidates = [
        build_continuation(
            "empty",
            movement,
            [*past_meetings, *remaining_meetings],
            withdrawn_places=withdrawn_places,
        )
    ]
    actual_meetings, complete_meetings = (
        drop_idle_meetings(movement, past_meetings),
        drop_idle_meetings(movement, remaining_meetings),
    )
    added_meetings = _add_tables(movement, withdrawn_places, actual_meetings, complete_meetings)
    if added_meetings:
        candidates.insert(
            0,
            build_continuation(
                "joined",
                movement,
                [*actual_meetings, *complete_meetings, *added_meetings],
                withdrawn_places=withdrawn_places,
            ),
        )
    places = [
        place for place in _list_present_places(movement) if place not in withdrawn_places
    ]
    for continuation_key, meetings in _iter_new_movements(
        movement, past_meetings, places, played_round_count
    ):
        candidates.append(
            build_continuation(
                continuation_key,
                movement,
                [*actual_meetings, *meetings],
                withdrawn_places=withdrawn_places,
            )
        )
    yield from (continuation for continuation in candidates if continuation is not None)


def _add_tables(
    movement: Movement,
    withdrawn_places: frozenset[int],
    past_meetings: Sequence[Meeting],
    future_meetings: Sequence[Meeting],
) -> list[Meeting]:
    """Add tables for entries that would sit out because of the withdrawal."""
    if movement.contest is Contest.TEAMS or not future_meetings:
        return []
    absent_places = movement.absent_places | movement.withdrawn_places | withdrawn_places
    reduced_movement = replace(
        movement, absent_places=absent_places, allows_sharing=True, allows_replays=True
    )
    if movement.contest is Contest.PAIRS:
        return seat_idle_pairs_together(reduced_movement, past_meetings, future_meetings)
    return fill_empty_seats(reduced_movement, past_meetings, future_meetings)


def _iter_continuations_that_fill_place(
    movement: Movement, past_meetings: Sequence[Meeting], future_meetings: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways in which the newcomer fills an empty place.

    Missed rounds are lost or made up.
    """
    places_to_fill = (
        _list_entry_places(movement, _find_empty_place_to_fill(movement, future_meetings))
        & movement.absent_places
    )
    remaining_absent_places = movement.absent_places - places_to_fill
    actual_meetings = [
        meeting for meeting in past_meetings if not places_to_fill.intersection(meeting.places)
    ]
    idle_meetings = [
        meeting
        for meeting in future_meetings
        if remaining_absent_places.intersection(meeting.places)
    ]
    complete_meetings = [meeting for meeting in future_meetings if meeting not in idle_meetings]
    playable_meetings, clashes = _make_meetings_playable(
        drop_idle_meetings(movement, actual_meetings), complete_meetings
    )
    later_meetings = [*idle_meetings, *playable_meetings]
    yield build_continuation(
        "fill",
        movement,
        [*actual_meetings, *later_meetings],
        places_to_fill=places_to_fill,
        clashes=clashes,
    )
    missed_meetings = [
        meeting
        for meeting in past_meetings
        if places_to_fill.intersection(meeting.places)
        and not (remaining_absent_places | movement.withdrawn_places).intersection(
            meeting.places
        )
    ]
    played_groups_by_place = map_played_groups(
        [*drop_idle_meetings(movement, actual_meetings), *playable_meetings]
    )
    can_play_missed_boards = all(
        meeting.board_group not in played_groups_by_place[place]
        for meeting in missed_meetings
        for place in meeting.places
    )
    missed_rounds = sorted({meeting.round for meeting in missed_meetings})
    if (
        missed_meetings
        and can_play_missed_boards
        and len(missed_rounds) <= MAX_RESCHEDULED_ROUNDS
    ):
        extra_round_number = movement.round_count + 1
        rescheduled_meetings = [
            meeting._replace(round=extra_round_number + missed_rounds.index(meeting.round))
            for meeting in missed_meetings
        ]
        all_meetings = [*actual_meetings, *later_meetings, *rescheduled_meetings]
        yield build_continuation(
            "fill-later", movement, all_meetings, places_to_fill=places_to_fill, clashes=clashes
        )


def _make_meetings_playable(
    past_meetings: Sequence[Meeting], future_meetings: Sequence[Meeting]
) -> tuple[list[Meeting], list[Clash]]:
    """Give other boards to tables where the newcomer's opponent has played the planned ones.

    The plan did not check the boards at a table with an empty place.
    """
    repaired_meetings_and_clashes = [
        repair_meetings(past_meetings, future_meetings, repair)
        for repair in PLACE_FILLING_REPAIRS
    ]
    return min(
        repaired_meetings_and_clashes,
        key=lambda meetings_and_clashes: sum(
            clash.replacement_board_group is None for clash in meetings_and_clashes[1]
        ),
    )


def _find_empty_place_to_fill(movement: Movement, future_meetings: Sequence[Meeting]) -> int:
    """Return the empty place with the most idle opponents in later rounds."""
    idle_opponent_counts = Counter(
        place
        for meeting in future_meetings
        if len(empty_places := movement.absent_places.intersection(meeting.places)) == 1
        for place in empty_places
    )
    return min(movement.absent_places, key=lambda place: (-idle_opponent_counts[place], place))


def _iter_extra_table_continuations(
    movement: Movement, past_meetings: Sequence[Meeting], future_meetings: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways with an extra table, where the newcomer plays against entries that sit out."""
    newcomer_places, actual_meetings = (
        _list_newcomer_places(movement),
        drop_idle_meetings(movement, past_meetings),
    )
    complete_meetings = drop_idle_meetings(movement, future_meetings)
    candidates = [
        (
            seat_newcomer_against_sit_outs(
                movement, actual_meetings, complete_meetings, newcomer_places, side
            ),
            side,
        )
        for side in ((Side.EW, Side.NS) if movement.has_two_fields else (Side.EW,))
    ]
    added_meetings, side = max(candidates, key=lambda tables_and_side: len(tables_and_side[0]))
    if added_meetings:
        labels = _build_newcomer_labels(movement, side.value)
        yield build_continuation(
            "table",
            movement,
            [*past_meetings, *future_meetings, *added_meetings],
            labels=labels,
        )


def _iter_newcomer_replacements(
    movement: Movement, past_meetings: Sequence[Meeting], future_meetings: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways in which the newcomer replaces another entry in each round.

    In a Mitchell the newcomer only takes seats of one field.
    """
    newcomer_places = _list_newcomer_places(movement)
    has_separate_fields = movement.has_two_fields and movement.contest is Contest.PAIRS
    side_choices = [(Side.NS,), (Side.EW,)] if has_separate_fields else [(Side.NS, Side.EW)]
    candidates = [
        (find_relief_turns(movement, future_meetings, newcomer_places, sides), sides)
        for sides in side_choices
    ]
    candidates.sort(key=lambda turns_and_sides: -len(turns_and_sides[0]))
    for continuation_key, (relief_turns, sides) in zip(
        ("turns", "turns-across"), candidates, strict=False
    ):
        new_meeting_by_old_meeting = {
            old_meeting: new_meeting
            for turn in relief_turns
            for old_meeting, new_meeting in turn.replacements
        }
        meetings = [
            *past_meetings,
            *(new_meeting_by_old_meeting.get(meeting, meeting) for meeting in future_meetings),
        ]
        if new_meeting_by_old_meeting:
            yield build_continuation(
                continuation_key,
                movement,
                meetings,
                labels=_build_newcomer_labels(movement, sides[0].value),
            )


def _iter_new_movements(
    movement: Movement,
    past_meetings: Sequence[Meeting],
    places: Sequence[int],
    played_round_count: int,
) -> Iterator[tuple[str, list[Meeting]]]:
    """Yield (continuation key, meetings) of a new movement for the remaining rounds.

    The first way uses new boards. The second way uses available boards as far as possible.
    """
    actual_meetings = drop_idle_meetings(movement, past_meetings)
    new_meetings = build_new_movement(movement, actual_meetings, places, played_round_count)
    if new_meetings is None:
        return
    yield "redraw", new_meetings
    group_count = movement.group_count
    meetings_with_available_boards = assign_available_boards(
        movement.contest, actual_meetings, new_meetings, group_count
    )
    if _count_extra_groups(group_count, meetings_with_available_boards) < _count_extra_groups(
        group_count, new_meetings
    ):
        yield "redraw-at-hand", meetings_with_available_boards


def _list_present_places(movement: Movement) -> list[int]:
    """Return the places whose entries have not withdrawn."""
    return [
        place for place in movement.occupied_places if place not in movement.withdrawn_places
    ]


def _list_entry_places(movement: Movement, place: int) -> frozenset[int]:
    """Return the places of the entry at a place: both places of a team, or only this place."""
    if movement.contest is not Contest.TEAMS:
        return frozenset({place})
    team_number = movement.get_team_number(place)
    return frozenset(
        other_place
        for other_place in range(1, movement.place_count + 1)
        if movement.get_team_number(other_place) == team_number
    )


def _list_newcomer_places(movement: Movement) -> range:
    """Return the places that a newcomer gets: two for a team."""
    first_place = movement.place_count + 1
    return range(first_place, first_place + (2 if movement.contest is Contest.TEAMS else 1))


def _count_extra_groups(group_count: int, meetings: Sequence[Meeting]) -> int:
    """Return the number of board groups that a schedule needs beyond the prepared ones."""
    return len(
        {meeting.board_group for meeting in meetings if meeting.board_group > group_count}
    )


def _find_field_name(meetings: Sequence[Meeting], place: int) -> str:
    first_meeting = next(meeting for meeting in meetings if place in meeting.places)
    return str(first_meeting.find_side(place).value)


def _build_newcomer_labels(movement: Movement, field_name: str) -> tuple[str, ...]:
    """Return the labels of a newcomer's places: the next number, with its field if any."""
    if movement.contest is Contest.TEAMS:
        team_number = 1 + max(
            movement.get_team_number(place) for place in range(1, movement.place_count + 1)
        )
        return f"{team_number}NS", f"{team_number}EW"
    label_suffix = field_name if movement.has_two_fields else ""
    label_numbers = [
        int(label.removesuffix(label_suffix))
        for label in movement.labels
        if label.endswith(label_suffix) and label.removesuffix(label_suffix).isdecimal()
    ]
    return (f"{max(label_numbers, default=0) + 1}{label_suffix}",)
