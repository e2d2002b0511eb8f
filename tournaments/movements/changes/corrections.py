"""Corrections of what happened: a table turned round, two places exchanged, other boards."""

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
    add_extra_round,
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
    """List the ways to continue when a table sat the wrong way round."""
    _check_rounds(change.first, change.last, played)
    past, future = split_rounds(movement, played)
    wrong = {
        each
        for each in past
        if each.table == change.table and change.first <= each.round <= change.last
    }
    if not wrong:
        words = _("No one sat at table %(table)s in these rounds.")
        raise UnplayableMovement(words % {"table": change.table})
    facts = [turn_meeting(each) if each in wrong else each for each in past]
    plans = [("planned", future)]
    best = _find_evening_turn(movement, facts, future, sorted(wrong))
    if best is not None:
        plans.append(
            ("evened", [turn_meeting(each) if each == best else each for each in future])
        )
    plans.append(
        (
            "stay",
            [turn_meeting(each) if each.table == change.table else each for each in future],
        )
    )
    yield from _iter_ways_from_facts(movement, facts, plans)


def list_ways_after_exchange(
    movement: Movement, played: int, change: ExchangedPlaces
) -> Iterator[Continuation]:
    """List the ways to continue when two places sat at each other's tables."""
    _check_rounds(change.first, change.last, played)
    if change.one == change.other:
        raise UnplayableMovement(_("Choose two different pairs."))
    past, future = split_rounds(movement, played)
    swapped = {change.one: change.other, change.other: change.one}
    facts = [
        _swap_places(each, swapped) if change.first <= each.round <= change.last else each
        for each in past
    ]
    plans = [
        ("return", future),
        ("stay", [_swap_places(each, swapped) for each in future]),
    ]
    yield from _iter_ways_from_facts(movement, facts, plans)


def list_ways_after_wrong_boards(
    movement: Movement, played: int, change: WrongBoards
) -> Iterator[Continuation]:
    """List the ways to continue when a table played boards that were not its own."""
    _check_rounds(change.round, change.round, played)
    past, future = split_rounds(movement, played)
    here = [e for e in past if (e.round, e.table) == (change.round, change.table)]
    if not here or movement.absent.intersection(here[0].places):
        words = _("No one sat at table %(table)s in round %(round)s.")
        raise UnplayableMovement(words % {"table": change.table, "round": change.round})
    if here[0].board_group == change.board_group:
        words = _(
            "Table %(table)s was due to play these boards in round "
            "%(round)s. Enter the boards it played instead."
        )
        raise UnplayableMovement(words % {"table": change.table, "round": change.round})
    facts = [e._replace(board_group=change.board_group) if e in here else e for e in past]
    yield from _iter_ways_from_facts(movement, facts, [("planned", future)])
    yield from _iter_made_up_ways(movement, facts, future, here[0])


def _iter_ways_from_facts(
    before: Movement,
    past: Sequence[Meeting],
    plans: Sequence[tuple[str, Sequence[Meeting]]],
) -> Iterator[Continuation]:
    """Yield ways from a corrected past: tables left out, other boards, an extra round."""
    for key, future in plans:
        idle = [each for each in future if before.absent.intersection(each.places)]
        real = [each for each in future if not before.absent.intersection(each.places)]
        facts = [each for each in past if not before.absent.intersection(each.places)]
        kept, clashes = repair_meetings(facts, real, Cure.LEAVE_OUT)
        whole = [*past, *idle]
        found = [build_continuation(key, before, [*whole, *kept], clashes=clashes)]
        for name, cure in CURES_IN_ORDER:
            other, cured = repair_meetings(facts, real, cure)
            if sum(each.instead is None for each in cured) < len(clashes):
                found.append(
                    build_continuation(f"{key}-{name}", before, [*whole, *other], clashes=cured)
                )
        extra = add_extra_round(facts, kept, clashes) if ranks_pairs(before) else []
        if extra:
            more = [*whole, *kept, *extra]
            found.append(build_continuation(f"{key}-extra", before, more, clashes=clashes))
        yield from (way for way in found if way is not None)


def _iter_made_up_ways(
    before: Movement, facts: Sequence[Meeting], future: Sequence[Meeting], missed: Meeting
) -> Iterator[Continuation]:
    """Yield the way in which the places of a table play missed boards after the last round."""
    idle = [each for each in future if before.absent.intersection(each.places)]
    played = drop_idle_meetings(before, facts)
    late = missed._replace(round=before.rounds + 1)
    for cure in (Cure.LEAVE_OUT, Cure.NEW_BOARDS):
        kept, clashes = repair_meetings(played, drop_idle_meetings(before, future), cure)
        plays = map_plays([*played, *kept])
        if any(missed.board_group in plays[place] for place in missed.places):
            return
        continuation = build_continuation(
            "made-up", before, [*facts, *idle, *kept, late], clashes=clashes
        )
        if continuation is not None:
            yield continuation
            return


def _find_evening_turn(
    movement: Movement,
    facts: Sequence[Meeting],
    future: Sequence[Meeting],
    wrong: Sequence[Meeting],
) -> Meeting | None:
    """Return one later meeting to turn as well, if that makes comparisons fairer.

    Only the next tables of those who sat the wrong way are tried, and none in large fields.
    """
    if (
        not ranks_pairs(movement)
        or movement.winners == 2
        or movement.places > MAX_PLACES_EVENED
    ):
        return None
    unfair = _compute_unfairness(movement, [*facts, *future])
    best = None
    wronged = {place for each in wrong for place in each.places}
    near = [e for e in drop_idle_meetings(movement, future) if wronged.intersection(e.places)]
    for meeting in near[:MAX_MEETINGS_TRIED]:
        trial = [*facts, *(turn_meeting(each) if each == meeting else each for each in future)]
        measured = _compute_unfairness(movement, trial)
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
