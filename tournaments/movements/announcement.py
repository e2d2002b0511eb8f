"""The announcement that the director reads out: how players and boards move between rounds."""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.board_moves import boards_move, sharing_in_words
from tournaments.movements.drawn import DRAWN, drawn_topics
from tournaments.movements.follow_order import by_cards, one_field
from tournaments.movements.guide import place_guide
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.words import listed, said


def announcement(movement: Movement) -> str:
    """Describe in a few plain sentences what the players do between rounds.

    The text is derived from the schedule, so it is also right for custom movements. Where no
    short rule describes the moves it refers to the guide cards.
    """
    return " ".join(topics(movement))


def topics(movement: Movement) -> list[str]:
    """Return the announcement by topic: players, boards, sharing and sit-outs."""
    if movement.name == DRAWN:
        return drawn_topics(Counter(each.board_group for each in movement.in_round(1)))
    if movement.rounds == 1:
        return [_("There is one round only: nobody moves.")]
    if movement.contest is Contest.MEMORY:
        turned = _(
            "When all deals have been played the boards are turned a quarter, so that each "
            "pair takes the cards that the other held, and all are overplayed. The trump of a "
            "deal is what it was when the deal was first played, unless the second play is in "
            "other suits."
        )
        return [_("Nobody moves."), turned]
    system = CATALOGUE.get(movement.name)
    if system is not None and (own := system.announced(movement)):
        return own
    told = [_players(movement), boards_move(movement), sharing_in_words(movement)]
    told += [_switched(movement), _sitting_out(movement)]
    return [topic for topic in told if topic]


def _players(movement: Movement) -> str:
    if movement.two_fields:
        return _two_fields(movement)
    if _everybody_stays(movement):
        return _("Nobody moves.")
    return one_field(movement)


def _two_fields(movement: Movement) -> str:
    sentences, rovers, moving = [], [], False
    for field in ("NS", "EW"):
        places = [p for p in range(1, movement.places + 1) if movement.field(p) == field]
        roving = [place for place in places if _roves(movement, place)]
        steps = _common_steps(movement, [place for place in places if place not in roving])
        if steps is None:
            return by_cards(movement)
        sentences += _steps_in_words(field, steps, movement.tables)
        rovers += [_rover(movement, place) for place in roving]
        moving = moving or set(steps) != {0}
    if not moving:
        return _("Nobody moves.")
    return " ".join([*sentences, *rovers])


def _roves(movement: Movement, place: int) -> bool:
    """Return whether a place has no table in round 1 and takes other places' seats later."""
    return not any(meeting.round == 1 for meeting in movement.of_place(place))


def _common_steps(movement: Movement, places: Sequence[int]) -> list[int] | None:
    """Return by how many tables all of a field move after each round; None if they differ."""
    found: dict[int, set[int]] = {number: set() for number in range(1, movement.rounds)}
    tables = movement.tables
    for place in places:
        at = {meeting.round: meeting.table for meeting in movement.of_place(place)}
        for number, steps in found.items():
            if number in at and number + 1 in at:
                steps.add((at[number + 1] - at[number]) % tables)
    if any(len(steps) != 1 for steps in found.values()):
        return None
    return [next(iter(steps)) for steps in found.values()]


def _steps_in_words(field: str, steps: Sequence[int], tables: int) -> list[str]:
    """Describe the move of one field after each round, with the exceptional rounds."""
    is_ns = field == "NS"
    if set(steps) == {0}:
        return [_stay(is_ns)]
    usual = Counter(steps).most_common(1)[0][0]
    distance, up = _way(usual, tables)
    return [
        _field_moves(is_ns, up, distance) % {"tables": said(distance)}
        if usual
        else _stay(is_ns),
        *(
            _otherwise(number, step, usual, tables)
            for number, step in enumerate(steps, start=1)
            if step != usual
        ),
    ]


def _stay(is_ns: bool) -> str:
    return _("North-South pairs stay.") if is_ns else _("East-West pairs stay.")


def _field_moves(is_ns: bool, up: bool, distance: int) -> str:
    if is_ns and up:
        return ngettext(
            "North-South pairs move %(tables)s table up.",
            "North-South pairs move %(tables)s tables up.",
            distance,
        )
    if is_ns:
        return ngettext(
            "North-South pairs move %(tables)s table down.",
            "North-South pairs move %(tables)s tables down.",
            distance,
        )
    if up:
        return ngettext(
            "East-West pairs move %(tables)s table up.",
            "East-West pairs move %(tables)s tables up.",
            distance,
        )
    return ngettext(
        "East-West pairs move %(tables)s table down.",
        "East-West pairs move %(tables)s tables down.",
        distance,
    )


def _otherwise(number: int, step: int, usual: int, tables: int) -> str:
    """Describe the move of a field after an exceptional round."""
    distance, up = _way(step, tables)
    if step == 0:
        return _("After round %(round)s they stay.") % {"round": number}
    if usual and up and step == usual + 1:
        words = ngettext(
            "After round %(round)s they move %(tables)s table up, so that they skip one.",
            "After round %(round)s they move %(tables)s tables up, so that they skip one.",
            distance,
        )
    elif up:
        words = ngettext(
            "After round %(round)s they move %(tables)s table up.",
            "After round %(round)s they move %(tables)s tables up.",
            distance,
        )
    else:
        words = ngettext(
            "After round %(round)s they move %(tables)s table down.",
            "After round %(round)s they move %(tables)s tables down.",
            distance,
        )
    return words % {"round": number, "tables": said(distance)}


def _way(step: int, tables: int) -> tuple[int, bool]:
    """Return the number of tables of the shorter way round, and whether it is upwards."""
    return (step, True) if step <= tables // 2 else (tables - step, False)


def _rover(movement: Movement, place: int) -> str:
    visits = ", ".join(
        movement.table_called(stop.table) if stop.table else _("(none: it sits out)")
        for stop in place_guide(movement, place)[1:]
    )
    words = _(
        "Pair %(rover)s is the rover: it sits out round 1 and then takes the North-South seats "
        "at tables %(tables)s; the pair that it finds there sits out."
    )
    return words % {"rover": movement.called(place), "tables": visits}


def _everybody_stays(movement: Movement) -> bool:
    seats: dict[int, tuple[int, bool]] = {}
    for meeting in movement.meetings:
        for place in meeting.places:
            seat = (meeting.table, place in (meeting.north, meeting.south))
            if seats.setdefault(place, seat) != seat:
                return False
    return True


def _switched(movement: Movement) -> str:
    if movement.contest is not Contest.PAIRS:
        return ""
    rounds = _rounds_switched(movement)
    if not rounds:
        return ""
    words = ngettext(
        "In round %(rounds)s North-South and East-West change seats at every table.",
        "In rounds %(rounds)s North-South and East-West change seats at every table.",
        len(rounds),
    )
    return words % {"rounds": ", ".join(str(number) for number in rounds)}


def _rounds_switched(movement: Movement) -> list[int]:
    """Return the rounds in which everyone sits the other way than the field's name or habit."""
    if movement.two_fields:
        turned = (each for each in movement.meetings if movement.field(each.north) != "NS")
        return sorted({meeting.round for meeting in turned})
    if movement.name != "compass-hesitation":
        return []
    return [
        number
        for number in range(1, movement.rounds + 1)
        if all(each.north > each.east for each in movement.in_round(number)[:-1])
    ]  # a stationary pair has the lower number, except at the last table


def _sitting_out(movement: Movement) -> str:
    names = [movement.called(place) for place in sorted(movement.absent)]
    if not names:
        return ""
    if movement.contest is Contest.INDIVIDUAL:
        words = ngettext(
            "There is no player %(names)s: the table where that number is due sits out.",
            "There are no players %(names)s: a table where one of them is due sits out.",
            len(names),
        )
    elif movement.contest is Contest.TEAMS:
        names = [str(team) for team in sorted({movement.team(p) for p in movement.absent})]
        words = ngettext(
            "There is no team %(names)s: whoever would play against it sits out.",
            "There are no teams %(names)s: whoever would play against one sits out.",
            len(names),
        )
    else:
        words = ngettext(
            "There is no pair %(names)s: whoever would play against it sits out.",
            "There are no pairs %(names)s: whoever would play against one sits out.",
            len(names),
        )
    return words % {"names": listed(names)}
