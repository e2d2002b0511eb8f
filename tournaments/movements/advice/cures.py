"""Changes that would help where nothing fits or little is played; each is tried first."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.advice.fields import SEATS, Proposal, proposals
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.advice.weights import FEW_BOARDS
from tournaments.movements.systems.system import sized
from tournaments.movements.words import said

MOST_SETS = 3
NEARBY = 4  # competitors more or fewer


@dataclass(frozen=True, slots=True)
class _Limit:
    """A limit that the director may set, and the value that a proposal would need."""

    name: str
    needed: Callable[[Proposal], int]
    words: Callable[[int], str]
    upwards: bool = True


def refusal(evening: Turnout) -> str:
    """Return the message that nothing fits, with the nearest changes that would help."""
    if _has_one_table(evening):
        words = _(
            "With %(size)s there is one table, so no results can be compared. Play a rubber "
            "night, or memory duplicate with four players."
        )
        return words % {"size": sized(evening.unit, evening.count)}
    words = _("No movement suits %(size)s with these wishes.")
    refused = words % {"size": sized(evening.unit, evening.count)}
    cures = list(_cures(evening)) or list(_nearby(evening))
    return " ".join([refused, *cures])


def hints(evening: Turnout, first: Suggestion) -> list[str]:
    """Return the changes that would let everyone play more, if there are too few boards."""
    if evening.boards_at_hand is None or first.plays.most >= FEW_BOARDS:
        return []
    told = [_plays(evening, first)]
    more = _first(replace(evening, boards_at_hand=None))
    if more is not None and more.boards > evening.boards_at_hand:
        again = _first(replace(evening, boards_at_hand=more.boards))
        told += [_boards(more.boards, again)] if again is not None else []
    return told + list(_copies(evening, first.proposal))


def _has_one_table(evening: Turnout) -> bool:
    """Return whether the entries fill one table and no movement suits it, with any options."""
    seats = SEATS.get(evening.unit)
    bare = Turnout(unit=evening.unit, count=evening.count, sets=evening.sets)
    return seats is not None and evening.count // seats == 1 and _first(bare) is None


def _cures(evening: Turnout) -> Iterator[str]:
    for limit in _LIMITS:
        if getattr(evening, limit.name) in (None, 0, False):
            continue
        freed = _changed(evening, limit.name, _FREE.get(limit.name))
        needed = [limit.needed(each) for each in _all(freed)]
        if needed:
            value = min(needed) if limit.upwards else max(needed)
            found = _first(_changed(evening, limit.name, value))
            if found is not None:
                yield _cure(limit.words(value), found)
    yield from _with_other_wishes(evening)


def _with_other_wishes(evening: Turnout) -> Iterator[str]:
    """Yield the preferences to drop: winners, system, sections, tables in a section, rounds."""
    for name, words in (
        ("winners", _("With another number of winners")),
        ("systems", _("With another system")),
        ("sections", _("With another number of sections")),
        ("most_tables", _("With more tables in a section")),
        ("rounds", _("With another number of rounds")),
    ):
        if getattr(evening, name) is not None:
            found = _first(_changed(evening, name, None))
            if found is not None:
                yield _cure(words, found)


def _nearby(evening: Turnout) -> Iterator[str]:
    """Yield the change to no preferences, or else to the nearest number that can play."""
    bare = Turnout(unit=evening.unit, count=evening.count, sets=evening.sets)
    found = _first(bare)
    if found is not None:
        yield _cure(_("Without these wishes"), found)
        return
    for step in range(1, NEARBY + 1):
        for count in (evening.count + step, evening.count - step):
            near = _first(replace(bare, count=count)) if count > 0 else None
            if near is not None:
                words = _("%(size)s can play")
                yield _cure(words % {"size": sized(evening.unit, count)}, near)
                return


def _cure(change: str, found: Proposal) -> str:
    words = (
        _("%(change)s: %(sections)s sections, %(shape)s of %(system)s.")
        if len(found.shapes) > 1
        else _("%(change)s: %(shape)s of %(system)s.")
    )
    return words % {
        "sections": said(len(found.shapes)),
        "change": change,
        "shape": _shape(found),
        "system": found.shapes[0].system.title,
    }


def _plays(evening: Turnout, first: Suggestion) -> str:
    words = ngettext(
        "With %(boards)s board %(size)s can play %(plays)s each.",
        "With %(boards)s boards %(size)s can play %(plays)s each.",
        evening.boards_at_hand or 0,
    )
    return words % {
        "boards": evening.boards_at_hand,
        "size": sized(evening.unit, evening.count),
        "plays": first.plays.most,
    }


def _boards(boards: int, found: Proposal) -> str:
    words = ngettext(
        "%(boards)s board makes %(shape)s.", "%(boards)s boards make %(shape)s.", boards
    )
    return words % {"boards": boards, "shape": _shape(found)}


def _copies(evening: Turnout, first: Proposal) -> Iterator[str]:
    for sets in range(evening.sets + 1, MOST_SETS + 1):
        found = _first(replace(evening, sets=sets))
        if found is not None and found.cost < first.cost:
            words = _("With %(sets)s copies of each board: %(shape)s in %(sections)s sections.")
            yield words % {
                "sets": said(sets),
                "shape": _shape(found),
                "sections": said(len(found.shapes)),
            }
            return


def _shape(found: Proposal) -> str:
    rounds = ngettext("%(number)s round", "%(number)s rounds", found.rounds)
    words = ngettext(
        "%(rounds)s of %(boards)s board",
        "%(rounds)s of %(boards)s boards",
        found.boards_a_round,
    )
    return words % {
        "rounds": rounds % {"number": said(found.rounds)},
        "boards": said(found.boards_a_round),
    }


def _changed(evening: Turnout, name: str, value: Any) -> Turnout:
    changes: dict[str, Any] = {name: value}
    return replace(evening, **changes)


def _all(evening: Turnout) -> list[Proposal]:
    return proposals(evening, usual=True) or proposals(evening, usual=False)


def _first(evening: Turnout) -> Proposal | None:
    return next(iter(_all(evening)), None)


def _most_plays(found: Proposal) -> int:
    return max(shape.most_plays for shape in found.shapes)


def _seated(found: Proposal) -> int:
    return sum(shape.figures.seated for shape in found.shapes)


def _at_hand(number: int) -> str:
    words = ngettext("With %(number)s board at hand", "With %(number)s boards at hand", number)
    return words % {"number": number}


def _each(number: int) -> str:
    words = ngettext(
        "With up to %(number)s board each", "With up to %(number)s boards each", number
    )
    return words % {"number": number}


def _for_play(number: int) -> str:
    words = ngettext(
        "With %(number)s minute for play", "With %(number)s minutes for play", number
    )
    return words % {"number": number}


def _staying(number: int) -> str:
    words = ngettext("With %(number)s that must stay", "With %(number)s that must stay", number)
    return words % {"number": number}


_FREE: dict[str, Any] = {"stationary": 0}
_LIMITS = (
    _Limit(
        "boards_at_hand",
        lambda found: found.boards,
        _at_hand,
    ),
    _Limit(
        "boards",
        _most_plays,
        _each,
    ),
    _Limit(
        "minutes",
        lambda found: found.minutes,
        _for_play,
    ),
    _Limit(
        "stationary",
        _seated,
        _staying,
        upwards=False,
    ),
)
