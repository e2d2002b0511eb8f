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
    """List the ways to include a late arrival after a number of rounds."""
    past, future = split_rounds(movement, played)
    if not future:
        raise UnplayableMovement(_("The last round has started, so no one can join now."))
    found: list[Continuation | None] = []
    if movement.absent:
        found += _iter_ways_to_fill_place(movement, past, future)
    else:
        found += _iter_extra_table_ways(movement, past, future)
        found += _iter_relief_ways(movement, past, future)
    places = _next_places(movement)
    for key, meetings in _iter_new_movements(
        movement, past, [*_list_present_places(movement), *places], played
    ):
        labels = _label_newcomer(movement, _find_field(meetings, places[0]))
        facts = drop_idle_meetings(movement, past)
        found.append(build_continuation(key, movement, [*facts, *meetings], labels=labels))
    ways = [way for way in found if way is not None]
    # The other field's turns add nothing new if there are enough other ways.
    few = len(ways) <= MAX_SHOWN_WAYS
    yield from (way for way in ways if few or way.key != "turns-across")


def list_ways_after_withdrawal(
    movement: Movement, played: int, change: Withdrawal
) -> Iterator[Continuation]:
    """List the ways to continue after a withdrawal after a number of rounds.

    If a team withdraws, both its pairs do.
    """
    if change.place not in _list_present_places(movement):
        raise UnplayableMovement(_("No one is sitting there."))
    past, future = split_rounds(movement, played)
    if not future:
        raise UnplayableMovement(_("The last round has started, so nothing can change now."))
    gone = _places_of_entry(movement, change.place)
    kept = [each for each in future if not gone.intersection(each.places)]
    if not drop_idle_meetings(movement, kept):
        raise UnplayableMovement(_("No one would be left to play. Close the session instead."))
    found = [build_continuation("empty", movement, [*past, *kept], gone=gone)]
    facts, real = drop_idle_meetings(movement, past), drop_idle_meetings(movement, kept)
    added = _add_tables(movement, gone, facts, real)
    if added:
        found.insert(
            0, build_continuation("joined", movement, [*facts, *real, *added], gone=gone)
        )
    places = [place for place in _list_present_places(movement) if place not in gone]
    for key, meetings in _iter_new_movements(movement, past, places, played):
        found.append(build_continuation(key, movement, [*facts, *meetings], gone=gone))
    yield from (way for way in found if way is not None)


def _add_tables(
    movement: Movement,
    gone: frozenset[int],
    past: Sequence[Meeting],
    future: Sequence[Meeting],
) -> list[Meeting]:
    """Add tables for those who would sit out because of the withdrawal."""
    if movement.contest is Contest.TEAMS or not future:
        return []
    absent = movement.absent | movement.withdrawn_places | gone
    without = replace(movement, absent=absent, sharing=True, replays=True)
    if movement.contest is Contest.PAIRS:
        return join_idle_pairs(without, past, future)
    return fill_empty_seats(without, past, future)


def _iter_ways_to_fill_place(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways to fill the empty place; the missed rounds are lost or made up later."""
    places = (
        _places_of_entry(movement, _find_emptiest_place(movement, future)) & movement.absent
    )
    still_absent = movement.absent - places
    facts = [each for each in past if not places.intersection(each.places)]
    idle = [each for each in future if still_absent.intersection(each.places)]
    real = [each for each in future if each not in idle]
    kept, clashes = _make_playable(drop_idle_meetings(movement, facts), real)
    coming = [*idle, *kept]
    yield build_continuation(
        "fill", movement, [*facts, *coming], filled=places, clashes=clashes
    )
    missed = [
        each
        for each in past
        if places.intersection(each.places)
        and not (still_absent | movement.withdrawn_places).intersection(each.places)
    ]
    played = map_plays([*drop_idle_meetings(movement, facts), *kept])
    fits = all(each.board_group not in played[p] for each in missed for p in each.places)
    rounds = sorted({each.round for each in missed})
    if missed and fits and len(rounds) <= MAX_MADE_UP_ROUNDS:
        last = movement.rounds + 1
        later = [each._replace(round=last + rounds.index(each.round)) for each in missed]
        whole = [*facts, *coming, *later]
        yield build_continuation("fill-later", movement, whole, filled=places, clashes=clashes)


def _make_playable(
    past: Sequence[Meeting], future: Sequence[Meeting]
) -> tuple[list[Meeting], list[Clash]]:
    """Give other boards to opponents of the newcomer who played the boards by mistake.

    While the place was empty, boards played at its tables were not checked.
    """
    trials = [repair_meetings(past, future, cure) for cure in FILLING_CURES]
    return min(trials, key=lambda trial: sum(each.instead is None for each in trial[1]))


def _find_emptiest_place(movement: Movement, future: Sequence[Meeting]) -> int:
    """Return the empty place with the most waiting opponents later; the first if tied."""
    waiting = Counter(
        place
        for each in future
        if len(empty := movement.absent.intersection(each.places)) == 1
        for place in empty
    )
    return min(movement.absent, key=lambda place: (-waiting[place], place))


def _iter_extra_table_ways(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways to play those who would sit out, on the side with more such rounds."""
    places, facts = _next_places(movement), drop_idle_meetings(movement, past)
    real = drop_idle_meetings(movement, future)
    found = [
        (seat_against_sit_outs(movement, facts, real, places, side), side)
        for side in ((Side.EW, Side.NS) if movement.two_fields else (Side.EW,))
    ]
    added, side = max(found, key=lambda each: len(each[0]))
    if added:
        labels = _label_newcomer(movement, side.value)
        yield build_continuation("table", movement, [*past, *future, *added], labels=labels)


def _iter_relief_ways(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Continuation | None]:
    """Yield ways in which the newcomer replaces another pair each round.

    In a Mitchell the newcomer takes the seats of one field only.
    """
    places = _next_places(movement)
    in_fields = movement.two_fields and movement.contest is Contest.PAIRS
    choices = [(Side.NS,), (Side.EW,)] if in_fields else [(Side.NS, Side.EW)]
    found = [(find_relief_turns(movement, future, places, sides), sides) for sides in choices]
    found.sort(key=lambda each: -len(each[0]))
    for key, (turns, sides) in zip(("turns", "turns-across"), found, strict=False):
        instead = {old: new for turn in turns for old, new in turn.instead}
        meetings = [*past, *(instead.get(each, each) for each in future)]
        if instead:
            yield build_continuation(
                key, movement, meetings, labels=_label_newcomer(movement, sides[0].value)
            )


def _iter_new_movements(
    movement: Movement, past: Sequence[Meeting], places: Sequence[int], played: int
) -> Iterator[tuple[str, list[Meeting]]]:
    """Yield a new movement for the rounds left: on fresh boards, and on those available."""
    facts = drop_idle_meetings(movement, past)
    fresh = build_new_movement(movement, facts, places, played)
    if fresh is None:
        return
    yield "redraw", fresh
    groups = movement.groups
    at_hand = assign_available_boards(movement.contest, facts, fresh, groups)
    if _count_extra_groups(groups, at_hand) < _count_extra_groups(groups, fresh):
        yield "redraw-at-hand", at_hand


def _list_present_places(movement: Movement) -> list[int]:
    """Return the places whose entries are still present."""
    return [
        place for place in movement.occupied_places if place not in movement.withdrawn_places
    ]


def _places_of_entry(movement: Movement, place: int) -> frozenset[int]:
    """Return all places of the entry at one place: both of a team, else that one."""
    if movement.contest is not Contest.TEAMS:
        return frozenset({place})
    team = movement.team(place)
    return frozenset(p for p in range(1, movement.places + 1) if movement.team(p) == team)


def _next_places(movement: Movement) -> range:
    """Return the places that a newcomer gets: two for a team."""
    first = movement.places + 1
    return range(first, first + (2 if movement.contest is Contest.TEAMS else 1))


def _count_extra_groups(groups: int, meetings: Sequence[Meeting]) -> int:
    """Count the board groups that a schedule needs beyond those prepared for the evening."""
    return len({each.board_group for each in meetings if each.board_group > groups})


def _find_field(meetings: Sequence[Meeting], place: int) -> str:
    first = next(each for each in meetings if place in each.places)
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
