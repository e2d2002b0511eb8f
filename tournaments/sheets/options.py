"""The movements that the adviser offers, each with its figures, pictures and price."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.movements import Balance, Movement, Suggestion, announcement, balance
from tournaments.movements.cost import cost
from tournaments.movements.suggest import MINUTES_A_BOARD, MINUTES_A_MOVE
from tournaments.sheets import heat
from tournaments.sheets.heat import Heat
from tournaments.sheets.schedule import ranged

NUMBERS = ("tables", "pairs", "players", "teams", "rounds")
USUAL_MOST = 8


@dataclass(frozen=True, slots=True)
class Option:
    """One movement as the page offers it."""

    name: str
    title: str
    options: str  # what it is built with, as JSON
    url: str  # the whole schedule
    rounds: int
    boards_a_round: int
    boards_choices: tuple[int, ...]
    boards_in_all: int
    minutes: int
    plays: str
    sit_outs: str
    met: str
    comparisons: str
    winners: int
    stationary: int
    announcement: str
    cost: str
    heats: tuple[Heat, ...]
    recommended: bool
    missing: str  # the side at which a pair is missing, where that can be chosen


def option_of(found: Suggestion, *, best: bool, event: str = "") -> Option:
    """Show a suggestion of the adviser; `event` is the address of the one that it is for."""
    return _option(
        found.movement,
        found.balance,
        name=found.name,
        options=found.options,
        url=schedule_address(found.name, found.options, found.boards_a_round, event),
        boards_a_round=found.boards_a_round,
        best=best,
    )


def unlike(found: Sequence[Suggestion]) -> list[Suggestion]:
    """Leave out what seats everybody just as an earlier suggestion does."""
    first: dict[object, Suggestion] = {}
    for each in found:
        key = (each.movement.meetings, each.movement.absent, each.boards_a_round)
        first.setdefault(key, each)
    return list(first.values())


def own_option(
    movement: Movement, *, options: Mapping[str, Any], url: str, boards_a_round: int
) -> Option:
    """Show a movement that the club has saved."""
    return _option(
        movement,
        balance(movement),
        name="custom",
        options=options,
        url=url,
        boards_a_round=boards_a_round,
        best=False,
    )


def schedule_address(
    name: str, options: Mapping[str, Any], boards_a_round: int, event: str = ""
) -> str:
    """Where a movement, built with these options, can be seen whole."""
    asked: dict[str, Any] = {
        key: value for key, value in options.items() if key in NUMBERS and value is not None
    }
    if options.get("one_winner"):
        asked["one_winner"] = 1
    if options.get("absent"):
        asked["absent"] = ",".join(str(place) for place in options["absent"])
    asked["boards"] = boards_a_round
    if event:
        asked["event"] = event
    return f"{reverse('movement_schedule', args=[name])}?{urlencode(asked)}"


def _option(
    movement: Movement,
    figures: Balance,
    *,
    name: str,
    options: Mapping[str, Any],
    url: str,
    boards_a_round: int,
    best: bool,
) -> Option:
    rounds = movement.rounds
    groups = len({each.board_group for each in movement.played})
    plays = [
        (rounds - sit_outs) * boards_a_round
        for sit_outs in (figures.sit_outs.most, figures.sit_outs.least)
    ]
    return Option(
        name=name,
        title=movement.title,
        options=json.dumps(dict(options), sort_keys=True),
        url=url,
        rounds=rounds,
        boards_a_round=boards_a_round,
        boards_choices=tuple(range(1, max(USUAL_MOST, boards_a_round) + 1)),
        boards_in_all=groups * boards_a_round,
        minutes=rounds * boards_a_round * MINUTES_A_BOARD + (rounds - 1) * MINUTES_A_MOVE,
        plays=ranged(*plays),
        sit_outs=ranged(figures.sit_outs.least, figures.sit_outs.most),
        met=_("%(met)s of %(all)s") % {"met": figures.met, "all": figures.possible},
        comparisons=ranged(figures.comparisons.least, figures.comparisons.most),
        winners=movement.winners,
        stationary=len(figures.stationary),
        announcement=announcement(movement),
        cost=cost(movement, figures, boards_a_round),
        heats=(heat.compared(movement, figures), heat.met(movement, figures)),
        recommended=best,
        missing=missing_side(movement),
    )


def missing_side(movement: Movement) -> str:
    """Say on which side a compass is one pair short: "NS", "EW", or "" where none is."""
    if not movement.two_fields or not movement.absent:
        return ""
    return movement.labels[min(movement.absent) - 1][-2:]
