"""Ways in which a newcomer without a place replaces another entry in each later round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boards.whist.seats import Side
from tournaments.movements.changes.repairs import choose_compatible_items
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement


@dataclass(frozen=True, slots=True)
class ReliefTurn:
    """One replacement in a round: the newcomer plays instead of the entry at `relieved_place`.

    `opponent_place` is the newcomer's opponent, or for a single player the partner.
    """

    relieved_place: int
    opponent_place: int
    board_group: int
    # (planned meeting, meeting that replaces it) for each table
    replacements: tuple[tuple[Meeting, Meeting], ...]


def find_relief_turns(
    movement: Movement,
    future_meetings: Sequence[Meeting],
    newcomer_places: Sequence[int],
    sides: Sequence[Side],
) -> list[ReliefTurn]:
    """Find entries that the newcomer can replace, one in each later round.

    The newcomer meets no one twice, plays no boards twice, and replaces no one twice. The
    search has a limited number of steps. The result is empty if the newcomer can play in fewer
    than half of the rounds. A team has two places in `newcomer_places`.
    """
    rounds = sorted({meeting.round for meeting in future_meetings})
    relief_turns_by_round = [
        list(
            _iter_relief_turns(
                movement,
                [meeting for meeting in future_meetings if meeting.round == round_number],
                newcomer_places,
                sides,
            )
        )
        for round_number in rounds
    ]
    relief_turns = choose_compatible_items(relief_turns_by_round, _are_turns_compatible)
    return relief_turns if 2 * len(relief_turns) >= len(rounds) else []


def _iter_relief_turns(
    movement: Movement,
    meetings: Sequence[Meeting],
    newcomer_places: Sequence[int],
    sides: Sequence[Side],
) -> Iterator[ReliefTurn]:
    """Yield the possible replacements of one round."""
    if movement.contest is Contest.TEAMS:
        yield from _iter_team_relief_turns(movement, meetings, newcomer_places)
        return
    for meeting in meetings:
        if movement.contest is Contest.INDIVIDUAL:
            yield from _iter_individual_relief_turns(meeting, newcomer_places[0])
            continue
        for side in sides:
            relieved_place, opponent_place = meeting.north, meeting.east
            if side is Side.EW:
                relieved_place, opponent_place = opponent_place, relieved_place
            yield _build_relief_turn(
                relieved_place,
                opponent_place,
                [(meeting, {relieved_place: newcomer_places[0]})],
            )


def _iter_individual_relief_turns(
    meeting: Meeting, newcomer_place: int
) -> Iterator[ReliefTurn]:
    relieved_and_partner_places = (
        (meeting.north, meeting.south),
        (meeting.south, meeting.north),
        (meeting.east, meeting.west),
        (meeting.west, meeting.east),
    )
    for relieved_place, partner_place in relieved_and_partner_places:
        yield _build_relief_turn(
            relieved_place, partner_place, [(meeting, {relieved_place: newcomer_place})]
        )


def _iter_team_relief_turns(
    movement: Movement, meetings: Sequence[Meeting], newcomer_places: Sequence[int]
) -> Iterator[ReliefTurn]:
    """Yield replacements in which a newcomer takes a team's whole match, at both tables."""
    for team_number in {
        movement.get_team_number(place) for meeting in meetings for place in meeting.places
    }:
        team_meetings = [
            meeting
            for meeting in meetings
            if team_number in map(movement.get_team_number, meeting.places)
        ]
        match_places = [place for meeting in team_meetings for place in meeting.places]
        opposing_team_numbers = {movement.get_team_number(place) for place in match_places} - {
            team_number
        }
        board_groups = {meeting.board_group for meeting in team_meetings}
        if len(team_meetings) == 2 and len(opposing_team_numbers) == len(board_groups) == 1:
            new_places_by_old_place = {
                place: newcomer_places[movement.get_field_name(place) != "NS"]
                for place in match_places
                if movement.get_team_number(place) == team_number
            }
            yield _build_relief_turn(
                team_number,
                opposing_team_numbers.pop(),
                [(meeting, new_places_by_old_place) for meeting in team_meetings],
            )


def _build_relief_turn(
    relieved_place: int,
    opponent_place: int,
    meetings_and_new_places: Sequence[tuple[Meeting, dict[int, int]]],
) -> ReliefTurn:
    replacements = tuple(
        (meeting, _replace_places(meeting, new_places_by_old_place))
        for meeting, new_places_by_old_place in meetings_and_new_places
    )
    return ReliefTurn(
        relieved_place, opponent_place, meetings_and_new_places[0][0].board_group, replacements
    )


def _replace_places(meeting: Meeting, new_places_by_old_place: dict[int, int]) -> Meeting:
    return meeting._replace(
        north=new_places_by_old_place.get(meeting.north, meeting.north),
        east=new_places_by_old_place.get(meeting.east, meeting.east),
        south=new_places_by_old_place.get(meeting.south, meeting.south),
        west=new_places_by_old_place.get(meeting.west, meeting.west),
    )


def _are_turns_compatible(turn: ReliefTurn, earlier_turn: ReliefTurn) -> bool:
    return (
        turn.relieved_place != earlier_turn.relieved_place
        and turn.opponent_place != earlier_turn.opponent_place
        and turn.board_group != earlier_turn.board_group
    )
