"""The movements offered on the movement page, with statistics, pictures and drawbacks."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements import (
    Balance,
    Movement,
    Suggestion,
    compute_balance,
    format_announcement,
)
from tournaments.movements.advice import reasons
from tournaments.movements.advice.description import (
    SuggestionDescription,
    choose_alternatives,
    describe_suggestion,
)
from tournaments.movements.advice.turnout import compute_minutes
from tournaments.movements.balance import Spread, count_opponents_met
from tournaments.movements.drawbacks import describe_drawbacks
from tournaments.movements.formatting import format_range_in_digits
from tournaments.sheets import heatmaps
from tournaments.sheets.heatmaps import Heatmap
from tournaments.sheets.schedule import format_spread
from tournaments.sheets.walk_pictures import WalkPicture, draw_walk

SECTION_LETTERS = "ABCDEFGHIJ"
NUMERIC_OPTIONS = ("tables", "pairs", "players", "teams", "rounds")
USUAL_MAX_BOARDS_PER_ROUND = 8


@dataclass(frozen=True, slots=True)
class SectionMovement:
    """The movement of one section of a divided field, as values of form inputs."""

    section_letter: str
    entry_count: int
    choice: str


@dataclass(frozen=True, slots=True)
class MovementOption:
    """A movement that the page offers."""

    name: str
    title: str
    options: str  # the movement's build options as JSON
    url: str  # the URL of the page with the whole schedule
    round_count: int
    boards_a_round: int
    boards_a_round_choices: tuple[int, ...]
    total_boards_text: str
    minutes: int
    boards_played_text: str
    sit_outs_text: str
    pairings_met_text: str
    comparison_spread: Spread
    winners_text: str
    stationary_count: int
    announcement: str
    drawbacks_text: str  # the drawbacks as text
    heatmaps: tuple[Heatmap, ...]
    is_recommended: bool
    missing_side: str  # the side at which a pair is missing, if it can be chosen; else ""
    warning: str = ""  # the usual limit that the movement exceeds
    reason: str = ""
    disadvantage: str = ""
    shorter_alternative: str = ""
    sections: tuple[SectionMovement, ...] = ()  # the sections of a divided field
    has_same_boards: bool = False
    # the adviser's description in plain words
    plain_description: SuggestionDescription | None = None
    picture: WalkPicture | None = None
    advantage: str = ""  # the movement's advantage over the first suggestion

    @property
    def fairness(self) -> int:
        """The fairness from 1 to 3, shown as dots."""
        return rate_fairness(self.comparison_spread)

    @property
    def comparisons_text(self) -> str:
        """How often any two entries are compared, such as "4–6"."""
        return format_range_in_digits(
            self.comparison_spread.minimum, self.comparison_spread.maximum
        )

    @property
    def sizes(self) -> str:
        """The number of entries of each section, as a form value."""
        return ",".join(str(section.entry_count) for section in self.sections)


def format_title_with_rounds(title: str, round_count: int) -> str:
    """Return a movement's title with the number of rounds, unless the title contains it."""
    rounds_text = ngettext("%(count)s round", "%(count)s rounds", round_count) % {
        "count": round_count
    }
    return title if rounds_text in title.split(", ") else f"{title}: {rounds_text}"


def build_option(
    suggestion: Suggestion, *, is_best: bool, event_address: str = ""
) -> MovementOption:
    """Return the option for a suggested movement; `event_address` is used in links."""
    first_part = suggestion.section_plans[0]
    option = _build_movement_option(
        first_part.movement,
        first_part.balance,
        name=first_part.name,
        options=first_part.options,
        url=build_schedule_url(
            first_part.name, first_part.options, suggestion.boards_a_round, event_address
        ),
        boards_a_round=suggestion.boards_a_round,
        is_best=is_best,
    )
    option = replace(
        option,
        warning=reasons.format_warning(suggestion),
        reason=reasons.format_advantage(suggestion),
        disadvantage=reasons.format_drawback(suggestion),
        shorter_alternative=suggestion.shorter_alternative,
        plain_description=describe_suggestion(suggestion),
    )
    if suggestion.is_divided_into_sections:
        return _build_divided_option(suggestion, option)
    return replace(option, heatmaps=_build_heatmaps(first_part.movement, first_part.balance))


def build_alternatives(
    suggestions: Sequence[Suggestion], *, event_address: str = ""
) -> list[MovementOption]:
    """Return the options after the first suggestion, with their advantages and pictures."""
    return [
        replace(
            add_picture(
                build_option(suggestion, is_best=False, event_address=event_address), suggestion
            ),
            advantage=advantage,
        )
        for advantage, suggestion in choose_alternatives(suggestions)
    ]


def add_picture(option: MovementOption, suggestion: Suggestion) -> MovementOption:
    """Return the option with a picture of the moves, in the largest section."""
    return replace(option, picture=draw_walk(suggestion.movement))


def _build_divided_option(
    suggestion: Suggestion, largest_option: MovementOption
) -> MovementOption:
    """Return the option for several sections, with statistics over all sections."""
    boards_text = str(suggestion.board_count)
    if suggestion.copy_count > 1:
        boards_text = _("%(copies)s × %(boards)s") % {
            "copies": suggestion.copy_count,
            "boards": boards_text,
        }
    return replace(
        largest_option,
        name=suggestion.name,
        title=suggestion.title,
        total_boards_text=boards_text,
        boards_played_text=format_spread(
            suggestion.boards_played_range.minimum, suggestion.boards_played_range.maximum
        ),
        sit_outs_text=format_spread(
            suggestion.sit_out_spread.minimum, suggestion.sit_out_spread.maximum
        ),
        comparison_spread=suggestion.comparison_spread,
        winners_text=_("%(count)s each") % {"count": suggestion.winner_count},
        stationary_count=suggestion.stationary_count,
        announcement=suggestion.announcement,
        drawbacks_text=suggestion.drawbacks_text,
        missing_side="",
        sections=tuple(
            SectionMovement(
                section_letter,
                section_plan.option.entry_count,
                f"{section_plan.name}|{json.dumps(section_plan.options)}",
            )
            for section_letter, section_plan in zip(
                SECTION_LETTERS, suggestion.section_plans, strict=False
            )
        ),
        has_same_boards=suggestion.has_same_boards,
    )


def drop_duplicate_suggestions(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Return the suggestions without those that have the same seating as an earlier one."""
    suggestions_by_key: dict[object, Suggestion] = {}
    for suggestion in suggestions:
        schedule_key = tuple(
            (section_plan.movement.meetings, section_plan.movement.absent_places)
            for section_plan in suggestion.section_plans
        )
        suggestion_key = (schedule_key, suggestion.boards_a_round, suggestion.has_same_boards)
        suggestions_by_key.setdefault(suggestion_key, suggestion)
    return list(suggestions_by_key.values())


def build_saved_option(
    movement: Movement, *, options: Mapping[str, Any], url: str, boards_a_round: int
) -> MovementOption:
    """Return the option for a movement that the club has saved."""
    balance = compute_balance(movement)
    option = _build_movement_option(
        movement,
        balance,
        name="custom",
        options=options,
        url=url,
        boards_a_round=boards_a_round,
        is_best=False,
    )
    return replace(option, heatmaps=_build_heatmaps(movement, balance))


def _build_heatmaps(movement: Movement, balance: Balance) -> tuple[Heatmap, ...]:
    return (
        heatmaps.build_comparison_heatmap(movement, balance),
        heatmaps.build_meeting_heatmap(movement, balance),
    )


def build_schedule_url(
    system_name: str, options: Mapping[str, Any], boards_a_round: int, event_address: str = ""
) -> str:
    """Return the URL of the page with a movement's whole schedule."""
    query_parameters: dict[str, Any] = {
        option_name: option_value
        for option_name, option_value in options.items()
        if option_name in NUMERIC_OPTIONS and option_value is not None
    }
    if options.get("one_winner"):
        query_parameters["one_winner"] = 1
    if options.get("absent"):
        query_parameters["absent"] = ",".join(str(place) for place in options["absent"])
    query_parameters["boards"] = boards_a_round
    if event_address:
        query_parameters["event"] = event_address
    return f"{reverse('movement_schedule', args=[system_name])}?{urlencode(query_parameters)}"


def _build_movement_option(
    movement: Movement,
    balance: Balance,
    *,
    name: str,
    options: Mapping[str, Any],
    url: str,
    boards_a_round: int,
    is_best: bool,
) -> MovementOption:
    round_count = movement.round_count
    board_group_count = len({meeting.board_group for meeting in movement.played_meetings})
    board_counts = [
        (round_count - sit_out_count) * boards_a_round
        for sit_out_count in (balance.sit_out_spread.maximum, balance.sit_out_spread.minimum)
    ]
    return MovementOption(
        name=name,
        title=movement.title,
        options=json.dumps(dict(options), sort_keys=True),
        url=url,
        round_count=round_count,
        boards_a_round=boards_a_round,
        boards_a_round_choices=tuple(
            range(1, max(USUAL_MAX_BOARDS_PER_ROUND, boards_a_round) + 1)
        ),
        total_boards_text=str(board_group_count * boards_a_round),
        minutes=compute_minutes(round_count, boards_a_round),
        boards_played_text=format_spread(*board_counts),
        sit_outs_text=format_spread(
            balance.sit_out_spread.minimum, balance.sit_out_spread.maximum
        ),
        pairings_met_text=_format_opponents_met(movement, balance),
        comparison_spread=balance.comparison_spread,
        winners_text=_("two winners") if movement.winner_count == 2 else _("one winner"),
        stationary_count=len(balance.stationary_places),
        announcement=format_announcement(movement),
        drawbacks_text=describe_drawbacks(movement, balance, boards_a_round),
        heatmaps=(),
        is_recommended=is_best,
        missing_side=find_missing_side(movement),
    )


def _format_opponents_met(movement: Movement, balance: Balance) -> str:
    """Return how many of the possible opponents each entry meets, such as "7 of 8"."""
    met_counts, opponent_count = count_opponents_met(movement, balance)
    return _("%(met)s of %(all)s") % {
        "met": format_spread(met_counts.minimum, met_counts.maximum),
        "all": opponent_count,
    }


def rate_fairness(comparison_spread: Spread) -> int:
    """Rate from 1 to 3 how equally often any two entries are compared; 3 is the fairest."""
    minimum, maximum = comparison_spread.minimum, comparison_spread.maximum
    if minimum * 10 >= maximum * 7:  # many Howells can't do better than 5–7
        return 3
    return 2 if minimum * 2 >= maximum else 1


def find_missing_side(movement: Movement) -> str:
    """Return the side on which a Mitchell lacks one pair, "NS" or "EW"; "" if neither does."""
    if not movement.has_two_fields or not movement.absent_places:
        return ""
    return movement.labels[min(movement.absent_places) - 1][-2:]
