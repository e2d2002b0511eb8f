"""The announcement that the director reads out: how players and boards move between rounds."""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.board_moves import describe_board_moves, describe_board_sharing
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, list_drawn_round_topics
from tournaments.movements.follow_order import describe_follow_order, format_guide_card_hint
from tournaments.movements.formatting import format_number, join_names
from tournaments.movements.guide import build_place_guide
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME


def format_announcement(movement: Movement) -> str:
    """Describe in a few sentences how players and boards move between rounds.

    The text is derived from the schedule, so it is also correct for custom movements. If no
    short rule describes the moves, the text refers to the guide cards.
    """
    return " ".join(list_announcement_topics(movement))


def list_announcement_topics(movement: Movement) -> list[str]:
    """Return one text for each topic: moves of players and boards, sharing, sit-outs."""
    if movement.name == DRAWN_MOVEMENT_NAME:
        return list_drawn_round_topics(
            Counter(meeting.board_group for meeting in movement.list_round_meetings(1))
        )
    if movement.round_count == 1:
        return [_("Only one round: no one moves.")]
    if movement.contest is Contest.MEMORY:
        quarter_turn_text = _(
            "After the last deal, turn every board a quarter turn and play them all again "
            "with the other pair’s cards. Each deal keeps its trump suit, unless the "
            "second play is in other suits."
        )
        return [_("No one moves."), quarter_turn_text]
    system = SYSTEMS_BY_NAME.get(movement.name)
    if system is not None and (system_topics := system.list_announcements(movement)):
        return system_topics
    topics = [
        _describe_player_moves(movement),
        describe_board_moves(movement),
        describe_board_sharing(movement),
    ]
    topics += [_describe_arrow_switch(movement), _describe_sit_outs(movement)]
    return [topic for topic in topics if topic]


def _describe_player_moves(movement: Movement) -> str:
    if movement.has_two_fields:
        return _describe_two_field_movement(movement)
    if _has_no_moves(movement):
        return _("No one moves.")
    return describe_follow_order(movement)


def _describe_two_field_movement(movement: Movement) -> str:
    sentences, rover_sentences, is_any_field_moving = [], [], False
    for field_name in ("NS", "EW"):
        places = [
            place
            for place in range(1, movement.place_count + 1)
            if movement.get_field_name(place) == field_name
        ]
        rover_places = [place for place in places if _is_rover(movement, place)]
        steps_by_round = _find_common_steps(
            movement, [place for place in places if place not in rover_places]
        )
        if steps_by_round is None:
            return format_guide_card_hint(movement)
        sentences += _describe_steps(field_name, steps_by_round, movement.table_count)
        rover_sentences += [_describe_rover(movement, place) for place in rover_places]
        is_any_field_moving = is_any_field_moving or set(steps_by_round) != {0}
    if not is_any_field_moving:
        return _("No one moves.")
    return " ".join([*sentences, *rover_sentences])


def _is_rover(movement: Movement, place: int) -> bool:
    """Return whether a place has no table in round 1 and later displaces other places."""
    return not any(meeting.round == 1 for meeting in movement.list_place_meetings(place))


def _find_common_steps(movement: Movement, places: Sequence[int]) -> list[int] | None:
    """Return how many tables the places move after each round, or None if they differ.

    Moves are upwards and wrap around at the last table.
    """
    possible_steps_by_round: dict[int, set[int]] = {
        round_number: set() for round_number in range(1, movement.round_count)
    }
    table_count = movement.table_count
    for place in places:
        tables_by_round = {
            meeting.round: meeting.table for meeting in movement.list_place_meetings(place)
        }
        for round_number, steps in possible_steps_by_round.items():
            if round_number in tables_by_round and round_number + 1 in tables_by_round:
                steps.add(
                    (tables_by_round[round_number + 1] - tables_by_round[round_number])
                    % table_count
                )
    if any(len(steps) != 1 for steps in possible_steps_by_round.values()):
        return None
    return [next(iter(steps)) for steps in possible_steps_by_round.values()]


def _describe_steps(
    field_name: str, steps_by_round: Sequence[int], table_count: int
) -> list[str]:
    """Describe the usual move of a field, and the rounds after which the move differs."""
    is_ns = field_name == "NS"
    if set(steps_by_round) == {0}:
        return [_describe_stationary_pairs(is_ns)]
    usual_step = Counter(steps_by_round).most_common(1)[0][0]
    distance, is_upwards = _find_shorter_direction(usual_step, table_count)
    return [
        _format_side_move(is_ns, is_upwards, distance) % {"tables": format_number(distance)}
        if usual_step
        else _describe_stationary_pairs(is_ns),
        *(
            _describe_exceptional_move(round_number, table_step, usual_step, table_count)
            for round_number, table_step in enumerate(steps_by_round, start=1)
            if table_step != usual_step
        ),
    ]


def _describe_stationary_pairs(is_ns: bool) -> str:
    return _("North-South pairs stay.") if is_ns else _("East-West pairs stay.")


def _format_side_move(is_ns: bool, is_upwards: bool, distance: int) -> str:
    if is_ns and is_upwards:
        return ngettext(
            "North-South pairs move up %(tables)s table.",
            "North-South pairs move up %(tables)s tables.",
            distance,
        )
    if is_ns:
        return ngettext(
            "North-South pairs move down %(tables)s table.",
            "North-South pairs move down %(tables)s tables.",
            distance,
        )
    if is_upwards:
        return ngettext(
            "East-West pairs move up %(tables)s table.",
            "East-West pairs move up %(tables)s tables.",
            distance,
        )
    return ngettext(
        "East-West pairs move down %(tables)s table.",
        "East-West pairs move down %(tables)s tables.",
        distance,
    )


def _describe_exceptional_move(
    round_number: int, table_step: int, usual_step: int, table_count: int
) -> str:
    """Describe the move of a field after an exceptional round."""
    distance, is_upwards = _find_shorter_direction(table_step, table_count)
    if table_step == 0:
        return _("After round %(round)s they stay.") % {"round": round_number}
    if usual_step and is_upwards and table_step == usual_step + 1:
        message = ngettext(
            "After round %(round)s they move up %(tables)s table, skipping one.",
            "After round %(round)s they move up %(tables)s tables, skipping one.",
            distance,
        )
    elif is_upwards:
        message = ngettext(
            "After round %(round)s they move up %(tables)s table.",
            "After round %(round)s they move up %(tables)s tables.",
            distance,
        )
    else:
        message = ngettext(
            "After round %(round)s they move down %(tables)s table.",
            "After round %(round)s they move down %(tables)s tables.",
            distance,
        )
    return message % {"round": round_number, "tables": format_number(distance)}


def _find_shorter_direction(table_step: int, table_count: int) -> tuple[int, bool]:
    """Return the shorter way round the tables: how many tables, and whether it is upwards."""
    return (
        (table_step, True)
        if table_step <= table_count // 2
        else (table_count - table_step, False)
    )


def _describe_rover(movement: Movement, place: int) -> str:
    table_names = ", ".join(
        movement.format_table(place_round.table)
        if place_round.table
        else _("(none: it sits out)")
        for place_round in build_place_guide(movement, place)[1:]
    )
    message = _(
        "Pair %(rover)s is the rover. It sits out round 1, then "
        "takes the North-South seats at tables %(tables)s. The pair "
        "it replaces sits out."
    )
    return message % {"rover": movement.format_place(place), "tables": table_names}


def _has_no_moves(movement: Movement) -> bool:
    seats_by_place: dict[int, tuple[int, bool]] = {}
    for meeting in movement.meetings:
        for place in meeting.places:
            table_and_side = (meeting.table, place in (meeting.north, meeting.south))
            if seats_by_place.setdefault(place, table_and_side) != table_and_side:
                return False
    return True


def _describe_arrow_switch(movement: Movement) -> str:
    if movement.contest is not Contest.PAIRS:
        return ""
    switched_rounds = _find_switched_rounds(movement)
    if not switched_rounds:
        return ""
    message = ngettext(
        "Arrow switch in round %(rounds)s: North-South and East-West "
        "swap seats at every table.",
        "Arrow switch in rounds %(rounds)s: North-South and "
        "East-West swap seats at every table.",
        len(switched_rounds),
    )
    return message % {
        "rounds": ", ".join(str(round_number) for round_number in switched_rounds)
    }


def _find_switched_rounds(movement: Movement) -> list[int]:
    """Return the rounds in which everyone sits on the opposite side."""
    if movement.has_two_fields:
        switched_meetings = (
            meeting
            for meeting in movement.meetings
            if movement.get_field_name(meeting.north) != "NS"
        )
        return sorted({meeting.round for meeting in switched_meetings})
    if movement.name != "compass-hesitation":
        return []
    # At all tables except the last, the stationary pair has the lower number. In a switched
    # round it sits East-West.
    return [
        round_number
        for round_number in range(1, movement.round_count + 1)
        if all(
            meeting.north > meeting.east
            for meeting in movement.list_round_meetings(round_number)[:-1]
        )
    ]


def _describe_sit_outs(movement: Movement) -> str:
    place_names = [movement.format_place(place) for place in sorted(movement.absent_places)]
    if not place_names:
        return ""
    if movement.contest is Contest.INDIVIDUAL:
        message = ngettext(
            "There is no player %(names)s. The table due to have that player sits out.",
            "There are no players %(names)s. Tables due to have one of them sit out.",
            len(place_names),
        )
    elif movement.contest is Contest.TEAMS:
        place_names = [
            str(team_number)
            for team_number in sorted(
                {movement.get_team_number(place) for place in movement.absent_places}
            )
        ]
        message = ngettext(
            "There is no team %(names)s. The team due to play it sits out.",
            "There are no teams %(names)s. Teams due to play them sit out.",
            len(place_names),
        )
    else:
        message = ngettext(
            "There is no pair %(names)s. The pair due to play it sits out.",
            "There are no pairs %(names)s. Pairs due to play them sit out.",
            len(place_names),
        )
    return message % {"names": join_names(place_names)}
