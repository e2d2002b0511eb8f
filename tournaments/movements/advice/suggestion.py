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
from tournaments.movements.advice.weights import CostsByTerm
from tournaments.movements.announcement import format_announcement
from tournaments.movements.balance import Balance, Spread, compute_balance
from tournaments.movements.builder import build_named_movement
from tournaments.movements.drawbacks import describe_drawbacks
from tournaments.movements.formatting import format_hours, format_number, join_names
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.system import SizeUnit

DIVIDED_SUGGESTION_NAME = "sections"
# A balance is often needed again soon. Each one takes at most 0.2 MB.
_compute_cached_balance = lru_cache(maxsize=32)(compute_balance)


@dataclass(frozen=True)
class SectionPlan:
    """The movement suggested for one section.

    `options` are the arguments of `build_named_movement`.
    """

    option: SectionOption

    @property
    def name(self) -> str:
        """The system's name in the catalogue."""
        return self.option.system.name

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments of `build_named_movement`, without the name."""
        return self.option.options

    @property
    def table_count(self) -> int:
        """The number of tables of the section."""
        return self.option.statistics.table_count

    @cached_property
    def movement(self) -> Movement:
        """The schedule of the section."""
        return build_named_movement(self.name, **self.options)

    @cached_property
    def balance(self) -> Balance:
        """The fairness statistics."""
        return _compute_cached_balance(self.movement)

    @cached_property
    def drawbacks_text(self) -> str:
        """A description of the drawbacks."""
        return describe_drawbacks(self.movement, self.balance, self.option.boards_a_round)


@dataclass(frozen=True)
class Suggestion:
    """A suggested way to play the evening, in sections with the same number of rounds.

    `lower_round_count` is a lower number of rounds that is also possible, or 0. If there are
    several sections, the movement and its balance are those of the largest section.
    """

    turnout: Turnout
    proposal: Proposal
    lower_round_count: int = 0

    @cached_property
    def section_plans(self) -> tuple[SectionPlan, ...]:
        """The plans of the sections, the largest first."""
        plans_by_option_id: dict[int, SectionPlan] = {}
        return tuple(
            plans_by_option_id.setdefault(id(option), SectionPlan(option))
            for option in self.proposal.section_options
        )

    @property
    def is_divided_into_sections(self) -> bool:
        """Whether the field is divided into several sections."""
        return len(self.section_plans) > 1

    @property
    def name(self) -> str:
        """The system's name in the catalogue, or "sections"."""
        return (
            DIVIDED_SUGGESTION_NAME
            if self.is_divided_into_sections
            else self.section_plans[0].name
        )

    @cached_property
    def title(self) -> str:
        """The title on pages: the movement, or the division into sections."""
        if not self.is_divided_into_sections:
            return self.section_plans[0].movement.title
        system_titles = dict.fromkeys(
            str(section_plan.option.system.title) for section_plan in self.section_plans
        )
        message = (
            _("%(number)s sections of %(tables)s tables, one winner: %(systems)s")
            if self.proposal.has_arrow_switch
            else _("%(number)s sections of %(tables)s tables: %(systems)s")
        )
        return message % {
            "number": format_number(len(self.section_plans)).capitalize(),
            "tables": join_names(
                [str(section_plan.table_count) for section_plan in self.section_plans]
            ),
            "systems": join_names(list(system_titles)),
        }

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `build_named_movement`; for several sections, a list of them."""
        if not self.is_divided_into_sections:
            return self.section_plans[0].options
        return {
            "sections": [
                {
                    "name": section_plan.name,
                    "options": section_plan.options,
                    "edition": section_plan.movement.edition,
                }
                for section_plan in self.section_plans
            ]
        }

    @property
    def round_count(self) -> int:
        """The number of rounds."""
        return self.proposal.round_count

    @property
    def boards_a_round(self) -> int:
        """The number of boards a round."""
        return self.proposal.boards_a_round

    @property
    def minutes(self) -> int:
        """The duration in minutes."""
        return self.proposal.minutes

    @property
    def board_count(self) -> int:
        """The number of different boards in all."""
        return self.proposal.board_count

    @property
    def copy_count(self) -> int:
        """The number of copies of each board."""
        return self.proposal.copy_count

    @property
    def has_same_boards(self) -> bool:
        """Whether all sections play the same boards and have one ranking."""
        return self.proposal.has_same_boards

    @cached_property
    def boards_played_range(self) -> Spread:
        """The minimum and maximum number of boards that a competitor plays."""
        section_options = self.proposal.section_options
        return Spread(
            min(option.min_boards_played for option in section_options),
            max(option.max_boards_played for option in section_options),
        )

    @cached_property
    def sit_out_spread(self) -> Spread:
        """The minimum and maximum number of rounds that a competitor sits out."""
        section_statistics = [option.statistics for option in self.proposal.section_options]
        return Spread(
            min(schedule_statistics.min_sit_outs for schedule_statistics in section_statistics),
            max(schedule_statistics.max_sit_outs for schedule_statistics in section_statistics),
        )

    @property
    def met_pairing_count(self) -> int:
        """The number of pairings that meet, in all sections."""
        return sum(
            option.statistics.met_pairing_count for option in self.proposal.section_options
        )

    @property
    def possible_pairing_count(self) -> int:
        """The number of pairings within a section that could meet, in all sections."""
        return sum(
            option.statistics.possible_pairing_count for option in self.proposal.section_options
        )

    @cached_property
    def comparison_spread(self) -> Spread:
        """The minimum and maximum number of board groups on which two entries are compared."""
        spreads = [
            section_plan.balance.comparison_spread for section_plan in self.section_plans
        ]
        return Spread(
            min(spread.minimum for spread in spreads), max(spread.maximum for spread in spreads)
        )

    @property
    def winner_count(self) -> int:
        """The number of winners of a section."""
        return self.proposal.winner_count

    @property
    def stationary_count(self) -> int:
        """The number of stationary places."""
        return sum(
            option.statistics.stationary_count for option in self.proposal.section_options
        )

    @property
    def movement(self) -> Movement:
        """The schedule; of several sections, that of the largest one."""
        return self.section_plans[0].movement

    @property
    def balance(self) -> Balance:
        """The fairness statistics; of several sections, those of the largest one."""
        return self.section_plans[0].balance

    @cached_property
    def announcement(self) -> str:
        """The text that the director reads out."""
        if not self.is_divided_into_sections:
            return format_announcement(self.movement)
        sentences = [
            _describe_section(section_plan, section_index)
            for section_index, section_plan in enumerate(self.section_plans)
        ]
        sentences.append(_describe_ranking(self.proposal))
        sentences += _describe_late_pair(self)
        return " ".join(sentences)

    @cached_property
    def drawbacks_text(self) -> str:
        """A description of the drawbacks, with section letters if sections differ."""
        letters_by_drawbacks: dict[str, list[str]] = {}
        for section_index, section_plan in enumerate(self.section_plans):
            letters_by_drawbacks.setdefault(section_plan.drawbacks_text, []).append(
                _get_section_letter(section_index)
            )
        if len(letters_by_drawbacks) == 1:
            return next(iter(letters_by_drawbacks))
        return " ".join(
            _format_section_drawbacks(letters, section_drawbacks_text)
            for section_drawbacks_text, letters in letters_by_drawbacks.items()
            if section_drawbacks_text
        )

    @property
    def costs_by_term(self) -> CostsByTerm:
        """The amount of each named term of the cost, in units of 1/10,000."""
        return self.proposal.costs_by_term

    @property
    def shorter_alternative(self) -> str:
        """A sentence about the shorter alternative and its duration, or ""."""
        if not self.lower_round_count:
            return ""
        message = ngettext(
            "or %(rounds)s round, %(hours)s",
            "or %(rounds)s rounds, %(hours)s",
            self.lower_round_count,
        )
        minutes = compute_minutes(self.lower_round_count, self.boards_a_round)
        return message % {"rounds": self.lower_round_count, "hours": format_hours(minutes)}


def _describe_section(section_plan: SectionPlan, section_index: int) -> str:
    message = _("Section %(letter)s: %(movement)s.")
    return message % {
        "letter": _get_section_letter(section_index),
        "movement": section_plan.movement.title,
    }


def _get_section_letter(section_index: int) -> str:
    return chr(ord("A") + section_index)


def _format_section_drawbacks(letters: Sequence[str], cost_text: str) -> str:
    message = ngettext(
        "Section %(letters)s: %(told)s", "Sections %(letters)s: %(told)s", len(letters)
    )
    return message % {"letters": join_names(letters), "told": cost_text}


def _describe_ranking(proposal: Proposal) -> str:
    if proposal.has_same_boards:
        return _("All sections play the same boards and are ranked together.")
    return _("Each section has its own boards and standings.")


def _describe_late_pair(suggestion: Suggestion) -> list[str]:
    """Describe where a late pair can play: in the section with a half table."""
    if suggestion.turnout.unit is not SizeUnit.PAIRS or not suggestion.turnout.count % 2:
        return []
    indexed_options = enumerate(suggestion.proposal.section_options)
    incomplete_section_indexes = [
        index for index, option in indexed_options if option.entry_count % 2
    ]
    message = _("A late pair joins section %(letter)s, which has a half table.")
    return (
        [message % {"letter": chr(ord("A") + incomplete_section_indexes[0])}]
        if incomplete_section_indexes
        else []
    )


def build_suggestion_data(suggestion: Suggestion) -> dict[str, Any]:
    """Return a suggestion as a dict of JSON values."""
    return {
        "name": suggestion.name,
        "title": suggestion.title,
        "options": suggestion.options,
        "edition": None
        if suggestion.is_divided_into_sections
        else suggestion.section_plans[0].movement.edition,
        "rounds": suggestion.round_count,
        "boards_a_round": suggestion.boards_a_round,
        "minutes": suggestion.minutes,
        "boards": suggestion.board_count,
        "copies": suggestion.copy_count,
        "same_boards": suggestion.has_same_boards,
        "plays": {
            "least": suggestion.boards_played_range.minimum,
            "most": suggestion.boards_played_range.maximum,
        },
        "sit_outs": suggestion.sit_out_spread.maximum,
        "meetings": {
            "met": suggestion.met_pairing_count,
            "possible": suggestion.possible_pairing_count,
        },
        "comparisons": {
            "least": suggestion.comparison_spread.minimum,
            "most": suggestion.comparison_spread.maximum,
        },
        "winners": suggestion.winner_count,
        "stationary": suggestion.stationary_count,
        "announcement": suggestion.announcement,
        "cost": suggestion.drawbacks_text,
        "terms": dict(suggestion.costs_by_term),
    }
