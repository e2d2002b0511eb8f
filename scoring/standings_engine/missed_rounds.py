"""Drawn rounds that an entry missed: sit-outs, and matches without a board played."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from fractions import Fraction

from scoring.standings_engine.seats import SittingSides

WHOLE_ROUND = Fraction(1)
Play = tuple[int, int]
"""A sitting and a board."""
MissedRounds = dict[int, dict[tuple[int, int], Fraction]]
"""The missed fraction of each round, by session, and then by entry and round."""
UnplayedMatches = Mapping[SittingSides, Mapping[int, Fraction]]
"""Matches without a board played, by their first sitting: the fraction each entry missed."""


def find_unplayed_matches(
    sittings: Mapping[int, SittingSides],
    played: Set[int],
    *,
    entered: Callable[[], Set[Play]],
    only: Set[int] | None,
) -> UnplayedMatches:
    """Return the drawn matches that ended without a board played, at all tables or at `only`
    some.

    `played` are the sittings with counting lines; `entered` returns the entered plays. A match
    has ended when all its boards are entered as not played, or when its session is closed. It
    can be a half of a three-way match.
    """
    matches: dict[tuple[int, int, frozenset[int]], dict[int, SittingSides]] = defaultdict(dict)
    for pk, it in sittings.items():
        if it.has_drawn_rounds and it.is_played:
            matches[it.section, it.match, frozenset((*it.ns, *it.ew))][pk] = it
    bare = {key: tables for key, tables in matches.items() if played.isdisjoint(tables)}
    if not bare:
        return {}
    often = Counter((*key[:2], entry) for key in matches for entry in key[2])
    written = entered()
    found = {}
    for key, tables in bare.items():
        if (only is None or tables.keys() <= only) and _is_match_over(tables, written):
            first = min(tables.values(), key=lambda it: it.round)
            found[first] = {each: Fraction(1, often[*key[:2], each]) for each in key[2]}
    return found


def find_missed_rounds(
    counting: Iterable[SittingSides],
    unplayed: UnplayedMatches,
    sat_out: Mapping[tuple[int, int], Collection[int]],
) -> MissedRounds:
    """Return the entries without a match in rounds that count or have an unplayed match."""
    rounds = {
        (it.session, it.section, it.round)
        for it in (*counting, *unplayed)
        if it.has_drawn_rounds
    }
    found: MissedRounds = defaultdict(dict)
    for session, section, round_ in rounds:
        for entry in sat_out.get((section, round_), ()):
            found[session][entry, round_] = WHOLE_ROUND
    for it, parts in unplayed.items():
        own = found[it.session]
        for entry, part in parts.items():
            own[entry, it.round] = own.get((entry, it.round), Fraction()) + part
    return found


def _is_match_over(tables: Mapping[int, SittingSides], written: Set[Play]) -> bool:
    return all(
        it.is_closed or all((pk, board) in written for board in it.boards)
        for pk, it in tables.items()
    )
