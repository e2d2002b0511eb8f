"""A new movement for the rest of an evening, on new boards or on the available ones."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from tournaments.movements.builder import build
from tournaments.movements.changes.repairs import MAX_SHARING_TABLES, Plays, map_plays
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_pair_meeting,
    make_two_field_labels,
)
from tournaments.movements.schedule import Movement, UnplayableMovement

TWO_FIELD_SYSTEMS = ("compass", "compass-skip", "compass-relay")
MIN_ENTRIES_BY_CONTEST = {Contest.PAIRS: 3, Contest.INDIVIDUAL: 4, Contest.TEAMS: 6}
MAX_TRIALS = 12
Seats = dict[int, int]  # maps a place of the new movement to a place of the evening's movement


def build_new_movement(
    movement: Movement, past: Sequence[Meeting], places: Sequence[int], played: int
) -> list[Meeting] | None:
    """Build the remaining rounds from a movement of another size, on new boards.

    `places` take part, including those of a newcomer. The best seating loses the fewest rounds,
    includes the newcomer, and repeats the fewest meetings. Returns None if no movement fits.
    """
    met_before = {frozenset(meeting.places) for meeting in past}
    rounds_left, groups = movement.rounds - played, movement.groups
    best: tuple[tuple[int, int], list[Meeting]] | None = None
    for plan, seats in _iter_seatings(movement, places, rounds_left):
        meetings = [_seat_meeting(meeting, seats, played, groups) for meeting in plan.played]
        seated = {place for meeting in meetings for place in meeting.places}
        if not seated.issuperset(p for p in places if p > movement.places):
            continue
        repeated = sum(frozenset(meeting.places) in met_before for meeting in meetings)
        candidate = (rounds_left - plan.rounds, repeated), meetings
        if best is None or candidate[0] < best[0]:
            best = candidate
    return best[1] if best else None


def assign_available_boards(
    contest: Contest, past: Sequence[Meeting], new_meetings: Sequence[Meeting], groups: int
) -> list[Meeting]:
    """Assign to a new schedule available boards that no place at the table has played.

    In each round as many tables as possible get a group of their own. The others share
    additional groups in twos, which are numbered after `groups`. Both tables of a team match
    play the same group. Several orders are tried, and the one with the fewest additional groups
    is used.
    """
    trials = [
        _assign_boards(contest, past, new_meetings, groups, trial)
        for trial in range(MAX_TRIALS)
    ]
    return min(trials, key=lambda trial: max(meeting.board_group for meeting in trial))


def _assign_boards(
    contest: Contest,
    past: Sequence[Meeting],
    new_meetings: Sequence[Meeting],
    groups: int,
    trial: int,
) -> list[Meeting]:
    played = map_plays(past)
    assigned: list[Meeting] = []
    for number, in_round in groupby(sorted(new_meetings), key=lambda meeting: meeting.round):
        matches: dict[int, list[Meeting]] = {}
        for meeting in in_round:
            key = (meeting.table + 1) // 2 if contest is Contest.TEAMS else meeting.table
            matches.setdefault(key, []).append(meeting)
        group_by_match = _match_groups(matches, played, _mix_groups(groups, trial, number))
        lying: Counter[int] = Counter()
        for key, tables in matches.items():
            group = group_by_match.get(key) or _find_extra_group(tables, played, groups, lying)
            lying[group] += len(tables)
            assigned += [meeting._replace(board_group=group) for meeting in tables]
            for place in _collect_places(tables):
                played[place].add(group)
    return assigned


def _mix_groups(groups: int, trial: int, number: int) -> list[int]:
    """Return the groups in a different, repeatable order for each trial and round."""
    return sorted(
        range(1, groups + 1), key=lambda group: (group * (31 * trial + 7) + number * 17) % 997
    )


def _seat_meeting(meeting: Meeting, seats: Seats, played: int, groups: int) -> Meeting:
    return Meeting(
        round=meeting.round + played,
        table=meeting.table,
        north=seats[meeting.north],
        east=seats[meeting.east],
        south=seats[meeting.south],
        west=seats[meeting.west],
        board_group=meeting.board_group + groups,
    )


def _match_groups(
    matches: dict[int, list[Meeting]], played: Plays, groups: Sequence[int]
) -> dict[int, int]:
    """Assign to as many matches as possible a group that none of their places has played."""
    playable_groups: dict[int, list[int]] = {}
    for key, tables in matches.items():
        played_groups = set().union(*(played[place] for place in _collect_places(tables)))
        playable_groups[key] = [group for group in groups if group not in played_groups]
    holder: dict[int, int] = {}

    def give(key: int, tried: set[int]) -> bool:
        for group in playable_groups[key]:
            if group not in tried:
                tried.add(group)
                if group not in holder or give(holder[group], tried):
                    holder[group] = key
                    return True
        return False

    for key in sorted(
        playable_groups, key=lambda candidate_key: len(playable_groups[candidate_key])
    ):
        give(key, set())
    return {key: group for group, key in holder.items()}


def _find_extra_group(
    tables: Sequence[Meeting], played: Plays, groups: int, lying: Counter[int]
) -> int:
    """Return the first additional group, possibly shared, that no place there has played."""
    group = groups + 1
    while (lying[group] and lying[group] + len(tables) > MAX_SHARING_TABLES) or any(
        group in played[place] for place in _collect_places(tables)
    ):
        group += 1
    return group


def _collect_places(tables: Sequence[Meeting]) -> set[int]:
    return {place for meeting in tables for place in meeting.places}


def _iter_seatings(
    movement: Movement, places: Sequence[int], rounds_left: int
) -> Iterator[tuple[Movement, Seats]]:
    if len(places) < MIN_ENTRIES_BY_CONTEST.get(movement.contest, len(places) + 1):
        return
    if movement.contest is Contest.TEAMS:
        yield from _iter_team_seatings(movement, places, rounds_left)
    elif movement.contest is Contest.INDIVIDUAL:
        yield from _iter_one_field_seatings(
            _try_build("whist-individual", rounds_left, players=len(places)), places
        )
    elif movement.two_fields:
        for name in TWO_FIELD_SYSTEMS:
            yield from _iter_two_field_seatings(name, movement, places, rounds_left)
    else:
        yield from _iter_one_field_seatings(
            _try_build("howell", rounds_left, pairs=len(places)), places
        )


def _iter_one_field_seatings(
    plan: Movement | None, places: Sequence[int]
) -> Iterator[tuple[Movement, Seats]]:
    if plan is None:
        return
    for turn in range(len(places)):
        order = [*places[turn:], *places[:turn]]
        yield plan, dict(zip(plan.occupied_places, order, strict=True))


def _iter_two_field_seatings(
    name: str, movement: Movement, places: Sequence[int], rounds_left: int
) -> Iterator[tuple[Movement, Seats]]:
    """Yield seatings in two fields, in which entries keep their field if possible.

    A newcomer is seated first.
    """
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
        f"{tables}{field}"
        for field, field_places in (("NS", ns), ("EW", ew))
        if len(field_places) < tables
    ]
    plan = _try_build(name, rounds_left, absent, pairs=len(places))
    if plan is None:
        return
    for turn in range(len(ew)):
        seats = dict(
            zip((p for p in plan.occupied_places if plan.field(p) == "NS"), ns, strict=True)
        )
        order = [*ew[turn:], *ew[:turn]]
        seats |= zip(
            (p for p in plan.occupied_places if plan.field(p) == "EW"), order, strict=True
        )
        yield plan, seats


def _iter_team_seatings(
    movement: Movement, places: Sequence[int], rounds_left: int
) -> Iterator[tuple[Movement, Seats]]:
    """Yield seatings in which teams meet like the pairs of a Howell, one match each round.

    The two tables of a match exchange its boards. With an odd number of teams one sits out.
    """
    ns = [place for place in places if _find_team_side(movement, places, place) == "NS"]
    ew = [place for place in places if place not in ns]
    matches = _try_build("howell", rounds_left, pairs=len(ns))
    if matches is None or len(ns) != len(ew):
        return
    plan = _double_tables(matches)
    for turn in range(len(ns)):
        order = [*ns[turn:], *ns[:turn], *ew[turn:], *ew[:turn]]
        yield plan, dict(zip(plan.occupied_places, order, strict=True))


def _double_tables(matches: Movement) -> Movement:
    """Convert a schedule of pairs to one of teams: a meeting becomes a match at two tables."""
    teams = matches.places
    meetings = []
    for meeting in matches.meetings:
        one, other, number = meeting.north, meeting.east, meeting.table
        group = meeting.board_group
        if matches.sharing:  # at most two tables can share a group in a round
            group = (meeting.round - 1) * matches.tables + number
        for table, ns, ew in ((2 * number - 1, one, other), (2 * number, other, one)):
            meetings.append(make_pair_meeting(meeting.round, table, ns, teams + ew, group))
    return Movement(
        name="custom",
        title=_("Matches in one round"),
        contest=Contest.TEAMS,
        meetings=tuple(meetings),
        labels=make_two_field_labels(teams, teams),
        absent=frozenset({*matches.absent, *(teams + place for place in matches.absent)}),
        sharing=True,
    )


def _find_team_side(movement: Movement, places: Sequence[int], place: int) -> str:
    """Return the side of a team's place; the first place of a newcomer is North-South."""
    if place <= movement.places:
        return movement.field(place)
    return "NS" if place == min(p for p in places if p > movement.places) else "EW"


def _try_build(
    name: str, max_rounds: int, absent: Sequence[str] = (), **size: Any
) -> Movement | None:
    """Build a movement of at most `max_rounds` rounds; return None if the size does not fit."""
    try:
        full_movement = build(name, absent=absent, **size)
        return build(name, absent=absent, rounds=min(max_rounds, full_movement.rounds), **size)
    except UnplayableMovement:
        return None
