"""Proposes changes of the director's limits if no movement fits or if few boards are played.

Each change is tested before it is proposed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.advice.proposals import ENTRIES_PER_TABLE, Proposal, list_proposals
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.advice.weights import FEW_BOARDS_THRESHOLD
from tournaments.movements.formatting import format_number
from tournaments.movements.systems.system import format_size

MAX_COPIES = 3
MAX_COUNT_DIFFERENCE = 4  # how many more or fewer competitors are tried


@dataclass(frozen=True, slots=True)
class _Limit:
    """A kind of limit that the director may set.

    `compute_needed_value` returns the value of the limit with which a proposal would fit.
    """

    name: str
    compute_needed_value: Callable[[Proposal], int]
    format_change: Callable[[int], str]
    is_upper_limit: bool = True


def format_refusal(turnout: Turnout) -> str:
    """Return the message that no movement fits, with the nearest changes that would help."""
    if _has_one_table(turnout):
        message = _(
            "%(size)s fill one table, so there are no scores to compare. "
            "Play a rubber night, or memory duplicate with four players."
        )
        return message % {"size": format_size(turnout.unit, turnout.count)}
    message = _("No movement suits %(size)s with these options.")
    error = message % {"size": format_size(turnout.unit, turnout.count)}
    changes = list(_iter_limit_changes(turnout)) or list(
        _iter_nearest_change_sentences(turnout)
    )
    return " ".join([error, *changes])


def list_hints(turnout: Turnout, best_suggestion: Suggestion) -> list[str]:
    """Return the changes that would let everyone play more boards, if too few are available."""
    if (
        turnout.boards_at_hand is None
        or best_suggestion.boards_played_range.maximum >= FEW_BOARDS_THRESHOLD
    ):
        return []
    hints = [_describe_boards_played(turnout, best_suggestion)]
    proposal_without_board_limit = _find_best_proposal(replace(turnout, boards_at_hand=None))
    if (
        proposal_without_board_limit is not None
        and proposal_without_board_limit.board_count > turnout.boards_at_hand
    ):
        proposal_with_more_boards = _find_best_proposal(
            replace(turnout, boards_at_hand=proposal_without_board_limit.board_count)
        )
        hints += (
            [
                _describe_boards(
                    proposal_without_board_limit.board_count, proposal_with_more_boards
                )
            ]
            if proposal_with_more_boards is not None
            else []
        )
    return hints + list(_iter_board_copy_changes(turnout, best_suggestion.proposal))


def _has_one_table(turnout: Turnout) -> bool:
    """Return whether one table is full and no movement is possible, even without limits."""
    entries_per_table = ENTRIES_PER_TABLE.get(turnout.unit)
    unlimited_turnout = Turnout(unit=turnout.unit, count=turnout.count, sets=turnout.sets)
    return (
        entries_per_table is not None
        and turnout.count // entries_per_table == 1
        and _find_best_proposal(unlimited_turnout) is None
    )


def _iter_limit_changes(turnout: Turnout) -> Iterator[str]:
    for limit in _LIMITS:
        if getattr(turnout, limit.name) in (None, 0, False):
            continue
        unlimited_turnout = _replace_field(
            turnout, limit.name, _UNLIMITED_VALUES_BY_FIELD.get(limit.name)
        )
        needed_values = [
            limit.compute_needed_value(proposal)
            for proposal in _list_proposals(unlimited_turnout)
        ]
        if needed_values:
            needed_value = min(needed_values) if limit.is_upper_limit else max(needed_values)
            proposal = _find_best_proposal(_replace_field(turnout, limit.name, needed_value))
            if proposal is not None:
                yield _format_change(limit.format_change(needed_value), proposal)
    yield from _iter_preference_changes(turnout)


def _iter_preference_changes(turnout: Turnout) -> Iterator[str]:
    """Yield changes that drop one preference: winners, system, sections, tables or rounds."""
    for name, change in (
        ("winners", _("With a different number of winners")),
        ("systems", _("With a different system")),
        ("sections", _("With a different number of sections")),
        ("max_tables", _("With more tables in a section")),
        ("rounds", _("With a different number of rounds")),
    ):
        if getattr(turnout, name) is not None:
            proposal = _find_best_proposal(_replace_field(turnout, name, None))
            if proposal is not None:
                yield _format_change(change, proposal)


def _iter_nearest_change_sentences(turnout: Turnout) -> Iterator[str]:
    """Yield one sentence about the nearest change with which a movement fits.

    The change drops all preferences or, if no movement fits even then, changes the number of
    entries by at most MAX_COUNT_DIFFERENCE.
    """
    unlimited_turnout = Turnout(unit=turnout.unit, count=turnout.count, sets=turnout.sets)
    proposal = _find_best_proposal(unlimited_turnout)
    if proposal is not None:
        yield _format_change(_("Without these options"), proposal)
        return
    for difference in range(1, MAX_COUNT_DIFFERENCE + 1):
        for entry_count in (turnout.count + difference, turnout.count - difference):
            nearest_proposal = (
                _find_best_proposal(replace(unlimited_turnout, count=entry_count))
                if entry_count > 0
                else None
            )
            if nearest_proposal is not None:
                message = _("%(size)s can play")
                yield _format_change(
                    message % {"size": format_size(turnout.unit, entry_count)}, nearest_proposal
                )
                return


def _format_change(change: str, proposal: Proposal) -> str:
    message = (
        _("%(change)s: %(sections)s sections, %(shape)s of %(system)s.")
        if len(proposal.section_options) > 1
        else _("%(change)s: %(shape)s of %(system)s.")
    )
    return message % {
        "sections": format_number(len(proposal.section_options)),
        "change": change,
        "shape": _describe_length(proposal),
        "system": proposal.section_options[0].system.title,
    }


def _describe_boards_played(turnout: Turnout, best_suggestion: Suggestion) -> str:
    message = ngettext(
        "With %(boards)s board %(size)s can play %(plays)s each.",
        "With %(boards)s boards %(size)s can play %(plays)s each.",
        turnout.boards_at_hand or 0,
    )
    return message % {
        "boards": turnout.boards_at_hand,
        "size": format_size(turnout.unit, turnout.count),
        "plays": best_suggestion.boards_played_range.maximum,
    }


def _describe_boards(board_count: int, proposal: Proposal) -> str:
    message = ngettext(
        "%(boards)s board makes %(shape)s.", "%(boards)s boards make %(shape)s.", board_count
    )
    return message % {"boards": board_count, "shape": _describe_length(proposal)}


def _iter_board_copy_changes(turnout: Turnout, best_proposal: Proposal) -> Iterator[str]:
    for copy_count in range(turnout.sets + 1, MAX_COPIES + 1):
        proposal = _find_best_proposal(replace(turnout, sets=copy_count))
        if proposal is not None and proposal.cost < best_proposal.cost:
            message = (
                _("With %(sets)s copies of each board: %(shape)s in %(sections)s sections.")
                if len(proposal.section_options) > 1
                else _("With %(sets)s copies of each board: %(shape)s.")
            )
            yield message % {
                "sets": format_number(copy_count),
                "shape": _describe_length(proposal),
                "sections": format_number(len(proposal.section_options)),
            }
            return


def _describe_length(proposal: Proposal) -> str:
    rounds_message = ngettext("%(number)s round", "%(number)s rounds", proposal.round_count)
    message = ngettext(
        "%(rounds)s of %(boards)s board",
        "%(rounds)s of %(boards)s boards",
        proposal.boards_a_round,
    )
    return message % {
        "rounds": rounds_message % {"number": format_number(proposal.round_count)},
        "boards": format_number(proposal.boards_a_round),
    }


def _replace_field(turnout: Turnout, field_name: str, field_value: Any) -> Turnout:
    new_values: dict[str, Any] = {field_name: field_value}
    return replace(turnout, **new_values)


def _list_proposals(turnout: Turnout) -> list[Proposal]:
    return list_proposals(turnout, should_fit_usual_limits=True) or list_proposals(
        turnout, should_fit_usual_limits=False
    )


def _find_best_proposal(turnout: Turnout) -> Proposal | None:
    return next(iter(_list_proposals(turnout)), None)


def _find_max_boards_played(proposal: Proposal) -> int:
    return max(option.max_boards_played for option in proposal.section_options)


def _count_stationary_places(proposal: Proposal) -> int:
    return sum(option.statistics.stationary_count for option in proposal.section_options)


def _format_available_boards_change(board_count: int) -> str:
    message = ngettext("With %(number)s board", "With %(number)s boards", board_count)
    return message % {"number": board_count}


def _format_max_boards_change(board_count: int) -> str:
    message = ngettext(
        "With up to %(number)s board each", "With up to %(number)s boards each", board_count
    )
    return message % {"number": board_count}


def _format_minutes_change(minutes: int) -> str:
    message = ngettext(
        "With %(number)s minute of play", "With %(number)s minutes of play", minutes
    )
    return message % {"number": minutes}


def _format_stationary_count_change(stationary_count: int) -> str:
    message = ngettext(
        "With %(number)s stationary", "With %(number)s stationary", stationary_count
    )
    return message % {"number": stationary_count}


_UNLIMITED_VALUES_BY_FIELD: dict[str, Any] = {"stationary": 0}
_LIMITS = (
    _Limit(
        "boards_at_hand",
        lambda proposal: proposal.board_count,
        _format_available_boards_change,
    ),
    _Limit(
        "boards",
        _find_max_boards_played,
        _format_max_boards_change,
    ),
    _Limit(
        "minutes",
        lambda proposal: proposal.minutes,
        _format_minutes_change,
    ),
    _Limit(
        "stationary",
        _count_stationary_places,
        _format_stationary_count_change,
        is_upper_limit=False,
    ),
)
