"""Extra tables and filled seats for players who would sit out because of a withdrawal."""

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
    """Add tables where pairs that sit out in the same round play each other.

    They must not meet in another round, and need a board group that is at no table and that
    neither pair plays. In two fields one pair of each field is needed.
    """
    everything = [*past, *future]
    met_before = {frozenset(each.places) for each in everything}
    played = map_plays(everything)
    groups = sorted({each.board_group for each in everything})
    homes = {
        (each.round, place): each.table for each in movement.meetings for place in each.places
    }
    added_meetings: list[Meeting] = []
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
            if not sides or frozenset(sides) in met_before or seated & set(sides):
                continue
            unfit = {each.board_group for each in meetings} | played[one] | played[other]
            group = next((group for group in groups if group not in unfit), None)
            table = homes[number, sides[0]]
            if group is None or table in {each.table for each in meetings}:
                continue
            meeting = Meeting(number, table, *sides, *sides, group)
            meetings.append(meeting)
            added_meetings.append(meeting)
            met_before.add(frozenset(sides))
            seated.update(sides)
            _record_play(meeting, played)
    return added_meetings


def fill_empty_seats(
    movement: Movement, past: Sequence[Meeting], future: Sequence[Meeting]
) -> list[Meeting]:
    """Seat single players who sit out in the seats of those who have withdrawn.

    Only players who never play these boards are considered. Of these, the one who has partnered
    and opposed the three others least is chosen.
    """
    everything = [*past, *future]
    played = map_plays(everything)
    partners = Counter(couple for meeting in everything for couple in _iter_partners(meeting))
    added_meetings: list[Meeting] = []
    for number in sorted(
        {meeting.round for meeting in movement.meetings if meeting not in past}
    ):
        seated = {p for e in [*future, *added_meetings] if e.round == number for p in e.places}
        for incomplete_table in movement.in_round(number):
            if not movement.absent.intersection(incomplete_table.places):
                continue
            complete_table = _complete_table(
                movement, incomplete_table, seated, played, partners
            )
            if complete_table is not None:
                added_meetings.append(complete_table)
                seated.update(complete_table.places)
                partners.update(_iter_partners(complete_table))
                _record_play(complete_table, played)
    return added_meetings


def _complete_table(
    movement: Movement,
    incomplete_table: Meeting,
    seated: set[int],
    played: Plays,
    partners: Counter[frozenset[int]],
) -> Meeting | None:
    """Seat idle players in the empty seats of a table, or return None if there are too few."""
    remaining_places = set(incomplete_table.places) - movement.absent
    if remaining_places & seated or any(
        incomplete_table.board_group in played[place] for place in remaining_places
    ):
        return None
    for seat in SEAT_NAMES:
        if getattr(incomplete_table, seat) not in movement.absent:
            continue
        idle = [
            place
            for place in movement.occupied_places
            if place not in seated | set(incomplete_table.places)
            and incomplete_table.board_group not in played[place]
        ]
        if not idle:
            return None
        trials = [incomplete_table._replace(**{seat: place}) for place in idle]
        incomplete_table = min(
            trials, key=lambda trial: sum(partners[couple] for couple in _iter_partners(trial))
        )
    return incomplete_table


def _iter_partners(meeting: Meeting) -> Iterator[frozenset[int]]:
    yield from (frozenset(meeting.ns), frozenset(meeting.ew))


def _assign_sides(movement: Movement, one: int, other: int) -> tuple[int, int] | None:
    """Return which pair sits North-South and East-West, or None if both are in one field."""
    fields = movement.field(one), movement.field(other)
    if fields == ("EW", "NS"):
        return other, one
    if fields[0] and fields[0] == fields[1]:
        return None
    return one, other


def _record_play(meeting: Meeting, played: Plays) -> None:
    for place in meeting.places:
        played[place].add(meeting.board_group)
