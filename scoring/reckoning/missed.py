"""Entries without a match in a drawn round: sit-outs, and matches that were not played."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from fractions import Fraction

from scoring.reckoning.seats import Sides

WHOLE = Fraction(1)
Play = tuple[int, int]
"""A sitting and a board."""
Missed = dict[int, dict[tuple[int, int], Fraction]]
"""The part of a round that was missed, by session, then by entry and round."""
Unplayed = Mapping[Sides, Mapping[int, Fraction]]
"""Matches without a board, by their first sitting: the part of the round each entry lost."""


def unplayed_matches(
    sittings: Mapping[int, Sides],
    played: Set[int],
    *,
    entered: Callable[[], Set[Play]],
    only: Set[int] | None,
) -> Unplayed:
    """Find the drawn matches that ended without a board played, of all tables or `only` some.

    `played` are the sittings with counting lines; `entered` returns the plays that are entered.
    A match has ended when all its boards are entered as not played, or its session is closed.
    It can be a half of a three-way match.
    """
    matches: dict[tuple[int, int, frozenset[int]], dict[int, Sides]] = defaultdict(dict)
    for pk, it in sittings.items():
        if it.is_drawn and it.is_played:
            matches[it.section, it.match, frozenset((*it.ns, *it.ew))][pk] = it
    bare = {key: tables for key, tables in matches.items() if played.isdisjoint(tables)}
    if not bare:
        return {}
    often = Counter((*key[:2], entry) for key in matches for entry in key[2])
    written = entered()
    found = {}
    for key, tables in bare.items():
        if (only is None or tables.keys() <= only) and _is_over(tables, written):
            first = min(tables.values(), key=lambda it: it.round)
            found[first] = {each: Fraction(1, often[*key[:2], each]) for each in key[2]}
    return found


def missed_rounds(
    counting: Iterable[Sides],
    unplayed: Unplayed,
    sat_out: Mapping[tuple[int, int], Collection[int]],
) -> Missed:
    """Return the entries without a match in rounds that count or have an unplayed match."""
    rounds = {
        (it.session, it.section, it.round) for it in (*counting, *unplayed) if it.is_drawn
    }
    found: Missed = defaultdict(dict)
    for session, section, round_ in rounds:
        for entry in sat_out.get((section, round_), ()):
            found[session][entry, round_] = WHOLE
    for it, parts in unplayed.items():
        own = found[it.session]
        for entry, part in parts.items():
            own[entry, it.round] = own.get((entry, it.round), Fraction()) + part
    return found


def _is_over(tables: Mapping[int, Sides], written: Set[Play]) -> bool:
    return all(
        it.is_closed or all((pk, board) in written for board in it.boards)
        for pk, it in tables.items()
    )
