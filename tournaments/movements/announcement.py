"""The announcement that the director reads out: how players and boards move between rounds."""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.board_moves import describe_board_moves, describe_sharing
from tournaments.movements.drawn_rounds import DRAWN_KEY, list_drawn_topics
from tournaments.movements.follow_order import describe_one_field, format_guide_card_hint
from tournaments.movements.formatting import format_number, join_names
from tournaments.movements.guide import build_place_guide
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.catalogue import CATALOGUE


def format_announcement(movement: Movement) -> str:
    """Describe in a few sentences how players and boards move between rounds.

    The text is derived from the schedule, so it is also correct for custom movements. If no
    short rule describes the moves, it refers to the guide cards.
    """
    return " ".join(list_topics(movement))


def list_topics(movement: Movement) -> list[str]:
    """Return the parts of the announcement: players, boards, sharing and sit-outs."""
    if movement.name == DRAWN_KEY:
        return list_drawn_topics(
            Counter(meeting.board_group for meeting in movement.in_round(1))
        )
    if movement.rounds == 1:
        return [_("Only one round: no one moves.")]
    if movement.contest is Contest.MEMORY:
        arrow_text = _(
            "After the last deal, turn every board a quarter turn and "
            "play them all again with the other pair's cards. Each deal "
            "keeps its trump suit, unless the second play is in other "
            "suits."
        )
        return [_("No one moves."), arrow_text]
    system = CATALOGUE.get(movement.name)
    if system is not None and (own_lines := system.announced(movement)):
        return own_lines
    lines = [
        _describe_players(movement),
        describe_board_moves(movement),
        describe_sharing(movement),
    ]
    lines += [_describe_arrow_switch(movement), _describe_sit_outs(movement)]
    return [topic for topic in lines if topic]


def _describe_players(movement: Movement) -> str:
    if movement.two_fields:
        return _describe_two_fields(movement)
    if _has_no_moves(movement):
        return _("No one moves.")
    return describe_one_field(movement)


def _describe_two_fields(movement: Movement) -> str:
    sentences, rovers, moving = [], [], False
    for field in ("NS", "EW"):
        places = [p for p in range(1, movement.places + 1) if movement.field(p) == field]
        roving = [place for place in places if _is_rover(movement, place)]
        steps = _find_common_steps(movement, [place for place in places if place not in roving])
        if steps is None:
            return format_guide_card_hint(movement)
        sentences += _describe_steps(field, steps, movement.tables)
        rovers += [_describe_rover(movement, place) for place in roving]
        moving = moving or set(steps) != {0}
    if not moving:
        return _("No one moves.")
    return " ".join([*sentences, *rovers])


def _is_rover(movement: Movement, place: int) -> bool:
    """Return whether a place has no table in round 1 and later displaces other places."""
    return not any(meeting.round == 1 for meeting in movement.list_place_meetings(place))


def _find_common_steps(movement: Movement, places: Sequence[int]) -> list[int] | None:
    """Return how many tables a field moves after each round; None if its places differ."""
    steps_by_round: dict[int, set[int]] = {
        number: set() for number in range(1, movement.rounds)
    }
    tables = movement.tables
    for place in places:
        table_by_round = {
            meeting.round: meeting.table for meeting in movement.list_place_meetings(place)
        }
        for number, steps in steps_by_round.items():
            if number in table_by_round and number + 1 in table_by_round:
                steps.add((table_by_round[number + 1] - table_by_round[number]) % tables)
    if any(len(steps) != 1 for steps in steps_by_round.values()):
        return None
    return [next(iter(steps)) for steps in steps_by_round.values()]


def _describe_steps(field: str, steps: Sequence[int], tables: int) -> list[str]:
    """Describe the usual move of a field, and the rounds after which it differs."""
    is_ns = field == "NS"
    if set(steps) == {0}:
        return [_describe_stationary(is_ns)]
    usual = Counter(steps).most_common(1)[0][0]
    distance, up = _shorter_direction(usual, tables)
    return [
        _format_field_move(is_ns, up, distance) % {"tables": format_number(distance)}
        if usual
        else _describe_stationary(is_ns),
        *(
            _describe_exception(number, step, usual, tables)
            for number, step in enumerate(steps, start=1)
            if step != usual
        ),
    ]


def _describe_stationary(is_ns: bool) -> str:
    return _("North-South pairs stay.") if is_ns else _("East-West pairs stay.")


def _format_field_move(is_ns: bool, is_upwards: bool, distance: int) -> str:
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


def _describe_exception(number: int, step: int, usual: int, tables: int) -> str:
    """Describe the move of a field after an exceptional round."""
    distance, up = _shorter_direction(step, tables)
    if step == 0:
        return _("After round %(round)s they stay.") % {"round": number}
    if usual and up and step == usual + 1:
        message = ngettext(
            "After round %(round)s they move up %(tables)s table, skipping one.",
            "After round %(round)s they move up %(tables)s tables, skipping one.",
            distance,
        )
    elif up:
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
    return message % {"round": number, "tables": format_number(distance)}


def _shorter_direction(step: int, tables: int) -> tuple[int, bool]:
    """Return the shorter number of tables to move, and whether the move is upwards."""
    return (step, True) if step <= tables // 2 else (tables - step, False)


def _describe_rover(movement: Movement, place: int) -> str:
    visits = ", ".join(
        movement.table_called(stop.table) if stop.table else _("(none: it sits out)")
        for stop in build_place_guide(movement, place)[1:]
    )
    message = _(
        "Pair %(rover)s is the rover. It sits out round 1, then "
        "takes the North-South seats at tables %(tables)s. The pair "
        "it replaces sits out."
    )
    return message % {"rover": movement.format_place(place), "tables": visits}


def _has_no_moves(movement: Movement) -> bool:
    seats: dict[int, tuple[int, bool]] = {}
    for meeting in movement.meetings:
        for place in meeting.places:
            seat = (meeting.table, place in (meeting.north, meeting.south))
            if seats.setdefault(place, seat) != seat:
                return False
    return True


def _describe_arrow_switch(movement: Movement) -> str:
    if movement.contest is not Contest.PAIRS:
        return ""
    rounds = _find_switched_rounds(movement)
    if not rounds:
        return ""
    message = ngettext(
        "Arrow switch in round %(rounds)s: North-South and East-West "
        "swap seats at every table.",
        "Arrow switch in rounds %(rounds)s: North-South and "
        "East-West swap seats at every table.",
        len(rounds),
    )
    return message % {"rounds": ", ".join(str(number) for number in rounds)}


def _find_switched_rounds(movement: Movement) -> list[int]:
    """Return the rounds in which everyone sits on the opposite side."""
    if movement.two_fields:
        switched_meetings = (
            each for each in movement.meetings if movement.field(each.north) != "NS"
        )
        return sorted({meeting.round for meeting in switched_meetings})
    if movement.name != "compass-hesitation":
        return []
    # each stationary pair has a low number, except at the last table
    return [
        number
        for number in range(1, movement.rounds + 1)
        if all(each.north > each.east for each in movement.in_round(number)[:-1])
    ]


def _describe_sit_outs(movement: Movement) -> str:
    names = [movement.format_place(place) for place in sorted(movement.absent)]
    if not names:
        return ""
    if movement.contest is Contest.INDIVIDUAL:
        message = ngettext(
            "There is no player %(names)s. The table due to have that player sits out.",
            "There are no players %(names)s. Tables due to have one of them sit out.",
            len(names),
        )
    elif movement.contest is Contest.TEAMS:
        names = [str(team) for team in sorted({movement.team(p) for p in movement.absent})]
        message = ngettext(
            "There is no team %(names)s. The team due to play it sits out.",
            "There are no teams %(names)s. Teams due to play them sit out.",
            len(names),
        )
    else:
        message = ngettext(
            "There is no pair %(names)s. The pair due to play it sits out.",
            "There are no pairs %(names)s. Pairs due to play them sit out.",
            len(names),
        )
    return message % {"names": join_names(names)}
