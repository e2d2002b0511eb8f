"""Changes of the limits to propose if no movement fits or few boards are played.

Each proposed change is tested first.
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
MAX_COUNT_DIFFERENCE = 4  # the maximum change of the number of competitors


@dataclass(frozen=True, slots=True)
class _Limit:
    """A limit that the director may set, and the value that a proposal would need."""

    name: str
    needed: Callable[[Proposal], int]
    words: Callable[[int], str]
    upwards: bool = True


def format_refusal(evening: Turnout) -> str:
    """Return the message that no movement fits, with the nearest changes that would help."""
    if _has_one_table(evening):
        message = _(
            "%(size)s fill one table, so there are no scores to compare. "
            "Play a rubber night, or memory duplicate with four players."
        )
        return message % {"size": format_size(evening.unit, evening.count)}
    message = _("No movement suits %(size)s with these options.")
    error = message % {"size": format_size(evening.unit, evening.count)}
    changes = list(_iter_limit_changes(evening)) or list(_iter_nearest_counts(evening))
    return " ".join([error, *changes])


def list_hints(evening: Turnout, first: Suggestion) -> list[str]:
    """Return the changes that would let everyone play more boards, if too few are available."""
    if evening.boards_at_hand is None or first.plays.most >= FEW_BOARDS_THRESHOLD:
        return []
    lines = [_describe_plays(evening, first)]
    unlimited_proposal = _find_best_proposal(replace(evening, boards_at_hand=None))
    if unlimited_proposal is not None and unlimited_proposal.boards > evening.boards_at_hand:
        checked_proposal = _find_best_proposal(
            replace(evening, boards_at_hand=unlimited_proposal.boards)
        )
        lines += (
            [_describe_boards(unlimited_proposal.boards, checked_proposal)]
            if checked_proposal is not None
            else []
        )
    return lines + list(_iter_copy_changes(evening, first.proposal))


def _has_one_table(evening: Turnout) -> bool:
    """Return whether there is only one table and no movement suits it, whatever the limits."""
    seats = ENTRIES_PER_TABLE.get(evening.unit)
    unlimited_turnout = Turnout(unit=evening.unit, count=evening.count, sets=evening.sets)
    return (
        seats is not None
        and evening.count // seats == 1
        and _find_best_proposal(unlimited_turnout) is None
    )


def _iter_limit_changes(evening: Turnout) -> Iterator[str]:
    for limit in _LIMITS:
        if getattr(evening, limit.name) in (None, 0, False):
            continue
        unlimited_turnout = _replace_field(
            evening, limit.name, _UNLIMITED_VALUES.get(limit.name)
        )
        needed_values = [limit.needed(each) for each in _list_proposals(unlimited_turnout)]
        if needed_values:
            value = min(needed_values) if limit.upwards else max(needed_values)
            proposal = _find_best_proposal(_replace_field(evening, limit.name, value))
            if proposal is not None:
                yield _format_change(limit.words(value), proposal)
    yield from _iter_preference_changes(evening)


def _iter_preference_changes(evening: Turnout) -> Iterator[str]:
    """Yield changes that drop one preference: winners, system, sections, tables or rounds."""
    for name, change in (
        ("winners", _("With a different number of winners")),
        ("systems", _("With a different system")),
        ("sections", _("With a different number of sections")),
        ("max_tables", _("With more tables in a section")),
        ("rounds", _("With a different number of rounds")),
    ):
        if getattr(evening, name) is not None:
            proposal = _find_best_proposal(_replace_field(evening, name, None))
            if proposal is not None:
                yield _format_change(change, proposal)


def _iter_nearest_counts(evening: Turnout) -> Iterator[str]:
    """Yield the change that drops all preferences, or else the nearest size that fits."""
    unlimited_turnout = Turnout(unit=evening.unit, count=evening.count, sets=evening.sets)
    proposal = _find_best_proposal(unlimited_turnout)
    if proposal is not None:
        yield _format_change(_("Without these options"), proposal)
        return
    for step in range(1, MAX_COUNT_DIFFERENCE + 1):
        for count in (evening.count + step, evening.count - step):
            nearest_proposal = (
                _find_best_proposal(replace(unlimited_turnout, count=count))
                if count > 0
                else None
            )
            if nearest_proposal is not None:
                message = _("%(size)s can play")
                yield _format_change(
                    message % {"size": format_size(evening.unit, count)}, nearest_proposal
                )
                return


def _format_change(change: str, proposal: Proposal) -> str:
    message = (
        _("%(change)s: %(sections)s sections, %(shape)s of %(system)s.")
        if len(proposal.shapes) > 1
        else _("%(change)s: %(shape)s of %(system)s.")
    )
    return message % {
        "sections": format_number(len(proposal.shapes)),
        "change": change,
        "shape": _describe_length(proposal),
        "system": proposal.shapes[0].system.title,
    }


def _describe_plays(evening: Turnout, first: Suggestion) -> str:
    message = ngettext(
        "With %(boards)s board %(size)s can play %(plays)s each.",
        "With %(boards)s boards %(size)s can play %(plays)s each.",
        evening.boards_at_hand or 0,
    )
    return message % {
        "boards": evening.boards_at_hand,
        "size": format_size(evening.unit, evening.count),
        "plays": first.plays.most,
    }


def _describe_boards(boards: int, proposal: Proposal) -> str:
    message = ngettext(
        "%(boards)s board makes %(shape)s.", "%(boards)s boards make %(shape)s.", boards
    )
    return message % {"boards": boards, "shape": _describe_length(proposal)}


def _iter_copy_changes(evening: Turnout, first: Proposal) -> Iterator[str]:
    for sets in range(evening.sets + 1, MAX_COPIES + 1):
        proposal = _find_best_proposal(replace(evening, sets=sets))
        if proposal is not None and proposal.cost < first.cost:
            message = _(
                "With %(sets)s copies of each board: %(shape)s in %(sections)s sections."
            )
            yield message % {
                "sets": format_number(sets),
                "shape": _describe_length(proposal),
                "sections": format_number(len(proposal.shapes)),
            }
            return


def _describe_length(proposal: Proposal) -> str:
    rounds = ngettext("%(number)s round", "%(number)s rounds", proposal.rounds)
    message = ngettext(
        "%(rounds)s of %(boards)s board",
        "%(rounds)s of %(boards)s boards",
        proposal.boards_a_round,
    )
    return message % {
        "rounds": rounds % {"number": format_number(proposal.rounds)},
        "boards": format_number(proposal.boards_a_round),
    }


def _replace_field(evening: Turnout, name: str, value: Any) -> Turnout:
    changes: dict[str, Any] = {name: value}
    return replace(evening, **changes)


def _list_proposals(evening: Turnout) -> list[Proposal]:
    return list_proposals(evening, within_usual_limits=True) or list_proposals(
        evening, within_usual_limits=False
    )


def _find_best_proposal(evening: Turnout) -> Proposal | None:
    return next(iter(_list_proposals(evening)), None)


def _find_max_plays(proposal: Proposal) -> int:
    return max(option.most_plays for option in proposal.shapes)


def _count_stationary(proposal: Proposal) -> int:
    return sum(option.figures.seated for option in proposal.shapes)


def _boards_available_text(number: int) -> str:
    message = ngettext("With %(number)s board", "With %(number)s boards", number)
    return message % {"number": number}


def _boards_each_text(number: int) -> str:
    message = ngettext(
        "With up to %(number)s board each", "With up to %(number)s boards each", number
    )
    return message % {"number": number}


def _format_minutes_change(number: int) -> str:
    message = ngettext(
        "With %(number)s minute of play", "With %(number)s minutes of play", number
    )
    return message % {"number": number}


def _describe_stationary(number: int) -> str:
    message = ngettext("With %(number)s stationary", "With %(number)s stationary", number)
    return message % {"number": number}


_UNLIMITED_VALUES: dict[str, Any] = {"stationary": 0}
_LIMITS = (
    _Limit(
        "boards_at_hand",
        lambda proposal: proposal.boards,
        _boards_available_text,
    ),
    _Limit(
        "boards",
        _find_max_plays,
        _boards_each_text,
    ),
    _Limit(
        "minutes",
        lambda proposal: proposal.minutes,
        _format_minutes_change,
    ),
    _Limit(
        "stationary",
        _count_stationary,
        _describe_stationary,
        upwards=False,
    ),
)
