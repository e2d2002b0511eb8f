"""Ways in which a newcomer without a place replaces another entry in each later round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boards.whist.seats import Side
from tournaments.movements.changes.repairs import choose_compatible
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement


@dataclass(frozen=True, slots=True)
class Turn:
    """One replacement: the entry that sits out, the newcomer's opponent, and the new tables.

    `faced` is an opponent, or for a single player the partner.
    """

    relieved: int
    faced: int
    group: int
    instead: tuple[tuple[Meeting, Meeting], ...]  # each planned meeting and its replacement


def find_relief_turns(
    movement: Movement,
    future: Sequence[Meeting],
    newcomers: Sequence[int],
    sides: Sequence[Side],
) -> list[Turn]:
    """Find entries that the newcomer can replace, one in each later round.

    The newcomer meets no one twice, plays no boards twice, and replaces no one twice. A bounded
    search finds as many rounds as it can. The result is empty if that is fewer than half. A
    team has two places in `newcomers`.
    """
    rounds = sorted({meeting.round for meeting in future})
    choices = [
        list(_iter_turns(movement, [e for e in future if e.round == number], newcomers, sides))
        for number in rounds
    ]
    best = choose_compatible(choices, _is_compatible)
    return best if 2 * len(best) >= len(rounds) else []


def _iter_turns(
    movement: Movement,
    meetings: Sequence[Meeting],
    newcomers: Sequence[int],
    sides: Sequence[Side],
) -> Iterator[Turn]:
    """Yield the possible replacements of one round."""
    if movement.contest is Contest.TEAMS:
        yield from _iter_team_turns(movement, meetings, newcomers)
        return
    for meeting in meetings:
        if movement.contest is Contest.INDIVIDUAL:
            yield from _iter_single_turns(meeting, newcomers[0])
            continue
        for side in sides:
            pair, other = meeting.north, meeting.east
            if side is Side.EW:
                pair, other = other, pair
            yield _build_turn(pair, other, [(meeting, {pair: newcomers[0]})])


def _iter_single_turns(meeting: Meeting, newcomer: int) -> Iterator[Turn]:
    partners = (
        (meeting.north, meeting.south),
        (meeting.south, meeting.north),
        (meeting.east, meeting.west),
        (meeting.west, meeting.east),
    )
    for relieved, partner in partners:
        yield _build_turn(relieved, partner, [(meeting, {relieved: newcomer})])


def _iter_team_turns(
    movement: Movement, meetings: Sequence[Meeting], newcomers: Sequence[int]
) -> Iterator[Turn]:
    """Yield replacements in which a newcomer takes a team's whole match, at both tables."""
    for team in {movement.team(place) for meeting in meetings for place in meeting.places}:
        team_meetings = [e for e in meetings if team in map(movement.team, e.places)]
        opponents = {movement.team(p) for e in team_meetings for p in e.places} - {team}
        groups = {meeting.board_group for meeting in team_meetings}
        if len(team_meetings) == 2 and len(opponents) == len(groups) == 1:
            own_places = {
                p: p for e in team_meetings for p in e.places if movement.team(p) == team
            }
            seats = {p: newcomers[movement.field(p) != "NS"] for p in own_places}
            yield _build_turn(
                team, opponents.pop(), [(meeting, seats) for meeting in team_meetings]
            )


def _build_turn(
    relieved: int, faced: int, tables: Sequence[tuple[Meeting, dict[int, int]]]
) -> Turn:
    instead = tuple((meeting, _reseat(meeting, seats)) for meeting, seats in tables)
    return Turn(relieved, faced, tables[0][0].board_group, instead)


def _reseat(meeting: Meeting, seats: dict[int, int]) -> Meeting:
    return meeting._replace(
        north=seats.get(meeting.north, meeting.north),
        east=seats.get(meeting.east, meeting.east),
        south=seats.get(meeting.south, meeting.south),
        west=seats.get(meeting.west, meeting.west),
    )


def _is_compatible(turn: Turn, earlier: Turn) -> bool:
    return (
        turn.relieved != earlier.relieved
        and turn.faced != earlier.faced
        and turn.group != earlier.group
    )
