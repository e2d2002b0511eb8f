"""Texts for players: the main reasons for and against a movement that the adviser suggests."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.advice.proposals import has_recommended_section_sizes
from tournaments.movements.advice.statistics import ScheduleStatistics
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.weights import COST_UNIT
from tournaments.movements.balance import count_opponents_met
from tournaments.movements.formatting import (
    format_hours,
    format_number,
    format_range_in_digits,
)

COST_TERM_TITLES: Mapping[str, str] = {
    "long-evening": gettext_noop("longer than usual"),
    "many-boards": gettext_noop("more boards than usual"),
    "many-rounds": gettext_noop("more rounds than usual"),
    "large-section": gettext_noop("a very large section"),
    "large-howell": gettext_noop("a Howell in a large room"),
    "few-boards": gettext_noop("few boards"),
    "rounds": gettext_noop("number of rounds"),
    "boards-a-round": gettext_noop("boards per round"),
    "unplayed": gettext_noop("boards missed"),
    "unmet": gettext_noop("opponents missed"),
    "uneven": gettext_noop("uneven comparisons"),
    "sharing": gettext_noop("shared boards"),
    "walking": gettext_noop("walking"),
    "explaining": gettext_noop("explaining"),
    "winners": gettext_noop("two winners in a small field"),
    "idle": gettext_noop("avoidable sit-outs"),
    "trays": gettext_noop("boards to prepare"),
    "copies": gettext_noop("boards to copy"),
    "sections": gettext_noop("sections"),
    "announcing": gettext_noop("more than one announcement"),
    "late-pair": gettext_noop("if a late pair arrives"),
}


def format_warning(suggestion: Suggestion) -> str:
    """Return one sentence for each usual limit that a suggestion exceeds, or ""."""
    sentences = [
        _WARNING_FORMATTERS[term_name](suggestion)
        for term_name in _WARNING_FORMATTERS
        if term_name in suggestion.costs_by_term
    ]
    return " ".join(sentences)


def format_advantage(suggestion: Suggestion) -> str:
    """Return the main reason for a suggestion."""
    statistics = [option.statistics for option in suggestion.proposal.section_options]
    if suggestion.has_same_boards:
        return _("All sections play the same boards and are ranked together.")
    if has_recommended_section_sizes(suggestion.proposal):
        return _("Sections of at most seven tables, so little walking.")
    if suggestion.is_divided_into_sections:
        return _("All sections play the same number of rounds and boards and finish together.")
    if "unmet" in suggestion.costs_by_term or "unplayed" in suggestion.costs_by_term:
        return _describe_boards_and_duration(suggestion)
    if statistics[0].has_two_fields:
        return _("Complete: everyone meets the other side and plays every board.")
    if statistics[0].partnership_count >= 0:
        return _describe_individual_meetings(statistics[0])
    return _("Complete: everyone meets everyone and plays every board.")


def _describe_boards_and_duration(suggestion: Suggestion) -> str:
    """Describe how many boards each competitor plays in one section, and the duration."""
    min_boards, max_boards = (
        suggestion.boards_played_range.minimum,
        suggestion.boards_played_range.maximum,
    )
    if min_boards != max_boards:
        message = _("%(least)s–%(most)s boards each in %(hours)s, all in one section.")
        return message % {
            "least": min_boards,
            "most": max_boards,
            "hours": format_hours(suggestion.minutes),
        }
    message = ngettext(
        "%(boards)s board each in %(hours)s, all in one section.",
        "%(boards)s boards each in %(hours)s, all in one section.",
        max_boards,
    )
    return message % {"boards": max_boards, "hours": format_hours(suggestion.minutes)}


def _describe_individual_meetings(statistics: ScheduleStatistics) -> str:
    """Describe whether single players meet all opponents and have all partners."""
    missing_partnership_count = statistics.possible_pairing_count - statistics.partnership_count
    if not missing_partnership_count:
        return _("Complete: everyone partners everyone, meets everyone and plays every board.")
    message = ngettext(
        "Everyone meets everyone and plays every board. %(missing)s of %(possible)s "
        "possible partnerships doesn’t happen.",
        "Everyone meets everyone and plays every board. %(missing)s of %(possible)s "
        "possible partnerships don’t happen.",
        missing_partnership_count,
    )
    return message % {
        "missing": missing_partnership_count,
        "possible": statistics.possible_pairing_count,
    }


def format_drawback(suggestion: Suggestion) -> str:
    """Return the most costly reason against a suggestion, or "".

    Two winners only count against a suggestion if the director requested one winner.
    """
    accepted_cost_terms = set() if suggestion.turnout.winners == 1 else {"winners"}
    costs_by_term = {
        term_name: cost
        for term_name, cost in suggestion.costs_by_term.items()
        if term_name in _DRAWBACK_FORMATTERS and term_name not in accepted_cost_terms
    }
    if not costs_by_term:
        return ""
    return _DRAWBACK_FORMATTERS[
        max(costs_by_term, key=lambda term_name: costs_by_term[term_name])
    ](suggestion)


def format_cost_terms(suggestion: Suggestion) -> str:
    """Return the total cost and the cost of each term as one text, the highest term first."""
    sorted_terms_and_costs = sorted(
        suggestion.costs_by_term.items(), key=lambda item: (-item[1], item[0])
    )
    titles_by_term = {term_name: _(title) for term_name, title in COST_TERM_TITLES.items()}
    term_texts = [
        f"{titles_by_term[term_name]} {_format_cost(cost)}"
        for term_name, cost in sorted_terms_and_costs
    ]
    total_text = _("cost %(total)s") % {"total": _format_cost(suggestion.proposal.cost)}
    return f"{total_text}: {', '.join(term_texts)}" if term_texts else total_text


def _format_cost(cost: int) -> str:
    return f"{cost // COST_UNIT}.{cost % COST_UNIT * 1000 // COST_UNIT:03d}"


def _describe_extra_duration(suggestion: Suggestion) -> str:
    excess_minutes = suggestion.minutes - (suggestion.turnout.usual_max_minutes or 0)
    message = ngettext(
        "%(over)s minute longer than usual.",
        "%(over)s minutes longer than usual.",
        excess_minutes,
    )
    return message % {"over": excess_minutes}


def _describe_extra_boards(suggestion: Suggestion) -> str:
    excess_board_count = suggestion.boards_played_range.maximum - (
        suggestion.turnout.usual_max_boards or 0
    )
    message = ngettext(
        "%(over)s board more than usual.",
        "%(over)s boards more than usual.",
        excess_board_count,
    )
    return message % {"over": excess_board_count}


def _describe_extra_rounds(suggestion: Suggestion) -> str:
    excess_round_count = suggestion.round_count - (suggestion.turnout.usual_max_rounds or 0)
    message = ngettext(
        "%(over)s round more than usual.",
        "%(over)s rounds more than usual.",
        excess_round_count,
    )
    return message % {"over": excess_round_count}


def _describe_large_section(suggestion: Suggestion) -> str:
    message = _("%(tables)s tables in one section is hard to direct.")
    return message % {"tables": suggestion.section_plans[0].table_count}


def _describe_large_howell(suggestion: Suggestion) -> str:
    message = _("Nearly everyone walks through a room of %(tables)s tables.")
    return message % {"tables": suggestion.section_plans[0].table_count}


_WARNING_FORMATTERS: Mapping[str, Callable[[Suggestion], str]] = {
    "long-evening": _describe_extra_duration,
    "many-boards": _describe_extra_boards,
    "many-rounds": _describe_extra_rounds,
    "large-section": _describe_large_section,
    "large-howell": _describe_large_howell,
}


def _describe_few_boards(suggestion: Suggestion) -> str:
    min_boards, max_boards = (
        suggestion.boards_played_range.minimum,
        suggestion.boards_played_range.maximum,
    )
    if min_boards == max_boards:
        message = ngettext(
            "Only %(boards)s board each.", "Only %(boards)s boards each.", max_boards
        )
        return message % {"boards": max_boards}
    return _("Only %(least)s–%(most)s boards each.") % {"least": min_boards, "most": max_boards}


def _describe_round_count(suggestion: Suggestion) -> str:
    message = ngettext(
        "%(rounds)s round: unusual number.",
        "%(rounds)s rounds: unusual number.",
        suggestion.round_count,
    )
    return message % {"rounds": format_number(suggestion.round_count).capitalize()}


def _describe_boards_a_round(suggestion: Suggestion) -> str:
    message = ngettext(
        "%(boards)s board per round: more walking than play.",
        "%(boards)s boards per round: a long time against the same opponents.",
        suggestion.boards_a_round,
    )
    return message % {"boards": format_number(suggestion.boards_a_round).capitalize()}


def _describe_unplayed_boards(suggestion: Suggestion) -> str:
    statistics = suggestion.proposal.section_options[0].statistics
    message = _("Each plays %(plays)s of %(all)s sets of boards.")
    return message % {
        "all": statistics.group_count,
        "plays": statistics.round_count - statistics.min_sit_outs,
    }


def _describe_unmet_opponents(suggestion: Suggestion) -> str:
    met_counts, opponent_count = count_opponents_met(suggestion.movement, suggestion.balance)
    message = _("Each meets only %(met)s of %(all)s.")
    return message % {
        "met": format_range_in_digits(met_counts.minimum, met_counts.maximum),
        "all": opponent_count,
    }


def _describe_board_count(suggestion: Suggestion) -> str:
    message = ngettext(
        "%(boards)s board to prepare.",
        "%(boards)s boards to prepare.",
        suggestion.board_count,
    )
    return message % {"boards": suggestion.board_count}


def _describe_uneven_comparisons(suggestion: Suggestion) -> str:
    message = _("Some are compared more often than others (%(times)s times).")
    return message % {
        "times": format_range_in_digits(
            suggestion.comparison_spread.minimum, suggestion.comparison_spread.maximum
        )
    }


def _describe_copies(suggestion: Suggestion) -> str:
    message = _("%(copies)s copies of each of %(boards)s boards needed.")
    return message % {
        "boards": suggestion.board_count,
        "copies": format_number(suggestion.copy_count),
    }


def _describe_sections(suggestion: Suggestion) -> str:
    if suggestion.has_same_boards:
        return _("The sections don’t meet.")
    return _("Each section has its own boards and standings.")


def _build_constant_description(text: str) -> Callable[[Suggestion], str]:
    return lambda _suggestion: _(text)


_DRAWBACK_FORMATTERS: Mapping[str, Callable[[Suggestion], str]] = {
    "few-boards": _describe_few_boards,
    "rounds": _describe_round_count,
    "boards-a-round": _describe_boards_a_round,
    "unplayed": _describe_unplayed_boards,
    "unmet": _describe_unmet_opponents,
    "uneven": _describe_uneven_comparisons,
    "sharing": _build_constant_description(gettext_noop("Tables share boards.")),
    "walking": _build_constant_description(gettext_noop("Nearly everyone walks.")),
    "explaining": _build_constant_description(gettext_noop("Needs explaining to the players.")),
    "winners": _build_constant_description(gettext_noop("Two winners (N-S and E-W).")),
    "idle": _build_constant_description(gettext_noop("Avoidable sit-outs.")),
    "trays": _describe_board_count,
    "copies": _describe_copies,
    "sections": _describe_sections,
    "announcing": _build_constant_description(gettext_noop("Each section has its own moves.")),
    "late-pair": _build_constant_description(
        gettext_noop("A late pair would upset the movement.")
    ),
}
