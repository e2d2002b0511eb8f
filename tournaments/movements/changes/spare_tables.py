"""Tables for those who would sit out because of a withdrawal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.movements.changes.repairs import Plays, map_plays
from tournaments.movements.meetings import Meeting
from tournaments.movements.schedule import Movement

SEAT_NAMES = ("north", "east", "south", "west")


def join_idle_pairs(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> list[Meeting]:
    """Let pairs that sit out in the same round play each other, where possible.

    They must not meet in another round, and need a board group that neither plays at all and
    that is at no table. In two fields one of each is needed.
    """
    everything = [*past, *future]
    met = {frozenset(each.places) for each in everything}
    played = map_plays(everything)
    groups = sorted({each.board_group for each in everything})
    homes = {
        (each.round, place): each.table for each in movement.meetings for place in each.places
    }
    added: list[Meeting] = []
    for number in sorted({each.round for each in future}):
        meetings = [each for each in future if each.round == number]
        seated = {place for each in meetings for place in each.places}
        idle = [
            place
            for place in movement.occupied_places
            if place not in seated and (number, place) in homes
        ]
        for one, other in combinations(idle, 2):
            sides = _assign_sides(movement, one, other)
            if not sides or frozenset(sides) in met or seated & set(sides):
                continue
            unfit = {each.board_group for each in meetings} | played[one] | played[other]
            group = next((group for group in groups if group not in unfit), None)
            table = homes[number, sides[0]]
            if group is None or table in {each.table for each in meetings}:
                continue
            meeting = Meeting(number, table, *sides, *sides, group)
            meetings.append(meeting)
            added.append(meeting)
            met.add(frozenset(sides))
            seated.update(sides)
            _record_play(meeting, played)
    return added


def fill_empty_seats(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> list[Meeting]:
    """Let single players who sit out take the seats of those who have withdrawn.

    Players who play the boards in any round are not considered. Of the others, the one who has
    partnered and opposed the three least is chosen.
    """
    everything = [*past, *future]
    played = map_plays(everything)
    partners = Counter(couple for each in everything for couple in _iter_partners(each))
    added: list[Meeting] = []
    for number in sorted({each.round for each in movement.meetings if each not in past}):
        seated = {p for e in [*future, *added] if e.round == number for p in e.places}
        for broken in movement.in_round(number):
            if not movement.absent.intersection(broken.places):
                continue
            whole = _complete_table(movement, broken, seated, played, partners)
            if whole is not None:
                added.append(whole)
                seated.update(whole.places)
                partners.update(_iter_partners(whole))
                _record_play(whole, played)
    return added


def _complete_table(
    movement: Movement,
    broken: Meeting,
    seated: set[int],
    played: Plays,
    partners: Counter[frozenset[int]],
) -> Meeting | None:
    """Put idle players into the empty seats of a table; return None if there are too few."""
    stay = set(broken.places) - movement.absent
    if stay & seated or any(broken.board_group in played[place] for place in stay):
        return None
    for seat in SEAT_NAMES:
        if getattr(broken, seat) not in movement.absent:
            continue
        idle = [
            place
            for place in movement.occupied_places
            if place not in seated | set(broken.places)
            and broken.board_group not in played[place]
        ]
        if not idle:
            return None
        trials = [broken._replace(**{seat: place}) for place in idle]
        broken = min(
            trials, key=lambda trial: sum(partners[couple] for couple in _iter_partners(trial))
        )
    return broken


def _iter_partners(meeting: Meeting) -> Iterator[frozenset[int]]:
    yield from (frozenset(meeting.ns), frozenset(meeting.ew))


def _assign_sides(movement: Movement, one: int, other: int) -> tuple[int, int] | None:
    """Return who sits North-South and East-West; None if both are of one field."""
    fields = movement.field(one), movement.field(other)
    if fields == ("EW", "NS"):
        return other, one
    if fields[0] and fields[0] == fields[1]:
        return None
    return one, other


def _record_play(meeting: Meeting, played: Plays) -> None:
    for place in meeting.places:
        played[place].add(meeting.board_group)
