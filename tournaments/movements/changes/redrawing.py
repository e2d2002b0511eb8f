"""A new movement for the rest of an evening, on fresh boards or on those available."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from tournaments.movements.building import build
from tournaments.movements.changes.repairs import MOST_SHARING, Plays, plays_of
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    pair_meeting,
    two_field_labels,
)
from tournaments.movements.schedule import Movement, UnplayableMovement

TWO_FIELDS = ("compass", "compass-skip", "compass-relay")
FEWEST = {Contest.PAIRS: 3, Contest.INDIVIDUAL: 4, Contest.TEAMS: 6}
TRIALS = 12
Seats = dict[int, int]  # a place of the fresh movement to a place of the evening's


def redrawn(
    movement: Movement, past: Sequence[Meeting], places: Sequence[int], played: int
) -> list[Meeting] | None:
    """Play the remaining rounds by a movement of another size, on fresh boards.

    `places` take part, including those of a newcomer. Of the ways to seat them the best loses
    the fewest rounds, lets the newcomer play, and has the fewest repeated meetings. Return None
    where nothing fits.
    """
    met = {frozenset(each.places) for each in past}
    left, groups = movement.rounds - played, movement.groups
    best: tuple[tuple[int, int], list[Meeting]] | None = None
    for plan, seats in _seatings(movement, places, left):
        meetings = [_seated(each, seats, played, groups) for each in plan.played]
        seated = {place for each in meetings for place in each.places}
        if not seated.issuperset(p for p in places if p > movement.places):
            continue
        again = sum(frozenset(each.places) in met for each in meetings)
        found = (left - plan.rounds, again), meetings
        if best is None or found[0] < best[0]:
            best = found
    return best[1] if best else None


def on_boards_at_hand(
    contest: Contest, past: Sequence[Meeting], fresh: Sequence[Meeting], groups: int
) -> list[Meeting]:
    """Give a new schedule the available boards, wherever no place at the table has played them.

    In each round as many tables as possible get a group of their own; the others share further
    groups two by two, numbered on from `groups`. Both tables of a match of teams have the same.
    Several orders of handing out boards are tried; the one that needs fewest more is used.
    """
    trials = [_handed_out(contest, past, fresh, groups, trial) for trial in range(TRIALS)]
    return min(trials, key=lambda trial: max(each.board_group for each in trial))


def _handed_out(
    contest: Contest,
    past: Sequence[Meeting],
    fresh: Sequence[Meeting],
    groups: int,
    trial: int,
) -> list[Meeting]:
    played = plays_of(past)
    found: list[Meeting] = []
    for number, in_round in groupby(sorted(fresh), key=lambda each: each.round):
        matches: dict[int, list[Meeting]] = {}
        for each in in_round:
            key = (each.table + 1) // 2 if contest is Contest.TEAMS else each.table
            matches.setdefault(key, []).append(each)
        given = _matched(matches, played, _mixed(groups, trial, number))
        lying: Counter[int] = Counter()
        for key, tables in matches.items():
            group = given.get(key) or _further(tables, played, groups, lying)
            lying[group] += len(tables)
            found += [each._replace(board_group=group) for each in tables]
            for place in _places(tables):
                played[place].add(group)
    return found


def _mixed(groups: int, trial: int, number: int) -> list[int]:
    """Return the groups in a different order for each trial and round, as if shuffled."""
    return sorted(
        range(1, groups + 1), key=lambda group: (group * (31 * trial + 7) + number * 17) % 997
    )


def _seated(each: Meeting, seats: Seats, played: int, groups: int) -> Meeting:
    return Meeting(
        round=each.round + played,
        table=each.table,
        north=seats[each.north],
        east=seats[each.east],
        south=seats[each.south],
        west=seats[each.west],
        board_group=each.board_group + groups,
    )


def _matched(
    matches: dict[int, list[Meeting]], played: Plays, groups: Sequence[int]
) -> dict[int, int]:
    """Give as many tables as possible a group of their own that no place there has played."""
    fits: dict[int, list[int]] = {}
    for key, tables in matches.items():
        had = set().union(*(played[place] for place in _places(tables)))
        fits[key] = [group for group in groups if group not in had]
    holder: dict[int, int] = {}

    def give(key: int, tried: set[int]) -> bool:
        for group in fits[key]:
            if group not in tried:
                tried.add(group)
                if group not in holder or give(holder[group], tried):
                    holder[group] = key
                    return True
        return False

    for key in sorted(fits, key=lambda each: len(fits[each])):
        give(key, set())
    return {key: group for group, key in holder.items()}


def _further(tables: Sequence[Meeting], played: Plays, groups: int, lying: Counter[int]) -> int:
    """Return the first extra group that may be shared and that no place there has played."""
    group = groups + 1
    while (lying[group] and lying[group] + len(tables) > MOST_SHARING) or any(
        group in played[place] for place in _places(tables)
    ):
        group += 1
    return group


def _places(tables: Sequence[Meeting]) -> set[int]:
    return {place for each in tables for place in each.places}


def _seatings(
    movement: Movement, places: Sequence[int], left: int
) -> Iterator[tuple[Movement, Seats]]:
    if len(places) < FEWEST.get(movement.contest, len(places) + 1):
        return
    if movement.contest is Contest.TEAMS:
        yield from _teams(movement, places, left)
    elif movement.contest is Contest.INDIVIDUAL:
        yield from _one_field(_plan("whist-individual", left, players=len(places)), places)
    elif movement.two_fields:
        for name in TWO_FIELDS:
            yield from _two_fields(name, movement, places, left)
    else:
        yield from _one_field(_plan("howell", left, pairs=len(places)), places)


def _one_field(
    plan: Movement | None, places: Sequence[int]
) -> Iterator[tuple[Movement, Seats]]:
    if plan is None:
        return
    for turn in range(len(places)):
        order = [*places[turn:], *places[:turn]]
        yield plan, dict(zip(plan.taken, order, strict=True))


def _two_fields(
    name: str, movement: Movement, places: Sequence[int], left: int
) -> Iterator[tuple[Movement, Seats]]:
    """Seat two fields, with fields kept if possible; a newcomer is first and plays at once."""
    tables = (len(places) + 1) // 2
    ns = [p for p in places if p <= movement.places and movement.field(p) == "NS"]
    ew = [p for p in places if p <= movement.places and movement.field(p) == "EW"]
    for newcomer in (p for p in places if p > movement.places):
        (ns if len(ns) <= len(ew) else ew).insert(0, newcomer)
    while len(ns) > tables:
        ew.append(ns.pop())
    while len(ew) > tables:
        ns.append(ew.pop())
    absent = [
        f"{tables}{field}" for field, own in (("NS", ns), ("EW", ew)) if len(own) < tables
    ]
    plan = _plan(name, left, absent, pairs=len(places))
    if plan is None:
        return
    for turn in range(len(ew)):
        seats = dict(zip((p for p in plan.taken if plan.field(p) == "NS"), ns, strict=True))
        order = [*ew[turn:], *ew[:turn]]
        seats |= zip((p for p in plan.taken if plan.field(p) == "EW"), order, strict=True)
        yield plan, seats


def _teams(
    movement: Movement, places: Sequence[int], left: int
) -> Iterator[tuple[Movement, Seats]]:
    """Let teams meet like the pairs of a Howell, so that each match is over in one round.

    A match takes two tables, which pass its boards to and fro. With an odd number of teams one
    sits out each round.
    """
    ns = [place for place in places if _team_side(movement, places, place) == "NS"]
    ew = [place for place in places if place not in ns]
    matches = _plan("howell", left, pairs=len(ns))
    if matches is None or len(ns) != len(ew):
        return
    plan = _in_twos(matches)
    for turn in range(len(ns)):
        order = [*ns[turn:], *ns[:turn], *ew[turn:], *ew[:turn]]
        yield plan, dict(zip(plan.taken, order, strict=True))


def _in_twos(matches: Movement) -> Movement:
    """Convert a schedule of pairs to one of teams: a meeting becomes a match at two tables."""
    teams = matches.places
    meetings = []
    for each in matches.meetings:
        one, other, number = each.north, each.east, each.table
        group = each.board_group
        if matches.sharing:  # only two tables can share a group in a round
            group = (each.round - 1) * matches.tables + number
        for table, ns, ew in ((2 * number - 1, one, other), (2 * number, other, one)):
            meetings.append(pair_meeting(each.round, table, ns, teams + ew, group))
    return Movement(
        name="custom",
        title=_("Matches in one round"),
        contest=Contest.TEAMS,
        meetings=tuple(meetings),
        labels=two_field_labels(teams, teams),
        absent=frozenset({*matches.absent, *(teams + place for place in matches.absent)}),
        sharing=True,
    )


def _team_side(movement: Movement, places: Sequence[int], place: int) -> str:
    """Return the side of a team's place; of a newcomer's two the first is North-South."""
    if place <= movement.places:
        return movement.field(place)
    return "NS" if place == min(p for p in places if p > movement.places) else "EW"


def _plan(name: str, left: int, absent: Sequence[str] = (), **size: Any) -> Movement | None:
    """Build a movement of at most this many rounds, if the size fits it."""
    try:
        whole = build(name, absent=absent, **size)
        return build(name, absent=absent, rounds=min(left, whole.rounds), **size)
    except UnplayableMovement:
        return None
