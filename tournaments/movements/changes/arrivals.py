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
    split_rounds,
)
from tournaments.movements.changes.incidents import Withdrawal
from tournaments.movements.changes.new_movement import (
    assign_available_boards,
    build_new_movement,
)
from tournaments.movements.changes.relief import find_relief_turns
from tournaments.movements.changes.repairs import Cure, map_plays, repair_meetings
from tournaments.movements.changes.sit_out_tables import seat_against_sit_outs
from tournaments.movements.changes.spare_tables import fill_empty_seats, join_idle_pairs
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

FILLING_CURES = (Cure.OTHER_BOARDS, Cure.SHARED_BOARDS, Cure.NEW_BOARDS)
MAX_MADE_UP_ROUNDS = 2
MAX_SHOWN_WAYS = 3


def list_ways_after_arrival(movement: Movement, played: int) -> Iterator[Continuation]:
    """List the ways to include a late pair after a number of rounds."""
    past, future = split_rounds(movement, played)
    if not future:
        raise UnplayableMovement(_("The last round has started, so no one can join now."))
    candidates: list[Continuation | None] = []
    if movement.absent:
        candidates += _iter_ways_to_fill_place(movement, past, future)
    else:
        candidates += _iter_extra_table_ways(movement, past, future)
        candidates += _iter_relief_ways(movement, past, future)
    places = _next_places(movement)
    for key, meetings in _iter_new_movements(
        movement, past, [*_list_present_places(movement), *places], played
    ):
        labels = _label_newcomer(movement, _find_field(meetings, places[0]))
        actual_meetings = drop_idle_meetings(movement, past)
        candidates.append(
            build_continuation(key, movement, [*actual_meetings, *meetings], labels=labels)
        )
    ways = [continuation for continuation in candidates if continuation is not None]
    # With enough other ways, replacing pairs of the other field adds nothing new.
    has_room_for_more = len(ways) <= MAX_SHOWN_WAYS
    yield from (
        continuation
        for continuation in ways
        if has_room_for_more or continuation.key != "turns-across"
    )


def list_ways_after_withdrawal(
    movement: Movement, played: int, change: Withdrawal
) -> Iterator[Continuation]:
    """List the ways to continue after an entry withdrew; of a team, both pairs withdraw."""
    if change.place not in _list_present_places(movement):
        raise UnplayableMovement(_("No one is sitting there."))
    past, future = split_rounds(movement, played)
    if not future:
        raise UnplayableMovement(_("The last round has started, so nothing can change now."))
    withdrawn = _places_of_entry(movement, change.place)
    remaining = [meeting for meeting in future if not withdrawn.intersection(meeting.places)]
    if not drop_idle_meetings(movement, remaining):
        raise UnplayableMovement(_("No one would be left to play. Close the session instead."))
    candidates = [
        build_continuation("empty", movement, [*past, *remaining], withdrawn=withdrawn)
    ]
    actual_meetings, real = (
        drop_idle_meetings(movement, past),
        drop_idle_meetings(movement, remaining),
    )
    added_tables = _add_tables(movement, withdrawn, actual_meetings, real)
    if added_tables:
        candidates.insert(
            0,
            build_continuation(
                "joined",
                movement,
                [*actual_meetings, *real, *added_tables],
                withdrawn=withdrawn,
            ),
        )
    places = [place for place in _list_present_places(movement) if place not in withdrawn]
    for key, meetings in _iter_new_movements(movement, past, places, played):
        candidates.append(
            build_continuation(
                key, movement, [*actual_meetings, *meetings], withdrawn=withdrawn
            )
        )
    yield from (continuation for continuation in candidates if continuation is not None)


def _add_tables(
    movement: Movement,
    withdrawn: frozenset[int],
    past: Sequence[Meeting],
    future: Sequence[Meeting],
) -> list[Meeting]:
    """Add tables for entries that would sit out because of the withdrawal."""
    if movement.contest is Contest.TEAMS or not future:
        return []
    absent = movement.absent | movement.withdrawn_places | withdrawn
    reduced_movement = replace(movement, absent=absent, sharing=True, replays=True)
    if movement.contest is Contest.PAIRS:
        return join_idle_pairs(reduced_movement, past, future)
    return fill_empty_seats(reduced_movement, past, future)


def _iter_ways_to_fill_place(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways in which the newcomer fills an empty place.

    Missed rounds are lost or made up.
    """
    places = (
        _places_of_entry(movement, _find_emptiest_place(movement, future)) & movement.absent
    )
    still_absent = movement.absent - places
    actual_meetings = [meeting for meeting in past if not places.intersection(meeting.places)]
    idle = [meeting for meeting in future if still_absent.intersection(meeting.places)]
    real = [meeting for meeting in future if meeting not in idle]
    playable, clashes = _make_playable(drop_idle_meetings(movement, actual_meetings), real)
    later_meetings = [*idle, *playable]
    yield build_continuation(
        "fill", movement, [*actual_meetings, *later_meetings], filled=places, clashes=clashes
    )
    missed = [
        meeting
        for meeting in past
        if places.intersection(meeting.places)
        and not (still_absent | movement.withdrawn_places).intersection(meeting.places)
    ]
    played = map_plays([*drop_idle_meetings(movement, actual_meetings), *playable])
    can_play_missed = all(
        meeting.board_group not in played[p] for meeting in missed for p in meeting.places
    )
    rounds = sorted({meeting.round for meeting in missed})
    if missed and can_play_missed and len(rounds) <= MAX_MADE_UP_ROUNDS:
        last = movement.rounds + 1
        later = [
            meeting._replace(round=last + rounds.index(meeting.round)) for meeting in missed
        ]
        all_meetings = [*actual_meetings, *later_meetings, *later]
        yield build_continuation(
            "fill-later", movement, all_meetings, filled=places, clashes=clashes
        )


def _make_playable(
    past: Sequence[Meeting], future: Sequence[Meeting]
) -> tuple[list[Meeting], list[Clash]]:
    """Give other boards to tables where an opponent of the newcomer has played the boards.

    Plays at a table with an empty place were not checked before.
    """
    trials = [repair_meetings(past, future, cure) for cure in FILLING_CURES]
    return min(trials, key=lambda trial: sum(clash.instead is None for clash in trial[1]))


def _find_emptiest_place(movement: Movement, future: Sequence[Meeting]) -> int:
    """Return the empty place with the most idle opponents in later rounds."""
    waiting_opponents = Counter(
        place
        for meeting in future
        if len(empty := movement.absent.intersection(meeting.places)) == 1
        for place in empty
    )
    return min(movement.absent, key=lambda place: (-waiting_opponents[place], place))


def _iter_extra_table_ways(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways in which the newcomer plays entries that would sit out, at an extra table."""
    places, actual_meetings = _next_places(movement), drop_idle_meetings(movement, past)
    real = drop_idle_meetings(movement, future)
    candidates = [
        (seat_against_sit_outs(movement, actual_meetings, real, places, side), side)
        for side in ((Side.EW, Side.NS) if movement.two_fields else (Side.EW,))
    ]
    added_tables, side = max(candidates, key=lambda candidate: len(candidate[0]))
    if added_tables:
        labels = _label_newcomer(movement, side.value)
        yield build_continuation(
            "table", movement, [*past, *future, *added_tables], labels=labels
        )


def _iter_relief_ways(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways in which the newcomer replaces another entry in each round.

    In a Mitchell the newcomer only takes seats of one field.
    """
    places = _next_places(movement)
    in_fields = movement.two_fields and movement.contest is Contest.PAIRS
    choices = [(Side.NS,), (Side.EW,)] if in_fields else [(Side.NS, Side.EW)]
    candidates = [
        (find_relief_turns(movement, future, places, sides), sides) for sides in choices
    ]
    candidates.sort(key=lambda candidate: -len(candidate[0]))
    for key, (turns, sides) in zip(("turns", "turns-across"), candidates, strict=False):
        instead = {old: new for turn in turns for old, new in turn.instead}
        meetings = [*past, *(instead.get(meeting, meeting) for meeting in future)]
        if instead:
            yield build_continuation(
                key, movement, meetings, labels=_label_newcomer(movement, sides[0].value)
            )


def _iter_new_movements(
    movement: Movement, past: Sequence[Meeting], places: Sequence[int], played: int
) -> Iterator[tuple[str, list[Meeting]]]:
    """Yield a new movement for the remaining rounds, on new boards and on available ones."""
    actual_meetings = drop_idle_meetings(movement, past)
    new_meetings = build_new_movement(movement, actual_meetings, places, played)
    if new_meetings is None:
        return
    yield "redraw", new_meetings
    groups = movement.groups
    available_meetings = assign_available_boards(
        movement.contest, actual_meetings, new_meetings, groups
    )
    if _count_extra_groups(groups, available_meetings) < _count_extra_groups(
        groups, new_meetings
    ):
        yield "redraw-at-hand", available_meetings


def _list_present_places(movement: Movement) -> list[int]:
    """Return the places whose entries have not withdrawn."""
    return [
        place for place in movement.occupied_places if place not in movement.withdrawn_places
    ]


def _places_of_entry(movement: Movement, place: int) -> frozenset[int]:
    """Return all places of the entry at a place: both of a team, or this place."""
    if movement.contest is not Contest.TEAMS:
        return frozenset({place})
    team = movement.team(place)
    return frozenset(p for p in range(1, movement.places + 1) if movement.team(p) == team)


def _next_places(movement: Movement) -> range:
    """Return the places that a newcomer gets: two for a team."""
    first = movement.places + 1
    return range(first, first + (2 if movement.contest is Contest.TEAMS else 1))


def _count_extra_groups(groups: int, meetings: Sequence[Meeting]) -> int:
    """Return the number of board groups that a schedule needs beyond the prepared ones."""
    return len({meeting.board_group for meeting in meetings if meeting.board_group > groups})


def _find_field(meetings: Sequence[Meeting], place: int) -> str:
    first = next(meeting for meeting in meetings if place in meeting.places)
    return str(first.side_of(place).value)


def _label_newcomer(movement: Movement, field: str) -> tuple[str, ...]:
    """Return the labels of a newcomer's places: the next number, with its field if any."""
    if movement.contest is Contest.TEAMS:
        team = 1 + max(movement.team(place) for place in range(1, movement.places + 1))
        return f"{team}NS", f"{team}EW"
    ending = field if movement.two_fields else ""
    numbers = [
        int(label.removesuffix(ending))
        for label in movement.labels
        if label.endswith(ending) and label.removesuffix(ending).isdecimal()
    ]
    return (f"{max(numbers, default=0) + 1}{ending}",)
