"""What the director reads out: how players and boards move between the rounds."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from tournaments.movements.board_moves import boards_move, sharing_in_words
from tournaments.movements.guide import place_guide
from tournaments.movements.league import announced
from tournaments.movements.meetings import Contest
from tournaments.movements.memory import FOUR_ANNOUNCED
from tournaments.movements.schedule import Movement
from tournaments.movements.words import counted, spoken


def announcement(movement: Movement) -> str:
    """Say in a few plain sentences what everybody does between rounds.

    The words come from the schedule itself, so that they are true of custom movements too;
    where no short rule describes it they refer to the guide cards.
    """
    if movement.rounds == 1:
        return "There is one round only: nobody moves."
    if movement.contest is Contest.MEMORY:
        return (
            "Nobody moves. When all deals have been played the boards are turned a quarter, so "
            "that each pair takes the cards that the other held, and all are overplayed."
        )
    if movement.name == "league-fours":
        exchange = "The two tables exchange the boards of each set."
        return " ".join([*announced(movement.rounds), exchange])
    if movement.name == "four-individuals" and movement.rounds == 6:
        return FOUR_ANNOUNCED
    sentences = [_players(movement), boards_move(movement), sharing_in_words(movement)]
    sentences += [_switched(movement), _sitting_out(movement)]
    return " ".join(sentence for sentence in sentences if sentence)


def _players(movement: Movement) -> str:
    if movement.two_fields:
        return _two_fields(movement)
    if _everybody_stays(movement):
        return "Nobody moves."
    return _one_field(movement)


def _two_fields(movement: Movement) -> str:
    fields, rovers = [], []
    for field, words in (("NS", "North-South pairs"), ("EW", "East-West pairs")):
        places = [p for p in range(1, movement.places + 1) if movement.field(p) == field]
        roving = [place for place in places if _roves(movement, place)]
        steps = _common_steps(movement, [place for place in places if place not in roving])
        if steps is None:
            return _cards(movement)
        fields.append(_steps_in_words(movement, words, steps))
        rovers += [_rover(movement, place) for place in roving]
    if all(field.endswith(" stay") for field in fields):
        return "Nobody moves."
    return " ".join([f"{'; '.join(fields)}.", *rovers])


def _roves(movement: Movement, place: int) -> bool:
    """Whether a place has no table in round 1, so that it takes the seats of others later."""
    return not any(meeting.round == 1 for meeting in movement.of_place(place))


def _common_steps(movement: Movement, places: Sequence[int]) -> list[int] | None:
    """How many tables up all of them go after each round; None if they do not go together."""
    found: dict[int, set[int]] = {number: set() for number in range(1, movement.rounds)}
    for place in places:
        at = {meeting.round: meeting.table for meeting in movement.of_place(place)}
        for number, steps in found.items():
            if number in at and number + 1 in at:
                steps.add((at[number + 1] - at[number]) % movement.tables)
    if any(len(steps) != 1 for steps in found.values()):
        return None
    return [next(iter(steps)) for steps in found.values()]


def _steps_in_words(movement: Movement, who: str, steps: Sequence[int]) -> str:
    usual = Counter(steps).most_common(1)[0][0]
    if set(steps) == {0}:
        return f"{who} stay"
    text = f"{who} move {_tables_away(usual, movement.tables)}"
    for number, step in enumerate(steps, start=1):
        if step != usual:
            text += f", but after round {number} {_tables_away(step, movement.tables)}"
            text += " (they skip one)" if step == usual + 1 else ""
    return text


def _tables_away(step: int, tables: int) -> str:
    """Say how far: one table up, two tables down."""
    distance, way = (step, "up") if step <= tables // 2 else (tables - step, "down")
    return f"{counted(distance, 'table')} {way}"


def _rover(movement: Movement, place: int) -> str:
    visits = ", ".join(
        str(stop.table) if stop.table else "none" for stop in place_guide(movement, place)[1:]
    ).replace("none", "(none: it sits out)")
    rover = spoken(movement.labels[place - 1])
    return (
        f"Pair {rover} is the rover: it sits out round 1 and then takes "
        f"the North-South seats at tables {visits}; the pair that it finds there sits out."
    )


def _everybody_stays(movement: Movement) -> bool:
    seats: dict[int, set[tuple[int, str]]] = {}
    for meeting in movement.meetings:
        for place in meeting.places:
            seats.setdefault(place, set()).add((meeting.table, meeting.side_of(place)))
    return all(len(found) == 1 for found in seats.values())


def _one_field(movement: Movement) -> str:
    """Players who follow each other by number, seat for seat or at least table for table."""
    followed = {_followed(movement, number) for number in range(1, movement.rounds)}
    leaders = dict(next(iter(followed))) if len(followed) == 1 else {}
    staying = [place for place, leader in leaders.items() if leader == place]
    if not leaders:
        staying = _at_one_table(movement)
    row = [place for place in range(1, movement.places + 1) if place not in staying]
    for way, order in (("lower", row), ("higher", row[::-1])):
        follows = {place: order[i - 1] for i, place in enumerate(order)}
        if leaders and all(leaders[place] == follows[place] for place in row):
            return _following(movement, staying, way, order) + "."
        if not leaders and row and _by_table(movement, follows):
            return (
                _following(movement, staying, way, order) + "; guide cards say on which side."
            )
    return _cards(movement)


def _following(
    movement: Movement, staying: Sequence[int], way: str, order: Sequence[int]
) -> str:
    noun = _noun(movement)
    first, last = (spoken(movement.labels[order[at] - 1]) for at in (0, -1))
    return (
        f"{_staying(movement, staying)} {noun} goes where the {noun} with the next {way} "
        f"number has just been ({first} follows {last})"
    )


def _at_one_table(movement: Movement) -> list[int]:
    return [
        place
        for place in range(1, movement.places + 1)
        if len({meeting.table for meeting in movement.of_place(place)}) == 1
    ]


def _by_table(movement: Movement, follows: dict[int, int]) -> bool:
    """Whether everybody goes to the table that the one they follow has just left."""
    tables = [
        {place: seat[0] for place, seat in _seats(movement, number).items()}
        for number in range(1, movement.rounds + 1)
    ]
    return all(
        after[place] == before[leader]
        for before, after in pairwise(tables)
        for place, leader in follows.items()
    )


def _staying(movement: Movement, staying: Sequence[int]) -> str:
    here = [place for place in staying if place not in movement.absent]
    names = [spoken(movement.labels[place - 1]) for place in here]
    noun = _noun(movement).capitalize()
    if not names:
        return "Every"
    if len(names) == 1:
        return f"{noun} {names[0]} stays; every other"
    return f"{noun}s {', '.join(names[:-1])} and {names[-1]} stay; every other"


def _noun(movement: Movement) -> str:
    return "player" if movement.contest is Contest.INDIVIDUAL else "pair"


def _followed(movement: Movement, number: int) -> tuple[tuple[int, int], ...]:
    """Whose seat each place takes after a round; those who sit out count as one seat."""
    before, after = _seats(movement, number), _seats(movement, number + 1)
    sitters = {seat: place for place, seat in before.items()}
    return tuple((place, sitters.get(seat, 0)) for place, seat in sorted(after.items()))


def _seats(movement: Movement, number: int) -> dict[int, tuple[int, int]]:
    found = dict.fromkeys(range(1, movement.places + 1), (0, 0))
    for meeting in movement.in_round(number):
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        for seat, place in reversed(list(enumerate(seats))):
            found[place] = (meeting.table, seat)
    return found


def _cards(movement: Movement) -> str:
    return f"Each {_noun(movement)} goes where its guide card says."


def _switched(movement: Movement) -> str:
    if not movement.two_fields or movement.contest is not Contest.PAIRS:
        return ""
    rounds = sorted(
        {
            meeting.round
            for meeting in movement.meetings
            if movement.field(meeting.north) != "NS"
        }
    )
    if not rounds:
        return ""
    words = ", ".join(str(number) for number in rounds)
    return (
        f"In round{'s' if len(rounds) > 1 else ''} {words} North-South and East-West "
        f"change seats at every table."
    )


def _sitting_out(movement: Movement) -> str:
    names = [spoken(movement.labels[place - 1]) for place in sorted(movement.absent)]
    if not names:
        return ""
    return f"Whoever is due to meet {' or '.join(names)}, which nobody has taken, sits out."
