"""The description of a suggestion in plain words, for the page, the command and the API."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.formatting import localize_decimal
from server.translation import gettext_noop
from tournaments.movements.advice import reasons
from tournaments.movements.advice.suggestion import Suggestion, build_suggestion_data
from tournaments.movements.advice.turnout import MINUTES_PER_BOARD
from tournaments.movements.balance import count_opponents_met
from tournaments.movements.formatting import format_hours, format_range, format_range_in_digits
from tournaments.movements.meetings import Contest
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME

MAX_ALTERNATIVES = 3
"""The maximum number of alternatives shown after the first suggestion."""
MIN_MINUTES_SAVED = 20
"""The minimum difference in minutes for an alternative to be shown as shorter."""


@dataclass(frozen=True, slots=True)
class SuggestionDescription:
    """A suggestion as plain sentences, one for each field; "" if a field does not apply."""

    title: str  # "Mitchell, 7 tables"
    bridge: str  # always ""; the field remains for the API
    hours: str  # "About 3½ hours"
    length: str  # "7 rounds of 4 boards, 28 minutes each"
    moves: str  # "East-West pairs move up one table. Boards move down one table."
    meets: str  # "Each pair meets 7 of 13."
    boards: str  # "28 boards, all played by everyone"
    idle: str  # "No one sits out"
    drawback: str


def describe_suggestion(suggestion: Suggestion) -> SuggestionDescription:
    """Describe a suggestion in plain words."""
    return SuggestionDescription(
        title=_format_title(suggestion),
        bridge="",
        hours=capitalise(format_hours(suggestion.minutes)),
        length=_describe_length(suggestion),
        moves=suggestion.announcement,
        meets=_describe_opponents(suggestion),
        boards=_describe_boards(suggestion),
        idle=capitalise(_describe_sit_outs(suggestion)),
        drawback=reasons.format_drawback(suggestion),
    )


def build_described_suggestion_data(suggestion: Suggestion) -> dict[str, Any]:
    """Return a suggestion with its description as plain data, for the API."""
    return build_suggestion_data(suggestion) | {
        "plain": asdict(describe_suggestion(suggestion))
    }


def capitalise(text: str) -> str:
    """Return a text with a capital first letter; the rest is unchanged."""
    return text[:1].upper() + text[1:]


def _format_title(suggestion: Suggestion) -> str:
    """Return the suggestion's title.

    If its system `has_short_title`, the title is only e.g. "Mitchell, 7 tables, one winner".
    """
    system = SYSTEMS_BY_NAME.get(suggestion.name)
    if suggestion.is_divided_into_sections or system is None or not system.has_short_title:
        return suggestion.title
    message = ngettext("%(movement)s, %(tables)s table", "%(movement)s, %(tables)s tables", 2)
    title = message % {"movement": system.title, "tables": suggestion.movement.table_count}
    if suggestion.movement.has_two_fields and suggestion.winner_count == 1:
        return _("%(movement)s, one winner") % {"movement": title}
    return title


def _describe_length(suggestion: Suggestion) -> str:
    message = ngettext(
        "%(rounds)s rounds of %(boards)s board, %(minutes)s minutes each",
        "%(rounds)s rounds of %(boards)s boards, %(minutes)s minutes each",
        suggestion.boards_a_round,
    )
    return message % {
        "rounds": suggestion.round_count,
        "boards": suggestion.boards_a_round,
        "minutes": suggestion.boards_a_round * MINUTES_PER_BOARD,
    }


def _describe_opponents(suggestion: Suggestion) -> str:
    """Describe how many opponents each competitor meets in its section."""
    if suggestion.met_pairing_count == suggestion.possible_pairing_count:
        return _describe_complete_meetings(suggestion)
    message = {
        Contest.TEAMS: _("Each team meets %(met)s of %(all)s."),
        Contest.INDIVIDUAL: _("Each player meets %(met)s of %(all)s."),
    }.get(suggestion.movement.contest, _("Each pair meets %(met)s of %(all)s."))
    met_opponent_spread, opponent_count = count_opponents_met(
        suggestion.movement, suggestion.balance
    )
    return message % {
        "met": format_range_in_digits(met_opponent_spread.minimum, met_opponent_spread.maximum),
        "all": opponent_count,
    }


def _describe_complete_meetings(suggestion: Suggestion) -> str:
    if suggestion.is_divided_into_sections:
        return _("Everyone meets every possible opponent in their section.")
    if suggestion.movement.has_two_fields and suggestion.movement.contest is Contest.PAIRS:
        return _("Everyone meets each pair on the other side once.")
    return _("Everyone meets everyone.")


def _describe_boards(suggestion: Suggestion) -> str:
    min_boards, max_boards = (
        suggestion.boards_played_range.minimum,
        suggestion.boards_played_range.maximum,
    )
    placeholders = {
        "boards": suggestion.board_count,
        "plays": format_range_in_digits(min_boards, max_boards),
    }
    if suggestion.copy_count > 1:
        message = _("%(boards)s boards in %(copies)s copies. Everyone plays %(plays)s")
        return message % {**placeholders, "copies": suggestion.copy_count}
    if min_boards == max_boards == suggestion.board_count:
        return _("%(boards)s boards, all played by everyone") % placeholders
    tables_per_board_text = _format_tables_per_board(suggestion)
    if tables_per_board_text:
        message = _(
            "%(boards)s boards. Everyone plays %(plays)s. A board is "
            "played at %(times)s of %(tables)s tables"
        )
        return message % {
            **placeholders,
            "times": tables_per_board_text,
            "tables": suggestion.movement.table_count,
        }
    return _("%(boards)s boards. Everyone plays %(plays)s") % placeholders


def _format_tables_per_board(suggestion: Suggestion) -> str:
    """Return at how many tables a board is played on average, or "" if at nearly all."""
    if suggestion.is_divided_into_sections:
        return ""
    statistics = suggestion.proposal.section_options[0].statistics
    if (
        statistics.played_table_count * 10
        >= statistics.group_count * statistics.table_count * 9
    ):
        return ""
    tables_per_board_tenths = (
        10 * statistics.played_table_count + statistics.group_count // 2
    ) // statistics.group_count
    if tables_per_board_tenths % 10 == 0:
        return str(tables_per_board_tenths // 10)
    return localize_decimal(f"{tables_per_board_tenths // 10}.{tables_per_board_tenths % 10}")


def _describe_sit_outs(suggestion: Suggestion) -> str:
    max_sit_outs = suggestion.sit_out_spread.maximum
    if not max_sit_outs:
        return _("No one sits out")
    if suggestion.movement.has_two_fields and suggestion.movement.absent_places:
        return suggestion.movement.missing_places_text
    if suggestion.sit_out_spread.minimum:
        message = ngettext(
            "Everyone sits out %(rounds)s round",
            "Everyone sits out %(rounds)s rounds",
            max_sit_outs,
        )
        return message % {
            "rounds": format_range(suggestion.sit_out_spread.minimum, max_sit_outs)
        }
    message = ngettext(
        "Some sit out %(rounds)s round", "Some sit out %(rounds)s rounds", max_sit_outs
    )
    return message % {"rounds": format_range(1, max_sit_outs)}


# ---------------------------------------------------------------- advantages of alternatives


def choose_alternatives(suggestions: Sequence[Suggestion]) -> list[tuple[str, Suggestion]]:
    """Return at most three labelled alternatives: the best for each advantage, then others."""
    if not suggestions:
        return []
    best_suggestion, alternatives = suggestions[0], list(suggestions[1:])
    labelled_alternatives: list[tuple[str, Suggestion]] = []
    for label, has_advantage in _ADVANTAGE_CHECKS:
        best_alternative = next(
            (
                suggestion
                for suggestion in alternatives
                if has_advantage(best_suggestion, suggestion)
            ),
            None,
        )
        if best_alternative is not None and len(labelled_alternatives) < MAX_ALTERNATIVES:
            labelled_alternatives.append((_(label), best_alternative))
            alternatives.remove(best_alternative)
    for suggestion in alternatives[: MAX_ALTERNATIVES - len(labelled_alternatives)]:
        labelled_alternatives.append((_("Also possible"), suggestion))
    return labelled_alternatives


def _is_one_winner_alternative(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    return (
        best_suggestion.winner_count == 2
        and alternative.winner_count == 1
        and not alternative.is_divided_into_sections
    )


def _is_two_winner_alternative(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    return (
        best_suggestion.winner_count == 1
        and alternative.winner_count == 2
        and not alternative.is_divided_into_sections
    )


def _is_shorter(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    return alternative.minutes <= best_suggestion.minutes - MIN_MINUTES_SAVED


def _has_more_complete_meetings(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    is_complete = (
        alternative.met_pairing_count == alternative.possible_pairing_count
        and best_suggestion.met_pairing_count < best_suggestion.possible_pairing_count
    )
    are_fields_comparable = (
        best_suggestion.movement.has_two_fields or not alternative.movement.has_two_fields
    )
    return is_complete and are_fields_comparable and not alternative.is_divided_into_sections


def _has_more_stationary_places(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    return alternative.stationary_count > best_suggestion.stationary_count


def _has_fewer_boards(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    return (
        alternative.board_count * alternative.copy_count
        < best_suggestion.board_count * best_suggestion.copy_count
    )


def _has_more_boards_played(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    return alternative.boards_played_range.minimum > best_suggestion.boards_played_range.maximum


def _has_sections(best_suggestion: Suggestion, alternative: Suggestion) -> bool:
    return alternative.is_divided_into_sections and not best_suggestion.is_divided_into_sections


_ADVANTAGE_CHECKS: tuple[tuple[str, Callable[[Suggestion, Suggestion], bool]], ...] = (
    (gettext_noop("One winner"), _is_one_winner_alternative),
    (gettext_noop("Two winners (N-S and E-W)"), _is_two_winner_alternative),
    (gettext_noop("Finishes sooner"), _is_shorter),
    (gettext_noop("Everyone meets everyone"), _has_more_complete_meetings),
    (gettext_noop("More stationary pairs"), _has_more_stationary_places),
    (gettext_noop("More boards each"), _has_more_boards_played),
    (gettext_noop("Fewer boards to prepare"), _has_fewer_boards),
    (gettext_noop("Sections"), _has_sections),
)
