"""The movements that the adviser offers, each with its statistics, pictures and cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements import Balance, Movement, Suggestion, announcement, balance
from tournaments.movements.advice import reasons
from tournaments.movements.advice.answer import Answer, alternatives, answer
from tournaments.movements.advice.turnout import minutes_of
from tournaments.movements.balance import Spread, opponents_met
from tournaments.movements.cost import cost
from tournaments.sheets import heat
from tournaments.sheets.heat import Heat
from tournaments.sheets.schedule import ranged
from tournaments.sheets.walk_pictures import WalkPicture, walk_picture

LETTERS = "ABCDEFGHIJ"
NUMBERS = ("tables", "pairs", "players", "teams", "rounds")
USUAL_MOST = 8


@dataclass(frozen=True, slots=True)
class SectionOption:
    """The movement of one section of a divided field, as form values."""

    letter: str
    size: int
    choice: str


@dataclass(frozen=True, slots=True)
class Option:
    """One movement as the page offers it."""

    name: str
    title: str
    options: str  # its build options as JSON
    url: str  # of the whole schedule
    rounds: int
    boards_a_round: int
    boards_choices: tuple[int, ...]
    boards_in_all: str
    minutes: int
    plays: str
    sit_outs: str
    met: str
    comparisons: str
    winners: str
    stationary: int
    announcement: str
    cost: str
    heats: tuple[Heat, ...]
    recommended: bool
    missing: str  # the side at which a pair is missing, where that can be chosen
    warning: str = ""  # the usual limit that it exceeds
    reason: str = ""
    against: str = ""
    otherwise: str = ""  # the shorter alternative
    sections: tuple[SectionOption, ...] = ()  # of a field that is divided
    same_boards: bool = False
    plain: Answer | None = None  # the adviser's description in plain words
    picture: WalkPicture | None = None
    good_for: str = ""  # its advantage over the first suggestion

    @property
    def title_with_rounds(self) -> str:
        """The title with the number of rounds, which is shown once."""
        return title_with_rounds(self.title, self.rounds)

    @property
    def sizes(self) -> str:
        """The numbers of entries in each section, as a form value."""
        return ",".join(str(section.size) for section in self.sections)


def title_with_rounds(title: str, rounds: int) -> str:
    """Add the number of rounds to a movement's title if it is not in it."""
    words = ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
    return title if words in title.split(", ") else f"{title}: {words}"


def option_of(found: Suggestion, *, best: bool, event: str = "") -> Option:
    """Return the option of a suggestion; `event` is the address of its event."""
    first = found.parts[0]
    shown = _option(
        first.movement,
        first.balance,
        name=first.name,
        options=first.options,
        url=schedule_address(first.name, first.options, found.boards_a_round, event),
        boards_a_round=found.boards_a_round,
        best=best,
    )
    shown = replace(
        shown,
        warning=reasons.warning(found),
        reason=reasons.reason_for(found),
        against=reasons.reason_against(found),
        otherwise=found.otherwise,
        plain=answer(found),
    )
    if found.divided:
        return _divided(found, shown)
    return replace(shown, heats=_heats(first.movement, first.balance))


def other_options(found: Sequence[Suggestion], *, event: str = "") -> list[Option]:
    """Return the alternatives to the first suggestion with their advantages and pictures."""
    return [
        replace(drawn(option_of(each, best=False, event=event), each), good_for=words)
        for words, each in alternatives(found)
    ]


def drawn(option: Option, found: Suggestion) -> Option:
    """Return an option with the picture of its moves; of several sections the largest's."""
    return replace(option, picture=walk_picture(found.movement))


def _divided(found: Suggestion, largest: Option) -> Option:
    """Return the option of several sections: the statistics of all, and no pictures."""
    boards = str(found.boards)
    if found.copies > 1:
        boards = _("%(copies)s × %(boards)s") % {"copies": found.copies, "boards": boards}
    return replace(
        largest,
        name=found.name,
        title=found.title,
        boards_in_all=boards,
        plays=ranged(found.plays.least, found.plays.most),
        sit_outs=ranged(found.sit_outs.least, found.sit_outs.most),
        comparisons=_on_sets(found.comparisons),
        winners=_("%(count)s each") % {"count": found.winners},
        stationary=found.stationary,
        announcement=found.announcement,
        cost=found.cost,
        missing="",
        sections=tuple(
            SectionOption(letter, part.shape.count, f"{part.name}|{json.dumps(part.options)}")
            for letter, part in zip(LETTERS, found.parts, strict=False)
        ),
        same_boards=found.same_boards,
    )


def unlike(found: Sequence[Suggestion]) -> list[Suggestion]:
    """Leave out suggestions with the same seating as an earlier one."""
    first: dict[object, Suggestion] = {}
    for each in found:
        sat = tuple((part.movement.meetings, part.movement.absent) for part in each.parts)
        key = (sat, each.boards_a_round, each.same_boards)
        first.setdefault(key, each)
    return list(first.values())


def own_option(
    movement: Movement, *, options: Mapping[str, Any], url: str, boards_a_round: int
) -> Option:
    """Return the option of a movement that the club has saved."""
    figures = balance(movement)
    shown = _option(
        movement,
        figures,
        name="custom",
        options=options,
        url=url,
        boards_a_round=boards_a_round,
        best=False,
    )
    return replace(shown, heats=_heats(movement, figures))


def _heats(movement: Movement, figures: Balance) -> tuple[Heat, ...]:
    return (heat.compared(movement, figures), heat.met(movement, figures))


def schedule_address(
    name: str, options: Mapping[str, Any], boards_a_round: int, event: str = ""
) -> str:
    """Return the URL of the whole schedule of a movement with these options."""
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
        boards_in_all=str(groups * boards_a_round),
        minutes=minutes_of(rounds, boards_a_round),
        plays=ranged(*plays),
        sit_outs=ranged(figures.sit_outs.least, figures.sit_outs.most),
        met=_met(movement, figures),
        comparisons=_on_sets(figures.comparisons),
        winners=_("a winner each way") if movement.winners == 2 else _("one winner"),
        stationary=len(figures.stationary),
        announcement=announcement(movement),
        cost=cost(movement, figures, boards_a_round),
        heats=(),
        recommended=best,
        missing=missing_side(movement),
    )


def _met(movement: Movement, figures: Balance) -> str:
    """Return how many opponents each meets: "7 of 8"."""
    met, others = opponents_met(movement, figures)
    return _("%(met)s of %(all)s") % {"met": ranged(met.least, met.most), "all": others}


def _on_sets(comparisons: Spread) -> str:
    words = ngettext("on %(sets)s set", "on %(sets)s sets", comparisons.most)
    return words % {"sets": ranged(comparisons.least, comparisons.most)}


def missing_side(movement: Movement) -> str:
    """Return the side on which a Mitchell is one pair short: "NS", "EW", or "" if none is."""
    if not movement.two_fields or not movement.absent:
        return ""
    return movement.labels[min(movement.absent) - 1][-2:]
