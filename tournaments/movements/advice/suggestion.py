"""A suggestion in the adviser's list; its movement and texts are computed on first access."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.advice.proposals import Proposal
from tournaments.movements.advice.section_options import SectionOption
from tournaments.movements.advice.turnout import Turnout, compute_minutes
from tournaments.movements.advice.weights import Terms
from tournaments.movements.announcement import format_announcement
from tournaments.movements.balance import Balance, Spread, compute_balance
from tournaments.movements.builder import build
from tournaments.movements.drawbacks import describe_drawbacks
from tournaments.movements.formatting import format_hours, format_number, join_names
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import Unit

SECTIONS_NAME = "sections"
# most are read again soon; each takes at most 0.2 MB
_balance = lru_cache(maxsize=32)(compute_balance)


@dataclass(frozen=True)
class SectionPlan:
    """The movement suggested for one section; `options` are the arguments of `build`."""

    shape: SectionOption

    @property
    def name(self) -> str:
        """The system's name in the catalogue."""
        return self.shape.system.name

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments of `build`, without the name."""
        return self.shape.options

    @property
    def tables(self) -> int:
        """The number of tables of the section."""
        return self.shape.figures.tables

    @cached_property
    def movement(self) -> Movement:
        """The schedule itself."""
        return build(self.name, **self.options)

    @cached_property
    def balance(self) -> Balance:
        """The fairness statistics."""
        return _balance(self.movement)

    @cached_property
    def cost(self) -> str:
        """A description of the drawbacks."""
        return describe_drawbacks(self.movement, self.balance, self.shape.boards_a_round)


@dataclass(frozen=True)
class Suggestion:
    """A suggested way to play the evening, in one or several sections with equal rounds.

    `shorter` is a lower number of rounds that is also possible, or 0. With several sections,
    statistics of a movement are those of the largest section.
    """

    evening: Turnout
    proposal: Proposal
    shorter: int = 0

    @cached_property
    def parts(self) -> tuple[SectionPlan, ...]:
        """The plans of the sections, the largest first."""
        plans: dict[int, SectionPlan] = {}
        return tuple(
            plans.setdefault(id(option), SectionPlan(option)) for option in self.proposal.shapes
        )

    @property
    def divided(self) -> bool:
        """Whether the field is divided into several sections."""
        return len(self.parts) > 1

    @property
    def name(self) -> str:
        """The system's name in the catalogue, or "sections"."""
        return SECTIONS_NAME if self.divided else self.parts[0].name

    @cached_property
    def title(self) -> str:
        """The title on pages: the movement, or the division into sections."""
        if not self.divided:
            return self.parts[0].movement.title
        systems = dict.fromkeys(str(part.shape.system.title) for part in self.parts)
        message = (
            _("%(number)s sections of %(tables)s tables, one winner: %(systems)s")
            if self.proposal.switched
            else _("%(number)s sections of %(tables)s tables: %(systems)s")
        )
        return message % {
            "number": format_number(len(self.parts)).capitalize(),
            "tables": join_names([str(part.tables) for part in self.parts]),
            "systems": join_names(list(systems)),
        }

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments of `build`; with several sections, those of each."""
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
        """The number of rounds."""
        return self.proposal.rounds

    @property
    def boards_a_round(self) -> int:
        """The number of boards a round."""
        return self.proposal.boards_a_round

    @property
    def minutes(self) -> int:
        """The duration in minutes."""
        return self.proposal.minutes

    @property
    def boards(self) -> int:
        """The number of different boards in all."""
        return self.proposal.boards

    @property
    def copies(self) -> int:
        """The number of copies of each board."""
        return self.proposal.copies

    @property
    def same_boards(self) -> bool:
        """Whether all sections play the same boards and have one ranking."""
        return self.proposal.same_boards

    @cached_property
    def plays(self) -> Spread:
        """The minimum and maximum of the boards that a competitor plays."""
        section_options = self.proposal.shapes
        return Spread(
            min(option.least_plays for option in section_options),
            max(option.most_plays for option in section_options),
        )

    @cached_property
    def sit_outs(self) -> Spread:
        """The minimum and maximum of the rounds that a competitor sits out."""
        statistics = [option.figures for option in self.proposal.shapes]
        return Spread(
            min(schedule_statistics.least_out for schedule_statistics in statistics),
            max(schedule_statistics.most_out for schedule_statistics in statistics),
        )

    @property
    def met(self) -> int:
        """The number of couples that meet, in all sections."""
        return sum(option.figures.met for option in self.proposal.shapes)

    @property
    def possible(self) -> int:
        """The number of couples within a section that could meet, in all sections."""
        return sum(option.figures.possible for option in self.proposal.shapes)

    @cached_property
    def comparisons(self) -> Spread:
        """The minimum and maximum of board groups on which two of a section are compared."""
        spreads = [part.balance.comparisons for part in self.parts]
        return Spread(
            min(spread.least for spread in spreads), max(spread.most for spread in spreads)
        )

    @property
    def winners(self) -> int:
        """The number of winners of a section."""
        return self.proposal.winners

    @property
    def stationary(self) -> int:
        """The number of stationary places."""
        return sum(option.figures.seated for option in self.proposal.shapes)

    @property
    def movement(self) -> Movement:
        """The schedule; with several sections that of the largest one."""
        return self.parts[0].movement

    @property
    def balance(self) -> Balance:
        """The fairness statistics; with several sections those of the largest one."""
        return self.parts[0].balance

    @cached_property
    def announcement(self) -> str:
        """The text that the director reads out."""
        if not self.divided:
            return format_announcement(self.movement)
        lines = [_describe_section(part, number) for number, part in enumerate(self.parts)]
        lines.append(_describe_ranking(self.proposal))
        lines += _describe_late_pair(self)
        return " ".join(lines)

    @cached_property
    def cost(self) -> str:
        """A description of the drawbacks, with section letters if sections differ."""
        prices: dict[str, list[str]] = {}
        for number, part in enumerate(self.parts):
            prices.setdefault(part.cost, []).append(_section_letter(number))
        if len(prices) == 1:
            return next(iter(prices))
        return " ".join(
            _format_section_cost(letters, cost_text)
            for cost_text, letters in prices.items()
            if cost_text
        )

    @property
    def terms(self) -> Terms:
        """The cost by its terms."""
        return self.proposal.terms

    @property
    def otherwise(self) -> str:
        """A sentence about the shorter alternative and its duration, or ""."""
        if not self.shorter:
            return ""
        message = ngettext(
            "or %(rounds)s round, %(hours)s",
            "or %(rounds)s rounds, %(hours)s",
            self.shorter,
        )
        minutes = compute_minutes(self.shorter, self.boards_a_round)
        return message % {"rounds": self.shorter, "hours": format_hours(minutes)}


def _describe_section(part: SectionPlan, number: int) -> str:
    message = _("Section %(letter)s: %(movement)s.")
    return message % {"letter": _section_letter(number), "movement": part.movement.title}


def _section_letter(number: int) -> str:
    return chr(ord("A") + number)


def _format_section_cost(letters: Sequence[str], cost_text: str) -> str:
    message = ngettext(
        "Section %(letters)s: %(told)s", "Sections %(letters)s: %(told)s", len(letters)
    )
    return message % {"letters": join_names(letters), "told": cost_text}


def _describe_ranking(proposal: Proposal) -> str:
    if proposal.same_boards:
        return _("All sections play the same boards and are ranked together.")
    return _("Each section has its own boards and standings.")


def _describe_late_pair(suggestion: Suggestion) -> list[str]:
    """Describe where a late pair can play: in the section with a half table."""
    if suggestion.evening.unit is not Unit.PAIRS or not suggestion.evening.count % 2:
        return []
    numbered_options = enumerate(suggestion.proposal.shapes)
    incomplete_sections = [number for number, option in numbered_options if option.count % 2]
    message = _("A late pair joins section %(letter)s, which has a half table.")
    return (
        [message % {"letter": chr(ord("A") + incomplete_sections[0])}]
        if incomplete_sections
        else []
    )


def build_suggestion_row(suggestion: Suggestion) -> dict[str, Any]:
    """Return a suggestion as plain data."""
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
