"""A fresh movement for the rest of an evening, and turns for a pair that came late."""

from collections.abc import Iterator, Sequence

from tournaments.movements.building import build
from tournaments.movements.catalogue import CATALOGUE
from tournaments.movements.meetings import Meeting, pair_meeting
from tournaments.movements.schedule import Movement, UnplayableMovement

TWO_FIELDS = ("compass", "compass-skip", "compass-relay")
ONE_FIELD = ("howell",)
MOST_TRIES = 20_000


def redrawn(
    movement: Movement, past: Sequence[Meeting], places: Sequence[int], played: int
) -> tuple[str, list[Meeting]] | None:
    """Play the rounds that are left by a movement of another size, on fresh boards.

    `places` take part, with one that may be new. Of the ways to seat them the one is taken in
    which the fewest who have met meet again and a newcomer plays. None where nothing fits.
    """
    met = {frozenset(each.places) for each in past}
    left = movement.rounds - played
    best: tuple[int, str, list[Meeting]] | None = None
    for plan, seats in _seatings(movement, places, left):
        meetings = [
            pair_meeting(
                each.round + played,
                each.table,
                seats[each.north],
                seats[each.east],
                each.board_group + movement.groups,
            )
            for each in plan.played
        ]
        seated = {place for each in meetings for place in each.places}
        if not seated.issuperset(p for p in places if p > movement.places):
            continue
        again = sum(frozenset(each.places) in met for each in meetings)
        if best is None or again < best[0]:
            best = (again, plan.title, meetings)
    return best[1:] if best else None


def taking_turns(
    past: Sequence[Meeting], future: Sequence[Meeting], newcomer: int, sides: Sequence[str]
) -> list[tuple[Meeting, Meeting]]:
    """Let a newcomer take somebody's seats in each round to come; who is relieved sits out.

    It meets nobody and no boards twice, and relieves nobody twice; as many rounds as can be
    found within a bounded search. Returns each meeting with the one that takes its place.
    """
    rounds = sorted({each.round for each in future})
    choices = [
        [
            (each, _relieved(each, newcomer, side))
            for each in future
            if each.round == number
            for side in sides
        ]
        for number in rounds
    ]
    best: list[tuple[Meeting, Meeting]] = []
    tries = 0

    def search(at: int, chosen: list[tuple[Meeting, Meeting]]) -> None:
        nonlocal best, tries
        tries += 1
        if len(chosen) > len(best):
            best = list(chosen)
        full = len(best) == len(rounds)
        if full or at == len(rounds) or tries > MOST_TRIES:
            return
        if len(chosen) + len(rounds) - at <= len(best):
            return
        for old, new in choices[at]:
            if _goes_with(old, new, newcomer, chosen):
                search(at + 1, [*chosen, (old, new)])
        search(at + 1, chosen)

    search(0, [])
    return best


def _relieved(meeting: Meeting, newcomer: int, side: str) -> Meeting:
    if side == "NS":
        return pair_meeting(
            meeting.round, meeting.table, newcomer, meeting.east, meeting.board_group
        )
    return pair_meeting(
        meeting.round, meeting.table, meeting.north, newcomer, meeting.board_group
    )


def _goes_with(
    old: Meeting, new: Meeting, newcomer: int, chosen: Sequence[tuple[Meeting, Meeting]]
) -> bool:
    opponent = next(place for place in new.places if place != newcomer)
    relieved = next(place for place in old.places if place != opponent)
    for earlier, taken in chosen:
        gone = set(earlier.places) - set(taken.places)
        if opponent in taken.places or relieved in gone:
            return False
        if new.board_group == taken.board_group:
            return False
    return True


def _seatings(
    movement: Movement, places: Sequence[int], left: int
) -> Iterator[tuple[Movement, dict[int, int]]]:
    names = TWO_FIELDS if movement.two_fields else ONE_FIELD
    for name in names:
        if movement.two_fields:
            yield from _two_fields(name, movement, places, left)
        else:
            yield from _one_field(name, places, left)


def _one_field(
    name: str, places: Sequence[int], left: int
) -> Iterator[tuple[Movement, dict[int, int]]]:
    plan = _plan(name, len(places), left, ())
    if plan is None:
        return
    for turn in range(len(places)):
        order = [*places[turn:], *places[:turn]]
        yield plan, dict(zip(plan.taken, order, strict=True))


def _two_fields(
    name: str, movement: Movement, places: Sequence[int], left: int
) -> Iterator[tuple[Movement, dict[int, int]]]:
    tables = (len(places) + 1) // 2
    ns = [p for p in places if p <= movement.places and movement.field(p) == "NS"]
    ew = [p for p in places if p <= movement.places and movement.field(p) == "EW"]
    for newcomer in (p for p in places if p > movement.places):
        (ns if len(ns) <= len(ew) else ew).append(newcomer)
    while len(ns) > tables:
        ew.append(ns.pop())
    while len(ew) > tables:
        ns.append(ew.pop())
    absent = [
        f"{tables}{field}" for field, own in (("NS", ns), ("EW", ew)) if len(own) < tables
    ]
    plan = _plan(name, len(places), left, absent)
    if plan is None:
        return
    for turn in range(len(ew)):
        seats = dict(zip((p for p in plan.taken if plan.field(p) == "NS"), ns, strict=True))
        order = [*ew[turn:], *ew[:turn]]
        seats |= zip((p for p in plan.taken if plan.field(p) == "EW"), order, strict=True)
        yield plan, seats


def _plan(name: str, pairs: int, left: int, absent: Sequence[str]) -> Movement | None:
    """Build a movement for so many pairs and at most so many rounds, if it fits."""
    system = CATALOGUE[name]
    size = (pairs + 1) // 2 if str(system.unit) == "tables" else pairs + pairs % 2
    if pairs < 4 or not system.fits(size):
        return None
    try:
        whole = build(name, pairs=pairs, absent=absent)
        return build(name, pairs=pairs, absent=absent, rounds=min(left, whole.rounds))
    except UnplayableMovement:
        return None
