"""The adviser: which movements suit an evening, best first, with their figures and cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boards.whist.words import gettext as _
from tournaments.movements.announcement import announcement
from tournaments.movements.balance import Balance, Spread, balance
from tournaments.movements.building import build, resized
from tournaments.movements.cost import cost
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.systems.system import System, Unit, sized

USUAL_BOARDS = 24  # "twenty-four trays or as few above as possible": Knickerbocker Whist Club
FAR_ABOVE = 6  # boards: ten rounds of three are a usual evening, eleven of three a long one
MOST_BOARDS_A_ROUND = 8
MINUTES_A_BOARD = 7  # house rule: what clubs set (docs/decisions.md); the clock suggests it too
MINUTES_A_MOVE = 2
LONGEST_LIST = 8
WHOLE_ONLY = (Contest.TEAMS, Contest.MEMORY)  # half a match compares nothing


@dataclass(frozen=True, slots=True)
class Evening:
    """What the director knows: `count` of `unit` come, and each may play up to `boards`."""

    unit: Unit
    count: int
    boards: int | None
    minutes: int | None
    boards_at_hand: int | None
    stationary: int
    winners: int | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A movement for the evening; `options` are the arguments of `build` besides its name.

    `boards` are those needed in all, `plays` those that each competitor plays.
    """

    name: str
    title: str
    options: dict[str, Any]
    rounds: int
    boards_a_round: int
    boards: int
    plays: Spread
    sit_outs: Spread
    met: int
    possible: int
    comparisons: Spread
    winners: int
    stationary: int
    announcement: str
    cost: str
    movement: Movement
    balance: Balance


def suggest(
    *,
    pairs: int | None = None,
    players: int | None = None,
    teams: int | None = None,
    tables: int | None = None,
    boards: int | None = None,
    minutes: int | None = None,
    boards_at_hand: int | None = None,
    stationary: int = 0,
    winners: int | None = None,
) -> list[Suggestion]:
    """List the movements that fit an evening, the best first, eight at most.

    One of pairs, players, teams and tables says who comes; `boards` is the most that one
    competitor can play, `minutes` the time there is for it, `boards_at_hand` the most that
    can be used in all, `stationary` how many must keep their seats.
    """
    given = {Unit.PAIRS: pairs, Unit.PLAYERS: players, Unit.TEAMS: teams, Unit.TABLES: tables}
    counts = {unit: number for unit, number in given.items() if number is not None}
    if len(counts) != 1:
        raise UnplayableMovement(_("Give one of pairs, players, teams and tables."))
    unit, count = counts.popitem()
    evening = Evening(unit, count, boards, minutes, boards_at_hand, stationary, winners)
    found = [each for system in _systems(evening) for each in _of_system(system, evening)]
    if not found:
        words = _(
            "No movement suits %(size)s with these wishes: allow more boards, fewer stationary "
            "places, or another number of winners."
        )
        raise UnplayableMovement(words % {"size": sized(unit, count)})
    found.sort(key=lambda each: (_drawback(each, evening), each.title))
    return found[:LONGEST_LIST]


def as_row(suggestion: Suggestion) -> dict[str, Any]:
    """Write a suggestion as plain data."""
    return {
        "name": suggestion.name,
        "title": suggestion.title,
        "options": suggestion.options,
        "rounds": suggestion.rounds,
        "boards_a_round": suggestion.boards_a_round,
        "boards": suggestion.boards,
        "plays": {"least": suggestion.plays.least, "most": suggestion.plays.most},
        "sit_outs": suggestion.sit_outs.most,
        "meetings": {"met": suggestion.met, "possible": suggestion.possible},
        "comparisons": {
            "least": suggestion.comparisons.least,
            "most": suggestion.comparisons.most,
        },
        "winners": suggestion.winners,
        "stationary": suggestion.stationary,
        "announcement": suggestion.announcement,
        "cost": suggestion.cost,
    }


def _systems(evening: Evening) -> Iterator[System]:
    contests = {
        Unit.PAIRS: (Contest.PAIRS, Contest.MEMORY),
        Unit.TABLES: (Contest.PAIRS,),
        Unit.PLAYERS: (Contest.INDIVIDUAL,),
        Unit.TEAMS: (Contest.TEAMS,),
    }
    for system in CATALOGUE.values():
        size = resized(system, evening.unit, evening.count)
        wanted = system.contest in contests[evening.unit]
        if wanted and size and system.fits(size[0]) and not (size[1] and _is_full(system)):
            yield system


def _is_full(system: System) -> bool:
    """Whether a system has no place for a missing pair."""
    return system.extra > 0 or system.contest is Contest.MEMORY


def _of_system(system: System, evening: Evening) -> Iterator[Suggestion]:
    size = resized(system, evening.unit, evening.count)
    assert size is not None
    options: dict[str, Any] = {str(evening.unit): evening.count}
    if system.vacant_beside and size[1] and evening.stationary:
        options["absent"] = [system.vacant_beside(size[0])]
    for chosen, boards_a_round in _choices(system, size[0], options, evening):
        suggestion = _suggestion(system, chosen, boards_a_round)
        if _suits(suggestion, evening):
            yield suggestion


def _choices(
    system: System, size: int, options: dict[str, Any], evening: Evening
) -> Iterator[tuple[dict[str, Any], int]]:
    """Options and boards a round: all the rounds there are, or fewer of them."""
    if system.lengths:
        for length in system.lengths(size):
            yield from _whole(options | {"rounds": length}, length, evening)
        return
    movement = build(system.name, **options)
    if evening.winners == 1 and movement.winners == 2:
        options = options | {"one_winner": True}
    yield from _whole(options, movement.rounds, evening)
    if system.contest not in WHOLE_ONLY:
        for rounds, boards_a_round in _shapes(movement.rounds, evening):
            if rounds != movement.rounds:
                yield options | {"rounds": rounds}, boards_a_round


def _whole(
    options: dict[str, Any], length: int, evening: Evening
) -> Iterator[tuple[dict[str, Any], int]]:
    for rounds, boards_a_round in _shapes(length, evening):
        if rounds == length:
            yield options, boards_a_round


def _shapes(length: int, evening: Evening) -> list[tuple[int, int]]:
    """Rounds and boards a round: every round with fewer boards, or fewer rounds with more."""
    most = _most_boards(length, evening)
    if most is None:
        return [(length, min(_usual(length), MOST_BOARDS_A_ROUND))]
    whole = min(most // length, MOST_BOARDS_A_ROUND)
    shapes = [(length, whole)] if whole else []
    more = whole + 1
    if more <= MOST_BOARDS_A_ROUND and most // more >= 2:
        shapes.append((most // more, more))
    return shapes


def _usual(length: int) -> int:
    """Return the boards a round of a usual evening: 24 in all, or as few above as possible.

    Where that would be far above, a little below is nearer to what a club plays.
    """
    least = max(USUAL_BOARDS // length, 1)
    if least * length == USUAL_BOARDS or (least + 1) * length - USUAL_BOARDS > FAR_ABOVE:
        return least
    return least + 1


def _most_boards(length: int, evening: Evening) -> int | None:
    limits = [] if evening.boards is None else [evening.boards]
    if evening.minutes is not None:
        limits.append((evening.minutes - length * MINUTES_A_MOVE) // MINUTES_A_BOARD)
    return max(min(limits), 0) if limits else None


def _suggestion(system: System, options: dict[str, Any], boards_a_round: int) -> Suggestion:
    movement = build(system.name, **options)
    figures = balance(movement)
    rounds = movement.rounds
    return Suggestion(
        name=system.name,
        title=movement.title,
        options=options,
        rounds=rounds,
        boards_a_round=boards_a_round,
        boards=len({each.board_group for each in movement.played}) * boards_a_round,
        plays=Spread(
            (rounds - figures.sit_outs.most) * boards_a_round,
            (rounds - figures.sit_outs.least) * boards_a_round,
        ),
        sit_outs=figures.sit_outs,
        met=figures.met,
        possible=figures.possible,
        comparisons=figures.comparisons,
        winners=movement.winners,
        stationary=len(figures.stationary),
        announcement=announcement(movement),
        cost=cost(movement, figures, boards_a_round),
        movement=movement,
        balance=figures,
    )


def _suits(suggestion: Suggestion, evening: Evening) -> bool:
    at_hand = evening.boards_at_hand
    return (
        suggestion.met > 0
        and suggestion.stationary >= evening.stationary
        and evening.winners in (None, suggestion.winners)
        and (at_hand is None or suggestion.boards <= at_hand)
    )


def _drawback(suggestion: Suggestion, evening: Evening) -> Fraction:
    """Weigh what a movement costs, each as a share of what there could be; small is good.

    Boards not played and opponents not met weigh most, then rounds sat out, then uneven
    comparisons, then sharing, then boards that have to be made ready.
    """
    figures = suggestion.balance
    wanted = _most_boards(suggestion.rounds, evening) or USUAL_BOARDS
    groups = max(1, figures.comparisons.most)
    return (
        3 * max(Fraction(wanted - suggestion.plays.most, wanted), Fraction())
        + 3 * (1 - Fraction(figures.met, max(figures.possible, 1)))
        + 2 * Fraction(figures.sit_outs.most, suggestion.rounds)
        + Fraction(figures.comparisons.most - figures.comparisons.least, groups)
        + Fraction(figures.shared, 2 * suggestion.rounds)
        + Fraction(suggestion.boards, 20 * wanted)
    )
