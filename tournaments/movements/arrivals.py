"""A pair that comes late, and somebody who goes home."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tournaments.movements.going_on import Way, is_of_pairs, really_played, split, way
from tournaments.movements.happenings import Left
from tournaments.movements.meetings import Meeting
from tournaments.movements.mending import joined
from tournaments.movements.redrawing import redrawn, taking_turns
from tournaments.movements.schedule import Movement, UnplayableMovement


def after_arrival(movement: Movement, played: int) -> Iterator[Way]:
    """List the ways to take a pair in that came after so many rounds."""
    past, future = split(movement, played)
    if not future:
        raise UnplayableMovement("The last round is under way: nobody can come in any more.")
    found = [_filled(movement, past, future, place) for place in sorted(movement.absent)[:1]]
    if is_of_pairs(movement):
        if not movement.absent:
            found += [_turns(movement, past, future)]
        places = [*movement.taken, movement.places + 1]
        fresh = redrawn(movement, really_played(movement, past), places, played)
        if fresh is not None:
            facts = really_played(movement, past)
            label = _new_label(movement, _field_of(fresh[1], places[-1]))
            found.append(way("redraw", movement, [*facts, *fresh[1]], label=label))
    yield from (way for way in found if way is not None)


def after_leaving(movement: Movement, played: int, change: Left) -> Iterator[Way]:
    """List the ways to go on when somebody has gone home after so many rounds."""
    if change.place not in movement.taken:
        raise UnplayableMovement("Nobody sits at this place, so nobody can leave it.")
    past, future = split(movement, played)
    if not future:
        raise UnplayableMovement("The last round is under way: nothing changes any more.")
    gone = {change.place}
    kept = [each for each in future if change.place not in each.places]
    found = [way("empty", movement, [*past, *kept], gone=gone)]
    if is_of_pairs(movement):
        facts, real = really_played(movement, past), really_played(movement, kept)
        without = replace(movement, absent=movement.absent | gone)
        added = joined(without, facts, real)
        if added:
            joint = way("joined", movement, [*facts, *real, *added], gone=gone)
            found.insert(0, joint)
        places = [place for place in movement.taken if place not in gone]
        fresh = redrawn(movement, facts, places, played)
        if fresh is not None:
            found.append(way("redraw", movement, [*facts, *fresh[1]], gone=gone))
    yield from (way for way in found if way is not None)


def _filled(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting], place: int
) -> Way | None:
    """The empty place is taken; the rounds that it missed are gone."""
    facts = [each for each in past if place not in each.places]
    return way("fill", movement, [*facts, *future], filled=place)


def _turns(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Way | None:
    """The newcomer relieves another pair each round, in the seats of one field."""
    newcomer = movement.places + 1
    choices = [("NS",), ("EW",)] if movement.two_fields else [("NS", "EW")]
    best: list[tuple[Meeting, Meeting]] = []
    field = ""
    for sides in choices:
        found = taking_turns(past, future, newcomer, sides)
        if len(found) > len(best):
            best, field = found, sides[0] if movement.two_fields else ""
    if not best:
        return None
    instead = dict(best)
    meetings = [*past, *(instead.get(each, each) for each in future)]
    return way("turns", movement, meetings, label=_new_label(movement, field))


def _field_of(meetings: Sequence[Meeting], place: int) -> str:
    first = next(each for each in meetings if place in each.places)
    return str(first.side_of(place).value)


def _new_label(movement: Movement, field: str) -> str:
    ending = field if movement.two_fields else ""
    numbers = [
        int(label.removesuffix(ending))
        for label in movement.labels
        if label.endswith(ending) and label.removesuffix(ending).isdecimal()
    ]
    return f"{max(numbers, default=0) + 1}{ending}"
