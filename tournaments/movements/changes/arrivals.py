"""Ways to continue after a late arrival or a withdrawal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from tournaments.movements.changes.consequences import Clash
from tournaments.movements.changes.continuation import Way, really_played, split, way
from tournaments.movements.changes.incidents import Left
from tournaments.movements.changes.redrawing import on_boards_at_hand, redrawn
from tournaments.movements.changes.relief import taking_turns
from tournaments.movements.changes.repairs import Cure, mended, plays_of
from tournaments.movements.changes.resting import facing_the_resting
from tournaments.movements.changes.spare_tables import filled_up, joined
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

FILLING = (Cure.OTHER_BOARDS, Cure.SHARED_BOARDS, Cure.NEW_BOARDS)
MOST_MADE_UP = 2
MAX_SHOWN_WAYS = 3


def after_arrival(movement: Movement, played: int) -> Iterator[Way]:
    """List the ways to include a late arrival after a number of rounds."""
    past, future = split(movement, played)
    if not future:
        raise UnplayableMovement(_("The last round is under way: nobody can come in any more."))
    found: list[Way | None] = []
    if movement.absent:
        found += _filled(movement, past, future)
    else:
        found += _table_more(movement, past, future)
        found += _turns(movement, past, future)
    places = _next_places(movement)
    for key, meetings in _fresh(movement, past, [*_here(movement), *places], played):
        labels = _new_labels(movement, _field_of(meetings, places[0]))
        facts = really_played(movement, past)
        found.append(way(key, movement, [*facts, *meetings], labels=labels))
    ways = [way for way in found if way is not None]
    # The other field's turns add nothing new if there are enough other ways.
    few = len(ways) <= MAX_SHOWN_WAYS
    yield from (way for way in ways if few or way.key != "turns-across")


def after_leaving(movement: Movement, played: int, change: Left) -> Iterator[Way]:
    """List the ways to continue after a withdrawal after a number of rounds.

    If a team withdraws, both its pairs do.
    """
    if change.place not in _here(movement):
        raise UnplayableMovement(_("Nobody sits at this place, so nobody can leave it."))
    past, future = split(movement, played)
    if not future:
        raise UnplayableMovement(_("The last round is under way: nothing changes any more."))
    gone = _of_one(movement, change.place)
    kept = [each for each in future if not gone.intersection(each.places)]
    if not really_played(movement, kept):
        raise UnplayableMovement(_("Without them nobody is left to play: close the session."))
    found = [way("empty", movement, [*past, *kept], gone=gone)]
    facts, real = really_played(movement, past), really_played(movement, kept)
    added = _added(movement, gone, facts, real)
    if added:
        found.insert(0, way("joined", movement, [*facts, *real, *added], gone=gone))
    places = [place for place in _here(movement) if place not in gone]
    for key, meetings in _fresh(movement, past, places, played):
        found.append(way(key, movement, [*facts, *meetings], gone=gone))
    yield from (way for way in found if way is not None)


def _added(
    movement: Movement,
    gone: frozenset[int],
    past: Sequence[Meeting],
    future: Sequence[Meeting],
) -> list[Meeting]:
    """Add tables for those who would sit out because of the withdrawal."""
    if movement.contest is Contest.TEAMS or not future:
        return []
    absent = movement.absent | movement.gone | gone
    without = replace(movement, absent=absent, sharing=True, replays=True)
    if movement.contest is Contest.PAIRS:
        return joined(without, past, future)
    return filled_up(without, past, future)


def _filled(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Way | None]:
    """Yield ways that fill the empty place; its missed rounds are lost, or made up later."""
    places = _of_one(movement, _emptiest(movement, future)) & movement.absent
    still_absent = movement.absent - places
    facts = [each for each in past if not places.intersection(each.places)]
    idle = [each for each in future if still_absent.intersection(each.places)]
    real = [each for each in future if each not in idle]
    kept, clashes = _playable(really_played(movement, facts), real)
    coming = [*idle, *kept]
    yield way("fill", movement, [*facts, *coming], filled=places, clashes=clashes)
    missed = [
        each
        for each in past
        if places.intersection(each.places)
        and not (still_absent | movement.gone).intersection(each.places)
    ]
    played = plays_of([*really_played(movement, facts), *kept])
    fits = all(each.board_group not in played[p] for each in missed for p in each.places)
    rounds = sorted({each.round for each in missed})
    if missed and fits and len(rounds) <= MOST_MADE_UP:
        last = movement.rounds + 1
        later = [each._replace(round=last + rounds.index(each.round)) for each in missed]
        whole = [*facts, *coming, *later]
        yield way("fill-later", movement, whole, filled=places, clashes=clashes)


def _playable(
    past: Sequence[Meeting], future: Sequence[Meeting]
) -> tuple[list[Meeting], list[Clash]]:
    """Give other boards to opponents of the newcomer who played the boards by mistake.

    While the place was empty, boards played at its tables were not checked.
    """
    trials = [mended(past, future, cure) for cure in FILLING]
    return min(trials, key=lambda trial: sum(each.instead is None for each in trial[1]))


def _emptiest(movement: Movement, future: Sequence[Meeting]) -> int:
    """Return the empty place with most waiting tables in later rounds; the first if tied."""
    waiting = Counter(
        place
        for each in future
        if len(empty := movement.absent.intersection(each.places)) == 1
        for place in empty
    )
    return min(movement.absent, key=lambda place: (-waiting[place], place))


def _table_more(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Way | None]:
    """Let the newcomer play those who would sit out, on the side with more such rounds."""
    places, facts = _next_places(movement), really_played(movement, past)
    real = really_played(movement, future)
    found = [
        (facing_the_resting(movement, facts, real, places, side), side)
        for side in ((Side.EW, Side.NS) if movement.two_fields else (Side.EW,))
    ]
    added, side = max(found, key=lambda each: len(each[0]))
    if added:
        labels = _new_labels(movement, side.value)
        yield way("table", movement, [*past, *future, *added], labels=labels)


def _turns(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> Iterator[Way | None]:
    """Let the newcomer relieve a pair each round; in a Mitchell in the seats of one field."""
    places = _next_places(movement)
    in_fields = movement.two_fields and movement.contest is Contest.PAIRS
    choices = [(Side.NS,), (Side.EW,)] if in_fields else [(Side.NS, Side.EW)]
    found = [(taking_turns(movement, future, places, sides), sides) for sides in choices]
    found.sort(key=lambda each: -len(each[0]))
    for key, (turns, sides) in zip(("turns", "turns-across"), found, strict=False):
        instead = {old: new for turn in turns for old, new in turn.instead}
        meetings = [*past, *(instead.get(each, each) for each in future)]
        if instead:
            yield way(key, movement, meetings, labels=_new_labels(movement, sides[0].value))


def _fresh(
    movement: Movement, past: Sequence[Meeting], places: Sequence[int], played: int
) -> Iterator[tuple[str, list[Meeting]]]:
    """Yield a new movement for the rounds left: on fresh boards, and on those available."""
    facts = really_played(movement, past)
    fresh = redrawn(movement, facts, places, played)
    if fresh is None:
        return
    yield "redraw", fresh
    groups = movement.groups
    at_hand = on_boards_at_hand(movement.contest, facts, fresh, groups)
    if _further(groups, at_hand) < _further(groups, fresh):
        yield "redraw-at-hand", at_hand


def _here(movement: Movement) -> list[int]:
    """Return the places whose entries are still present."""
    return [place for place in movement.taken if place not in movement.gone]


def _of_one(movement: Movement, place: int) -> frozenset[int]:
    """Return all the places of an entry, given one of them: both of a team, else that one."""
    if movement.contest is not Contest.TEAMS:
        return frozenset({place})
    team = movement.team(place)
    return frozenset(p for p in range(1, movement.places + 1) if movement.team(p) == team)


def _next_places(movement: Movement) -> range:
    """Return the places that a newcomer gets: two for a team."""
    first = movement.places + 1
    return range(first, first + (2 if movement.contest is Contest.TEAMS else 1))


def _further(groups: int, meetings: Sequence[Meeting]) -> int:
    """Count the board groups that a schedule needs beyond those of the evening."""
    return len({each.board_group for each in meetings if each.board_group > groups})


def _field_of(meetings: Sequence[Meeting], place: int) -> str:
    first = next(each for each in meetings if place in each.places)
    return str(first.side_of(place).value)


def _new_labels(movement: Movement, field: str) -> tuple[str, ...]:
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
