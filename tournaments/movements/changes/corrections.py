"""Ways to continue after a table sat in the wrong direction, players swapped places, or wrong
boards were played.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from tournaments.movements.changes.consequences import compute_fairness
from tournaments.movements.changes.continuation import (
    Continuation,
    build_continuation,
    drop_idle_meetings,
    ranks_pairs,
    split_rounds,
)
from tournaments.movements.changes.incidents import ExchangedPlaces, TurnedTable, WrongBoards
from tournaments.movements.changes.repairs import (
    Cure,
    build_extra_round,
    map_plays,
    repair_meetings,
)
from tournaments.movements.meetings import Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

MAX_PLACES_EVENED = 40
MAX_MEETINGS_TRIED = 24
CURES_IN_ORDER = (
    ("boards", Cure.OTHER_BOARDS),
    ("share", Cure.SHARED_BOARDS),
    ("new", Cure.NEW_BOARDS),
)


def list_ways_after_turning(
    movement: Movement, played: int, change: TurnedTable
) -> Iterator[Continuation]:
    """List the ways to continue after a table sat in the wrong direction (N-S as E-W)."""
    _check_rounds(change.first, change.last, played)
    past, future = split_rounds(movement, played)
    wrong_meetings = {
        meeting
        for meeting in past
        if meeting.table == change.table and change.first <= meeting.round <= change.last
    }
    if not wrong_meetings:
        message = _("No one sat at table %(table)s in these rounds.")
        raise UnplayableMovement(message % {"table": change.table})
    actual_meetings = [
        turn_meeting(meeting) if meeting in wrong_meetings else meeting for meeting in past
    ]
    plans = [("planned", future)]
    best = _find_evening_turn(movement, actual_meetings, future, sorted(wrong_meetings))
    if best is not None:
        plans.append(
            (
                "evened",
                [turn_meeting(meeting) if meeting == best else meeting for meeting in future],
            )
        )
    plans.append(
        (
            "stay",
            [
                turn_meeting(meeting) if meeting.table == change.table else meeting
                for meeting in future
            ],
        )
    )
    yield from _iter_ways_from_facts(movement, actual_meetings, plans)


def list_ways_after_exchange(
    movement: Movement, played: int, change: ExchangedPlaces
) -> Iterator[Continuation]:
    """List the ways to continue when two places sat at each other's tables."""
    _check_rounds(change.first, change.last, played)
    if change.one == change.other:
        raise UnplayableMovement(_("Choose two different pairs."))
    past, future = split_rounds(movement, played)
    swapped = {change.one: change.other, change.other: change.one}
    actual_meetings = [
        _swap_places(meeting, swapped)
        if change.first <= meeting.round <= change.last
        else meeting
        for meeting in past
    ]
    plans = [
        ("return", future),
        ("stay", [_swap_places(meeting, swapped) for meeting in future]),
    ]
    yield from _iter_ways_from_facts(movement, actual_meetings, plans)


def list_ways_after_wrong_boards(
    movement: Movement, played: int, change: WrongBoards
) -> Iterator[Continuation]:
    """List the ways to continue when a table played boards that were not its own."""
    _check_rounds(change.round, change.round, played)
    past, future = split_rounds(movement, played)
    table_meetings = [e for e in past if (e.round, e.table) == (change.round, change.table)]
    if not table_meetings or movement.absent.intersection(table_meetings[0].places):
        message = _("No one sat at table %(table)s in round %(round)s.")
        raise UnplayableMovement(message % {"table": change.table, "round": change.round})
    if table_meetings[0].board_group == change.board_group:
        message = _(
            "Table %(table)s was due to play these boards in round "
            "%(round)s. Enter the boards it played instead."
        )
        raise UnplayableMovement(message % {"table": change.table, "round": change.round})
    actual_meetings = [
        e._replace(board_group=change.board_group) if e in table_meetings else e for e in past
    ]
    yield from _iter_ways_from_facts(movement, actual_meetings, [("planned", future)])
    yield from _iter_made_up_ways(movement, actual_meetings, future, table_meetings[0])


def _iter_ways_from_facts(
    old_movement: Movement,
    past: Sequence[Meeting],
    plans: Sequence[tuple[str, Sequence[Meeting]]],
) -> Iterator[Continuation]:
    """Yield ways to continue from what was really played.

    Their solutions are tables left out, other boards, or an extra round.
    """
    for key, future in plans:
        idle = [
            meeting for meeting in future if old_movement.absent.intersection(meeting.places)
        ]
        real = [
            meeting
            for meeting in future
            if not old_movement.absent.intersection(meeting.places)
        ]
        actual_meetings = [
            meeting for meeting in past if not old_movement.absent.intersection(meeting.places)
        ]
        playable, clashes = repair_meetings(actual_meetings, real, Cure.LEAVE_OUT)
        unchanged = [*past, *idle]
        candidates = [
            build_continuation(key, old_movement, [*unchanged, *playable], clashes=clashes)
        ]
        for name, cure in CURES_IN_ORDER:
            other, cured = repair_meetings(actual_meetings, real, cure)
            if sum(clash.instead is None for clash in cured) < len(clashes):
                candidates.append(
                    build_continuation(
                        f"{key}-{name}", old_movement, [*unchanged, *other], clashes=cured
                    )
                )
        extra_round = (
            build_extra_round(actual_meetings, playable, clashes)
            if ranks_pairs(old_movement)
            else []
        )
        if extra_round:
            with_extra_round = [*unchanged, *playable, *extra_round]
            candidates.append(
                build_continuation(
                    f"{key}-extra", old_movement, with_extra_round, clashes=clashes
                )
            )
        yield from (continuation for continuation in candidates if continuation is not None)


def _iter_made_up_ways(
    old_movement: Movement,
    actual_meetings: Sequence[Meeting],
    future: Sequence[Meeting],
    missed: Meeting,
) -> Iterator[Continuation]:
    """Yield the way in which a table plays the missed boards after the last round."""
    idle = [meeting for meeting in future if old_movement.absent.intersection(meeting.places)]
    played = drop_idle_meetings(old_movement, actual_meetings)
    made_up_meeting = missed._replace(round=old_movement.rounds + 1)
    for cure in (Cure.LEAVE_OUT, Cure.NEW_BOARDS):
        playable, clashes = repair_meetings(
            played, drop_idle_meetings(old_movement, future), cure
        )
        plays = map_plays([*played, *playable])
        if any(missed.board_group in plays[place] for place in missed.places):
            return
        continuation = build_continuation(
            "made-up",
            old_movement,
            [*actual_meetings, *idle, *playable, made_up_meeting],
            clashes=clashes,
        )
        if continuation is not None:
            yield continuation
            return


def _find_evening_turn(
    movement: Movement,
    actual_meetings: Sequence[Meeting],
    future: Sequence[Meeting],
    wrong_meetings: Sequence[Meeting],
) -> Meeting | None:
    """Return a later meeting that should be turned too because that is fairer, or None.

    Only the next tables of the players concerned are tried, and none in large fields.
    """
    if (
        not ranks_pairs(movement)
        or movement.winners == 2
        or movement.places > MAX_PLACES_EVENED
    ):
        return None
    unfair = _compute_unfairness(movement, [*actual_meetings, *future])
    best = None
    wronged = {place for each in wrong_meetings for place in each.places}
    next_meetings = [
        e for e in drop_idle_meetings(movement, future) if wronged.intersection(e.places)
    ]
    for meeting in next_meetings[:MAX_MEETINGS_TRIED]:
        trial_meetings = [
            *actual_meetings,
            *(turn_meeting(each) if each == meeting else each for each in future),
        ]
        measured = _compute_unfairness(movement, trial_meetings)
        if measured < unfair:
            unfair, best = measured, meeting
    return best


def _compute_unfairness(movement: Movement, meetings: Sequence[Meeting]) -> int:
    trial = replace(movement, meetings=tuple(meetings), sharing=True, replays=True)
    spread = compute_fairness(trial, movement).comparisons
    return spread.most - spread.least


def turn_meeting(meeting: Meeting) -> Meeting:
    """Return the same table with its two sides exchanged."""
    return meeting._replace(
        north=meeting.east,
        east=meeting.north,
        south=meeting.west,
        west=meeting.south,
    )


def _swap_places(meeting: Meeting, swapped: dict[int, int]) -> Meeting:
    seats = {
        seat: swapped.get(getattr(meeting, seat), getattr(meeting, seat))
        for seat in ("north", "east", "south", "west")
    }
    return meeting._replace(**seats)


def _check_rounds(first: int, last: int, played: int) -> None:
    if not 1 <= first <= last <= played:
        raise UnplayableMovement(
            _("Only rounds that have started can be corrected: 1 to %(played)s.")
            % {"played": played}
        )
