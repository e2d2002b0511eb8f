"""One line of the adviser's list: built, counted and worded when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.advice.fields import Proposal
from tournaments.movements.advice.shapes import Shape
from tournaments.movements.advice.turnout import Turnout, minutes_of
from tournaments.movements.advice.weights import Terms
from tournaments.movements.announcement import announcement
from tournaments.movements.balance import Balance, Spread, balance
from tournaments.movements.building import build
from tournaments.movements.cost import cost
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import Unit
from tournaments.movements.words import about_hours, listed, said

SECTIONS = "sections"
_balance = lru_cache(maxsize=32)(balance)  # whoever asks once looks again, at most 0.2 MB each


@dataclass(frozen=True)
class SectionPlan:
    """What one section plays; `options` are the arguments of `build` besides its name."""

    shape: Shape

    @property
    def name(self) -> str:
        """The system's name in the catalogue."""
        return self.shape.system.name

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `build` besides the name."""
        return self.shape.options

    @property
    def tables(self) -> int:
        """How many tables the section has."""
        return self.shape.figures.tables

    @cached_property
    def movement(self) -> Movement:
        """The schedule itself."""
        return build(self.name, **self.options)

    @cached_property
    def balance(self) -> Balance:
        """How fair it is."""
        return _balance(self.movement)

    @cached_property
    def cost(self) -> str:
        """What is not perfect about it."""
        return cost(self.movement, self.balance, self.shape.boards_a_round)


@dataclass(frozen=True)
class Suggestion:
    """A way to play the evening, in one section or several of the same length.

    `shorter` is another number of rounds of the same that fits too, or 0. `figures` that are
    told of one movement are those of the largest section where there are several.
    """

    evening: Turnout
    proposal: Proposal
    shorter: int = 0

    @cached_property
    def parts(self) -> tuple[SectionPlan, ...]:
        """What each section plays, the largest first."""
        made: dict[int, SectionPlan] = {}
        return tuple(
            made.setdefault(id(shape), SectionPlan(shape)) for shape in self.proposal.shapes
        )

    @property
    def divided(self) -> bool:
        """Whether there are several sections."""
        return len(self.parts) > 1

    @property
    def name(self) -> str:
        """The system's name in the catalogue, or "sections"."""
        return SECTIONS if self.divided else self.parts[0].name

    @cached_property
    def title(self) -> str:
        """What it is called: the movement, or how the field is divided."""
        if not self.divided:
            return self.parts[0].movement.title
        systems = dict.fromkeys(str(part.shape.system.title) for part in self.parts)
        words = (
            _("%(number)s sections of %(tables)s tables, one winner: %(systems)s")
            if self.proposal.switched
            else _("%(number)s sections of %(tables)s tables: %(systems)s")
        )
        return words % {
            "number": said(len(self.parts)).capitalize(),
            "tables": listed([str(part.tables) for part in self.parts]),
            "systems": listed(list(systems)),
        }

    @property
    def options(self) -> dict[str, Any]:
        """What it is built with: of several sections what each is built with."""
        if not self.divided:
            return self.parts[0].options
        return {
            "sections": [
                {"name": p.name, "options": p.options, "edition": p.movement.edition}
                for p in self.parts
            ]
        }

    @property
    def rounds(self) -> int:
        """How many rounds are played."""
        return self.proposal.rounds

    @property
    def boards_a_round(self) -> int:
        """How many boards a round."""
        return self.proposal.boards_a_round

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return self.proposal.minutes

    @property
    def boards(self) -> int:
        """How many different boards are needed in all."""
        return self.proposal.boards

    @property
    def copies(self) -> int:
        """In how many copies each board is needed."""
        return self.proposal.copies

    @property
    def same_boards(self) -> bool:
        """Whether all sections play the same boards, so that one ranking compares them."""
        return self.proposal.same_boards

    @cached_property
    def plays(self) -> Spread:
        """The boards that each competitor plays."""
        shapes = self.proposal.shapes
        return Spread(
            min(each.least_plays for each in shapes), max(each.most_plays for each in shapes)
        )

    @cached_property
    def sit_outs(self) -> Spread:
        """The rounds that each competitor sits out."""
        figures = [each.figures for each in self.proposal.shapes]
        return Spread(
            min(each.least_out for each in figures), max(each.most_out for each in figures)
        )

    @property
    def met(self) -> int:
        """How many couples meet, in all sections."""
        return sum(each.figures.met for each in self.proposal.shapes)

    @property
    def possible(self) -> int:
        """How many couples of one section could meet."""
        return sum(each.figures.possible for each in self.proposal.shapes)

    @cached_property
    def comparisons(self) -> Spread:
        """On how many board groups two of a section are compared."""
        found = [part.balance.comparisons for part in self.parts]
        return Spread(min(each.least for each in found), max(each.most for each in found))

    @property
    def winners(self) -> int:
        """How many winners a section has."""
        return self.proposal.winners

    @property
    def stationary(self) -> int:
        """How many keep their seats."""
        return sum(each.figures.seated for each in self.proposal.shapes)

    @property
    def movement(self) -> Movement:
        """The schedule: of several sections the largest's."""
        return self.parts[0].movement

    @property
    def balance(self) -> Balance:
        """How fair it is: of several sections the largest."""
        return self.parts[0].balance

    @cached_property
    def announcement(self) -> str:
        """What is read out."""
        if not self.divided:
            return announcement(self.movement)
        told = [_told(part, number) for number, part in enumerate(self.parts)]
        told.append(_ranked(self.proposal))
        told += _late_pair(self)
        return " ".join(told)

    @cached_property
    def cost(self) -> str:
        """What is not perfect about it; where sections differ, which of them."""
        prices: dict[str, list[str]] = {}
        for number, part in enumerate(self.parts):
            prices.setdefault(part.cost, []).append(_letter(number))
        if len(prices) == 1:
            return next(iter(prices))
        return " ".join(_priced(letters, told) for told, letters in prices.items() if told)

    @property
    def terms(self) -> Terms:
        """The price by its terms."""
        return self.proposal.terms

    @property
    def otherwise(self) -> str:
        """Say how it may be shorter."""
        if not self.shorter:
            return ""
        words = ngettext(
            "or %(rounds)s round, %(hours)s",
            "or %(rounds)s rounds, %(hours)s",
            self.shorter,
        )
        minutes = minutes_of(self.shorter, self.boards_a_round)
        return words % {"rounds": self.shorter, "hours": about_hours(minutes)}


def _told(part: SectionPlan, number: int) -> str:
    words = _("Section %(letter)s: %(movement)s.")
    return words % {"letter": _letter(number), "movement": part.movement.title}


def _letter(number: int) -> str:
    return chr(ord("A") + number)


def _priced(letters: Sequence[str], told: str) -> str:
    words = ngettext(
        "Section %(letters)s: %(told)s", "Sections %(letters)s: %(told)s", len(letters)
    )
    return words % {"letters": listed(letters), "told": told}


def _ranked(proposal: Proposal) -> str:
    if proposal.same_boards:
        return _("All play the same boards: one ranking compares the whole field.")
    return _("Each section has boards and a ranking of its own.")


def _late_pair(found: Suggestion) -> list[str]:
    """Say where a pair that comes late can play: in the section with a table not full."""
    if found.evening.unit is not Unit.PAIRS or not found.evening.count % 2:
        return []
    shapes = enumerate(found.proposal.shapes)
    at = [number for number, each in shapes if each.count % 2]
    words = _("A pair that comes late goes to section %(letter)s, which has half a table.")
    return [words % {"letter": chr(ord("A") + at[0])}] if at else []


def as_row(suggestion: Suggestion) -> dict[str, Any]:
    """Write a suggestion as plain data."""
    return {
        "name": suggestion.name,
        "title": suggestion.title,
        "options": suggestion.options,
        "edition": None if suggestion.divided else suggestion.parts[0].movement.edition,
        "rounds": suggestion.rounds,
        "boards_a_round": suggestion.boards_a_round,
        "minutes": suggestion.minutes,
        "boards": suggestion.boards,
        "copies": suggestion.copies,
        "same_boards": suggestion.same_boards,
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
        "terms": dict(suggestion.terms),
    }
